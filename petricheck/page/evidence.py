"""What a page tells of evidence, as data; `words` has their vocabulary.

Evidence that `refutation` finds false is not shown. What only the audit knows, that transitions
keep an invariant and that the target contradicts it, the page tells as the audit's finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from petricheck.answer import (
    Certificate,
    Reachable,
    StateEquationCertificate,
    Trace,
    Unreachable,
)
from petricheck.certificates import Evidence
from petricheck.explanation.cases import (
    EXPLAINED,
    Case,
    Move,
    Part,
    cases,
    explain,
    length,
    target_cubes,
)
from petricheck.explanation.refutation import (
    is_marked_trap,
    known_target,
    refuted,
    unblocked,
)
from petricheck.notations import notation_of
from petricheck.page.called import called
from petricheck.page.words import Names, integer
from petricheck.presburger.formulas import Formula, variables
from petricheck.presburger.minimal import minimal
from petricheck.problem import Marking, Net
from petricheck.words import printable

STEPS = 20_000
"""Steps of the longest traces that are shown whole; of longer ones, so many from either end."""

ENDS = STEPS // 2

TYPESET = 4_000
"""Summands and bounds of the longest formulas that are typeset as a whole."""

LETTERS = 20_000
"""Letters of what a notation tells that is shown; of longer texts, the summary."""

LISTED = 60
"""Names in a list; more are counted only."""


def evidence_data(evidence: Evidence, net: Net, audited: bool, names: Names) -> dict[str, Any]:
    """The evidence as data; where the net refutes it, or does not know its names, why it is not.

    Args:
        evidence: what is claimed.
        net: the net that it is about.
        audited: whether the audit has accepted it.
        names: numbers the names in it.

    Raises:
        QueryError: nothing tells certificates of its type.
        RecursionError: a formula is nested very deeply.
    """
    if stranger := _stranger(evidence, net):
        return missing(f"it names {stranger!r}, which the net does not have")
    if why := refuted(evidence, net):
        return missing(why)
    data = _shown(evidence, net, names)
    return data | {"audited": audited, "called": called(evidence.answer, net, names)}


def evidence_without_net(evidence: Evidence, complaint: str, names: Names) -> dict[str, Any]:
    """What can be said where the net is not known."""
    match evidence.answer:
        case Unreachable(Certificate(invariant)) if shown := formula_data(
            minimal(invariant), names
        ):
            return {"kind": "formula", "formula": shown, "why": complaint}
        case Reachable(Trace(steps)):
            few = [[names.number(name), integer(times)] for name, times in steps[:STEPS]]
            more = max(0, len(steps) - STEPS)
            return {"kind": "steps", "steps": few, "more": more, "why": complaint}
    return missing(f"the net is not known: {complaint}")


def missing(why: str) -> dict[str, Any]:
    """Evidence that is not shown, as data."""
    return {"kind": "missing", "why": why}


def _stranger(evidence: Evidence, net: Net) -> str | None:
    """A name in the evidence that the net does not have."""
    known: Mapping[str, int] = net.place_numbers
    match evidence.answer:
        case Reachable(Trace(steps)):
            known, said = net.transition_numbers, [name for name, _ in steps]
        case Unreachable(Certificate(invariant)):
            said = list(variables(invariant))
        case Unreachable(StateEquationCertificate(traps, siphon)):
            said = [*siphon, *(place for trap in traps for place in trap)]
        case _:  # of such certificates only their notation knows what they name
            said = []
    return next((name for name in said if name not in known), None)


def _shown(evidence: Evidence, net: Net, names: Names) -> dict[str, Any]:
    target = known_target(evidence, net)
    match evidence.answer:
        case Reachable(trace):
            data = _trace(trace, net, names) | {"leads": target is not None}
        case Unreachable(Certificate() as certificate):
            data = _invariant(certificate, target, net, names)
        case Unreachable(StateEquationCertificate() as certificate):
            data = _state_equation(certificate, net, names)
        case Unreachable(certificate):
            data = _told(certificate)
    return data | {"target": None if target is None else formula_data(target, names)}


def formula_data(formula: Formula, names: Names) -> list[Any] | None:
    """The formula as data; None where it is too long to be typeset."""
    return names.formula(formula) if length(formula) <= TYPESET else None


def _trace(trace: Trace, net: Net, names: Names) -> dict[str, Any]:
    """Steps and effects; markings follow from them.

    Only the places that some step touches are told, the others keep their tokens.
    """
    used = sorted({net.transition_numbers[name] for name, _ in trace.steps})
    touched = sorted({p for t in used for p, _ in net.transitions[t].effect})
    column = {place: n for n, place in enumerate(touched)}
    local = {net.transitions[t].name: n for n, t in enumerate(used)}
    start = net.initial
    head, tail = trace.steps, trace.steps[:0]
    if len(trace.steps) > STEPS:
        head, tail = trace.steps[:ENDS], trace.steps[-ENDS:]
    quiet = [p for p, tokens in enumerate(net.initial) if tokens and p not in column]
    return {
        "kind": "trace",
        "length": integer(trace.length),
        "places": [names.number(net.places[p]) for p in touched],
        "numbers": touched,
        "start": [integer(start[p]) for p in touched],
        "transitions": [
            {
                "name": names.number(net.transitions[t].name),
                "number": t,
                "effect": [
                    v for p, w in net.transitions[t].effect for v in (column[p], integer(w))
                ],
            }
            for t in used
        ],
        "steps": _steps(head, local),
        "gap": _gap(trace, net, touched, _steps(tail, local)) if tail else None,
        "quiet": [[names.number(net.places[p]), integer(start[p])] for p in quiet[:LISTED]],
        "hushed": max(0, len(quiet) - LISTED),
    }


def _steps(steps: Sequence[tuple[str, int]], local: Mapping[str, int]) -> list[Any]:
    return [value for name, times in steps for value in (local[name], integer(times))]


def _gap(trace: Trace, net: Net, touched: Sequence[int], tail: list[Any]) -> dict[str, Any]:
    """What follows on the steps that are left out."""
    marking: Marking = net.initial
    counted: dict[str, int] = {}
    for name, times in trace.steps[:-ENDS]:
        counted[name] = counted.get(name, 0) + times
    for name, times in counted.items():
        marking = net.transitions[net.transition_numbers[name]].fire(marking, times)
    skipped = len(trace.steps) - 2 * ENDS
    start = [integer(marking[place]) for place in touched]
    return {"skipped": skipped, "start": start, "steps": tail}


def _invariant(
    certificate: Certificate, target: Formula | None, net: Net, names: Names
) -> dict[str, Any]:
    parts_of_target = None if target is None else target_cubes(target)
    found = explain(net, parts_of_target or (), certificate, EXPLAINED)
    return {
        "kind": "invariant",
        "formula": formula_data(minimal(certificate.invariant), names),
        "cubes": None if parts_of_target is None else len(parts_of_target),
        "cases": [_case(case, names) for case in found],
        "more": cases(certificate.invariant) - len(found),
    }


def _case(case: Case, names: Names) -> dict[str, Any]:
    return {
        "parts": [_part(part, names) for part in case.parts],
        "moves": [_move(move, names) for move in case.moves],
        "clashes": [[c.cube, names.formula(c.target), c.part] for c in case.clashes],
    }


def _part(part: Part, names: Names) -> dict[str, Any]:
    sides = None if part.initially is None else [integer(side) for side in part.initially]
    return {
        "formula": names.formula(part.formula),
        "initially": sides,
        "holds": part.holds,
        "kinds": list(part.kinds),
        "by": [names.number(name) for name in part.suggested_by],
    }


def _move(move: Move, names: Names) -> list[Any]:
    few = [names.number(name) for name in move.transitions[:LISTED]]
    return [move.case, few, len(move.transitions)]


def _told(certificate: object) -> dict[str, Any]:
    """A certificate that is not explained, as its notation tells it."""
    told = notation_of(certificate).told(certificate, "text")
    long = len(told.body) > LETTERS
    words = told.summary if long else f"{told.headline}\n{told.body}"
    return {"kind": "told", "words": [printable(line) for line in words.splitlines()]}


def _state_equation(
    certificate: StateEquationCertificate, net: Net, names: Names
) -> dict[str, Any]:
    open_ = {transition.name for transition in unblocked(certificate.siphon, net)}
    blocked = [t.name for t in net.transitions if t.name not in open_]
    tokens = net.values(net.initial)
    return {
        "kind": "state equation",
        "traps": [
            {
                "places": [[names.number(place), integer(tokens[place])] for place in trap],
                "always": is_marked_trap(trap, net.transitions, net),
            }
            for trap in certificate.traps
        ],
        "siphon": [names.number(place) for place in certificate.siphon],
        "blocked": [names.number(name) for name in blocked[:LISTED]],
        "blocks": len(blocked),
        "open": len(open_),
    }
