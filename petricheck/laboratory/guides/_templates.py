"""The templates and costs of Leroux et al. 2016, section 9.3.

Each heuristic contributes the powerset of its templates: a basis of the space orthogonal to its
displacements, whose vectors cost little since they are invariant along them, completed by a basis
of the displacements' own space, whose vectors cost much. A template stands for a lower bound
(Def. 5); with its opposite, which is a template of its own, for an upper bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.guides import AsksAll
from petricheck.heuristics import Displacement
from petricheck.laboratory.lattices.lattice import PowersetLattice
from petricheck.linear import dense, scaled, sparse
from petricheck.plugins import option
from petricheck.presburger.algebra import orthogonal_complement
from petricheck.problem import Weights


@dataclass(frozen=True)
class Priced(AsksAll):
    """What guides have in common that look for cheap templates."""

    cheap: int = option(1, "cost of a template that is invariant")
    costly: int = option(100, "cost of any other template")


def template_lattices(
    displacements: Sequence[Displacement], places: Sequence[int], cheap: int, costly: int
) -> tuple[PowersetLattice, ...]:
    """One lattice for each heuristic that has displacements; of none, one without preferences.

    Args:
        displacements: of all heuristics.
        places: those that templates may speak of.
        cheap: cost of a template that the heuristic's displacements do not change.
        costly: cost of any other.
    """
    sources = dict.fromkeys(displacement.source for displacement in displacements)
    groups = [[d.vector for d in displacements if d.source == s] for s in sources] or [[]]
    return tuple(_powerset(group, places, cheap, costly) for group in groups)


def _powerset(
    vectors: Sequence[Weights], places: Sequence[int], cheap: int, costly: int
) -> PowersetLattice:
    invariant = orthogonal_complement([dense(v, places) for v in vectors], len(places))
    others = orthogonal_complement(invariant, len(places)) if invariant else ()
    if not invariant:
        others = orthogonal_complement((), len(places))
    templates: list[Weights] = []
    costs: list[int] = []
    for basis, cost in ((invariant, cheap), (others, costly)):
        for entries in basis:
            template = sparse(zip(places, entries, strict=True))
            templates += [template, scaled(template, -1)]
            costs += [cost, cost]
    return PowersetLattice(tuple(templates), tuple(costs))
