"""Breadth-first exploration in plain Python, for few markings or arbitrarily large numbers.

`kernel.explore` does the same, compiled, for markings of at most 2^40 tokens a place.

Few markings are listed in a certificate, one disjunct for each. It fixes every place, and the value
of every term in the target. So each step, and the exclusion of each cube, follows from one atom,
which the audit's exact tier checks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from petricheck.arithmetic.formulas.cubes import listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Inequality,
    at_least,
    at_most,
    evaluate,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.evidence.answer import Trace, joined
from petricheck.evidence.certificates.invariant import Certificate, Hints, Separator
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
        """Explore until a target marking or all markings are discovered, or more than `most`."""
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


def listing(problem: Problem, markings: Sequence[Marking]) -> Certificate:
    """Return the certificate that all reachable markings are among these.

    They contain the initial marking, are closed under firing, and none is in the target.
    """
    cubes = listed_cubes(problem.target) or ()
    literals = list(dict.fromkeys(literal for cube in cubes for literal in cube))
    disjuncts = tuple(_disjunct(problem, marking, literals) for marking in markings)
    separators = (s for n, cube in enumerate(cubes) for s in _separators(n, cube))
    hints = Hints(_successors(problem, markings), tuple(separators))
    return Certificate(Disjunction(disjuncts), hints)


def _disjunct(problem: Problem, marking: Marking, literals: Sequence[Atom]) -> Conjunction:
    atoms: dict[Inequality | Congruence, None] = {}
    values = problem.net.values(marking)
    for place, tokens in values.items():
        atoms[at_most(variable(place), tokens)] = None
        if tokens:
            atoms[at_least(variable(place), tokens)] = None
    for literal in literals:
        fixed = literal.term - literal.term.evaluate(values)
        if isinstance(literal, Congruence):
            atoms[Congruence(fixed, literal.modulus)] = None
        else:
            atoms[Inequality(fixed)] = None
            atoms[Inequality(-fixed)] = None
    return Conjunction(tuple(atoms))


def _successors(problem: Problem, markings: Sequence[Marking]) -> tuple[tuple[int, ...], ...]:
    numbers = {marking: number for number, marking in enumerate(markings)}
    return tuple(
        tuple(
            numbers[transition.fire(marking)] if transition.enabled(marking) else -1
            for transition in problem.net.transitions
        )
        for marking in markings
    )


def _separators(number: int, cube: Cube) -> list[Separator]:
    """Return, for each literal, the separators that exclude every other value of its term."""
    separators = []
    for position, literal in enumerate(cube):
        unit = tuple(int(position == other) for other in range(len(cube)))
        term, opposite = literal.term, -literal.term
        match literal:
            case Inequality():
                separators.append(Separator(number, opposite.coefficients, 0, unit, 1))
            case Equality():
                against = tuple(-entry for entry in unit)
                separators.append(Separator(number, opposite.coefficients, 0, unit, 1))
                separators.append(Separator(number, term.coefficients, 0, against, 1))
            case Congruence(_, modulus):
                separators.append(Separator(number, term.coefficients, modulus, unit, 1))
    return separators
