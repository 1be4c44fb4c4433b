"""Names that people gave to places and transitions, beside the ids that evidence is told in."""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.answer import (
    Certificate,
    Reachable,
    StateEquationCertificate,
    Unreachable,
)
from petricheck.page.words import Names
from petricheck.presburger.formulas import variables
from petricheck.problem import Net

LISTED = 60
"""Of more names the rest is left out."""


def called(answer: Reachable | Unreachable, net: Net, names: Names) -> list[list[int]]:
    """[id, name] by numbers, of the places and transitions that the evidence names."""
    given = net.given_names
    ids = [place for place in dict.fromkeys(_mentioned(answer, net)) if place in given]
    return [[names.number(place), names.number(given[place])] for place in ids[:LISTED]]


def _mentioned(answer: Reachable | Unreachable, net: Net) -> Iterator[str]:
    match answer:
        case Reachable(trace):
            yield from (name for name, _ in trace.steps)
            used = dict.fromkeys(net.transition_numbers[name] for name, _ in trace.steps)
            yield from (net.places[p] for t in used for p, _ in net.transitions[t].effect)
        case Unreachable(Certificate(invariant)):
            yield from variables(invariant)
        case Unreachable(StateEquationCertificate(traps, siphon)):
            yield from (place for trap in traps for place in trap)
            yield from siphon
