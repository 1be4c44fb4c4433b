"""Formulas with the same models."""

from __future__ import annotations

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.solvers.solver import implies


def equivalent(left: Formula, right: Formula) -> bool:
    """Whether the formulas have the same integer models."""
    return implies(left, right) and implies(right, left)
