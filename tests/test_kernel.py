"""The kernel, compiled and as plain Python, against brute force."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import successor
from strategies import nets, targets

from petricheck.kernel import compiled
from petricheck.kernel.walk import Walk
from petricheck.presburger.formulas import TRUE, Formula, at_least, evaluate, negate
from petricheck.presburger.terms import variable
from petricheck.problem import Marking, Net, make_net

p, q = variable("p"), variable("q")


@pytest.fixture(params=["compiled", "plain"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Both ways to run the loops."""
    if request.param == "plain":
        monkeypatch.setattr(compiled, "_failures", ["asked for"])
    yield
    assert compiled.is_compiled() == (request.param == "compiled")


@st.composite
def searches(draw: st.DrawFn) -> tuple[Net, list[Formula]]:
    """A net, and up to five targets; some of them are denied."""
    net = draw(nets())
    chosen = st.one_of(targets(net), targets(net).map(negate))
    return net, draw(st.lists(chosen, max_size=5))


def fired(net: Net, trace: tuple[int, ...]) -> list[Marking]:
    """The markings along a trace, which must fire."""
    markings = [net.initial]
    for number in trace:
        after = successor(markings[-1], net.transitions[number])
        assert after is not None
        markings.append(after)
    return markings


@pytest.mark.usefixtures("loops")
@settings(deadline=None, max_examples=80)
@given(searches(), st.integers(0, 3), st.booleans())
def test_walks_meet_targets_where_their_traces_lead(
    search: tuple[Net, list[Formula]], seed: int, led: bool
):
    net, formulas = search
    walk = Walk(net, formulas, seed, [2] * len(net.transitions) if led else ())
    met = {found.target: found for _ in range(8) for found in walk.run(50, 10)}
    assert set(met) | set(walk.open) == set(range(len(formulas)))
    for found in met.values():
        markings = fired(net, found.trace)
        assert evaluate(formulas[found.target], net.values(markings[-1]))
        assert len(set(markings)) == len(markings)


@pytest.mark.usefixtures("loops")
@settings(deadline=None, max_examples=80)
@given(searches(), st.integers(0, 3))
def test_a_walk_knows_all_the_time_what_is_enabled_and_which_targets_hold(
    search: tuple[Net, list[Formula]], seed: int
):
    net, formulas = search
    walk = Walk(net, formulas, seed)
    for _ in range(30):
        met = [found.target for found in walk.run(1, 7)]
        state = walk._state
        marking = tuple(state.marking.tolist())
        enabled = [n for n, t in enumerate(net.transitions) if t.enabled(marking)]
        assert sorted(state.enabled[: state.numbers[0]].tolist()) == enabled
        for number in (*met, *walk.open):
            holds = evaluate(formulas[number], net.values(marking))
            assert holds == (number in met)


def counter(initial: int = 0) -> Net:
    return make_net("counter", {"p": initial, "q": 0}, {"up": ({}, {"p": 1}), "to": ({}, {"q": 1})})


def test_targets_that_hold_initially_are_met_by_the_empty_trace():
    walk = Walk(counter(), [TRUE, at_least(p, 3), at_least(p, 0)])
    assert [(found.target, found.trace) for found in walk.run(0, 10)] == [(0, ()), (2, ())]
    assert walk.open == (1,)
