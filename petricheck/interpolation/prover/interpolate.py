"""Interpolants of formulas that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.interpolation.prover.elimination import (
    common_model,
    images,
    own_variables_eliminated,
)
from petricheck.interpolation.prover.results import (
    Elimination,
    Interpolated,
    Result,
    Satisfiable,
    Theory,
    Undecided,
)
from petricheck.presburger.formulas import Formula


def interpolate(
    first: Formula,
    second: Formula,
    *,
    theory: str = Theory.INTEGERS,
    budget: Budget | None = None,
) -> Result:
    """A formula that `first` implies and `second` contradicts, over variables of both.

    Args:
        first: any formula; over the rationals without congruences.
        second: likewise.
        theory: of which numbers the variables are, "integers" or "rationals".
        budget: limits the search.

    Raises:
        ValueError: there is no such theory, or it has no congruences and a formula has.
    """
    return interpolate_sequence((first, second), theory=theory, budget=budget)


def interpolate_sequence(
    parts: Sequence[Formula], *, theory: str = Theory.INTEGERS, budget: Budget | None = None
) -> Result:
    """One formula I_i for each cut: I_i and the part behind the cut imply I_{i+1}.

    The first part implies I_1, the last contradicts the last of them. I_i speaks of variables
    that parts before and parts behind the cut have. Arguments and errors as of `interpolate`.
    """
    return _eliminated(tuple(parts), images, budget or Budget())


def interpolate_symmetric(
    parts: Sequence[Formula], *, theory: str = Theory.INTEGERS, budget: Budget | None = None
) -> Result:
    """One formula for each part, implied by it, which together contradict each other.

    It speaks of variables that the part shares with others. Arguments and errors as of
    `interpolate`.
    """
    return _eliminated(tuple(parts), own_variables_eliminated, budget or Budget())


_Eliminate = Callable[[Sequence[Formula], Budget], tuple[Formula, ...]]


def _eliminated(parts: tuple[Formula, ...], eliminate: _Eliminate, budget: Budget) -> Result:
    try:
        model = common_model(parts, budget)
        if model is not None:
            return Satisfiable(model)
        return Interpolated(eliminate(parts, budget), Elimination("no search was made"))
    except BudgetExhausted as error:
        return Undecided(str(error))
