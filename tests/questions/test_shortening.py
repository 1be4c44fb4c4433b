"""Traces without the firings that they do not need; they still prove what they proved."""

from __future__ import annotations

import pytest
from home_spaces import SWING, enabling, trace
from hypothesis import assume, given
from hypothesis import strategies as st
from notation import net_of
from oracle import replay
from strategies import nets, targets

from petricheck.arithmetic.formulas.formulas import Formula, at_least, equal, evaluate
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace, Unreachable
from petricheck.evidence.audit import prove
from petricheck.evidence.claims import ExcludedAfter, reached
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions import shortening
from petricheck.questions.shortening import shortened, shorter
from petricheck.support import plugins
from petricheck.support.budget import Budget

p, q, r = (variable(name) for name in "pqr")
CHAIN = net_of("p=9 q=0 r=0, t: p -> q, u: q -> r, v: -> p")


def walk(draw: st.DrawFn, net: Net) -> Trace:
    """A firing sequence, with repetitions."""
    steps, marking = list[tuple[str, int]](), net.initial
    for choice in draw(st.lists(st.integers(0, 99), max_size=25)):
        able = [t for t in net.transitions if t.enabled(marking)]
        if able:
            transition = able[choice % len(able)]
            marking = transition.fire(marking)
            steps.append((transition.name, 1))
    return Trace(tuple(steps))


@st.composite
def walks(draw: st.DrawFn) -> tuple[Net, Trace, Formula]:
    """A net with a trace into a formula."""
    net = draw(nets())
    fired = walk(draw, net)
    goal = draw(st.one_of(st.sampled_from(enabling(net)), targets(net)))
    assume(evaluate(goal, net.values(net.after(fired.steps))))
    return net, fired, goal


def word(fired: Trace) -> tuple[str, ...]:
    return tuple(name for name, times in fired.steps for _ in range(times))


@given(walks())
def test_a_shorter_trace_leads_into_the_same_formula(case: tuple[Net, Trace, Formula]) -> None:
    net, fired, goal = case
    short = shorter(net, fired, goal)
    assert short.length <= fired.length
    end = replay(net, word(short))
    assert end is not None and evaluate(goal, net.values(end))
    claim = shortened(net, reached(goal, fired), Budget(10))
    assert claim == reached(goal, short)
    prove(net, claim)


@given(walks())
def test_nothing_of_a_shorter_trace_can_be_left_out(case: tuple[Net, Trace, Formula]) -> None:
    net, fired, goal = case
    letters = word(shorter(net, fired, goal))
    for number in range(len(letters)):
        end = replay(net, (*letters[:number], *letters[number + 1 :]))
        assert end is None or not evaluate(goal, net.values(end))


@pytest.mark.parametrize(
    ("steps", "goal", "shortest"),
    [
        ((("v", 5), ("t", 3), ("u", 1)), at_least(r, 1), (("t", 1), ("u", 1))),
        ((("v", 10**30), ("t", 10**30 + 1)), at_least(q, 10), (("v", 1), ("t", 10))),
        ((("t", 1), ("v", 1), ("t", 1), ("u", 2)), equal(q, 0), ()),
        ((("t", 2), ("v", 2), ("u", 2)), equal(q * 2 + r, 2), (("t", 2), ("u", 2))),
    ],
)
def test_repeated_firings_and_blocks_are_left_out(
    steps: tuple[tuple[str, int], ...], goal: Formula, shortest: tuple[tuple[str, int], ...]
) -> None:
    assert shorter(CHAIN, Trace(steps), goal) == Trace(shortest)


def test_cycles_are_cut_where_no_firing_alone_can_be_left_out() -> None:
    fired = trace("go", "back", "go", "back", "go")
    assert shorter(SWING, fired, equal(q, 1)) == trace("go")


@pytest.mark.parametrize("steps", [(("u", 1),), (("x", 1),), (("v", 1),)])
def test_a_trace_that_proves_nothing_is_left_to_the_audit(
    steps: tuple[tuple[str, int], ...],
) -> None:
    assert shorter(CHAIN, Trace(steps), at_least(r, 1)) == Trace(steps)


def test_what_takes_too_long_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    fired = Trace((("v", 1), ("t", 1)) * 20)
    monkeypatch.setattr(shortening, "WORK", 20)
    assert shorter(CHAIN, fired, at_least(q, 1)).steps[:10] == fired.steps[:10]
    monkeypatch.setattr(shortening, "MOST", 10)
    assert shorter(CHAIN, fired, at_least(q, 1)) == fired
    claim = reached(at_least(q, 1), fired)
    assert shortened(CHAIN, claim, Budget(0.5)) is claim


@pytest.mark.parametrize("engine", ["state_equation", "explicit", "cegar"])
def test_what_is_lost_after_a_trace_is_lost_after_the_shorter_one(engine: str) -> None:
    net = net_of("p=1 q=0 r=0, go: p -> q, back: q -> p, leave: q -> r, stay: r -> r")
    fired = trace("go", "back", "go", "leave", "stay")
    later = net.beginning(net.after(fired.steps))
    answer = plugins.build("engines", engine).solve(Problem(later, at_least(p + q, 1)), Budget(10))
    assert isinstance(answer, Unreachable)
    claim = ExcludedAfter(fired, at_least(p + q, 1), answer.certificate)
    short = shortened(net, claim, Budget(10))
    assert isinstance(short, ExcludedAfter) and short.trace == trace("go", "leave")
    prove(net, short)
