"""Atoms in languages that compare, and have no remainders."""

from __future__ import annotations

from collections.abc import Callable

from petricheck.errors import InputError
from petricheck.presburger.formulas import Congruence, Equality, Inequality
from petricheck.presburger.text import Comparison, natural


def comparing(
    write: Callable[[Comparison], str],
) -> Callable[[Inequality | Equality | Congruence], str]:
    """Writes atoms as comparisons whose sides have no negative coefficients.

    Raises:
        InputError: an atom asks for a remainder (when it is written).
    """

    def atom(formula: Inequality | Equality | Congruence) -> str:
        sides = natural(formula)
        if not isinstance(sides, Comparison):
            raise InputError(
                "the question asks for a remainder (mod), which this format cannot hold"
            )
        return write(sides)

    return atom
