"""Forward search with acceleration: what it meets, and the firing sequences it makes of it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from strategies import nets
from test_coverability import cover, karp_miller, random_net

from petricheck.answer import Reachable, Unreachable, joined
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.covering import karp_miller as forward
from petricheck.covering import unrolling
from petricheck.covering.backward import Backward, as_row
from petricheck.covering.facts import Facts
from petricheck.covering.karp_miller import KarpMiller
from petricheck.covering.targets import minimal_markings
from petricheck.covering.unrolling import hurdle, unrolled
from petricheck.engines import coverability
from petricheck.errors import BudgetExhausted
from petricheck.presburger.formulas import at_least, conjunction
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Problem, make_net, make_problem
from petricheck.questions import check

MILLION = 1_000_000


def reach(problem: Problem, turns: int = 100_000) -> Reachable | None:
    """By the forward search alone; None where it ends without a meeting."""
    net = problem.net
    goals = np.array([as_row(net, b) for b in minimal_markings(problem.target)], dtype=np.int64)
    tree = KarpMiller(net, range(len(net.transitions)), np.int64)
    found = tree.explore(goals, np.arange(len(goals)), turns, Budget())
    if found is None:
        assert tree.ended
        return None
    wanted = {place: int(n) for place, n in enumerate(goals[found.goal]) if n}
    steps = tree.firing_sequence(found.node, wanted)
    assert steps is not None
    return Reachable(joined(steps, net.actions))


def steps_to(net: Net, seconds: float = 20, **tokens: int) -> int:
    """How many steps the engine's audited trace has."""
    target = conjunction(at_least(variable(name), n) for name, n in tokens.items())
    problem = make_problem(net, target)
    answer = check(problem, engine="coverability", budget=Budget(seconds=seconds)).answer
    assert isinstance(answer, Reachable)
    return len(answer.trace.steps)


# Covers that need very many tokens


def test_one_pump_is_one_step() -> None:
    net = net_of("p=0, t: -> p")
    assert steps_to(net, p=MILLION) == 1


def test_a_chain_of_pumps_takes_a_few_steps_for_each() -> None:
    transitions = {"t0": ({}, {"x0": 1})}
    transitions |= {f"t{n}": ({f"x{n - 1}": 10}, {f"x{n}": 1}) for n in range(1, 8)}
    net = make_net("chain", {f"x{n}": 0 for n in range(8)}, transitions)
    assert steps_to(net, x7=MILLION, x0=3) <= 40


def test_what_a_later_loop_uses_up_an_earlier_one_adds() -> None:
    net = net_of(
        "one=1 two=0 three=0 a=0 b=0 c=0, add: one -> one + a, next: one -> two, "
        "turn: two + 3 a -> two + b, last: two -> three, "
        "spend: three + 2 b + a -> three + c"
    )
    assert steps_to(net, c=MILLION, a=5, b=7) <= 20


def test_a_loop_of_several_transitions_is_fired_in_growing_shares() -> None:
    net = net_of("x=1 y=0, a: x -> y, b: y -> 2 x")
    assert steps_to(net, x=MILLION) <= 200


def test_a_loop_around_one_token_is_unrolled() -> None:
    net = net_of("x=1 y=0 z=0, a: x -> y, b: y -> x + z")
    assert steps_to(net, z=20_000) == 40_000


def test_a_trace_of_too_many_steps_is_not_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrolling, "STEPS", 100)
    net = net_of("x=1 y=0 z=0, a: x -> y, b: y -> x + z")
    assert unrolled(net, [((0, 1), 51)]) is None
    assert unrolled(net, [((0, 1), 50)]) == [(0, 1), (1, 1)] * 50
    # The backward search finds it all the same.
    assert steps_to(net, z=60) == 120


def test_numbers_beyond_64_bits_stay_exact() -> None:
    net = make_net("huge", {"p": 0, "q": 0}, {"t": ({}, {"p": 3}), "u": ({"p": 10**20}, {"q": 1})})
    assert steps_to(net, q=10**25, p=10**30) <= 8


