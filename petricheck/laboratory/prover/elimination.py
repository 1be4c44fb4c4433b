"""Interpolants by quantifier elimination, where no proof was found in time: integers only."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.budget import Budget
from petricheck.laboratory.elimination import eliminate
from petricheck.presburger.formulas import TRUE, Conjunction, Formula, conjunction, variables
from petricheck.presburger.solver import Model, find_model


def common_model(parts: Sequence[Formula], budget: Budget) -> Model | None:
    """Integers that satisfy all parts, or None where there are none.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    return find_model(Conjunction(tuple(parts)), seconds=budget.remaining)


def own_variables_eliminated(parts: Sequence[Formula], budget: Budget) -> tuple[Formula, ...]:
    """Each part without the variables that no other part has: symmetric interpolants.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    return tuple(
        _without(part, (*parts[:number], *parts[number + 1 :]), budget)
        for number, part in enumerate(parts)
    )


def images(parts: Sequence[Formula], budget: Budget) -> tuple[Formula, ...]:
    """At each cut what the parts before it say in the variables of those after it.

    Raises:
        BudgetExhausted: z3 gave up.
    """
    found: list[Formula] = []
    said: Formula = TRUE
    for number, part in enumerate(parts[:-1], start=1):
        said = _without(conjunction((said, part)), parts[number:], budget)
        found.append(said)
    return tuple(found)


def _without(formula: Formula, others: Sequence[Formula], budget: Budget) -> Formula:
    shared = {name for other in others for name in variables(other)}
    own = [name for name in variables(formula) if name not in shared]
    return eliminate(own, formula, seconds=budget.remaining)
