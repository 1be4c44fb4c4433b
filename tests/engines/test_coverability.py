"""Coverability: its verdicts against Karp and Miller's tree, its parts against brute force."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from evidence_files import read_json, write_json
from examples import flags
from folders import problem_named
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from notation import EXACT, net_of, problem
from oracle import coverable, explore
from strategies import nets, repeatable

from petricheck.arithmetic.formulas.formulas import (
    Disjunction,
    Formula,
    at_least,
    conjunction,
    disjunction,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import linear, variable
from petricheck.engines import coverability
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.explicit.covering import karp_miller as forward
from petricheck.explicit.covering.antichain import covers, minimal
from petricheck.explicit.covering.exclusions import Exclusions
from petricheck.explicit.covering.karp_miller import KarpMiller, hurdle, unrolled
from petricheck.explicit.covering.targets import minimal_markings
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import Problem, make_problem
from petricheck.questions import Finding, check
from petricheck.support.budget import Budget

Wanted = dict[int, int]
"""Tokens at least, by place."""


def cover(net: Net, wanted: Wanted) -> Formula:
    return conjunction(at_least(variable(net.places[p]), k) for p, k in wanted.items())


@st.composite
def wishes(draw: st.DrawFn, net: Net, most: int) -> Wanted:
    places = st.sampled_from(range(len(net.places)))
    tokens = st.sampled_from((0, 1, 2, 3, 4, most))
    return draw(st.dictionaries(places, tokens, min_size=1))


def decide(asked: Problem) -> Finding:
    return check(asked, engine="coverability", budget=Budget(seconds=20))


# The engine


@pytest.mark.parametrize(
    ("lead", "facts", "nodes"),
    [
        (coverability.LEAD, True, forward.NODES),
        (coverability.LEAD, False, forward.NODES),  # the basis alone
        (1, False, forward.NODES),  # they come together halfway
        (10_000, False, forward.NODES),  # the tree alone, also for many tokens
        (coverability.LEAD, True, 1),  # a full tree ends, and the backward search goes on
    ],
)
@pytest.mark.slow
def test_disjunctions_of_covers_are_decided_as_karp_and_miller_decide_them_and_proved_exactly(
    lead: int, facts: bool, nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coverability, "LEAD", lead)
    monkeypatch.setattr(forward, "NODES", nodes)
    if not facts:
        monkeypatch.setattr(Exclusions, "exclude", lambda self, row: None)
    verdicts, most = {True: 0, False: 0}, 1000 if lead == 10_000 else 4

    @repeatable(40)
    @given(nets(max_places=5, max_transitions=6), st.data())
    def compare(net: Net, data: st.DataObject) -> None:
        chosen = data.draw(st.lists(wishes(net, most), min_size=1, max_size=3))
        asked = make_problem(net, disjunction(cover(net, one) for one in chosen))
        answer = coverability.Coverability().solve(asked, Budget())
        reached = any(coverable(net, one) for one in chosen)
        assert isinstance(answer, Reachable if reached else Unreachable)
        assert audit(asked, answer) == ("replayed exactly" if reached else EXACT)
        if isinstance(answer, Unreachable):
            written = write_json(asked, None, answer)
            assert read_json(written).answer.certificate == answer.certificate
        verdicts[reached] += 1

    compare()
    assert min(verdicts.values()) >= 10


PROVED = "basic_me_U fms_U fms_U2 mesh2x2_U multipool_U finkel_km_U ifip_U pingpong_U"


@pytest.mark.parametrize("name", [*PROVED.split(), "abp_R", "mesh2x2_R"])
def test_known_covers_are_decided_and_audited_without_a_solver(name: str) -> None:
    result = decide(problem_named(name))
    assert isinstance(result.answer, Reachable if name.endswith("R") else Unreachable)
    assert result.audit in (EXACT, "replayed exactly")


@pytest.mark.parametrize("goal", ["p == 1", "p <= 1", "p - q >= 1", "not p >= 1"])
def test_other_targets_are_unknown(goal: str) -> None:
    answer = decide(problem("p=0 q=0, -> p", goal)).answer
    assert isinstance(answer, Unknown)
    assert answer.reason == "the target is not upward-closed"


HUGE = "p=10**30 q=0 r=0, t: 10**30 p -> 10**30 q, u: q ->".replace("10**30 ", f"{10**30} ")


@pytest.mark.parametrize(
    ("system", "goal", "verdict"),
    [
        ("p=0 q=0, -> p", "all()", Reachable),
        ("p=0 q=0, -> p", "any()", Unreachable),
        # Places that only dead transitions mark are empty.
        ("p=1 q=0 r=0 s=0, a: q -> r, b: r -> 2 q, c: p -> s", "r >= 1", Unreachable),
        # A tree that ends disproves a cover of very many tokens.
        ("p=1 q=1, t: 2 p + q -> p, u: 2 p -> 3 p + 2 q", "p >= 10**6 and q >= 3", Unreachable),
        # Numbers beyond 64 bits stay exact.
        (HUGE, f"q >= {10**30}", Reachable),
        (HUGE, f"q >= {10**30 + 1}", Unreachable),
        (HUGE, "p >= 1 and q >= 1", Unreachable),
    ],
)
def test_these_covers_are_decided(system: str, goal: str, verdict: type) -> None:
    result = decide(problem(system, goal))
    assert isinstance(result.answer, verdict)
    assert result.audit in (EXACT, "replayed exactly")


CHAIN = " ".join(f"x{n}=0" for n in range(8)) + ", t0: -> x0"
CHAIN += "".join(f", t{n}: 10 x{n - 1} -> x{n}" for n in range(1, 8))
LATER = """one=1 two=0 three=0 a=0 b=0 c=0, add: one -> one + a, next: one -> two,
    turn: two + 3 a -> two + b, last: two -> three, spend: three + 2 b + a -> three + c"""


@pytest.mark.parametrize(
    ("system", "goal", "most"),
    [
        ("p=1 q=0, p -> p + q", "q >= 50", 1),
        ("p=0, -> p", "p >= 10**6", 1),
        # A chain of pumps takes a few steps for each.
        (
            CHAIN,
            "x7 >= 10**6 and x0 >= 3",
            40,
        ),
        # What a later loop uses up an earlier one adds.
        (LATER, "c >= 10**6 and a >= 5 and b >= 7", 20),
        # A loop of several transitions is fired in growing shares.
        ("x=1 y=0, a: x -> y, b: y -> 2 x", "x >= 10**6", 200),
        # A loop around one token is unrolled.
        ("x=1 y=0 z=0, a: x -> y, b: y -> x + z", "z >= 20_000", 40_000),
        (f"p=0 q=0, t: -> 3 p, u: {10**20} p -> q", "q >= 10**25 and p >= 10**30", 8),
    ],
)
def test_traces_of_very_many_firings_have_few_steps(system: str, goal: str, most: int) -> None:
    answer = decide(problem(system, goal)).answer
    assert isinstance(answer, Reachable) and len(answer.trace.steps) <= most


def test_a_trace_of_too_many_steps_is_not_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "STEPS", 100)
    asked = problem("x=1 y=0 z=0, a: x -> y, b: y -> x + z", "z >= 60")
    assert unrolled(asked.net, [((0, 1), 51)]) is None
    assert unrolled(asked.net, [((0, 1), 50)]) == [(0, 1), (1, 1)] * 50
    assert isinstance(decide(asked).answer, Reachable), "by the backward search"


def test_a_time_limit_ends_the_search_as_unknown() -> None:
    answer = check(problem_named("kanban_R"), engine="coverability", budget=Budget(1e-6)).answer
    assert isinstance(answer, Unknown)
    assert "time limit" in answer.reason and "minimal markings" in answer.reason


# Its parts


@settings(max_examples=16)
@given(st.data())
def test_minimal_markings_generate_the_target(data: st.DataObject) -> None:
    names = ("p", "q", "r")
    atom = st.builds(
        lambda weights, least: at_least(linear(weights.items()), least),
        st.dictionaries(st.sampled_from(names), st.integers(1, 3), min_size=1),
        st.integers(-1, 6),
    )
    formula = data.draw(
        st.recursive(
            atom,
            lambda inner: st.one_of(
                st.lists(inner, max_size=3).map(conjunction),
                st.lists(inner, max_size=3).map(disjunction),
            ),
            max_leaves=5,
        )
    )
    net = net_of("p=0 q=0 r=0, -> p")
    found = minimal_markings(net, formula, Budget())
    assert found is not None
    for marking in product(range(7), repeat=3):
        above = [all(marking[place] >= k for place, k in low.items()) for low in found]
        assert evaluate(formula, net.values(marking)) == any(above)


def test_targets_with_too_many_minimal_markings_are_refused() -> None:
    net = make_net("wide", {f"x{n}": 0 for n in range(8)}, {})
    answer = decide(make_problem(net, at_least(linear((x, 1) for x in net.places), 30))).answer
    assert isinstance(answer, Unknown) and "more than 10000 minimal markings" in answer.reason


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), max_size=12),
    st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), max_size=12),
)
def test_antichains_agree_with_the_definition(low: list[list[int]], high: list[list[int]]) -> None:
    lows = np.array(low, dtype=np.int64).reshape(-1, 3)
    highs = np.array(high, dtype=np.int64).reshape(-1, 3)

    def at_most_(a: list[int], b: list[int]) -> bool:
        return all(x <= y for x, y in zip(a, b, strict=True))

    for number, found in zip(range(len(high)), covers(lows, highs), strict=True):
        if found < 0:
            assert not any(at_most_(a, high[number]) for a in low)
        else:
            assert at_most_(low[found], high[number])
    kept = [tuple(high[number]) for number in minimal(highs)]
    smallest = {tuple(b) for b in high if not any(a != b and at_most_(a, b) for a in high)}
    assert len(kept) == len(set(kept)) and set(kept) == smallest


@settings(max_examples=16)
@given(nets(), st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), max_size=5))
def test_facts_never_exclude_what_a_reachable_marking_covers(
    net: Net, wanted: list[list[int]]
) -> None:
    exclusions = Exclusions(net, Budget())
    rows = np.array(wanted, dtype=np.int64).reshape(-1, 4)[:, : len(net.places)]
    for row in rows:
        exclusions.exclude(row)
    reachable = explore(net, 300)
    if reachable is None:
        return
    for row, reason in zip(rows, exclusions.excluding(rows), strict=True):
        if reason >= 0:
            assert not any(all(a >= b for a, b in zip(m, row, strict=True)) for m in reachable)
    for places in exclusions.facts.traps:
        assert all(any(m[place] for place in places) for m in reachable)


@pytest.mark.parametrize("name", ["ifip_U", "pingpong_U", "flags_U"])
def test_marked_traps_exclude_what_the_state_equation_allows(name: str) -> None:
    answer = decide(problem_named(name) if name != "flags_U" else flags()).answer
    assert isinstance(answer, Unreachable)
    assert answer.certificate.hints.sums, "a half-space and traps, added up"
    assert not any(isinstance(part, Disjunction) for part in answer.certificate.invariant.operands)


# What is outside the tree


@settings(max_examples=22)
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
    assert below != coverable(net, {place: n for place, n in enumerate(marking.tolist()) if n})


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


def fired(net: Net, marking: Marking, word: tuple[int, ...]) -> Marking | None:
    for action in word:
        if not net.transitions[action].enabled(marking):
            return None
        marking = net.transitions[action].fire(marking)
    return marking


@settings(max_examples=22)
@given(nets(max_places=3), st.data())
def test_the_hurdle_is_the_least_marking_that_will_do(net: Net, data: st.DataObject) -> None:
    actions = st.integers(0, len(net.transitions) - 1)
    word = tuple(data.draw(st.lists(actions, min_size=1, max_size=3)))
    times = data.draw(st.integers(1, 3))
    need = data.draw(st.dictionaries(st.integers(0, len(net.places) - 1), st.integers(1, 4)))
    least = hurdle(net, word, times, need)

    def suffices(marking: Marking) -> bool:
        after = fired(net, marking, word * times)
        return after is not None and all(after[p] >= n for p, n in need.items())

    assume(max(least.values(), default=0) <= 12)
    exact = tuple(least.get(place, 0) for place in range(len(net.places)))
    assert suffices(exact)
    for place, tokens in enumerate(exact):
        if tokens:
            assert not suffices((*exact[:place], tokens - 1, *exact[place + 1 :]))


@settings(max_examples=22)
@given(nets(), st.data())
def test_unrolled_words_fire_and_end_where_the_words_do(net: Net, data: st.DataObject) -> None:
    actions = st.integers(0, len(net.transitions) - 1)
    marking, words = net.initial, []
    for _ in range(data.draw(st.integers(1, 3))):
        word, times = tuple(data.draw(st.lists(actions, min_size=1, max_size=3))), 0
        most = data.draw(st.integers(1, 20))
        while times < most and (after := fired(net, marking, word)) is not None:
            marking, times = after, times + 1
        if times:
            words.append((word, times))
    steps = unrolled(net, words)
    assert steps is not None
    assert sum(n for _, n in steps) == sum(len(word) * times for word, times in words)
    assert fired(net, net.initial, tuple(t for t, times in steps for _ in range(times))) == marking
