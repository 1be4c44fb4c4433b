"""Linear forms over the places of a net: the vectors and half-spaces that all engines reason with.

A vector is sparse (`model.net.Weights`): pairs (place number, weight), sorted by place, without
zeros. Displacements, templates, interpolants, directions of an abstraction and inductive facts have
this form until a certificate names their places (`term_of`). They become arrays only where numpy,
flint or a linear program computes. The auditor has an arithmetic of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Atom, Congruence, Equality, Inequality
from petricheck.arithmetic.formulas.terms import Term
from petricheck.model.net import Net, Transition, Weights


def sparse(entries: Iterable[tuple[int, int]]) -> Weights:
    """Return the vector with these entries; repeated places are summed, zeros dropped."""
    sums: dict[int, int] = {}
    for place, weight in entries:
        sums[place] = sums.get(place, 0) + weight
    return tuple(sorted((place, weight) for place, weight in sums.items() if weight))


def value_at(direction: Weights, marking: Sequence[int]) -> int:
    """Return c·m for a marking, or any vector with an entry for every place."""
    return sum(weight * marking[place] for place, weight in direction)


def product(left: Weights, right: Weights) -> int:
    """Return the scalar product."""
    entries = dict(left)
    return sum(entries.get(place, 0) * weight for place, weight in right)


def products(left: Weights, others: Iterable[Weights]) -> Iterator[int]:
    """Yield the scalar products with each of the others."""
    entries = dict(left)
    for other in others:
        yield sum(entries.get(place, 0) * weight for place, weight in other)


def scaled(direction: Weights, factor: int) -> Weights:
    """Return factor·c, for a factor that is not 0."""
    return tuple((place, factor * weight) for place, weight in direction)


def divided(direction: Weights, divisor: int) -> Weights:
    """Return c / divisor, which divides every weight."""
    return tuple((place, weight // divisor) for place, weight in direction)


def combination(summands: Iterable[tuple[int, Weights]]) -> Weights:
    """Return Σ factor·c over pairs (factor, c)."""
    return sparse((place, factor * weight) for factor, c in summands for place, weight in c)


def content(direction: Weights) -> int:
    """Return the greatest common divisor of the weights; 0 for the vector 0."""
    return gcd(*(weight for _, weight in direction))


def at_least(larger: Weights, smaller: Weights) -> bool:
    """Return whether larger ≥ smaller in every place."""
    if larger == smaller:  # frequent along a path, and quick to check
        return True
    remaining = dict(larger)
    below = any(remaining.pop(place, 0) < weight for place, weight in smaller)
    return not below and min(remaining.values(), default=0) >= 0


def dense(direction: Weights, places: Iterable[int]) -> tuple[int, ...]:
    """Return an entry for each of these places."""
    entries = dict(direction)
    return tuple(entries.get(place, 0) for place in places)


def term_of(net: Net, direction: Weights) -> Term:
    """Return c·m as a term over place ids."""
    return Term(tuple(sorted((net.places[place], weight) for place, weight in direction)), 0)


def direction_of(net: Net, term: Term) -> Weights:
    """Return the inverse of `term_of`; the term's constant is ignored."""
    return tuple(sorted((net.place_numbers[name], weight) for name, weight in term.coefficients))


def preserves(net: Net, transitions: Iterable[Transition], atom: Atom) -> bool:
    """Return whether the effects alone show that every firing preserves the atom."""
    changes = products(direction_of(net, atom.term), (t.effect for t in transitions))
    match atom:
        case Inequality():
            return all(change <= 0 for change in changes)
        case Equality():
            return not any(changes)
        case Congruence(_, modulus):
            return not any(change % modulus for change in changes)


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """The half-space direction·m ≤ bound."""

    direction: Weights
    bound: int

    def holds(self, marking: Sequence[int]) -> bool:
        """Return whether the marking is in it."""
        return value_at(self.direction, marking) <= self.bound

    def preserved_by(self, effects: Iterable[Weights]) -> bool:
        """Return whether it is inductive for these effects: c·δ ≤ 0 for each."""
        return all(change <= 0 for change in products(self.direction, effects))

    @property
    def sides(self) -> tuple[HalfSpace, ...]:
        """The half-space itself."""
        return (self,)

    def complement(self) -> HalfSpace:
        """Return the half-space of all other markings: −c·m ≤ −bound − 1."""
        return HalfSpace(scaled(self.direction, -1), -self.bound - 1)

    def primitive(self) -> HalfSpace:
        """Return the same half-space with coprime weights, the bound rounded down."""
        divisor = content(self.direction)
        if divisor <= 1:
            return self
        return HalfSpace(divided(self.direction, divisor), self.bound // divisor)

    def inequality(self, net: Net) -> Inequality:
        """Return the half-space as an atom over place ids."""
        return Inequality(term_of(net, self.direction) - self.bound)


@dataclass(frozen=True, slots=True)
class Hyperplane:
    """The hyperplane direction·m = bound."""

    direction: Weights
    bound: int

    def holds(self, marking: Sequence[int]) -> bool:
        """Return whether the marking is in it."""
        return value_at(self.direction, marking) == self.bound

    @property
    def sides(self) -> tuple[HalfSpace, ...]:
        """The two half-spaces whose intersection it is."""
        opposite = HalfSpace(scaled(self.direction, -1), -self.bound)
        return (HalfSpace(self.direction, self.bound), opposite)


@dataclass(frozen=True, slots=True)
class ModularDirection:
    """The value of direction·m modulo `modulus`, without a fixed remainder."""

    direction: Weights
    modulus: int


Constraint: TypeAlias = HalfSpace | Hyperplane


def constraint(net: Net, atom: Inequality | Equality) -> Constraint:
    """Return the half-space or hyperplane of an atom over place ids."""
    kind = HalfSpace if isinstance(atom, Inequality) else Hyperplane
    return kind(direction_of(net, atom.term), -atom.term.constant)
