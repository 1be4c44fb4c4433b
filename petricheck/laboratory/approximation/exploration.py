"""Reachability in the approximation, breadth first, by images of decision diagrams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.budget import Budget
from petricheck.laboratory.approximation.diagrams import Diagram, Diagrams
from petricheck.laboratory.approximation.literals import Clause, Cube, Literal
from petricheck.laboratory.approximation.operations import Operation
from petricheck.laboratory.approximation.refutation import State

Cartesian: TypeAlias = Callable[[Operation, tuple[Cube, ...]], tuple[Literal, ...] | None]
"""What holds after an operation everywhere in some states; None where it does not lead anywhere."""


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
    """What has been learnt of each operation, and the states that are reachable with it.

    Args:
        operations: those that do not enter the target.
        entry: the one that does.
        cartesian: strengthens images where it is given (2007, section 6.3).
        budget: limits.
    """

    def __init__(
        self,
        operations: Sequence[Operation],
        entry: Operation,
        cartesian: Cartesian | None,
        budget: Budget,
    ) -> None:
        self._operations, self._entry, self._cartesian = operations, entry, cartesian
        self._diagrams = Diagrams(budget)
        true = self._diagrams.true
        self._relations: dict[Operation, Diagram] = dict.fromkeys((*operations, entry), true)
        self._learnt: set[tuple[Operation, Clause]] = set()

    @property
    def clauses(self) -> int:
        """How many have been learnt."""
        return len(self._learnt)

    def strengthen(
        self, operations: Sequence[Operation], interpolants: Sequence[Iterable[Clause]]
    ) -> None:
        """Learn, of each operation, clauses that it implies."""
        for operation, clauses in zip(operations, interpolants, strict=True):
            for clause in clauses:
                if (operation, clause) not in self._learnt:
                    self._learnt.add((operation, clause))
                    self._relations[operation] &= self._diagrams.clause(clause)

    def explore(self, initial: Sequence[Literal]) -> Counterexample | tuple[Cube, ...]:
        """A shortest path into the target; where there is none, the reachable states.

        Args:
            initial: of each predicate whether it holds at first.

        Raises:
            BudgetExhausted: a limit is reached, or a solver gave up.
        """
        self._diagrams.declare(len(initial))
        frontier = reached = self._diagrams.cube(initial)
        layers, images = [frontier], []
        while frontier & self._relations[self._entry] == self._diagrams.false:
            step = self._images(frontier)
            frontier = ~reached & self._diagrams.union(step.values())
            if frontier == self._diagrams.false:
                return self._diagrams.cover(reached)
            reached |= frontier
            layers.append(frontier)
            images.append(step)
        return self._counterexample(layers, images)

    def _images(self, states: Diagram) -> dict[Operation, Diagram]:
        """By operation; the hybrid images where they are asked for."""
        images = {o: self._diagrams.image(states, self._relations[o]) for o in self._operations}
        if self._cartesian is None:
            return images
        cover = self._diagrams.cover(states)
        for operation, image in images.items():
            if image != self._diagrams.false:
                literals = self._cartesian(operation, cover)
                images[operation] = image & (
                    self._diagrams.false if literals is None else self._diagrams.cube(literals)
                )
        return images

    def _counterexample(
        self, layers: Sequence[Diagram], images: Sequence[dict[Operation, Diagram]]
    ) -> Counterexample:
        """From the target backwards, layer by layer."""
        state = self._diagrams.state(layers[-1] & self._relations[self._entry])
        operations, states = [self._entry], [state]
        for layer, step in zip(reversed(layers[:-1]), reversed(images), strict=True):
            here = self._diagrams.singleton(state)
            operation = next(o for o, i in step.items() if i & here != self._diagrams.false)
            before = self._diagrams.preimage(self._relations[operation], state)
            state = self._diagrams.state(layer & before)
            operations.append(operation)
            states.append(state)
        return Counterexample(tuple(reversed(operations)), tuple(reversed(states)))
