"""Home spaces by home markings, and traces from these into the formulas.

If from every reachable marking one of the home markings can be reached, and from each home marking
a trace leads to a marking of the formula, then the markings of the formula are a home space.
"""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    equal,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace
from petricheck.evidence.audit.homes import check_home
from petricheck.evidence.audit.limits import checked, integral
from petricheck.evidence.audit.traces import marking_after
from petricheck.evidence.certificates.onward import OnwardTraces
from petricheck.model.net import Marking, Net
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError


class Onward:
    """Traces from each of the home markings into each of the formulas."""

    of = OnwardTraces

    def discharge(
        self,
        net: Net,
        formulas: tuple[Formula, ...],
        proof: OnwardTraces,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Replay the traces, and check the proof that the markings are a home space."""
        if isinstance(proof.proof, OnwardTraces):
            raise EvidenceError("a proof of home markings is nested")
        formulas = tuple(checked("a home space", net, f, budget) for f in formulas)
        markings = check_traces_from(net, proof.markings, proof.traces, formulas, budget)
        space = Disjunction(tuple(_only(net, marking) for marking in markings))
        shown = check_home(net, (space,), proof.proof, budget, second_solver)
        return f"{shown}, traces replayed exactly"


def check_traces_from(
    net: Net,
    markings: tuple[tuple[tuple[str, int], ...], ...],
    traces: tuple[tuple[Trace, ...], ...],
    formulas: tuple[Formula, ...],
    budget: Budget,
) -> list[Marking]:
    """Require that traces lead from each marking into each formula; return the markings."""
    if len(traces) != len(markings):
        raise EvidenceError("there are not traces for each of the home markings")
    starts = [_marking_of(net, tokens) for tokens in markings]
    for start, own in zip(starts, traces, strict=True):
        _check_traces(net.beginning(start), own, formulas, budget)
    return starts


def _marking_of(net: Net, tokens: tuple[tuple[str, int], ...]) -> Marking:
    """Return the marking with these tokens, which are not trusted.

    EvidenceError where they are on no places of the net, or no numbers of tokens.
    """
    by_place = dict(tokens)
    if not by_place.keys() <= net.place_numbers.keys() or len(by_place) != len(tokens):
        raise EvidenceError("a home marking names a place twice, or one that the net has not")
    if not integral(*by_place.values()) or min(by_place.values(), default=0) < 0:
        raise EvidenceError("a home marking has something else than numbers of tokens")
    return tuple(by_place.get(place, 0) for place in net.places)


def _only(net: Net, marking: Marking) -> Formula:
    tokens = net.values(marking).items()
    return Conjunction(tuple(equal(variable(place), number) for place, number in tokens))


def _check_traces(
    net: Net, traces: tuple[Trace, ...], formulas: tuple[Formula, ...], budget: Budget
) -> None:
    """Require that traces lead from the initial marking into the formulas, one into each."""
    if len(traces) != len(formulas):
        raise EvidenceError("there is not a trace into each of the formulas")
    for trace, formula in watched(zip(traces, formulas, strict=True), budget):
        if not evaluate(formula, net.values(marking_after(net, trace, budget))):
            raise EvidenceError("a trace does not lead from a home marking into its formula")
