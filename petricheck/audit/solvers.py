"""Obligations that solvers discharge: what would refute one must have no model."""

from __future__ import annotations

from itertools import islice

from petricheck.audit.obligation import Obligation
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, EvidenceError


def refute_z3(obligation: Obligation, budget: Budget) -> None:
    """Let a fresh z3 find that the obligation has no model.

    Raises:
        EvidenceError: it has one.
        BudgetExhausted: z3 does not tell.
    """
    from petricheck.presburger.solver import find_model

    seconds = None if budget.seconds is None else budget.remaining
    try:
        model = find_model(obligation.formula, seconds=seconds, natural=True)
        if model is None:
            return
        shown = [f"{name} = {value}" for name, value in islice(model.items(), 12)]
    except ValueError as error:
        raise BudgetExhausted("a number is too long for z3's interface") from error
    more = ["…"] if len(model) > len(shown) else []
    raise EvidenceError(f"{obligation.name}: {', '.join(shown + more) or 'in any marking'}")


def refute_cvc5(obligation: Obligation, budget: Budget) -> None:
    """The same with cvc5."""
    from petricheck.presburger import second_solver

    seconds = None if budget.seconds is None else budget.remaining
    if second_solver.satisfiable(obligation.formula, seconds=seconds):
        raise EvidenceError(f"cvc5: {obligation.name}")
