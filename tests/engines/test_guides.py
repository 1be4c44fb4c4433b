"""Guides `none` and `optimal` return interpolant sequences, the cheapest where they promise it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from forms import entries, row
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import known_verdict
from paths import fired_questions, is_interpolant_sequence, questions
from strategies import problems

from petricheck.engines.guides import Choice
from petricheck.engines.guides.none import None_
from petricheck.engines.guides.optimal import Optimal
from petricheck.engines.heuristics import Displacement
from petricheck.evidence.answer import Reachable, Unknown
from petricheck.model.net import Net, make_net
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.plugins import build, members
from petricheck.symbolic.interpolation.path import Block, FarkasSequence, PathQuestion
from petricheck.symbolic.linear import HalfSpace, Hyperplane, product, scaled, value_at

HUGE = 10**30
ALL = tuple(build("heuristics", name) for name in members("heuristics"))


def numbers(net: Net, question: PathQuestion) -> list[int]:
    return [net.transitions.index(block.transition) for block in question.blocks]


def ask(guide, net: Net, question: PathQuestion) -> Choice | None:
    displacements = guide.displacements(ALL, net, numbers(net, question))
    return guide.interpolate(question, displacements, Budget(seconds=10.0))


def proof(choice: Choice) -> FarkasSequence:
    assert choice.proof is not None
    assert choice.predicates == choice.proof.half_spaces
    return choice.proof


def goal_fails(question: PathQuestion) -> bool:
    """Whether some row is false of m0 + Σ n·δ, whatever the guards on the way say."""
    marking = question.net.initial
    for block in question.blocks:
        marking = block.transition.fire(marking, block.count)
    return not all(row.holds(marking) for row in question.goal)


def cost(choice: Choice, question: PathQuestion, displacements) -> Fraction:
    """The guide's objective for coefficients scaled so that the separating gap is 1."""
    sequence = proof(choice)
    chain = [(), sequence.cuts[-1]]
    for before, inside in zip(sequence.cuts[-2::-1], sequence.inner[::-1], strict=True):
        chain += [inside, before]
    chain = [entries(vector, len(question.net.initial)) for vector in chain]
    steps = sum(abs(a - b) for low, high in pairwise(chain) for a, b in zip(low, high, strict=True))
    growth = sum(
        d.weight * max(0, product(c, d.vector)) for c in sequence.cuts for d in displacements
    )
    first = next(h for h in sequence.half_spaces if h.direction == sequence.cuts[0])
    gap = first.bound + 1 - value_at(first.direction, question.net.initial)
    return Fraction(steps + growth, gap)


@settings(max_examples=16)
@given(st.sampled_from((None_(), Optimal())), st.one_of(questions(), fired_questions()))
def test_every_choice_is_an_interpolant_sequence(guide, case):
    net, question = case
    choice = ask(guide, net, question)
    assume(choice is not None)
    assert is_interpolant_sequence(net, question, proof(choice))
    assert choice.templates == () and choice.cost == 0


@settings(max_examples=16)
@given(st.one_of(questions(counts=(1, 2, 3)), fired_questions(counts=(1, 2, 3))))
def test_without_guidance_a_path_is_separated_exactly_where_the_goal_fails_at_its_end(case):
    net, question = case
    choice = ask(None_(), net, question)
    assert (choice is not None) == goal_fails(question)


@settings(max_examples=16)
@given(st.one_of(questions(), fired_questions()))
def test_without_guidance_all_cuts_speak_of_one_row_of_the_goal(case):
    net, question = case
    choice = ask(None_(), net, question)
    assume(choice is not None)
    normals = {*proof(choice).cuts, *proof(choice).inner}
    assert len(normals) == 1
    signs = ((row, (-1, 1) if isinstance(row, Hyperplane) else (-1,)) for row in question.goal)
    assert normals <= {scaled(row.direction, sign) for row, both in signs for sign in both}


@settings(max_examples=16)
@given(fired_questions())
def test_no_guide_separates_what_is_reached(case):
    net, question = case
    marking = question.net.initial
    for block in question.blocks:
        times = 1 if block.count is None else block.count
        assume(block.transition.fires(marking, times))
        marking = block.transition.fire(marking, times)
    assume(not goal_fails(_once(question)))
    assert ask(None_(), net, question) is None
    assert ask(Optimal(), net, question) is None


