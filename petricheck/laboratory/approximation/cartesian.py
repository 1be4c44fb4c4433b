"""Predicate abstraction: an abstract state is a cube over some predicates.

The Cartesian image of a state under a transition is the strongest cube: every predicate, or its
negation, that holds after all firings from the state. The Boolean image is a state for each
valuation of the predicates that some firing leads to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from petricheck.arithmetic.formulas.cubes import cube_of
from petricheck.arithmetic.formulas.formulas import Formula, conjunction, disjunction
from petricheck.engines.abstraction.domain import Predicate
from petricheck.engines.abstraction.graph import AbstractPath
from petricheck.engines.abstraction.targets import Goal
from petricheck.evidence.certificates.invariant import Separator
from petricheck.laboratory.approximation.predicates import Cube
from petricheck.laboratory.approximation.program import AbstractProgram, Operation

IMAGES = ("cartesian", "boolean")
"""Kinds of images."""


class CartesianGraph:
    """The abstract states of the last exploration.

    Attributes:
        states: those that no other one covers.
    """

    def __init__(
        self, program: AbstractProgram, images: str = "cartesian", strategy: str = "bfs"
    ) -> None:
        self._program, self._images, self._strategy = program, images, strategy
        self.states: list[Cube] = []

    @property
    def invariant(self) -> Formula:
        """The disjunction of the states."""
        return disjunction(conjunction(map(self._program.formula, s)) for s in self.states)

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator] = ()) -> None:
        """Track more predicates; separators are ignored, since a solver needs none."""
        self._program.track(predicates)

    def explore(self) -> AbstractPath | None:
        """Explore again; return a path into the target, or None.

        Raises:
            BudgetExhausted: a limit is reached, or the solver gave up.
        """
        self.states = []
        queue: deque[tuple[Cube, tuple[int, ...]]] = deque([(self._program.initial, ())])
        while queue:
            state, path = queue.pop() if self._strategy == "dfs" else queue.popleft()
            if self._covered(state):
                continue
            target = self._program.problem.target
            model = self._program.model(self._target_operation(target), state)
            if model is not None:
                return AbstractPath(path, Goal(cube_of(target, model), None))
            self.states = [other for other in self.states if not set(state) <= set(other)]
            self.states.append(state)
            for number in range(len(self._program.problem.net.transitions)):
                for after in self.images(state, number):
                    if not self._covered(after):
                        queue.append((after, (*path, number)))
        return None

    def excludes(self, path: AbstractPath) -> bool:
        """Return whether the path is disabled in the abstraction, or misses its cube.

        Raises:
            BudgetExhausted: as by `explore`.
        """
        states = {self._program.initial}
        for number in path.transitions:
            states = {after for state in states for after in self.images(state, number)}
        entry = self._target_operation(conjunction(path.goal.cube))
        return all(self._program.model(entry, state) is None for state in states)

    def images(self, state: Cube, number: int) -> tuple[Cube, ...]:
        """Return the image under a transition; empty where no marking of the state enables it.

        Raises:
            BudgetExhausted: as by `explore`.
        """
        firing = Operation(self._program.start, (number,))
        formulas = map(self._program.formula, state)
        if self._images == "boolean":
            return tuple(self._program.minterms(firing, formulas))
        image = self._program.postcondition(firing, formulas)
        return () if image is None else (image,)

    def _target_operation(self, target: Formula) -> Operation:
        return Operation(self._program.start, target=target)

    def _covered(self, state: Cube) -> bool:
        literals = set(state)
        return any(literals.issuperset(other) for other in self.states)
