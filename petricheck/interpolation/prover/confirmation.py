"""What an answer has to satisfy by definition, for a solver that has not seen the proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.budget import Budget
from petricheck.interpolation.prover.results import Theory
from petricheck.presburger.formulas import Formula, Negation, variables
from petricheck.presburger.smtlib import symbol, to_smtlib
from petricheck.presburger.solver import refutes

Obligation = tuple[str, tuple[Formula, ...]]
"""What is to be shown, and formulas that have to contradict each other for that."""


def of_sequence(parts: Sequence[Formula], found: Sequence[Formula]) -> Iterator[Obligation]:
    """Each follows from the one before and the part between; the last part contradicts."""
    before: tuple[Formula, ...] = ()
    for number, (part, formula) in enumerate(zip(parts, found, strict=False), start=1):
        yield f"I{number} follows", (*before, part, Negation(formula))
        before = (formula,)
    yield "the last part contradicts the last of them", (*before, parts[-1])


def of_symmetric(parts: Sequence[Formula], found: Sequence[Formula]) -> Iterator[Obligation]:
    """Each interpolant follows from its part; together they contradict each other."""
    for number, (part, formula) in enumerate(zip(parts, found, strict=True), start=1):
        yield f"I{number} follows", (part, Negation(formula))
    yield "all of them contradict each other", tuple(found)


def confirmed(obligation: Obligation, theory: Theory, budget: Budget) -> bool:
    """Whether z3 shows it, from a script alone.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    formulas = obligation[1]
    sort = "Int" if theory is Theory.INTEGERS else "Real"
    names = dict.fromkeys(name for formula in formulas for name in variables(formula))
    declarations = [f"(declare-const {symbol(name)} {sort})" for name in names]
    assertions = [f"(assert {to_smtlib(formula)})" for formula in formulas]
    return refutes("\n".join([*declarations, *assertions]), seconds=budget.remaining)
