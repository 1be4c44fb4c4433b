"""Interpolant sequences of paths satisfy the definition: z3 checks every step over the integers."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from forms import entries, row, vector
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from paths import (
    along,
    cut_bounds,
    fired_questions,
    inner_spaces,
    is_interpolant_sequence,
    questions,
    transition,
)

from petricheck.laboratory.guides.lattice import TemplateProgram
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.symbolic.interpolation.chain import free_chain
from petricheck.symbolic.interpolation.path import (
    Block,
    PathQuestion,
    confirm,
    constant_sequence,
    feasible_counts,
    relevant_places,
)
from petricheck.symbolic.linear import Constraint, HalfSpace, Hyperplane

HUGE = 10**30


def conditions_hold(question: PathQuestion, multipliers, cuts, inner) -> bool:
    """The linear conditions on a sequence, read from the specification."""
    size = len(question.net.initial)
    combined = [0] * size
    for wanted, multiplier in zip(question.goal, multipliers, strict=True):
        for place, weight in wanted.direction:
            combined[place] -= multiplier * weight
    chain = [vector(combined), cuts[-1]]
    for before, inside in zip(cuts[-2::-1], inner[::-1], strict=True):
        chain += [inside, before]
    signs = all(
        isinstance(row, Hyperplane) or w >= 0
        for row, w in zip(question.goal, multipliers, strict=True)
    )
    ordered = all(
        low <= high
        for lower, higher in pairwise(chain)
        for low, high in zip(entries(lower, size), entries(higher, size), strict=True)
    )
    repeatable = all(
        block.count is not None or along(inside, block.transition.effect) <= 0
        for block, inside in zip(question.blocks, inner, strict=True)
    )
    value = along(cuts[0], enumerate(question.net.initial))
    return signs and ordered and repeatable and value < cut_bounds(
        question, multipliers, cuts, inner
    )[0]  # fmt: skip


def claimed_spaces(question: PathQuestion, sequence) -> list[HalfSpace]:
    bounds = cut_bounds(question, sequence.multipliers, sequence.cuts, sequence.inner)
    spaces = [HalfSpace(c, b - 1) for c, b in zip(sequence.cuts, bounds, strict=True)]
    for block, inside, after in zip(question.blocks, sequence.inner, spaces[1:], strict=False):
        spaces += inner_spaces(block, inside, after)
    return spaces


def solve_free(question: PathQuestion):
    return free_chain(question, relevant_places(question), 1.0).solve(10.0)


@settings(max_examples=20)
@given(questions())
def test_sequences_of_accelerated_and_repeated_blocks_are_interpolants(case):
    net, question = case
    sequence = solve_free(question)
    assume(sequence is not None)
    assert is_interpolant_sequence(net, question, sequence)
    # It lists its half-spaces at the cuts and inside the blocks once.
    assert set(sequence.half_spaces) == set(claimed_spaces(question, sequence))
    assert len(set(sequence.half_spaces)) == len(sequence.half_spaces)


@settings(max_examples=20)
@given(questions())
def test_unit_vectors_and_their_negations_are_templates_for_everything(case):
    _, question = case
    units = [
        (((place, sign),), 1) for place in range(len(question.net.initial)) for sign in (1, -1)
    ]
    sequence = TemplateProgram(question, units, Budget()).chain.solve(10.0)
    assert (sequence is None) == (solve_free(question) is None)
    if sequence is not None:
        assert set(sequence.half_spaces) == set(claimed_spaces(question, sequence))


@settings(max_examples=20)
@given(questions(), st.data())
def test_whatever_confirm_accepts_after_a_mutation_satisfies_the_definition(case, data):
    net, question = case
    sequence = solve_free(question)
    assume(sequence is not None)
    places = len(net.places)
    vectors = [entries(vector, places) for vector in (*sequence.cuts, *sequence.inner)]
    vectors.insert(0, sequence.multipliers)
    position = data.draw(st.integers(0, len(vectors) - 1))
    entry = data.draw(st.integers(0, len(vectors[position]) - 1))
    change = data.draw(st.sampled_from((-1, 1, -2, 2, HUGE, -HUGE)))
    vectors[position] = tuple(
        value + change * (n == entry) for n, value in enumerate(vectors[position])
    )
    changed, size = [vector(entries) for entries in vectors[1:]], len(sequence.cuts)
    mutated = (vectors[0], tuple(changed[:size]), tuple(changed[size:]))
    confirmed = confirm(question, *mutated)
    assert (confirmed is not None) == conditions_hold(question, *mutated)
    if confirmed is not None:
        assert is_interpolant_sequence(net, question, confirmed)


@settings(max_examples=20)
@given(st.one_of(questions(), fired_questions()))
def test_a_sequence_is_found_exactly_where_no_rational_repetitions_fit(case):
    _, question = case
    assume(question.blocks)
    feasible = feasible_counts(question, 10.0, False) is not None
    assert feasible == (solve_free(question) is None)


def lone(count, pre, post, tokens, row) -> PathQuestion:
    step = transition(pre, post)
    return PathQuestion(Net("n", ("p",), (step,), (tokens,)), (Block(step, count),), (row,))


P, Q, MINUS_P = ((0, 1),), ((1, 1),), ((0, -1),)
AT_LEAST_FIVE = row(((0, 1),), 5)


@pytest.mark.parametrize(
    ("question", "multipliers", "cuts", "inner"),
    [
        # p grows along the accelerated block: it reaches 5 if not at once.
        (lone(None, {}, {0: 1}, 0, AT_LEAST_FIVE), (1,), (P, P), (P,)),
        # A negative multiplier would turn p ≥ 0 into p ≤ 0.
        (lone(1, {}, {}, 1, row(((0, 1),), 0)), (-1,), (MINUS_P, MINUS_P), (MINUS_P,)),
        # c_1 = 0 is below the goal's p: 0 ≤ 4 does not exclude p ≥ 5.
        (lone(1, {}, {}, 9, AT_LEAST_FIVE), (1,), ((), ()), ((),)),
        # d_1 < c_1: the end guard p ≥ 7 cannot lower the coefficient.
        (lone(None, {}, {0: 7}, 0, AT_LEAST_FIVE), (1,), ((), P), ((),)),
        # c_0 < d_1: nor can the start guard.
        (lone(None, {0: 7}, {}, 9, row(((0, 1),), 1)), (1,), ((), P), (P,)),
        # c_0·m0 = B_0: the goal is met with not a token to spare.
        (lone(1, {}, {0: 1}, 4, AT_LEAST_FIVE), (1,), (P, P), (P,)),
    ],
)
def test_a_proposal_is_refused_where_a_single_condition_fails(question, multipliers, cuts, inner):
    assert not conditions_hold(question, multipliers, cuts, inner)
    assert confirm(question, multipliers, cuts, inner) is None


def asked(net: str, count: int | None, *goal: Constraint) -> PathQuestion:
    """Of a path of every transition, each so many times."""
    made = net_of(net)
    return PathQuestion(made, tuple(Block(t, count) for t in made.transitions), goal)


@pytest.mark.parametrize("tokens", [5, HUGE, 10**400])
def test_a_bound_is_exact_to_the_last_token(tokens):
    net = f"p={tokens}, p ->"
    assert confirm(asked(net, 1, row(P, tokens - 1)), (1,), (P, P), (P,)) is None
    found = confirm(asked(net, 1, row(P, tokens)), (1,), (P, P), (P,))
    assert set(found.half_spaces) == {HalfSpace(P, tokens), HalfSpace(P, tokens - 1)}


def test_huge_numbers_never_make_an_unfounded_sequence():
    for goal in (row(((0, 1), (1, 1)), HUGE - 1), row(((0, 1), (1, 1)), HUGE, True)):
        assert solve_free(asked(f"p={HUGE} q=0, p -> q", None, goal)) is None


def test_long_blocks_are_not_unrolled_without_bound():
    question = asked(f"p={HUGE} q=0, p -> q", HUGE, row(Q, HUGE + 1))
    sequence = constant_sequence(question, Q, (1,))
    assert sequence is not None and len(sequence.half_spaces) <= 1002
    assert all(0 <= h.bound <= HUGE for h in sequence.half_spaces)
    assert {HalfSpace(Q, 0), HalfSpace(Q, HUGE)} <= set(sequence.half_spaces)


def replays(question: PathQuestion, counts) -> bool:
    marking = question.net.initial
    for block, count in zip(question.blocks, counts, strict=True):
        for _ in range(count):
            after = list(marking)
            for place, weight in block.transition.pre:
                after[place] -= weight
            if min(after) < 0:
                return False
            for place, weight in block.transition.post:
                after[place] += weight
            marking = tuple(after)
    return all(row.holds(marking) for row in question.goal)


@settings(max_examples=16)
@given(fired_questions())
def test_integer_repetitions_are_found_where_enumeration_finds_some_and_replay_into_the_goal(case):
    _, question = case
    counts = feasible_counts(question, 10.0, True)
    choices = [range(1, 5) if b.count is None else (b.count,) for b in question.blocks]
    if question.blocks and any(replays(question, chosen) for chosen in product(*choices)):
        assert counts is not None
        assert feasible_counts(question, 10.0, False) is not None
    assume(counts is not None)
    rounded = [round(count) for count in counts]
    assert all(abs(a - b) < 1e-4 for a, b in zip(counts, rounded, strict=True))
    for block, count in zip(question.blocks, rounded, strict=True):
        assert count >= 1 if block.count is None else count == block.count
    assert replays(question, rounded)


def test_effects_three_and_five_make_four_over_the_rationals_only():
    question = asked("p=0, t: -> 3 p, u: -> 5 p", None, row(P, 9, True))
    assert feasible_counts(question, 10.0, True) is None
    assert feasible_counts(question, 10.0, False) is not None
    assert solve_free(question) is None


def test_in_a_large_net_what_path_and_goal_touch_is_relevant_and_vectors_that_meet_it():
    goal = (row(((3, 1),), 1),)
    small, large = (Net("n", tuple(map(str, range(n))), (), (0,) * n) for n in (20, 5000))
    assert relevant_places(PathQuestion(small, (), goal)) == tuple(range(20))
    question = PathQuestion(large, (Block(transition({7: 1}, {9: 1}), 1),), goal)
    assert relevant_places(question) == (3, 7, 9)
    vectors = [((9, 1), (4000, 2)), ((10, 1), (11, 1)), ((4000, 1), (4001, 1))]
    assert relevant_places(question, vectors) == (3, 7, 9, 4000)


def test_a_conjunction_of_no_rows_is_excluded_only_by_the_path_itself():
    assert solve_free(asked("p=0, p ->", 1)) is not None
    assert solve_free(asked("p=1, p ->", 1)) is None
