"""Reachability in the approximation, breadth first, by images of decision diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import conjunction, disjunction
from petricheck.laboratory.approximation.diagrams import Diagram, Diagrams
from petricheck.laboratory.approximation.predicates import Clause, Cube
from petricheck.laboratory.approximation.program import AbstractProgram, Operation
from petricheck.laboratory.approximation.refutation import State
from petricheck.laboratory.locations import Location
from petricheck.support.budget import Budget

States: TypeAlias = Mapping[Location, Diagram]
"""States by location, none of them empty."""

_Image: TypeAlias = tuple[Operation, Location, Diagram]
"""An operation, the location after it, and the states there."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A path of the approximation into the target.

    Attributes:
        operations: the last enters the target.
        states: before each of them.
    """

    operations: tuple[Operation, ...]
    states: tuple[State, ...]


class Approximation:
    """The clauses learnt for each operation, and the states that are reachable with them.

    Args:
        program: the abstract program.
        hybrid: whether images are strengthened by Cartesian ones (2007, section 6.3).
        budget: limits.
    """

    def __init__(self, program: AbstractProgram, hybrid: bool, budget: Budget) -> None:
        self._program, self._hybrid = program, hybrid
        self._diagrams = Diagrams(budget)
        self._relations: dict[Operation, Diagram] = {}
        self._lemmas: set[tuple[Operation, Clause]] = set()

    @property
    def clauses(self) -> int:
        """The number of learnt clauses."""
        return len(self._lemmas)

    def strengthen(
        self, operations: Sequence[Operation], interpolants: Sequence[Iterable[Clause]]
    ) -> None:
        """Add to each operation clauses that it implies."""
        for operation, clauses in zip(operations, interpolants, strict=True):
            for clause in clauses:
                if (operation, clause) not in self._lemmas:
                    self._lemmas.add((operation, clause))
                    relation = self._relation(operation)
                    self._relations[operation] = relation & self._diagrams.clause(clause)

    def explore(self) -> Counterexample | Mapping[Location, tuple[Cube, ...]]:
        """Return a shortest path into the target, or the reachable states as cubes.

        Raises:
            BudgetExhausted: a limit is reached, or a solver gave up.
        """
        self._diagrams.declare(len(self._program.predicates))
        frontier: States = {self._program.start: self._diagrams.cube(self._program.initial)}
        reached = dict(frontier)
        layers: list[States] = [frontier]
        steps: list[list[_Image]] = []
        while frontier:
            for location, states in frontier.items():
                entry = Operation(location, target=self._program.problem.target)
                if states & self._relation(entry) != self._diagrams.false:
                    return self._counterexample(layers, steps, entry)
            steps.append([image for source in frontier.items() for image in self._images(*source)])
            frontier = self._new_states(reached, steps[-1])
            for location, states in frontier.items():
                reached[location] = states | reached.get(location, self._diagrams.false)
            layers.append(frontier)
        return {location: self._diagrams.cover(states) for location, states in reached.items()}

    def _images(self, location: Location, states: Diagram) -> Iterator[_Image]:
        """Yield the image of each operation; with `hybrid`, intersected with a Cartesian one."""
        cover = self._diagrams.cover(states) if self._hybrid else ()
        union = disjunction(conjunction(map(self._program.formula, cube)) for cube in cover)
        for operation, end in self._program.operations(location).items():
            image = self._diagrams.image(states, self._relation(operation))
            if self._hybrid and image != self._diagrams.false:
                literals = self._program.postcondition(operation, [union])
                if literals is None:
                    continue
                image &= self._diagrams.cube(literals)
            yield operation, end, image

    def _new_states(self, reached: States, images: Iterable[_Image]) -> States:
        """Return the states of the images that were not reached before."""
        new: dict[Location, Diagram] = {}
        for _, end, image in images:
            added = image & ~reached.get(end, self._diagrams.false)
            if added != self._diagrams.false:
                new[end] = added | new.get(end, self._diagrams.false)
        return new

    def _counterexample(
        self, layers: Sequence[States], steps: Sequence[Sequence[_Image]], entry: Operation
    ) -> Counterexample:
        """Return a path, made backwards from the target, layer by layer."""
        operation, state = entry, self._state(layers[-1], entry, self._relation(entry))
        path = [(operation, state)]
        for layer, images in zip(reversed(layers[:-1]), reversed(steps), strict=True):
            singleton = self._diagrams.singleton(state)
            location = operation.source
            operation = next(
                operation
                for operation, end, image in images
                if end == location and image & singleton != self._diagrams.false
            )
            predecessors = self._diagrams.preimage(self._relation(operation), state)
            state = self._state(layer, operation, predecessors)
            path.append((operation, state))
        operations, states = zip(*reversed(path), strict=True)
        return Counterexample(operations, states)

    def _state(self, layer: States, operation: Operation, states: Diagram) -> State:
        return self._diagrams.state(layer[operation.source] & states)

    def _relation(self, operation: Operation) -> Diagram:
        return self._relations.get(operation, self._diagrams.true)