def test_a_time_limit_ends_the_exploration() -> None:
    net = net_of("p=0, t: -> p")
    tree = KarpMiller(net, [0], np.int64)
    with pytest.raises(BudgetExhausted):
        tree.explore(np.array([[5]]), np.arange(1), 1, Budget(seconds=0.0))


def test_a_full_tree_ends_and_the_backward_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "NODES", 1)
    rng = random.Random(5)
    for _ in range(60):
        net = random_net(rng)
        wanted = {rng.randrange(len(net.places)): rng.randint(1, 4)}
        result = check(make_problem(net, cover(net, wanted)), engine="coverability")
        assert isinstance(result.answer, Reachable) == karp_miller(net, wanted)


# Alone, it decides as Karp and Miller's tree does


@settings(max_examples=150)
@given(nets(), st.data())
def test_the_forward_search_alone_agrees_with_karp_and_miller(
    net: Net, data: st.DataObject
) -> None:
    wanted = data.draw(
        st.dictionaries(
            st.integers(0, len(net.places) - 1), st.sampled_from((1, 2, 5, 1000)), min_size=1
        )
    )
    problem = make_problem(net, cover(net, wanted))
    answer = reach(problem)
    assert (answer is not None) == karp_miller(net, wanted)
    if answer is not None:
        assert audit(problem, answer) == "replayed exactly"
        assert len(answer.trace.steps) <= 200_000


@settings(max_examples=60)
@given(nets(), st.integers(0, 3), st.integers(1, 25))
def test_a_meeting_halfway_is_replayed(net: Net, place: int, tokens: int) -> None:
    wanted = {place % len(net.places): tokens}
    problem = make_problem(net, cover(net, wanted))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverability, "LEAD", 1)
        patch.setattr(Facts, "exclude", lambda self, row: False)
        answer = coverability.Coverability().solve(problem, Budget())
    assert isinstance(answer, Reachable | Unreachable)
    assert isinstance(answer, Reachable) == karp_miller(net, wanted)
    audit(problem, answer)


def test_goals_that_come_later_are_met_by_markings_that_are_there() -> None:
    net = net_of("p=1 q=0 r=0, a: p -> q, b: 9 q -> r")
    tree = KarpMiller(net, [0, 1], np.int64)
    assert tree.explore(np.array([[0, 0, 1]]), np.array([0]), 100, Budget()) is None
    assert tree.ended
    found = tree.explore(np.array([[0, 0, 1], [0, 1, 0]]), np.array([0, 3]), 0, Budget())
    assert found is not None and found.goal == 3
    assert tree.firing_sequence(found.node, {1: 1}) == [(0, 1)]


# What is outside the tree


def test_a_cover_of_very_many_tokens_is_disproved_by_a_tree_that_ends() -> None:
    net = net_of("p=1 q=1, t: 2 p + q -> p, u: 2 p -> 3 p + 2 q")
    target = conjunction([at_least(variable("p"), MILLION), at_least(variable("q"), 3)])
    result = check(make_problem(net, target), engine="coverability", budget=Budget(seconds=20))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == "checked in exact integer arithmetic"


