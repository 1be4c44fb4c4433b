"""Formulas out of reach for lack of tokens that never come again.

In some markings, places hold tokens whose number never increases from there on (`facts.growth`):
the places of an empty siphon, for example. The search for such markings looks at the ends of walks,
and at solutions of the state equation that empty a siphon which is marked initially.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import inf

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    Inequality,
    conjunction,
    conjuncts,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.programs.linear_programs import LinearProgram
from petricheck.evidence.answer import Reachable, Trace, trace_of
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.evidence.claims import Excluded, ExcludedAfter
from petricheck.explicit.kernel.arrays import arcs_of
from petricheck.explicit.kernel.tour import Tour
from petricheck.explicit.kernel.walk import remove_cycles
from petricheck.model.net import Net
from petricheck.model.problem import make_problem
from petricheck.questions.events import parts_of
from petricheck.questions.study import Study
from petricheck.support.budget import Budget, watched
from petricheck.support.words import counted
from petricheck.symbolic.facts.growth import blocking_facts, growth, supporting_places

WALKS, SHORTEST, LONGEST = 4, 1 << 4, 1 << 18
"""The number of walks, in plain Python; firings of the first, and of the longest of all."""

SIPHONS, SECONDS = 30, 6.0
"""The most siphons; seconds for each of them, and for a trace that empties it."""

_MANY = 100
"""The most tokens that a place outside of the siphon is expected to hold."""

_FIRING = 0.01
"""The cost of a firing; a place of the siphon costs 1."""


def lost_after_walks(
    study: Study, formulas: Sequence[Formula], budget: Budget
) -> Iterator[Excluded | ExcludedAfter]:
    """Yield claims that some of the formulas are no home spaces; a brief study needs one."""
    # Other studies explore small nets first, which finds shorter traces for all formulas.
    walks = islice(ends_of_walks(study.net, SHORTEST, plain=True), WALKS if study.brief else 0)
    return _lost_after(study, chain((Trace(()),), walks), formulas, budget)


def lost_with_siphons(
    study: Study, formulas: Sequence[Formula], budget: Budget
) -> Iterator[Excluded | ExcludedAfter]:
    """Yield the same claims, for traces that empty a siphon which is marked initially."""
    return _lost_after(study, _emptying(study, budget), formulas, budget)


def _lost_after(
    study: Study, traces: Iterable[Trace], formulas: Sequence[Formula], budget: Budget
) -> Iterator[Excluded | ExcludedAfter]:
    """Yield claims that some of the formulas are lost after one of these traces."""
    remaining = list(formulas)
    for trace in watched(traces, budget, 1):
        claim = lost_at_once(study, trace, remaining)
        if claim is not None:
            yield claim
            remaining = not_lost(remaining, (claim,))
            if not remaining or study.brief:
                return


def lost_at_once(
    study: Study, trace: Trace, formulas: Sequence[Formula]
) -> Excluded | ExcludedAfter | None:
    """Return the claim that formulas lack tokens that never come again after the trace.

    For a brief study one of the formulas is enough.
    """
    net = study.net.beginning(study.net.after(trace.steps))
    growing = growth(net)[1]
    limits = {net.places[p]: n for p, n in enumerate(net.initial) if p not in growing}
    blocking, lost = set[str](), list[Formula]()
    for formula in formulas:
        reasons = [_reason(part, limits) for part in parts_of(formula)]
        if all(reasons):
            blocking.update(*reasons)
            lost.append(formula)
            if study.brief:
                break
    if not lost:
        return None
    chosen = supporting_places(net, growing, (net.place_numbers[place] for place in blocking))
    invariant = Conjunction(tuple(blocking_facts(net, chosen)))
    return excluded_after(trace, disjunction(lost), Certificate(invariant, CoverHints(())))


def not_lost(
    formulas: Iterable[Formula], claims: Iterable[Excluded | ExcludedAfter]
) -> list[Formula]:
    """Return the formulas that are not among what these claims exclude."""
    lost = {part for claim in claims for part in parts_of(claim.formula)}
    return [formula for formula in formulas if not lost.issuperset(parts_of(formula))]


def excluded_after(trace: Trace, formula: Formula, certificate: object) -> Excluded | ExcludedAfter:
    """Return the claim that the formula is out of reach after a trace, maybe the empty one."""
    if not trace.steps:
        return Excluded(formula, certificate)
    return ExcludedAfter(trace, formula, certificate)


def _reason(part: Formula, limits: Mapping[str, int]) -> tuple[str, ...]:
    """Return places that hold too little for the part even at their limits, or ()."""
    for atom in conjuncts(part):
        if isinstance(atom, Inequality):
            needed = [(place, -weight) for place, weight in atom.term.coefficients if weight < 0]
            most = sum(weight * limits.get(place, inf) for place, weight in needed)
            if most < atom.term.constant:
                return tuple(place for place, _ in needed)
    return ()


def ends_of_walks(net: Net, firings: int, plain: bool = False) -> Iterator[Trace]:
    """Yield the traces of one walk, first after so many firings, then at greater intervals."""
    tour = Tour(net, (), plain=plain)
    while True:
        if not tour.stuck:
            tour.wander(firings, firings)
        trace = remove_cycles(arcs_of(net), len(net.places), tour.trace)
        yield trace_of(trace, net.actions)
        firings = min(4 * firings, LONGEST)


def _emptying(study: Study, budget: Budget) -> Iterator[Trace]:
    """Yield traces after which a siphon is empty."""
    net, siphons = study.net, list[frozenset[int]]()
    while len(siphons) < SIPHONS and (siphon := _siphon(net, siphons, budget)):
        siphons.append(siphon)
        budget.report(f"siphon {len(siphons)}, of {counted(len(siphon), 'place')}")
        empty = conjunction(equal(variable(net.places[place]), 0) for place in sorted(siphon))
        answer = study.examine(make_problem(net, empty), budget.within(SECONDS))
        if isinstance(answer, Reachable):
            yield answer.trace


def _siphon(net: Net, siphons: Sequence[frozenset[int]], budget: Budget) -> frozenset[int] | None:
    """Return a small siphon that is empty in a solution of the state equation with few firings.

    It includes none of those that were tried, and some transition takes from it.
    """
    program = LinearProgram()
    inside = [program.column(1.0, upper=1.0, integral=True) for _ in net.places]
    firings = [program.column(_FIRING) for _ in net.transitions]
    changes: list[dict[int, float]] = [{} for _ in net.places]
    input_columns = set[int]()
    for column, transition in zip(firings, net.transitions, strict=True):
        for place, change in transition.effect:
            changes[place][column] = change
        sources = {inside[place]: 1.0 for place, _ in transition.pre}
        input_columns.update(sources)
        for place, _ in transition.post:
            if inside[place] not in sources:
                program.row({**sources, inside[place]: -1.0}, lower=0.0)
    for column, row, tokens in zip(inside, changes, net.initial, strict=True):
        program.row(row, lower=-tokens)
        program.row({**row, column: _MANY}, upper=_MANY - tokens)
    program.row(dict.fromkeys(input_columns, 1.0), lower=1.0)
    for siphon in siphons:
        program.row({inside[place]: 1.0 for place in siphon}, upper=len(siphon) - 1)
    values = program.solve(min(SECONDS, budget.remaining))
    if values is None:
        return None
    return frozenset(place for place, column in enumerate(inside) if values[column] > 0.5)
