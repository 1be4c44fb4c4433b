"""What z3 says of literals together: values, or which of them have no integer solution.

It saves cuts that would come to nothing, and tells which variables are worth one. Nothing rests on
it: values are tried, and that there are none is for the proof to show.
"""

from __future__ import annotations

from collections.abc import Mapping

from petricheck.budget import Budget
from petricheck.laboratory.prover.proofs import Literal
from petricheck.presburger.formulas import Formula
from petricheck.presburger.solver import Model, Solver


def ask(said: Mapping[Literal, Formula], budget: Budget) -> Model | tuple[Literal, ...]:
    """Integers for which all of this holds, or literals that contradict each other.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    with Solver(budget) as solver:
        literals = {solver.assume(formula): literal for literal, formula in said.items()}
        model = solver.check(tuple(literals))
        return tuple(literals[each] for each in solver.core) if model is None else model
