"""What the state equation says of the parts of a target.

A part that no solution of m = m0 + D·x satisfies becomes false, one that all of them satisfy true;
of parts of a conjunction only the solutions count that satisfy the literals beside it (Bønneland
and others: Simplification of CTL formulae for efficient model checking of Petri nets, 2018). What a
program without solution proves are inductive half-spaces. Where they hold, the target says the same
as what is left of it: a part that goes is decided by them and the literals beside it, which stay or
are decided themselves before it.

A solution answers for all parts that hold in it, so few programs are solved for a part that nothing
decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Cube,
    Disjunction,
    Formula,
    conjunction,
    disjunction,
    evaluate,
    negate,
    normal,
    variables,
)
from petricheck.model.net import Net
from petricheck.support.budget import Budget, unwatched
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.facts.branching import Branching, BranchingStatus
from petricheck.symbolic.facts.equation import EquationProgram, Solution
from petricheck.symbolic.facts.proved import Facts
from petricheck.symbolic.facts.separation import Separation

_SECONDS = 2.0
"""For one part."""

_SOLUTIONS = 64
"""So many of the last solutions are kept."""

_DIGITS = 6
"""Solutions are rounded to so many decimal places."""


@dataclass(frozen=True, slots=True)
class SimplifiedTarget:
    """What is left of a target, and the refutations that show it, each of a cube."""

    target: Formula
    refutations: tuple[tuple[Cube, Separation], ...]


class Simplifier:
    """Simplifies targets of one net, for which it has one program.

    Attributes:
        facts: the empty siphon and the transitions that it leaves, on which refutations depend.
    """

    def __init__(self, net: Net) -> None:
        self._net = net
        self.facts = Facts(net)
        self._program = EquationProgram(net, self.facts.unblocked)
        self._solutions: list[Any] = [np.array(net.initial, dtype=object)]

    def simplified(self, target: Formula, budget: Budget) -> SimplifiedTarget:
        """Return what is left of the target; where the time is over before, that is more."""
        search = _Simplification(self._net, self._program, self._solutions, target, budget)
        left = search.part(normal(target), ())
        del self._solutions[1:-_SOLUTIONS]
        return SimplifiedTarget(left, tuple(search.refutations))


class _Simplification:
    """One run, the judge of its own solutions."""

    def __init__(
        self,
        net: Net,
        program: EquationProgram,
        solutions: list[Any],
        target: Formula,
        budget: Budget,
    ) -> None:
        self._places, self._program, self._budget = net.place_numbers, program, budget
        self._columns = [(name, net.place_numbers[name]) for name in variables(target)]
        self._solutions = solutions
        self._points = [self._point(tokens) for tokens in solutions]
        self.refutations: dict[tuple[Cube, Separation], None] = {}

    def part(self, part: Formula, beside: tuple[Formula, ...]) -> Formula:
        """Return what is left of a part, where the literals beside it hold."""
        if not isinstance(part, Disjunction) and self._is_impossible((*beside, part)):
            return FALSE
        if not isinstance(part, Conjunction) and self._is_impossible((*beside, negate(part))):
            return TRUE
        match part:
            case Conjunction(operands):
                left: dict[int, Formula] = {}
                for number in sorted(range(len(operands)), key=lambda n: _is_joined(operands[n])):
                    literals = (other for other in left.values() if not _is_joined(other))
                    left[number] = self.part(operands[number], (*beside, *literals))
                return conjunction(left[number] for number in range(len(operands)))
            case Disjunction(operands):
                return disjunction(self.part(operand, beside) for operand in operands)
            case _:
                return part

    def _is_impossible(self, parts: tuple[Formula, ...]) -> bool:
        """Return whether no solution satisfies all parts; False where the time is over before."""
        if any(all(evaluate(part, point) for part in parts) for point in self._points):
            return False
        limits = replace(self._budget.within(_SECONDS), watch=unwatched)
        search = Branching(self._program, conjunction(parts), self._places, self)
        try:
            if search.run(limits) is not BranchingStatus.REFUTED:
                return False
        except BudgetExhausted:
            return False
        finally:
            self._program.undo(0)
        numbers = sorted(search.refutation.clashes) if search.refutation else ()
        pairs = (search.clashes[number] for number in numbers)
        self.refutations.update(dict.fromkeys((cube, clash.fact) for cube, clash in pairs))
        return True

    def examine(self, solution: Solution) -> BranchingStatus:
        """Keep the solution."""
        tokens = np.round(solution.tokens, _DIGITS)
        self._solutions.append(tokens)
        self._points.append(self._point(tokens))
        return BranchingStatus.SOLVABLE

    def explain(self, cube: Cube) -> None:
        """Leave open what the program does not explain."""

    def _point(self, tokens: Any) -> dict[str, Any]:
        return {name: tokens[place] for name, place in self._columns}


def _is_joined(part: Formula) -> bool:
    return isinstance(part, Conjunction | Disjunction)
