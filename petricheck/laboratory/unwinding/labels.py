"""Labels of vertices: conjunctions of bounds and residues."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from petricheck.abstraction.domain import Domain, Predicate, States
from petricheck.linear import HalfSpace, Residue
from petricheck.problem import Weights


@dataclass(frozen=True, slots=True)
class Label:
    """What is known at a vertex; without bounds and residues it is *true*.

    Attributes:
        bounds: by direction c the U of c·m ≤ U.
        residues: by modular direction the r of c·m ≡ r.
    """

    bounds: Mapping[Weights, int] = field(default_factory=dict)
    residues: Mapping[Residue, int] = field(default_factory=dict)

    @property
    def contradictory(self) -> bool:
        """Whether it is *false*: whether 0·m is bounded by less than 0."""
        return self.bounds.get((), 0) < 0

    def strengthened(self, other: Label) -> Label:
        """The conjunction of both."""
        bounds = dict(self.bounds)
        for direction, bound in other.bounds.items():
            bounds[direction] = min(bound, bounds.get(direction, bound))
        return Label(bounds, {**self.residues, **other.residues})

    def predicates(self) -> Iterator[Predicate]:
        """What a domain must be able to say of it."""
        for direction, bound in self.bounds.items():
            yield HalfSpace(direction, bound)
        yield from self.residues

    def row(self, domain: Domain) -> States:
        """The label as a state of a domain that has its directions, without consequences."""
        row = np.full_like(domain.initial(), domain.infinity)
        for number, direction in enumerate(domain.directions):
            row[number] = self.bounds.get(direction, domain.infinity)
        for number, residue in enumerate(domain.residues):
            if residue in self.residues:
                positive, negative = domain.columns(len(domain.directions) + number)
                row[positive], row[negative] = self.residues[residue], -self.residues[residue]
        return row


FALSE = Label({(): -1})


def label_of(domain: Domain, atoms: Mapping[int, int]) -> Label:
    """The label of atoms, given by number as in `Domain.source`, with their bounds or residues."""
    count = len(domain.directions)
    return Label(
        {domain.directions[atom]: value for atom, value in atoms.items() if atom < count},
        {domain.residues[a - count]: value for a, value in atoms.items() if a >= count},
    )
