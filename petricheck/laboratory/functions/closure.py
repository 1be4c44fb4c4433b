"""Congruence closure that explains itself.

Terms are joined by edges, each with a reason; classes are the components. An edge is added between
classes only, so that the edges form trees: the path between two terms is the only one, and what it
rests on was there before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from petricheck.laboratory.functions.terms import Application, Term, single

Reason = TypeVar("Reason")


@dataclass(frozen=True, slots=True)
class Congruence:
    """The arguments are equal in pairs.

    Attributes:
        left: an application.
        right: another one of the same function.
    """

    left: Application
    right: Application


@dataclass(frozen=True, slots=True)
class Edge(Generic[Reason]):
    """Two terms that are equal, and why."""

    left: Term
    right: Term
    reason: Reason | Congruence


class Closure(Generic[Reason]):
    """Classes of equal terms.

    Args:
        terms: all that there are, with their subterms.
    """

    def __init__(self, terms: Iterable[Term]) -> None:
        self._class = {term: term for term in terms}
        self._members = {term: [term] for term in self._class}
        self._edges: dict[Term, list[Edge[Reason]]] = {term: [] for term in self._class}
        self.applications = [
            unit
            for term in self._class
            for unit, _ in term.coefficients
            if isinstance(unit, Application) and term == single(unit)
        ]

    def class_of(self, term: Term) -> Term:
        """One term of the class, the same for all of its members."""
        return self._class[term]

    def same(self, left: Term, right: Term) -> bool:
        """Whether the terms are in one class."""
        return self._class[left] == self._class[right]

    def merge(self, left: Term, right: Term, reason: Reason | Congruence) -> None:
        """Join the classes of two terms, where they are two."""
        kept, given_up = self._class[left], self._class[right]
        if kept == given_up:
            return
        edge = Edge(left, right, reason)
        self._edges[left].append(edge)
        self._edges[right].append(edge)
        for term in self._members.pop(given_up):
            self._class[term] = kept
            self._members[kept].append(term)

    def close(self) -> None:
        """Merge applications of a function to equal arguments, until there is nothing to merge."""
        changed = True
        while changed:
            changed = False
            known: dict[tuple[str, tuple[Term, ...]], Application] = {}
            for application in self.applications:
                arguments = tuple(self._class[each] for each in application.arguments)
                other = known.setdefault((application.function, arguments), application)
                left, right = single(other), single(application)
                if not self.same(left, right):
                    self.merge(left, right, Congruence(other, application))
                    changed = True

    def edges(self) -> Iterator[Edge[Reason]]:
        """Every edge, once."""
        for term, edges in self._edges.items():
            yield from (edge for edge in edges if edge.left == term)

    def path(self, start: Term, end: Term) -> tuple[Edge[Reason], ...]:
        """The edges from one term to another of its class; of a term to itself, none."""
        came: dict[Term, tuple[Term, Edge[Reason]] | None] = {start: None}
        pending = [start]
        while end not in came:
            current = pending.pop()
            for edge in self._edges[current]:
                other = edge.right if edge.left == current else edge.left
                if other not in came:
                    came[other] = (current, edge)
                    pending.append(other)
        path: list[Edge[Reason]] = []
        step = came[end]
        while step is not None:
            path.append(step[1])
            step = came[step[0]]
        return tuple(reversed(path))
