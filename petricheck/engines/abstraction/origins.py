"""Origins of the directions of an abstraction, for readers of a proof.

A guide chooses an interpolant so that it does not grow along the displacements that the heuristics
ask for; so a direction is *suggested by* a heuristic if some of its displacements meet the
direction's places, and the direction grows along none of them. This is commentary, of no weight
for any verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import atoms
from petricheck.engines.abstraction.domain import Predicate
from petricheck.engines.abstraction.refine import Spurious
from petricheck.evidence.certificates.invariant import Certificate, DirectionOrigin
from petricheck.model.net import Net, Weights
from petricheck.symbolic.linear import Residue, product, term_of

Origins: TypeAlias = Mapping[Weights, tuple[str, ...]]
"""By direction, the names of what suggested it first."""

CONGRUENCE = "linear congruences"
PATH = "the path alone"
GIVEN = "the user's predicates"
SHARED = "another engine"


def starting(predicates: Iterable[Predicate], shared: Iterable[Predicate]) -> Origins:
    """Return the directions that an abstraction starts with."""
    return {
        **{predicate.direction: (SHARED,) for predicate in shared},
        **{predicate.direction: (GIVEN,) for predicate in predicates},
    }


def learnt(origins: Origins, refinement: Spurious) -> Origins:
    """Return the origins, extended by those of a refinement's new directions."""
    new = {
        predicate.direction: _suggested_by(predicate, refinement)
        for predicate in refinement.predicates
        if predicate.direction not in origins
    }
    return {**origins, **new}


def stated(net: Net, origins: Origins, certificate: Certificate) -> tuple[DirectionOrigin, ...]:
    """Return the origins of the directions that the certificate uses."""
    used = {atom.term.coefficients for atom in atoms(certificate.invariant)}
    named = ((term_of(net, c).coefficients, names) for c, names in origins.items())
    return tuple(
        DirectionOrigin(direction, names) for direction, names in named if direction in used
    )


def _suggested_by(predicate: Predicate, refinement: Spurious) -> tuple[str, ...]:
    if isinstance(predicate, Residue):
        return (CONGRUENCE,)
    growth: dict[str, list[int]] = {}
    touched = {place for place, _ in predicate.direction}
    for displacement in refinement.displacements:
        if not touched.isdisjoint(place for place, _ in displacement.vector):
            change = product(predicate.direction, displacement.vector)
            growth.setdefault(displacement.source, []).append(change)
    return tuple(sorted(name for name, changes in growth.items() if max(changes) <= 0)) or (PATH,)