@settings(max_examples=100)
@given(nets(max_places=3), st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_what_is_outside_the_tree_cannot_be_covered_and_the_rest_can(
    net: Net, tokens: list[int]
) -> None:
    tree = KarpMiller(net, range(len(net.transitions)), np.int64)
    assert tree.explore(np.zeros((0, len(net.places))), np.arange(0), 10_000, Budget()) is None
    rows = tree.outside()
    assert rows is not None
    marking = np.array(tokens[: len(net.places)])
    below = bool((rows <= marking).all(axis=1).any())
    assert below != karp_miller(net, {place: n for place, n in enumerate(marking.tolist()) if n})


@settings(max_examples=60)
@given(nets(), st.integers(0, 3), st.integers(1, 30))
def test_what_the_tree_proves_is_checked_without_a_solver(
    net: Net, place: int, tokens: int
) -> None:
    problem = make_problem(net, cover(net, {place % len(net.places): tokens}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverability, "LEAD", 10_000)
        patch.setattr(Facts, "exclude", lambda self, row: False)
        answer = coverability.Coverability().solve(problem, Budget())
    assume(isinstance(answer, Unreachable))
    assert audit(problem, answer) == "checked in exact integer arithmetic"


def test_a_tree_that_was_cut_off_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    net = net_of("p=0 q=0, t: -> p, u: p -> q")
    tree = KarpMiller(net, [0, 1], np.int64)
    assert tree.outside() is None
    tree.explore(np.zeros((0, 2)), np.arange(0), 100, Budget())
    outside = tree.outside()
    assert outside is not None and len(outside) == 0
    bounded = net_of("p=1 q=0, u: p -> q")
    tree = KarpMiller(bounded, [0], np.int64)
    tree.explore(np.zeros((0, 2)), np.arange(0), 100, Budget())
    outside = tree.outside()
    assert outside is not None and sorted(outside.tolist()) == [[0, 2], [1, 1], [2, 0]]
    monkeypatch.setattr(forward, "OUTSIDE", 1)
    assert tree.outside() is None


# Hurdles


def fire(net: Net, marking: list[int], word: tuple[int, ...]) -> bool:
    for action in word:
        transition = net.transitions[action]
        if any(marking[place] < weight for place, weight in transition.pre):
            return False
        for place, change in transition.effect:
            marking[place] += change
    return True


@settings(max_examples=100)
@given(nets(max_places=3), st.data())
def test_the_hurdle_is_the_least_marking_that_will_do(net: Net, data: st.DataObject) -> None:
    actions = st.integers(0, len(net.transitions) - 1)
    word = tuple(data.draw(st.lists(actions, min_size=1, max_size=3)))
    times = data.draw(st.integers(1, 3))
    need = data.draw(st.dictionaries(st.integers(0, len(net.places) - 1), st.integers(1, 4)))
    least = hurdle(net, word, times, need)

    def suffices(marking: tuple[int, ...]) -> bool:
        after = list(marking)
        return fire(net, after, word * times) and all(after[p] >= n for p, n in need.items())

    assume(max(least.values(), default=0) <= 12)
    exact = tuple(least.get(place, 0) for place in range(len(net.places)))
    assert suffices(exact)
    for place, tokens in enumerate(exact):
        if tokens:
            assert not suffices((*exact[:place], tokens - 1, *exact[place + 1 :]))


@settings(max_examples=100)
@given(nets(), st.data())
def test_unrolled_words_fire_and_end_where_the_words_do(net: Net, data: st.DataObject) -> None:
    actions = st.integers(0, len(net.transitions) - 1)
    marking, words = list(net.initial), []
    for _ in range(data.draw(st.integers(1, 3))):
        word = tuple(data.draw(st.lists(actions, min_size=1, max_size=3)))
        times = 0
        for _ in range(data.draw(st.integers(1, 20))):
            after = list(marking)
            if not fire(net, after, word):
                break
            marking, times = after, times + 1
        if times:
            words.append((word, times))
    steps = unrolled(net, words)
    assert steps is not None
    assert sum(n for _, n in steps) == sum(len(word) * times for word, times in words)
    replayed = list(net.initial)
    assert all(fire(net, replayed, (action,) * times) for action, times in steps)
    assert replayed == marking


def test_a_row_of_the_backward_search_knows_the_way_on() -> None:
    net = net_of("p=0 q=0 r=9, a: p -> q, b: r -> p")
    search = Backward(net, [[0, 2, 0]], Facts(net, Budget()))
    assert search.start(Budget()) is None
    assert [(search.row(n), search.onward(n)) for n in search.numbers] == [({1: 2}, [])]
    assert search.advance(Budget()) is None
    found = {tuple(search.onward(n)): search.row(n) for n in search.numbers}
    assert found == {(): {1: 2}, (0,): {0: 1, 1: 1}}
