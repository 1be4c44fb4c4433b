"""Cartesian predicate abstraction: an abstract state is the strongest cube over some predicates.

The image of a state under a transition consists of every predicate, or its negation, that holds
after all firings from the state.
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


class CartesianGraph:
    """The abstract states of the last exploration.

    Attributes:
        states: those that no other one covers.
    """

    def __init__(self, program: AbstractProgram) -> None:
        self._program = program
        self.states: list[Cube] = []

    @property
    def invariant(self) -> Formula:
        """The disjunction of the states."""
        return disjunction(conjunction(map(self._program.formula, s)) for s in self.states)

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator] = ()) -> None:
        """Track more predicates; separators are ignored, since a solver needs none."""
        self._program.track(predicates)

    def explore(self) -> AbstractPath | None:
        """Explore again, breadth first; return a path into the target, or None.

        Raises:
            BudgetExhausted: a limit is reached, or the solver gave up.
        """
        self.states = []
        queue: deque[tuple[Cube, tuple[int, ...]]] = deque([(self._program.initial, ())])
        while queue:
            state, path = queue.popleft()
            if self._covered(state):
                continue
            target = self._program.problem.target
            model = self._program.model(self._target_operation(target), state)
            if model is not None:
                return AbstractPath(path, Goal(cube_of(target, model), None))
            self.states = [other for other in self.states if not set(state) <= set(other)]
            self.states.append(state)
            for number in range(len(self._program.problem.net.transitions)):
                after = self.image(state, number)
                if after is not None and not self._covered(after):
                    queue.append((after, (*path, number)))
        return None

    def excludes(self, path: AbstractPath) -> bool:
        """Return whether the path is disabled in the abstraction, or misses its cube.

        Raises:
            BudgetExhausted: as by `explore`.
        """
        state = self._program.initial
        for number in path.transitions:
            after = self.image(state, number)
            if after is None:
                return True
            state = after
        entry = self._target_operation(conjunction(path.goal.cube))
        return self._program.model(entry, state) is None

    def image(self, state: Cube, number: int) -> Cube | None:
        """Return the image under a transition; None where no marking of the state enables it.

        Raises:
            BudgetExhausted: as by `explore`.
        """
        firing = Operation(self._program.start, (number,))
        return self._program.postcondition(firing, map(self._program.formula, state))

    def _target_operation(self, target: Formula) -> Operation:
        return Operation(self._program.start, target=target)

    def _covered(self, state: Cube) -> bool:
        literals = set(state)
        return any(literals.issuperset(other) for other in self.states)
