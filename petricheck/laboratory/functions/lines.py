"""Derivations written down, from what congruence closure and linear arithmetic found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.laboratory.functions.closure import Closure, Congruence, Edge
from petricheck.laboratory.functions.proofs import (
    Absurd,
    Antisymmetric,
    Assumed,
    Clash,
    Combination,
    Congruent,
    Difference,
    Line,
    Reflexive,
    Refutation,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.functions.terms import Term
from petricheck.laboratory.prover.proofs import Literal


@dataclass(frozen=True, slots=True)
class Side:
    """Of an equation between joined terms: left - right ≤ 0."""

    left: Term
    right: Term


Origin: TypeAlias = Literal | Side
"""An inequality: what a literal says, or half an equation."""

Multipliers: TypeAlias = tuple[tuple[Origin, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Squeezed:
    """Two terms are equal since these sums bound their difference both ways.

    Attributes:
        upper: sum of left - right ≤ 0.
        lower: sum of right - left ≤ 0.
    """

    upper: Multipliers
    lower: Multipliers


Reason: TypeAlias = Literal | Squeezed


def absurd(closure: Closure[Reason], multipliers: Mapping[Origin, Fraction]) -> Refutation:
    """The sum of inequalities is a contradiction."""
    writer = _Writer(closure)
    writer.sum_of(tuple(multipliers.items()))
    return Refutation(tuple(writer.lines), Absurd())


def clash(closure: Closure[Reason], left: Term, right: Term, literal: Literal) -> Refutation:
    """The terms are equal, which the literal denies."""
    writer = _Writer(closure)
    writer.equation(left, right)
    return Refutation(tuple(writer.lines), Clash(literal))


class _Writer:
    """Lines, none of them twice."""

    def __init__(self, closure: Closure[Reason]) -> None:
        self._closure = closure
        self._numbers: dict[Line, int] = {}

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(self._numbers)

    def equation(self, left: Term, right: Term) -> int:
        """The number of a line that says left = right."""
        current, line = left, None
        for edge in self._closure.path(left, right):
            forward = edge.left == current
            number = self._edge(edge)
            step = number if forward else self._line(Symmetric(number))
            line = step if line is None else self._line(Transitive(line, step))
            current = edge.right if forward else edge.left
        return self._line(Reflexive(left)) if line is None else line

    def sum_of(self, multipliers: Multipliers) -> int:
        """The number of a line that says what the inequalities sum up to."""
        summands = tuple((self._bound(origin), times) for origin, times in multipliers)
        return self._line(Combination(summands))

    def _bound(self, origin: Origin) -> int:
        match origin:
            case Side(left, right):
                return self._line(Difference(self.equation(left, right)))
            case literal:
                return self._line(Assumed(literal))

    def _edge(self, edge: Edge[Reason]) -> int:
        match edge.reason:
            case Congruence(left, right):
                pairs = zip(left.arguments, right.arguments, strict=True)
                numbers = tuple(self.equation(*pair) for pair in pairs)
                return self._line(Congruent(left.function, numbers))
            case Squeezed(upper, lower):
                above, under = self.sum_of(upper), self.sum_of(lower)
                return self._line(Antisymmetric(above, under, edge.left, edge.right))
            case literal:
                return self._line(Assumed(literal))

    def _line(self, line: Line) -> int:
        return self._numbers.setdefault(line, len(self._numbers))
