"""Home spaces that a home marking leads to, by traces from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import Engine
from petricheck.evidence.answer import Reachable, Trace, trace_of
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.evidence.claims import Home
from petricheck.explicit.kernel.tour import Tour
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions.checking import DEFAULT_ENGINE
from petricheck.questions.deciding import tokens_held
from petricheck.questions.homes import home_marking
from petricheck.support import plugins
from petricheck.support.budget import Budget

_SHORT, _LONG = 16, 1 << 16
"""The least and the most firings of the walks that are to pass the home spaces."""


def lead_on(net: Net, formulas: Sequence[Formula], proof: object, budget: Budget) -> Iterator[Home]:
    """Yield the formulas into which traces lead from the initial marking, a home marking."""
    start = home_marking(net, net.initial)
    if all(formula == start for formula in formulas):
        yield Home(tuple(formulas), proof)
        return
    traces = traces_into(net, formulas, budget)
    if traces:
        tokens = tuple(tokens_held(net, net.initial).items())
        onward = OnwardTraces((tokens,), proof, (tuple(traces.values()),))
        yield Home(tuple(formulas[number] for number in traces), onward)


def traces_into(net: Net, formulas: Sequence[Formula], budget: Budget) -> dict[int, Trace]:
    """Return by number of a formula a trace into it; formulas without one are missing."""
    tour, traces, length = Tour(net, formulas), dict[int, Trace](), _SHORT
    while tour.open and length <= _LONG and not tour.stuck:
        budget.check()
        passed = tour.wander(tour.pace, length)
        if passed is None:
            length *= 2
            continue
        for fired, number in passed.stops:
            traces[number] = trace_of(passed.trace[:fired], net.actions)
    engine: Engine = plugins.build("engines", DEFAULT_ENGINE)
    for index, number in enumerate(numbers := tour.open):
        with budget.tolerate_overruns():
            limits = budget.part(2 * (len(numbers) - index))
            match engine.solve(Problem(net, formulas[number]), limits):
                case Reachable(trace):
                    traces[number] = trace
    return dict(sorted(traces.items()))
