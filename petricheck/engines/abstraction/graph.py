"""The abstract graph: exploration over an antichain of abstract states.

A state that another covers is dropped, and a new state removes those that it covers. Thresholds
are finitely many, so one exploration ends: with an abstract path into the target, or with an
antichain whose disjunction is an inductive invariant that excludes the target.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from petricheck.engines.abstraction.antichain import StateAntichain, Words
from petricheck.engines.abstraction.domain import Domain, Precision, Predicate, States
from petricheck.engines.abstraction.targets import Goal, target_test
from petricheck.evidence.certificates.invariant import Separator
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


@dataclass(frozen=True, slots=True)
class AbstractPath:
    """A path of the abstract graph from the initial state to one that may meet the target.

    It has numbers of transitions, possibly none, and the cube that the last state may meet.
    """

    transitions: tuple[int, ...]
    goal: Goal


STRATEGIES = ("bfs", "dfs")
"""Orders of exploration: the oldest state first, or the newest."""


class AbstractGraph:
    """The precision, and the states that were explored with it.

    Attributes:
        domain: the abstract domain of that precision.
        test: whether states miss the target.
        explored: how many states the last exploration created.
    """

    def __init__(
        self,
        problem: Problem,
        precision: Precision | None = None,
        budget: Budget | None = None,
        strategy: str = "bfs",
    ) -> None:
        self.problem, self._strategy = problem, strategy
        self.test = target_test(problem, budget)
        self._set_precision(precision or Precision())

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator] = ()) -> None:
        """Add predicates, and what is known of their bounds over target cubes."""
        self.test.learn(separators)
        self._set_precision(self.precision.refine(predicates))

    def explore(self, budget: Budget) -> AbstractPath | None:
        """Explore afresh; a path into the target, or None where there is none."""
        self._forget()
        initial = self.domain.initial()
        path = self._insert(initial, self.domain.features(initial[np.newaxis])[0], None)
        while path is None and self._queue:
            budget.check()
            number = self._queue.pop() if self._strategy == "dfs" else self._queue.popleft()
            if self._antichain.alive[number]:
                path = self._expand(number)
        return path

    def excludes(self, path: AbstractPath) -> bool:
        """Return whether the abstraction, replaying that path, is stopped or misses its cube."""
        state = self.domain.initial()
        for transition in path.transitions:
            enabled, after = self.domain.post(state)
            if not enabled[transition]:
                return True
            state = after[transition]
        return self.test.misses(state, path.goal)

    @property
    def states(self) -> States:
        """The antichain: one row a state, in the order of discovery."""
        return self._part(True)

    def coverings(self) -> list[tuple[States, int]]:
        """Return removed states, each with the number (in `states`) of one that covers it."""
        states = self.states
        pairs = ((state, covering(states, state)) for state in self._part(False))
        return [(state, by) for state, by in pairs if by is not None]

    def _part(self, alive: bool) -> States:
        """-"""
        part: States = self._rows[[n for n, a in enumerate(self._antichain.alive) if a == alive]]
        return part

    def _set_precision(self, precision: Precision) -> None:
        self.precision = precision
        self.domain = Domain(self.problem.net, precision)
        self.test.prepare(self.domain)
        self._forget()

    def _forget(self) -> None:
        initial = self.domain.initial()[np.newaxis]
        self._rows: States = np.zeros_like(initial, shape=(64, self.domain.width))
        self.explored = 0
        self._antichain = StateAntichain(self.domain.features(initial).shape[1])
        self._parents: list[tuple[int, int] | None] = []
        self._queue: deque[int] = deque()
        self._visited: set[bytes] = set()

    def _expand(self, number: int) -> AbstractPath | None:
        enabled, after = self.domain.post(self._rows[number])
        (fired,) = enabled.nonzero()
        after = after[fired]
        features = self.domain.features(after)
        for transition, state, own in zip(fired, after, features, strict=True):
            path = self._insert(state, own, (number, int(transition)))
            if path is not None:
                return path
        return None

    def _insert(
        self, state: States, features: Words, parent: tuple[int, int] | None
    ) -> AbstractPath | None:
        """Add the state unless it is covered; the path to it where it may meet the target."""
        key = features.tobytes()
        if key in self._visited:
            return None
        self._visited.add(key)
        if self._antichain.covers(features):
            return None
        goal = self.test.meets(state)
        if goal is not None:
            return AbstractPath(self._path(parent), goal)
        self._queue.append(self._antichain.add(features))
        self._parents.append(parent)
        if self.explored == len(self._rows):
            self._rows = np.concatenate((self._rows, np.zeros_like(self._rows)))
        self._rows[self.explored] = state
        self.explored += 1
        return None

    def _path(self, parent: tuple[int, int] | None) -> tuple[int, ...]:
        path = []
        while parent is not None:
            number, transition = parent
            path.append(transition)
            parent = self._parents[number]
        return tuple(reversed(path))


def covering(states: States, state: States) -> int | None:
    """Return the number of the first of `states` that covers `state`."""
    numbers = np.flatnonzero((states >= state).all(axis=1))
    return int(numbers[0]) if len(numbers) else None


def edges(domain: Domain, states: States) -> Sequence[Sequence[int | None]]:
    """Return for each state and transition which state covers the successor; None where disabled.

    The states must be closed, as an exploration that found no path leaves them.
    """
    table = []
    for state in states:
        enabled, after = domain.post(state)
        table.append([
            covering(states, successor) if firing else None
            for firing, successor in zip(enabled, after, strict=True)
        ])  # fmt: skip
    return table
