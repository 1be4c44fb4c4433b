"""Sets of literals, a bit each, in which it is seen at a glance what others say already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, permutations
from typing import NamedTuple

from petricheck.arithmetic.formulas.formulas import Formula, Inequality, Negation


class _LeafBound(NamedTuple):
    """form + constant ≤ 0, or < 0 where strict."""

    form: tuple[tuple[str, Fraction], ...]
    constant: Fraction
    strict: bool

    def implies(self, other: _LeafBound) -> bool:
        """Return whether this literal implies the other, of the same form."""
        return self.form == other.form and self[1:] >= other[1:]

    def excludes(self, other: _LeafBound) -> bool:
        """Return whether the two literals contradict each other."""
        opposite = tuple((name, -value) for name, value in other.form)
        return self.form == opposite and (self.constant + other.constant, self.strict) > (
            Fraction(0),
            False,
        )


class Leaves:
    """Literals as operands of *and*, or of *or*.

    A set of operands also has the bits of literals that they imply (of *or*: that imply them). So
    one set makes another superfluous where it is a subset of it.

    Args:
        literals: all there are.
        every: whether they are operands of *and*.
        integral: whether their variables are integers.
    """

    def __init__(self, literals: Iterable[Formula], every: bool, integral: bool) -> None:
        self._literals = tuple(literals)
        self._numbers = {literal: number for number, literal in enumerate(self._literals)}
        bounds = [_bound(literal, every, integral) for literal in self._literals]
        self._closures = [1 << number for number in range(len(bounds))]
        self._clashes = [0] * len(bounds)
        similar: dict[frozenset[tuple[str, Fraction]], list[int]] = {}
        for number, bound in enumerate(bounds):
            if bound is not None:
                size = frozenset((name, abs(value)) for name, value in bound.form)
                similar.setdefault(size, []).append(number)
        for one, other in chain.from_iterable(permutations(group, 2) for group in similar.values()):
            bound, another = bounds[one], bounds[other]
            assert bound is not None and another is not None
            if bound.implies(another):
                self._closures[one] |= 1 << other
            if bound.excludes(another):
                self._clashes[one] |= 1 << other
        for number, literal in enumerate(self._literals):
            opposite = self._numbers.get(Negation(literal))
            if opposite is not None:
                self._clashes[number] |= 1 << opposite
                self._clashes[opposite] |= 1 << number
        self._clashing = sum(1 << number for number, clash in enumerate(self._clashes) if clash)

    def only(self, literal: Formula) -> int:
        """Return the set of an operand."""
        return self._closures[self._numbers[literal]]

    def excluded(self, operands: int) -> int:
        """Return the literals that exclude one operand; of *or*, one of the two always holds."""
        excluded = 0
        for number in _members(operands & self._clashing):
            excluded |= self._clashes[number]
        return excluded

    def formulas(self, operands: int) -> tuple[Formula, ...]:
        """Return the operands without those whose bits others contain."""
        implied = 0
        for number in _members(operands):
            implied |= self._closures[number] & ~(1 << number)
        return tuple(self._literals[number] for number in _members(operands & ~implied))


def _members(operands: int) -> Iterator[int]:
    while operands:
        lowest = operands & -operands
        yield lowest.bit_length() - 1
        operands ^= lowest


def _bound(literal: Formula, holds: bool, integral: bool) -> _LeafBound | None:
    """Return the bound that a literal, or its negation, implies; over integers it is primitive."""
    match literal:
        case Inequality(term):
            bound, strict = term, False
        case Negation(Inequality(term)):
            bound, strict = -term, True
        case _:
            return None
    if not holds:
        bound, strict = (1 - bound, False) if integral else (-bound, not strict)
    form = tuple((name, Fraction(value, term.content)) for name, value in bound.coefficients)
    return _LeafBound(form, Fraction(bound.constant, term.content), strict)
