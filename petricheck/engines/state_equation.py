"""Proofs of unreachability from the state equation m = m0 + D·x, with traps and siphons.

Of a target with too many cubes to be listed, those are looked at that the place invariants leave.
For each target cube in turn, cheapest first: an inductive half-space from the lemma of Farkas; an
inductive congruence; traps that are marked initially and empty in a solution of the equation, found
one by one, until a half-space and traps contradict the cube together (Esparza, Melzer: Verification
of safety properties using integer programming: beyond the state equation, 2000). What is left,
solvers decide over the integers, with the same traps. The greatest siphon that is empty initially
stays empty, so what takes from it is never counted.

Limits: the answer is never "reachable"; where the equation and its traps have an integral solution
in the target, the answer is unknown, and holds the facts that were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar

from petricheck.answer import Answer, Unknown, Unreachable, measure
from petricheck.audit.shapes.state_equation import firings, state_equation_obligation
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.evidence.invariant import Certificate
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.facts.known import Facts
from petricheck.facts.solutions import Solution
from petricheck.plugins import option
from petricheck.presburger.cubes import cube_of, listed_cubes
from petricheck.presburger.formulas import Atom, Cube
from petricheck.presburger.formulas import evaluate as holds
from petricheck.presburger.solver import Solver, find_model
from petricheck.problem import Marking, Problem

_INITIAL = "the initial marking is in the target"
_SOLVABLE = "the state equation and its traps have a solution in the target"
_HINT = "it may be reachable: an engine that searches would find a trace"


@dataclass(frozen=True)
class StateEquation:
    """Refute the state equation by half-spaces, residues, traps and siphons."""

    unit: ClassVar[str] = "round"
    paper: ClassVar[str] = "Esparza, Melzer 2000"
    rank: ClassVar[int] = 30

    traps: int = option(500, "how many traps to add at most")
    seconds: float = option(20.0, "limit for each integer program and solver query")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Refute every cube, or find one that withstands."""
        statistics = measure("state_equation")
        search = _Search(self, problem, budget)
        answer = search.run()
        cost = statistics(search.rounds)
        if isinstance(answer, str):
            return Unknown(answer, _HINT, cost, search.facts.formulas())
        return Unreachable(answer, cost)


class _Refuted(Enum):
    """What has become of a cube."""

    YES = auto()
    NO = auto()
    """An integral solution with all traps marked."""
    OPEN = auto()
    """Rational programs do not decide it."""


class _Search:
    """One run.

    Attributes:
        facts: those so far.
        rounds: cubes and traps considered so far.
    """

    def __init__(self, options: StateEquation, problem: Problem, budget: Budget) -> None:
        self._options = options
        self._problem = problem
        self._budget = budget
        self.facts = Facts(problem.net)
        self._learned: list[Atom] = []
        self.rounds = 0

    def run(self) -> Certificate | StateEquationCertificate | str:
        """The certificate, or why there is none."""
        net = self._problem.net
        if holds(self._problem.target, net.values(net.initial)):
            return _INITIAL
        for number, cube in self._cubes():
            self._next_round()
            match self._refute(number, cube):
                case _Refuted.NO:
                    return _SOLVABLE
                case _Refuted.OPEN:
                    return self._refute_over_integers()
        return self.facts.certificate()

    def _next_round(self) -> None:
        self.rounds += 1
        self._budget.check()
        traps = len(self.facts.traps)
        self._budget.report(f"round {self.rounds}: {len(self.facts)} facts, {traps} of them traps")

    def _cubes(self) -> Iterator[tuple[int | None, Cube]]:
        """The target's cubes with their numbers; of many, those that no fact contradicts.

        The place invariants that a marking breaks are cheaper than a linear program for its cube,
        and there are fewer of them than cubes.
        """
        target, net = self._problem.target, self._problem.net
        listed = listed_cubes(target, self._budget)
        if listed is not None:
            yield from enumerate(listed)
            return
        with Solver(self._budget, net.places) as solver:
            solver.add(target)
            while (model := self._model(solver)) is not None:
                values = {place: model.get(place, 0) for place in net.places}
                broken = self.facts.broken_invariants(values)
                if not broken:
                    yield None, cube_of(target, values)
                for invariant in broken:
                    self._learned += self.facts.add_invariant(invariant)

    def _model(self, solver: Solver) -> dict[str, int] | None:
        """A marking in the target that contradicts none of the facts."""
        solver.budget = self._budget.within(self._seconds())
        while self._learned:
            solver.add(self._learned.pop())
        return solver.check()

    def _seconds(self) -> float:
        return min(self._options.seconds, self._budget.remaining)

    def _refute(self, number: int | None, cube: Cube) -> _Refuted:
        facts = self.facts
        fact = facts.half_space(cube, self._seconds()) or facts.residue(cube)
        while fact is None:
            self._budget.check()
            solution = facts.solution(cube, integral=False, seconds=self._seconds())
            if solution is None:
                fact = facts.half_space(cube, self._seconds())
                if fact is None:
                    return _Refuted.OPEN
            elif not self._add_trap(solution.empty):
                outcome = self._round(cube, solution)
                if outcome is not None:
                    return outcome
        self._learned += facts.add(number, fact)
        return _Refuted.YES

    def _round(self, cube: Cube, solution: Solution) -> _Refuted | None:
        """What an integral solution says: rounded where that is one, else looked for.

        None where it led to another trap.
        """
        integral: Solution | None = solution
        if solution.exact is None:
            integral = self.facts.solution(cube, integral=True, seconds=self._seconds())
        if integral is None or integral.exact is None:
            return _Refuted.OPEN
        return None if self._add_trap(_empty(integral.exact)) else _Refuted.NO

    def _add_trap(self, empty: Sequence[int]) -> bool:
        """Whether there is a trap that is marked initially and has only empty places."""
        facts = self.facts
        trap = facts.violated_trap(empty)
        if trap is None:
            return False
        if len(facts.traps) >= self._options.traps:
            limit = self._options.traps
            raise BudgetExhausted(f"{limit} traps do not suffice; allow more with -o traps=N")
        facts.add_trap(trap)
        self._next_round()
        return True

    def _refute_over_integers(self) -> StateEquationCertificate | str:
        """The whole target at once, by z3, which the audit will ask the same."""
        while True:
            self._budget.check()
            certificate = self.facts.state_equation()
            obligation = state_equation_obligation(self._problem, certificate)
            model = find_model(obligation.formula, seconds=self._seconds(), natural=True)
            if model is None:
                return certificate
            if not self._add_trap(_empty(self._marking(model))):
                return _SOLVABLE

    def _marking(self, model: Mapping[str, int]) -> Marking:
        """Where firing each transition as often as the model says would lead."""
        net = self._problem.net
        marking = net.initial
        for number, transition in enumerate(net.transitions):
            times = model.get(firings(net, number), 0)
            marking = transition.fire(marking, times) if times else marking
        return marking


def _empty(marking: Marking) -> list[int]:
    return [place for place, tokens in enumerate(marking) if not tokens]