def _once(question: PathQuestion) -> PathQuestion:
    blocks = tuple(Block(b.transition, b.count or 1) for b in question.blocks)
    return PathQuestion(question.net, blocks, question.goal)


@settings(max_examples=16)
@given(questions())
def test_the_optimal_sequence_exists_and_costs_no_more_than_any_found_for_other_reasons(case):
    net, question = case
    displacements = Optimal().displacements(ALL, net, numbers(net, question))
    best = Optimal().interpolate(question, displacements, Budget())
    assume(best is not None or ask(None_(), net, question) is not None)
    assert best is not None
    limit = cost(best, question, displacements)
    reasons = [(), displacements[:1], displacements[-1:]]
    others = [Optimal().interpolate(question, reason, Budget()) for reason in reasons]
    for other in (*others, ask(None_(), net, question)):
        if other is not None:
            slack = Fraction(1_000_001, 1_000_000)
            assert limit <= cost(other, question, displacements) * slack


def test_a_heavy_displacement_turns_the_interpolant_away_from_it():
    """Both p1 ≤ 0 and p2 ≤ 0 separate; growing along p1 is dear, so p2 is chosen, or reversed."""
    net = net_of("p1=0 p2=0 p3=1, still: p3 -> p3")
    goal = (row(((0, 1),), 1), row(((1, 1),), 1))
    question = PathQuestion(net, (Block(net.transitions[0], 1),), goal)
    for place in (0, 1):
        dear = Displacement(((place, 1),), 1000, False, "test")
        choice = Optimal().interpolate(question, (dear,), Budget(seconds=10.0))
        assert choice is not None
        cuts = [entries(c, 3) for c in proof(choice).cuts]
        assert all(c[place] <= 0 and c[1 - place] > 0 for c in cuts)


def test_each_row_that_fails_alone_has_a_half_space_of_its_own():
    net = net_of("p1=0 p2=0 p3=1, still: p3 -> p3")
    goal = (row(((0, 1),), 1), row(((1, 1),), 1), row(((2, 1),), 1))
    question = PathQuestion(net, (Block(net.transitions[0], 1),), goal)
    choice = Optimal(each=True).interpolate(question, (), Budget(seconds=10.0))
    assert choice is not None and choice.proof is None
    assert {*choice.predicates} == {HalfSpace(((0, 1),), 0), HalfSpace(((1, 1),), 0)}
    one = replace(question, goal=goal[1:])
    assert ask(Optimal(each=True), net, one) == ask(Optimal(), net, one)


@settings(max_examples=15)
@given(problems())
def test_verdicts_do_not_depend_on_how_many_half_spaces_are_proposed(problem):
    options = {"guide": "optimal:each=true"}
    answer = check(problem, engine="cegar", options=options, budget=Budget(5)).answer
    if not isinstance(answer, Unknown):
        expected = known_verdict(problem, 500)
        assert expected in (None, "reachable" if isinstance(answer, Reachable) else "unreachable")


@pytest.mark.parametrize("guide", [None_(), Optimal()])
def test_huge_token_counts_end_in_a_true_sequence_or_in_none(guide):
    net = make_net("n", {"p": HUGE, "q": 0}, {"t": ({"p": 1}, {"q": HUGE})})
    for goal, possible in (
        (row(((0, 1),), HUGE), False),
        (row(((0, 1),), HUGE - 1), True),
        (row(((1, 1),), HUGE + 1), False),
        (row(((1, 1),), HUGE), True),
        (row(((0, 1), (1, 1)), 2 * HUGE, True), False),
        (row(((0, 1), (1, 1)), 2 * HUGE - 1, True), True),
    ):
        question = PathQuestion(net, (Block(net.transitions[0], 1),), (goal,))
        choice = ask(guide, net, question)
        assert choice is None or not possible
        if isinstance(guide, None_):
            assert (choice is None) == possible
        if choice is not None:
            assert is_interpolant_sequence(net, question, proof(choice))
