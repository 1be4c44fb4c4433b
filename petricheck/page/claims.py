"""What a page tells of claims that answer a question together, as data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from petricheck.answer import Reachable, Trace, Unreachable
from petricheck.certificates import Evidence
from petricheck.claims import Claim, Excluded, Pumped, Reached, Stage
from petricheck.page.evidence import LISTED, STEPS, evidence_data, formula_data
from petricheck.page.words import Names, integer
from petricheck.problem import Net

CLAIMS, CHARACTERS = 200, 5 << 20
"""Claims of one page, and characters of their data; more are counted only."""


def sections(claims: Sequence[Claim], net: Net, names: Names) -> Iterator[dict[str, Any]]:
    """`claim_data` of the first claims, as far as there is room."""
    room = CHARACTERS
    for claim in claims[:CLAIMS]:
        data = claim_data(claim, net, names)
        room -= len(json.dumps(data))
        if room < 0:
            return
        yield data


def claim_data(claim: Claim, net: Net, names: Names) -> dict[str, Any]:
    """A claim that the audit has accepted, with its evidence, as data.

    Raises:
        QueryError: nothing tells certificates of its type.
        RecursionError: a formula is nested very deeply.
    """
    match claim:
        case Reached(trace, stops):
            evidence = Evidence(None, None, Reachable(trace))
            found = evidence_data(evidence, net, True, names)
            return found | {"claim": "reached", "stops": _stops(stops, names)} | _more(stops)
        case Excluded(formula, certificate):
            evidence = Evidence(None, formula, Unreachable(certificate))
            found = evidence_data(evidence, net, True, names)
            return found | {"claim": "never", "says": formula_data(formula, names)}
        case Pumped(sums, stages):
            few = [names.term(term) for term in sums[:LISTED]]
            stages_data = [_stage(stage, net, names) for stage in stages]
            data = {"kind": "pumped", "claim": "pumped", "sums": few, "stages": stages_data}
            return data | _more(sums) | {"trace": _once(claim, net, names)}


def _more(listed: Sequence[object]) -> dict[str, int]:
    """How many are not told."""
    return {"left": max(0, len(listed) - LISTED)}


def _stops(stops: Iterable[tuple[int, Any]], names: Names) -> list[Any]:
    few = [stop for stop, _ in zip(stops, range(LISTED), strict=False)]
    return [[position, formula_data(formula, names)] for position, formula in few]


def _stage(stage: Stage, net: Net, names: Names) -> dict[str, Any]:
    """What fires, and what one repetition of the loop changes."""
    changes: dict[int, int] = {}
    for name, times in stage.loop.steps:
        for place, change in net.transitions[net.transition_numbers[name]].effect:
            changes[place] = changes.get(place, 0) + times * change
    told = [[names.number(net.places[p]), integer(n)] for p, n in sorted(changes.items()) if n]
    parts = {"stem": _steps(stage.stem, names), "loop": _steps(stage.loop, names)}
    return parts | {"changes": told[:LISTED], "left": max(0, len(told) - LISTED)}


def _steps(trace: Trace, names: Names) -> dict[str, Any]:
    few = [[names.number(name), integer(times)] for name, times in trace.steps[:STEPS]]
    return {"steps": few, "more": max(0, len(trace.steps) - STEPS)}


def _once(claim: Pumped, net: Net, names: Names) -> dict[str, Any] | None:
    """Stem and loop as a trace; None of several stages, whose later ones fire only where the
    loops before have been repeated often enough.
    """
    if len(claim.stages) > 1:
        return None
    (stage,) = claim.stages
    whole = Trace((*stage.stem.steps, *stage.loop.steps))
    found = evidence_data(Evidence(None, None, Reachable(whole)), net, True, names)
    return found | {"loop": len(stage.stem.steps)}
