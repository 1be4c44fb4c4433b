"""The question whether a formula is a home space."""

from __future__ import annotations

from petricheck.arithmetic.formulas import formulas
from petricheck.model.net import Net
from petricheck.questions.homes.returning import Returning
from petricheck.questions.kind import yes_or_no


class Home(Returning):
    """Whether a marking in the formula can be reached from every reachable marking."""

    rank = 110
    meaning = "Can this formula always become true again?"
    example = "'p1 = 0'"
    calculates = True
    outcomes = yes_or_no(("home space", "a home space"), ("not a home space", "no home space"))

    def formula(self, net: Net, text: str) -> formulas.Formula:
        """Return the formula as it is written."""
        from petricheck.formats.language.grammar import formula_of  # It brings lark.

        return formula_of(net, text)
