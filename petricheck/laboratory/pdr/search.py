"""The search: obligations are blocked or followed backward, clauses are pushed forward."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from petricheck.answer import Trace
from petricheck.budget import Budget
from petricheck.facts.proved import Facts
from petricheck.laboratory.pdr.frames import Frames, generalised
from petricheck.laboratory.pdr.polyhedra import (
    Polyhedron,
    any_number,
    least_number,
    once,
    polyhedron,
)
from petricheck.linear import HalfSpace, constraint
from petricheck.presburger.cubes import cube_of
from petricheck.presburger.formulas import Congruence, Cube, Formula
from petricheck.presburger.formulas import evaluate as holds
from petricheck.problem import Net, Problem, Transition
from petricheck.words import counted


@dataclass(frozen=True)
class Obligation:
    """To show that none of these markings is reachable, since all of them lead into the target.

    Attributes:
        polyhedron: the markings.
        step: what fires from there, and what it then leads to; None within the target.
    """

    polyhedron: Polyhedron
    step: tuple[Transition, Obligation] | None = None

    def before(self, transition: Transition) -> Obligation:
        """That of all markings from which the transition leads to it, fired once or more often."""
        before = any_number(transition, self.polyhedron) or once(transition, self.polyhedron)
        return Obligation(before, (transition, self))


@dataclass(frozen=True, slots=True)
class Proof:
    """An inductive invariant: the last frame.

    Attributes:
        facts: they hold initially, and together every transition keeps them.
        forbidden: polyhedra that are never entered.
    """

    facts: tuple[Formula, ...]
    forbidden: tuple[Polyhedron, ...]


class Search:
    """One run.

    Attributes:
        obligations: how many were looked at.
    """

    def __init__(
        self, problem: Problem, frames: Frames, equation: Facts | None, budget: Budget
    ) -> None:
        """With the first two frames; `equation` refutes obligations, where it is asked."""
        self._problem, self._frames, self._budget = problem, frames, budget
        self._equation = equation
        self.obligations = 0

    def run(self) -> Trace | Proof:
        """Deepen until two frames agree, or obligations lead to the initial marking.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        net, target, frames = self._problem.net, self._problem.target, self._frames
        if holds(target, net.values(net.initial)):
            return Trace(())
        while True:
            while (bad := frames.model(frames.last, target)) is not None:
                cube = cube_of(target, net.values(bad))
                trace = self._block(Obligation(region(net, cube)))
                if trace is not None:
                    return trace
            frames.deepen()
            proof = self._push()
            if proof is not None:
                return proof

    def _push(self) -> Proof | None:
        """Move clauses to the next frames where these keep them; a proof where two agree."""
        frames = self._frames
        for level in range(1, frames.last):
            for forbidden in tuple(frames.clauses[level]):
                if not isinstance(frames.entering(forbidden, level), Transition):
                    frames.forbid(forbidden, level + 1)
            if not frames.clauses[level]:
                above = (clause for clauses in frames.clauses[level:] for clause in clauses)
                return Proof(tuple(frames.facts), tuple(above))
        return None

    def _block(self, root: Obligation) -> Trace | None:
        """Keep the last frame out of the obligation; a trace where that cannot be."""
        initial, last = self._problem.net.initial, self._frames.last
        number = count()
        waiting = [(last, next(number), root)]
        while waiting:
            level, _, obligation = heappop(waiting)
            self._next(level)
            if initial in obligation.polyhedron:
                return trace(self._problem.net, obligation)
            if self._excluded(obligation.polyhedron):
                continue
            outcome = self._settle(obligation.polyhedron, level)
            if isinstance(outcome, Transition):
                heappush(waiting, (level - 1, next(number), obligation.before(outcome)))
                heappush(waiting, (level, next(number), obligation))
            elif outcome < last:
                heappush(waiting, (outcome + 1, next(number), obligation))
        return None

    def _next(self, level: int) -> None:
        self._budget.check()
        self.obligations += 1
        clauses = sum(map(len, self._frames.clauses))
        self._budget.report(
            f"frame {self._frames.last}: {counted(clauses, 'clause')},"
            f" {counted(self.obligations, 'obligation')}"
        )

    def _excluded(self, markings: Polyhedron) -> bool:
        """Whether facts keep all frames out of them, perhaps after a new one is found."""
        if markings.plainly_empty:
            return True
        if self._equation is None:
            return False
        lemmas = self._equation.refute(markings.cube(self._problem.net), self._budget)
        for lemma in lemmas:
            self._frames.add_fact(lemma)
        return bool(lemmas)

    def _settle(self, markings: Polyhedron, level: int) -> Transition | int:
        """A transition that the frame below enters by; else the highest frame that keeps out."""
        frames = self._frames
        if frames.forbids(markings, level):
            return level
        entered = frames.entering(markings, level - 1)
        if isinstance(entered, Transition):
            return entered
        wide = generalised(frames, level - 1, markings, entered, self._problem.net.initial)
        while level < frames.last and not isinstance(frames.entering(wide, level), Transition):
            level += 1
        frames.forbid(wide, level)
        return level


def region(net: Net, cube: Cube) -> Polyhedron:
    """The markings of a cube without congruences."""
    sides: list[HalfSpace] = []
    for literal in cube:
        assert not isinstance(literal, Congruence), "targets with congruences are declined"
        sides += constraint(net, literal).sides
    return polyhedron(sides)


def trace(net: Net, obligation: Obligation) -> Trace:
    """The firing sequence from the initial marking, which is in the obligation."""
    marking, steps = net.initial, []
    while obligation.step is not None:
        transition, obligation = obligation.step
        times = least_number(transition, obligation.polyhedron, marking)
        assert times is not None, "obligations hold exactly the markings that lead on"
        steps.append((transition.name, times))
        marking = transition.fire(marking, times)
    return Trace(tuple(steps))
