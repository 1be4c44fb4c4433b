"""The labelled unwinding: vertices, edges, labels and the covering relation (Defs. 1 and 2).

It stays *well-labelled* (Def. 3). A firing from the parent's label leads into the child's label.
The label of a covered vertex entails the label of the vertex that covers it, which is itself not
covered. Differences to the paper: an edge whose transition the label disables is left out; the
root's label has to hold in the initial marking only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines.abstraction.domain import Domain, Precision, Predicate, States
from petricheck.laboratory.locations import Location, initial_location, location_after
from petricheck.laboratory.unwinding.labels import Interpolants, Label
from petricheck.model.net import Net, Weights


@dataclass(slots=True)
class Vertex:
    """A vertex of the unwinding.

    Attributes:
        parent: number of the parent; None for the root.
        transition: number of the transition that leads here; -1 for the root.
        location: the tokens of the control groups.
        label: ψ.
        children: their numbers; None as long as the vertex is not expanded.
        covered_by: number of the vertex w with an arc (v, w) of the covering relation.
    """

    parent: int | None
    transition: int
    location: Location
    label: Label
    children: tuple[int, ...] | None = None
    covered_by: int | None = None


class Unwinding:
    """The tree, in the order in which vertices are made, with all labels in one domain.

    Args:
        net: the net.
        groups: its control groups; without any there is a single location.

    Attributes:
        net: the net.
        vertices: by number.
        precision: directions and bounds that labels use or may use.
        domain: the domain of that precision.
    """

    def __init__(self, net: Net, groups: Sequence[Sequence[int]] = ()) -> None:
        self.net = net
        self.vertices: list[Vertex] = []
        self.precision = Precision()
        self.domain = Domain(net, self.precision)
        self._covers: defaultdict[int, set[int]] = defaultdict(set)
        self._rows = self._states = self.domain.initial()[np.newaxis]
        self._uncovered = np.zeros(1, dtype=bool)
        self._conjunct_sets: dict[int, frozenset[Formula]] = {}
        self._add(None, -1, initial_location(net, groups))

    # Queries

    def row(self, vertex: int) -> States:
        """Return the label's bounds and residues as a state, without their consequences."""
        row: States = self._rows[vertex]
        return row

    def state(self, vertex: int) -> States:
        """Return the label's bounds and residues as a state, with their consequences."""
        state: States = self._states[vertex]
        return state

    def conjuncts(self, vertex: int) -> tuple[Formula, ...]:
        """Return the conjuncts of the label."""
        return self.vertices[vertex].label.conjuncts(self.net)

    def conjunct_set(self, vertex: int) -> frozenset[Formula]:
        """Return the conjuncts of the label as a set, which is cached."""
        if vertex not in self._conjunct_sets:
            self._conjunct_sets[vertex] = frozenset(self.conjuncts(vertex))
        return self._conjunct_sets[vertex]

    def path(self, vertex: int, start: int = 0) -> tuple[int, ...]:
        """Return the vertices from `start`, an ancestor or the vertex itself, to the vertex."""
        path = [vertex]
        while path[-1] != start:
            parent = self.vertices[path[-1]].parent
            assert parent is not None
            path.append(parent)
        return tuple(reversed(path))

    def between(self, vertex: int, other: int) -> tuple[int, ...]:
        """Return the path to the vertex from the nearest common ancestor with the other."""
        return self.path(vertex, max(set(self.path(vertex)).intersection(self.path(other))))

    def actions(self, path: Sequence[int]) -> tuple[int, ...]:
        """Return the transitions on a path, by number."""
        return tuple(self.vertices[vertex].transition for vertex in path[1:])

    def covered(self, vertex: int) -> bool:
        """Return whether the vertex or an ancestor is covered, or is labelled *false*."""
        return not self._uncovered[vertex]

    def same_location(self, vertex: int, other: int) -> bool:
        """Return whether the control groups have their tokens on the same places."""
        return self.vertices[vertex].location == self.vertices[other].location

    def uncovered(self) -> list[int]:
        """Return all vertices that are not covered, in their order."""
        numbers: list[int] = self._uncovered.nonzero()[0].tolist()
        return numbers

    def weaker(self, vertex: int) -> Iterator[int]:
        """Yield earlier uncovered vertices whose labels follow from the vertex's part by part."""
        entailed = (self._states[vertex] <= self._rows[:vertex]).all(axis=1)
        others = self.vertices[vertex].label.others
        for number in (entailed & self._uncovered[:vertex]).nonzero()[0].tolist():
            if self.vertices[number].label.others <= others:
                yield number

    # Changes

    def learn(self, predicates: Iterable[Predicate]) -> None:
        """Extend the precision, and compute the rows of all labels anew."""
        precision = self.precision.refine(predicates)
        if precision == self.precision:
            return
        self.precision = precision
        self.domain = Domain(self.net, precision)
        rows = [self._row(vertex.label) for vertex in self.vertices]
        self._rows = np.array(rows)
        self._states = np.array([self.domain.saturated(row) for row in rows])
        self._uncovered = self._uncovered[: len(rows)]

    def expand(self, vertex: int) -> tuple[int, ...]:
        """Add a child for every transition that the label does not disable (Expand)."""
        entry = self.vertices[vertex]
        enabled, _ = self.domain.post(self.state(vertex))
        entry.children = tuple(
            self._add(vertex, int(t), location)
            for t in enabled.nonzero()[0]
            if (location := location_after(entry.location, self.net.transitions[t])) is not None
        )
        return entry.children

    def strengthen(self, interpolants: Interpolants) -> tuple[int, ...]:
        """Conjoin interpolants to the labels of a path, and return the vertices concerned.

        Arcs to these vertices are removed: a stronger label may no longer cover.
        """
        labels = (label for _, label in interpolants if not label.contradictory)
        self.learn(predicate for label in labels for predicate in label.predicates())
        for number, label in interpolants:
            entry = self.vertices[number]
            entry.label = entry.label.strengthened(label)
            self._write(number)
            if entry.label.contradictory:
                self._close(number)
            else:
                self._release((number,))
        return tuple(number for number, _ in interpolants)

    def cover(self, vertex: int, coverer: int) -> None:
        """Add a covering arc, and remove those to the vertex and its descendants (Cover)."""
        self.vertices[vertex].covered_by = coverer
        self._close(vertex)
        self._covers[coverer].add(vertex)

    def _close(self, vertex: int) -> None:
        """Take the vertex and its descendants for covered, and remove the arcs to them."""
        subtree = list(self._subtree(vertex, lambda number: True))
        self._uncovered[subtree] = False
        self._release(subtree)

    def _release(self, coverers: Iterable[int]) -> None:
        """Remove the arcs to these vertices."""
        for vertex in [other for number in coverers for other in self._covers.pop(number, ())]:
            self.vertices[vertex].covered_by = None
            parent = self.vertices[vertex].parent
            if parent is None or self._uncovered[parent]:
                self._uncovered[list(self._subtree(vertex, self._open))] = True

    def _open(self, vertex: int) -> bool:
        """Return whether the vertex itself is neither covered nor labelled *false*."""
        entry = self.vertices[vertex]
        return entry.covered_by is None and not entry.label.contradictory

    def _subtree(self, vertex: int, condition: Callable[[int], bool]) -> Iterator[int]:
        """Yield the vertex and its descendants, as far as vertices satisfy the condition."""
        pending = [vertex]
        while pending:
            number = pending.pop()
            if condition(number):
                yield number
                pending.extend(self.vertices[number].children or ())

    def _add(self, parent: int | None, transition: int, location: Location) -> int:
        number, label = len(self.vertices), _label_of(location)
        self.vertices.append(Vertex(parent, transition, location, label))
        if len(self._rows) <= number:
            self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
            self._states = np.concatenate((self._states, np.zeros_like(self._states)))
            self._uncovered = np.concatenate((self._uncovered, np.zeros_like(self._uncovered)))
        self._uncovered[number] = True
        self.learn(label.predicates())
        self._write(number)
        return number

    def _write(self, vertex: int) -> None:
        self._rows[vertex] = self._row(self.vertices[vertex].label)
        self._states[vertex] = self.domain.saturated(self._rows[vertex])
        self._conjunct_sets.pop(vertex, None)

    def _row(self, label: Label) -> States:
        return -self.domain.unbounded if label.contradictory else label.row(self.domain)


def _label_of(location: Location) -> Label:
    """Return the label that all markings in the location satisfy."""
    bounds: dict[Weights, int] = {((place, 1),): tokens for place, tokens in location}
    return Label(bounds | {((place, -1),): -tokens for place, tokens in location if tokens})
