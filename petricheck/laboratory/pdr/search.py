"""The search: obligations are blocked or followed backward, clauses are pushed forward."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from petricheck.arithmetic.formulas.cubes import cube_of
from petricheck.arithmetic.formulas.formulas import Congruence, Conjunction, Cube, Formula
from petricheck.arithmetic.formulas.formulas import evaluate as holds
from petricheck.evidence.answer import Trace
from petricheck.laboratory.pdr.frames import Frames, generalise
from petricheck.laboratory.pdr.polyhedra import (
    Polyhedron,
    above,
    before_firing,
    before_firings,
    exactly,
    least_number,
    polyhedron,
)
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.words import counted
from petricheck.symbolic.facts.proved import Facts
from petricheck.symbolic.linear import HalfSpace, constraint


@dataclass(frozen=True)
class ProofObligation:
    """A claim to prove: none of these markings, which lead into the target, is reachable.

    Attributes:
        polyhedron: the markings.
        step: the transition that fires from there, and the obligation it leads to; None in the
            target.
    """

    polyhedron: Polyhedron
    step: tuple[Transition, ProofObligation] | None = None


WITNESSES = ("saturated", "transition", "state")
"""How a witness of an obligation is generalised; see `engines.pdr`."""


@dataclass(frozen=True, slots=True)
class LastFrame:
    """An inductive invariant: the last frame.

    Attributes:
        facts: their conjunction holds initially and is inductive.
        forbidden: polyhedra that no reachable marking is in.
    """

    facts: tuple[Formula, ...]
    forbidden: tuple[Polyhedron, ...]


class PdrSearch:
    """One run of the search.

    Args:
        problem: the question.
        frames: with the first two frames.
        witness: one of `WITNESSES`.
        equation: refutes obligations, if it is not None.
        budget: limits.

    Attributes:
        obligations: number of obligations processed.
    """

    def __init__(
        self,
        problem: Problem,
        frames: Frames,
        witness: str,
        equation: Facts | None,
        budget: Budget,
    ) -> None:
        self._problem, self._frames, self._budget = problem, frames, budget
        self._witness, self._equation = witness, equation
        self.obligations = 0

    def run(self) -> Trace | LastFrame:
        """Deepen until two frames agree, or obligations lead to the initial marking.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        net, target, frames = self._problem.net, self._problem.target, self._frames
        if holds(target, net.values(net.initial)):
            return Trace(())
        while True:
            while (marking := frames.model(frames.last, target)) is not None:
                cube = cube_of(target, net.values(marking))
                trace = self._block(ProofObligation(region(net, cube)))
                if trace is not None:
                    return trace
            frames.deepen()
            proof = self._push()
            if proof is not None:
                return proof

    def _push(self) -> LastFrame | None:
        """Move clauses to the next frames where they hold; return a proof if two frames agree."""
        frames = self._frames
        for level in range(1, frames.last):
            for forbidden in tuple(frames.clauses[level]):
                if not isinstance(frames.entry(forbidden, level), Transition):
                    frames.forbid(forbidden, level + 1)
            if not frames.clauses[level]:
                polyhedra = (clause for clauses in frames.clauses[level:] for clause in clauses)
                return LastFrame(tuple(frames.facts), tuple(polyhedra))
        return None

    def _block(self, root: ProofObligation) -> Trace | None:
        """Exclude the obligation from the last frame; return a trace where that is impossible."""
        initial, last = self._problem.net.initial, self._frames.last
        numbers = count()
        queue = [(last, next(numbers), root)]
        while queue:
            level, _, obligation = heappop(queue)
            self._count()
            if initial in obligation.polyhedron:
                return trace(self._problem.net, obligation)
            if self._refuted(obligation.polyhedron):
                continue
            outcome = self._block_at(obligation.polyhedron, level)
            if isinstance(outcome, Transition):
                before = self._before(outcome, obligation.polyhedron, level - 1)
                earlier = ProofObligation(before, (outcome, obligation))
                heappush(queue, (level - 1, next(numbers), earlier))
                heappush(queue, (level, next(numbers), obligation))
            elif outcome < last:
                heappush(queue, (outcome + 1, next(numbers), obligation))
        return None

    def _before(self, transition: Transition, after: Polyhedron, level: int) -> Polyhedron:
        """Return markings from which firings lead into `after`, some of them of this frame."""
        once = before_firing(transition, after)
        match self._witness:
            case "saturated":
                return before_firings(transition, after) or once
            case "transition":
                return once
        net = self._problem.net
        witness = self._frames.model(level, Conjunction((*once.cube(net), after.clause(net))))
        assert witness is not None, "the transition leads from the frame into the markings"
        return above(witness) if after.upward_closed else exactly(witness)

    def _count(self) -> None:
        self._budget.check()
        self.obligations += 1
        clauses = sum(map(len, self._frames.clauses))
        self._budget.report(
            f"frame {self._frames.last}: {counted(clauses, 'clause')},"
            f" {counted(self.obligations, 'obligation')}"
        )

    def _refuted(self, markings: Polyhedron) -> bool:
        """Return whether facts exclude the markings from all frames; new facts are added."""
        if markings.plainly_empty:
            return True
        if self._equation is None:
            return False
        lemmas = self._equation.refute(markings.cube(self._problem.net), self._budget)
        for lemma in lemmas:
            self._frames.add_fact(lemma)
        return bool(lemmas)

    def _block_at(self, markings: Polyhedron, level: int) -> Transition | int:
        """Return a transition from the frame below into the markings.

        Where there is none, exclude them, and return the number of the last frame that does.
        """
        frames = self._frames
        if frames.forbids(markings, level):
            return level
        entry = frames.entry(markings, level - 1)
        if isinstance(entry, Transition):
            return entry
        wide = generalise(frames, level - 1, markings, entry, self._problem.net.initial)
        while level < frames.last and not isinstance(frames.entry(wide, level), Transition):
            level += 1
        frames.forbid(wide, level)
        return level


def region(net: Net, cube: Cube) -> Polyhedron:
    """Return the markings of a cube without congruences."""
    sides: list[HalfSpace] = []
    for literal in cube:
        assert not isinstance(literal, Congruence), "targets with congruences are declined"
        sides += constraint(net, literal).sides
    return polyhedron(sides)


def trace(net: Net, obligation: ProofObligation) -> Trace:
    """Return the firing sequence from the initial marking, which has to be in the obligation."""
    marking, steps = net.initial, []
    while obligation.step is not None:
        transition, obligation = obligation.step
        times = least_number(transition, obligation.polyhedron, marking)
        assert times is not None, "obligations have exactly the markings that lead on"
        steps.append((transition.name, times))
        marking = transition.fire(marking, times)
    return Trace(tuple(steps))
