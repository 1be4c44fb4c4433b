"""Interpolant sequences of paths satisfy the definition: z3 checks every step over the integers."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product

import pytest
from forms import entries, row, vector
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from strategies import BOOLEANS, any_of, nets

from petricheck.arithmetic.formulas.formulas import Conjunction, at_least, at_most, equal
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.solvers.solver import find_model, implies
from petricheck.laboratory.guides.lattice import TemplateProgram
from petricheck.laboratory.paths import accelerated_step, step
from petricheck.model.net import Net, Transition
from petricheck.support.budget import Budget
from petricheck.symbolic.encoding.stamps import at, initial
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


@cache
def goals(places: int) -> st.SearchStrategy[list[Constraint]]:
    """One to three rows: guards of some place, or any small linear constraints."""
    vectors = st.dictionaries(any_of(places), st.integers(-3, 3).filter(bool), min_size=1)
    guards = st.builds(row, any_of(places).map(lambda p: ((p, 1),)), st.integers(1, 5), BOOLEANS)
    sorted_vectors = vectors.map(lambda weights: tuple(sorted(weights.items())))
    constraints = st.builds(row, sorted_vectors, st.integers(-6, 6), BOOLEANS)
    return st.lists(st.one_of(guards, constraints), min_size=1, max_size=3)


@st.composite
def questions(draw, counts=(1, None, 2, 3), most_blocks: int = 4) -> tuple[Net, PathQuestion]:
    """A small net, a path of it in blocks, and a goal of up to three rows."""
    net = draw(nets(max_places=3, max_transitions=3))
    picked = st.tuples(st.sampled_from(net.transitions), st.sampled_from(counts))
    blocks = draw(st.lists(picked, max_size=most_blocks))
    goal = draw(goals(len(net.places)))
    made = tuple(Block(transition, count) for transition, count in blocks)
    return net, PathQuestion(net, made, tuple(goal))


@st.composite
def fired_questions(draw, counts=(1, None, 2, 3)) -> tuple[Net, PathQuestion]:
    """Blocks that mostly fire, and a goal that mostly contains the marking they lead to."""
    net = draw(nets(max_places=3, max_transitions=3))
    marking, blocks = net.initial, []
    for transition in draw(st.lists(st.sampled_from(net.transitions), max_size=6)):
        count = draw(st.sampled_from(counts))
        times = draw(st.integers(1, 3)) if count is None else count
        if transition.fires(marking, times) or draw(st.integers(0, 9)) == 0:
            marking = transition.fire(marking, times)
            blocks.append(Block(transition, count))
    goal = []
    for wanted in draw(goals(len(net.places))):
        excess = draw(st.sampled_from((0, 0, 0, 1, 2, -1)))
        bound = along(wanted.direction, enumerate(marking))
        if isinstance(wanted, HalfSpace):
            goal.append(HalfSpace(wanted.direction, bound + excess))
        else:
            goal.append(Hyperplane(wanted.direction, bound))
    return net, PathQuestion(net, tuple(blocks), tuple(goal))


def at_time(net: Net, half_space: HalfSpace, k: int):
    """direction·m ≤ bound about the marking at time k."""
    pairs = ((at(net.places[place], k), weight) for place, weight in half_space.direction)
    return at_most(linear(pairs), half_space.bound)


def goal_at(net: Net, goal: tuple[Constraint, ...], name) -> Conjunction:
    terms = [linear((name(net.places[p]), w) for p, w in row.direction) for row in goal]
    return Conjunction(
        tuple(
            (equal if isinstance(row, Hyperplane) else at_most)(term, row.bound)
            for row, term in zip(goal, terms, strict=True)
        )
    )


def along(direction, weights) -> int:
    return sum(dict(direction).get(place, 0) * weight for place, weight in weights)


def cut_bounds(question: PathQuestion, multipliers, cuts, inner) -> list[int]:
    """B_0 … B_k, by the recurrence that the specification states."""
    bounds = [-sum(w * row.bound for w, row in zip(multipliers, question.goal, strict=True))]
    for number in range(len(question.blocks) - 1, -1, -1):
        block, after, inside = question.blocks[number], cuts[number + 1], inner[number]
        t, times = block.transition, 1 if block.count is None else block.count
        bounds.append(
            bounds[-1]
            + along(inside, t.post) - along(after, t.post)
            + along(cuts[number], t.pre) - along(inside, t.pre)
            - times * along(inside, t.effect)
        )  # fmt: skip
    return bounds[::-1]


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


def is_interpolant_sequence(net: Net, question: PathQuestion, sequence) -> bool:
    """Definition 10 for the blocks, with markings over ℕ: every I_{i-1} ∧ A_i ⊨ I_i.

    A block t^n of fixed n counts as n steps with the interpolants in between that the sequence
    claims; one of any number n ≥ 1 is a single accelerated step with its count quantified.
    """
    bounds = cut_bounds(question, sequence.multipliers, sequence.cuts, sequence.inner)
    spaces = [HalfSpace(c, b - 1) for c, b in zip(sequence.cuts, bounds, strict=True)]
    time = 0
    if not implies(initial(net), at_time(net, spaces[0], 0)):
        return False
    for number, block in enumerate(question.blocks):
        t, before, after = block.transition, spaces[number], spaces[number + 1]
        if block.count is None:
            parts = [(accelerated_step(net, t, time), after)]
        else:
            inside = inner_spaces(block, sequence.inner[number], after)[1:]
            parts = [(step(net, t, time + q), s) for q, s in enumerate((*inside[::-1], after))]
        for action, reached in parts:
            if not implies(Conjunction((at_time(net, before, time), action)),
                           at_time(net, reached, time + 1)):  # fmt: skip
                return False
            before, time = reached, time + 1
    last = goal_at(net, question.goal, lambda place: at(place, time))
    natural = tuple(at_least(linear([(at(p, time), 1)]), 0) for p in net.places)
    return find_model(Conjunction((at_time(net, spaces[-1], time), last, *natural))) is None


def inner_spaces(block: Block, inside, after: HalfSpace) -> list[HalfSpace]:
    """d·m ≤ B_i + e_i·v_i − q·d·δ − 1 for q = 0 … n − 1, with q = 0 alone where n is free."""
    t = block.transition
    bound = after.bound + along(inside, t.post) - along(after.direction, t.post)
    growth = along(inside, t.effect)
    return [HalfSpace(inside, bound - q * growth) for q in range(block.count or 1)]


def claimed_spaces(question: PathQuestion, sequence) -> list[HalfSpace]:
    bounds = cut_bounds(question, sequence.multipliers, sequence.cuts, sequence.inner)
    spaces = [HalfSpace(c, b - 1) for c, b in zip(sequence.cuts, bounds, strict=True)]
    for block, inside, after in zip(question.blocks, sequence.inner, spaces[1:], strict=False):
        spaces += inner_spaces(block, inside, after)
    return spaces


def solve_free(question: PathQuestion):
    return free_chain(question, relevant_places(question), 1.0).solve(10.0)


@settings(max_examples=30)
@given(questions())
def test_sequences_of_accelerated_and_repeated_blocks_are_interpolants(case):
    net, question = case
    sequence = solve_free(question)
    assume(sequence is not None)
    assert is_interpolant_sequence(net, question, sequence)
    # It lists its half-spaces at the cuts and inside the blocks once.
    assert set(sequence.half_spaces) == set(claimed_spaces(question, sequence))
    assert len(set(sequence.half_spaces)) == len(sequence.half_spaces)


@settings(max_examples=30)
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


@settings(max_examples=30)
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


def transition(pre: dict[int, int], post: dict[int, int]) -> Transition:
    return Transition("t", tuple(sorted(pre.items())), tuple(sorted(post.items())))


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


@settings(max_examples=25)
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
