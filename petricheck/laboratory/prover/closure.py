"""Congruence closure that explains itself, by lines of a derivation.

Terms are joined by edges, each with a reason; classes are the components. An edge is added between
classes only, so that the edges form trees: the path between two terms is the only one, and what it
rests on was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.laboratory.prover.proofs import (
    Antisymmetric,
    Assumed,
    Combination,
    Congruent,
    Derivation,
    Difference,
    Line,
    Literal,
    Reflexive,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.prover.terms import Application, Ratio, single


@dataclass(frozen=True, slots=True)
class EquationSide:
    """One side of an equation between joined terms: left - right ≤ 0."""

    left: Ratio
    right: Ratio


Origin: TypeAlias = Literal | EquationSide
"""An inequality: what a literal says, or half an equation."""

Multipliers: TypeAlias = tuple[tuple[Origin, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Squeezed:
    """The reason of an equality whose sums bound the difference of two terms both ways.

    Attributes:
        upper: sum of left - right ≤ 0.
        lower: sum of right - left ≤ 0.
    """

    upper: Multipliers
    lower: Multipliers


@dataclass(frozen=True, slots=True)
class EqualArguments:
    """The arguments of two applications of a function are equal in pairs."""

    left: Application
    right: Application


@dataclass(frozen=True, slots=True)
class Edge:
    """Two equal terms with the reason."""

    left: Ratio
    right: Ratio
    reason: Literal | Squeezed | EqualArguments


class Closure:
    """Classes of equal terms.

    Args:
        terms: all that there are, with their subterms.
    """

    def __init__(self, terms: Iterable[Ratio]) -> None:
        self._class = {term: term for term in terms}
        self._members = {term: [term] for term in self._class}
        self._edges: dict[Ratio, list[Edge]] = {term: [] for term in self._class}
        self.applications = [
            unit
            for term in self._class
            for unit in term.units
            if isinstance(unit, Application) and term == single(unit)
        ]

    def class_of(self, term: Ratio) -> Ratio:
        """Return the representative of the term's class."""
        return self._class[term]

    def same(self, left: Ratio, right: Ratio) -> bool:
        """Return whether the terms are in one class."""
        return self._class[left] == self._class[right]

    def merge(self, edge: Edge) -> None:
        """Join the classes of two terms, where they are two."""
        larger, given_up = self._class[edge.left], self._class[edge.right]
        if larger == given_up:
            return
        self._edges[edge.left].append(edge)
        self._edges[edge.right].append(edge)
        for term in self._members.pop(given_up):
            self._class[term] = larger
            self._members[larger].append(term)

    def close(self) -> None:
        """Merge applications of a function to equal arguments, until there is nothing to merge."""
        changed = True
        while changed:
            changed = False
            representatives: dict[tuple[str, tuple[Ratio, ...]], Application] = {}
            for application in self.applications:
                arguments = tuple(self._class[argument] for argument in application.arguments)
                other = representatives.setdefault((application.function, arguments), application)
                left, right = single(other), single(application)
                if not self.same(left, right):
                    self.merge(Edge(left, right, EqualArguments(other, application)))
                    changed = True

    def edges(self) -> Iterator[Edge]:
        """Yield every edge, once."""
        for term, edges in self._edges.items():
            yield from (edge for edge in edges if edge.left == term)

    def absurd(self, multipliers: Multipliers) -> Derivation:
        """Return a derivation of these inequalities' sum, which is a contradiction."""
        writer = _LineWriter(self)
        writer.sum_of(multipliers)
        return Derivation(writer.lines, None)

    def clash(self, left: Ratio, right: Ratio, denied: Literal) -> Derivation:
        """Return a derivation that the terms of one class are equal; the literal denies it."""
        writer = _LineWriter(self)
        writer.equation(left, right)
        return Derivation(writer.lines, denied)

    def path(self, start: Ratio, end: Ratio) -> tuple[Edge, ...]:
        """Return a path of edges between two terms of a class; empty from a term to itself."""
        came: dict[Ratio, tuple[Ratio, Edge] | None] = {start: None}
        pending = [start]
        while end not in came:
            current = pending.pop()
            for edge in self._edges[current]:
                other = edge.right if edge.left == current else edge.left
                if other not in came:
                    came[other] = (current, edge)
                    pending.append(other)
        path: list[Edge] = []
        step = came[end]
        while step is not None:
            path.append(step[1])
            step = came[step[0]]
        return tuple(reversed(path))


class _LineWriter:
    """Lines, none of them twice."""

    def __init__(self, closure: Closure) -> None:
        self._closure = closure
        self._numbers: dict[Line, int] = {}

    @property
    def lines(self) -> tuple[Line, ...]:
        return tuple(self._numbers)

    def equation(self, left: Ratio, right: Ratio) -> int:
        """Return the number of the line left = right."""
        current, line = left, None
        for edge in self._closure.path(left, right):
            forward = edge.left == current
            number = self._edge(edge)
            step = number if forward else self._line(Symmetric(number))
            line = step if line is None else self._line(Transitive(line, step))
            current = edge.right if forward else edge.left
        return self._line(Reflexive(left)) if line is None else line

    def sum_of(self, multipliers: Multipliers) -> int:
        """Return the number of the line with the sum of the inequalities."""
        summands = tuple((self._bound(origin), times) for origin, times in multipliers)
        return self._line(Combination(summands))

    def _bound(self, origin: Origin) -> int:
        match origin:
            case EquationSide(left, right):
                return self._line(Difference(self.equation(left, right)))
            case literal:
                return self._line(Assumed(literal))

    def _edge(self, edge: Edge) -> int:
        match edge.reason:
            case EqualArguments(left, right):
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
