"""Names that people gave to places, beside the ids that evidence is told in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

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
    """[id, name] by numbers, of the places that the evidence names."""
    given = given_names(net)
    ids = [place for place in dict.fromkeys(_mentioned(answer, net)) if place in given]
    return [[names.number(place), names.number(given[place])] for place in ids[:LISTED]]


def given_names(net: Net) -> Mapping[str, str]:
    """By id the name of a place that no other has, neither as its name nor as its id."""
    ids = {*net.places, *net.actions}
    given = [pair for pair in zip(net.places, net.labels, strict=False) if pair[1]]
    uses = Counter(name for _, name in given)
    return {place: name for place, name in given if uses[name] == 1 and name not in ids}


def _mentioned(answer: Reachable | Unreachable, net: Net) -> Iterator[str]:
    match answer:
        case Reachable(trace):
            used = dict.fromkeys(net.transition_numbers[name] for name, _ in trace.steps)
            yield from (net.places[p] for t in used for p, _ in net.transitions[t].effect)
        case Unreachable(Certificate(invariant)):
            yield from variables(invariant)
        case Unreachable(StateEquationCertificate(traps, siphon)):
            yield from (place for trap in traps for place in trap)
            yield from siphon
