"""Proofs of unreachability from the state equation m = m0 + D·x, with traps and siphons.

A search over the target's cubes branches on a disjunction only where a solution of the equation
violates it (`facts.branching`), so of thousands of cubes few are examined. A cube is refuted by an
inductive half-space, from the lemma of Farkas; by an inductive congruence; by both together
(`facts.separation`); or by one of these with traps that are marked initially and empty in a
solution (Esparza, Melzer: Verification of safety properties using integer programming: beyond the
state equation, 2000). Solvers decide the remaining cubes over the integers, with the same traps.
The greatest siphon that is empty initially stays empty, so transitions that take from it are left
out.

All targets of a net share the traps and one linear program, of which they change the bounds.

Limits: the answer is never "reachable". Where the equation and its traps have an integral solution
in the target, the answer is unknown, and contains the derived facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from petricheck.arithmetic.formulas.formulas import TRUE, atoms
from petricheck.engines import IsOpen, all_open
from petricheck.evidence.answer import Answer, Unknown, Unreachable, measure
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.plugins import option
from petricheck.symbolic.facts.refutation import RefutationSearch, Shared

_FIRST = 0.25
"""Seconds for each of several targets in the first turn; they double from turn to turn."""

_HINT = "it may be reachable: an engine that searches would find a trace"


@dataclass(frozen=True)
class StateEquation:
    """Refute the state equation by half-spaces, residues, traps and siphons."""

    unit = "round"
    paper = "Esparza, Melzer 2000"
    rank = 30

    traps: int = option(500, "how many traps to add at most")
    seconds: float = option(20.0, "limit for each integer program and solver query")
    unmarked: bool = option(
        True, "let a solver say what follows from sets that are empty until something fills them"
    )
    restate: bool = option(
        True, "prove what needed integers again by bounds, for an audit without a solver, if brief"
    )

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Refute every cube, or stop at one that cannot be refuted."""
        return self._run(self._search(problem, Shared(problem.net)), budget)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Unreachable]]:
        """Refute targets, the small ones first; those that take long go on in later turns."""
        if not problems:
            return
        shared = Shared(problems[0].net)
        remaining = sorted(
            range(len(problems)), key=lambda n: len(tuple(atoms(problems[n].target)))
        )
        searches: dict[int, RefutationSearch] = {}
        for turn in count():
            if not remaining:
                return
            waiting = []
            for position, number in enumerate(remaining):
                if not is_open(number):
                    continue
                limits = budget.part(2 * (len(remaining) - position), _FIRST * 2**turn)
                search = searches.pop(number, None) or self._search(problems[number], shared)
                try:
                    answer = self._run(search, limits)
                except BudgetExhausted:
                    budget.check()
                    if not limits.remaining:
                        waiting.append(number)
                        searches[number] = search
                    continue
                if isinstance(answer, Unreachable):
                    yield number, answer
            remaining = waiting

    def _search(self, problem: Problem, shared: Shared) -> RefutationSearch:
        return RefutationSearch(problem, shared, self.traps, self.seconds, self.unmarked)

    def _run(self, search: RefutationSearch, budget: Budget) -> Unknown | Unreachable:
        statistics = measure("state_equation")
        answer = search.run(budget)
        cost = statistics(search.rounds)
        if isinstance(answer, str):
            return Unknown(answer, _HINT, cost, search.facts.formulas())
        if isinstance(answer, StateEquationCertificate) and self.restate:
            from petricheck.engines.abstraction.restating import restated  # It is rarely needed.

            return Unreachable(restated(search.problem, TRUE, budget) or answer, cost)
        return Unreachable(answer, cost)
