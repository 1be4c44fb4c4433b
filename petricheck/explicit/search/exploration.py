"""Breadth-first exploration in plain Python, for few markings or arbitrarily large numbers.

`kernel.explore` does the same, compiled, for markings of at most 2^40 tokens a place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from petricheck.arithmetic.formulas.formulas import evaluate, variables
from petricheck.evidence.answer import Trace, joined
from petricheck.explicit.search.visited import Visited
from petricheck.model.net import Marking
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.words import counted

_CHECKED = 256
"""Markings explored between two checks of the budget."""


class PlainExploration:
    """The reachable markings in the order of their distance, as far as they are explored.

    Attributes:
        visited: the markings discovered so far.
        closed: how many of them, from the first, have all their successors in `visited`.
        goal: number of a marking in the target; None if none is discovered yet.
    """

    def __init__(self, problem: Problem, budget: Budget) -> None:
        net = problem.net
        self._problem, self._budget = problem, budget
        self._columns = [(name, net.place_numbers[name]) for name in variables(problem.target)]
        # One of equal transitions is enough; transitions without effect are useless.
        alike = {(t.pre, t.effect): number for number, t in reversed([*enumerate(net.transitions)])}
        useful = sorted(number for (_, effect), number in alike.items() if effect)
        self._affected = _affected(problem, useful)
        self.visited: Visited[Marking] = Visited(net.initial)
        # By unexplored marking: the transitions enabled before, and the one fired.
        self._pending: deque[tuple[Sequence[int], int]] = deque([((), -1)])
        self.closed = 0
        self.goal = 0 if self._is_goal(net.initial) else None

    @property
    def exhausted(self) -> bool:
        """Return whether all reachable markings are discovered."""
        return self.closed == len(self.visited)

    def run(self, most: float) -> None:
        """Explore until a target marking or all markings are discovered, or more than `most`.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        while self.goal is None and not self.exhausted and len(self.visited) <= most:
            if self.closed % _CHECKED == 0:
                self._budget.check()
                self._budget.report(
                    f"{counted(len(self.visited), 'marking')}, {self.closed} explored"
                )
            self._expand(self.closed)
            self.closed += 1

    def trace(self, number: int) -> Trace:
        """Return a shortest firing sequence to the marking of this number."""
        return joined(self.visited.steps(number), self._problem.net.actions)

    def _expand(self, number: int) -> None:
        """Add the successors of a marking; stop at one in the target."""
        transitions, marking = self._problem.net.transitions, self.visited.markings[number]
        enabled = self._enabled(marking, *self._pending.popleft())
        for action in enabled:
            after = transitions[action].fire(marking)
            goal = self.visited.add(after, number, action)
            if goal is None:
                continue
            if self._is_goal(after):
                self.goal = goal
                return
            self._pending.append((enabled, action))

    def _enabled(self, marking: Marking, enabled_before: Sequence[int], fired: int) -> list[int]:
        """Return the transitions that a marking enables, given those enabled before a firing."""
        transitions, affected = self._problem.net.transitions, self._affected[fired]
        enabled = [number for number in enabled_before if number not in affected]
        enabled += [number for number in affected if transitions[number].enabled(marking)]
        return sorted(enabled)

    def _is_goal(self, marking: Marking) -> bool:
        return evaluate(self._problem.target, {name: marking[n] for name, n in self._columns})


def _affected(problem: Problem, numbers: Sequence[int]) -> dict[int, frozenset[int]]:
    """Return, by transition, those that take from a place that it changes; all of them by −1."""
    transitions = problem.net.transitions
    consumers: dict[int, list[int]] = {}
    for number in numbers:
        for place, _ in transitions[number].pre:
            consumers.setdefault(place, []).append(number)
    affected = {
        number: frozenset(
            n for place, _ in transitions[number].effect for n in consumers.get(place, ())
        )
        for number in numbers
    }
    return affected | {-1: frozenset(numbers)}
