"""Labels of vertices: conjunctions of bounds, residues and other formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    conjuncts,
    tighten,
)
from petricheck.engines.abstraction.domain import Domain, Predicate, States
from petricheck.model.net import Net, Weights
from petricheck.symbolic.linear import (
    HalfSpace,
    ModularDirection,
    constraint,
    direction_of,
    term_of,
)


@dataclass(frozen=True, slots=True)
class Label:
    """A conjunction that holds at a vertex; without any part it is *true*.

    Attributes:
        bounds: by direction c the U of c·m ≤ U.
        residues: by modular direction the r of c·m ≡ r.
        others: disjunctions, and negated congruences, over place ids.
    """

    bounds: Mapping[Weights, int] = field(default_factory=dict)
    residues: Mapping[ModularDirection, int] = field(default_factory=dict)
    others: frozenset[Formula] = frozenset()

    @property
    def contradictory(self) -> bool:
        """Return whether the literal is *false*: it bounds 0·m by less than 0."""
        return self.bounds.get((), 0) < 0

    def strengthened(self, other: Label) -> Label:
        """Return the conjunction of both."""
        residues = {**self.residues, **other.residues}
        if any(residues[residue] != value for residue, value in self.residues.items()):
            return FALSE
        bounds = dict(self.bounds)
        for direction, bound in other.bounds.items():
            bounds[direction] = min(bound, bounds.get(direction, bound))
        return Label(bounds, residues, self.others | other.others)

    def predicates(self) -> Iterator[Predicate]:
        """Yield the predicates that a domain needs for its bounds and residues."""
        for direction, bound in self.bounds.items():
            yield HalfSpace(direction, bound)
        yield from self.residues

    def row(self, domain: Domain) -> States:
        """Return bounds and residues as a state of a domain that has them, without consequences."""
        row = domain.unbounded.copy()
        for direction, bound in self.bounds.items():
            row[domain.positions[direction]] = bound
        for residue, value in self.residues.items():
            positive, negative = domain.columns(domain.positions[residue])
            row[positive], row[negative] = value, -value
        return row

    def conjuncts(self, net: Net) -> tuple[Formula, ...]:
        """Return the formulas that it conjoins, over place ids."""
        bounds = (HalfSpace(c, bound).inequality(net) for c, bound in self.bounds.items())
        residues = (
            Congruence(term_of(net, residue.direction) - value, residue.modulus)
            for residue, value in self.residues.items()
        )
        return (*bounds, *residues, *sorted(self.others, key=repr))


FALSE = Label({(): -1})

Interpolants: TypeAlias = tuple[tuple[int, Label], ...]
"""Vertices of a path, in its order, each with a label to conjoin to its own."""


def label_of(net: Net, formula: Formula) -> Label:
    """Return the label equivalent to a formula over place ids."""
    label = Label()
    for part in conjuncts(tighten(formula)):
        match part:
            case Inequality() | Equality():
                for side in constraint(net, part).sides:
                    if not _natural(side):
                        label = label.strengthened(Label({side.direction: side.bound}))
            case Congruence(term, modulus):
                residue = ModularDirection(direction_of(net, term), modulus)
                label = label.strengthened(Label({}, {residue: -term.constant % modulus}))
            case Disjunction(()):
                return FALSE
            case _:
                label = label.strengthened(Label(others=frozenset((part,))))
    return label


def _natural(half_space: HalfSpace) -> bool:
    """Return whether every marking satisfies it, since no place has less than 0 tokens."""
    return half_space.bound >= 0 and all(weight < 0 for _, weight in half_space.direction)
