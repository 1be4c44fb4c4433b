"""The question whether no reachable marking satisfies a formula."""

from __future__ import annotations

from petricheck.arithmetic.formulas import formulas
from petricheck.formats.language.quantifier import HOLDS, VIOLATED
from petricheck.model.net import Net
from petricheck.questions.kind import Reaching, yes_or_no


class Never(Reaching):
    """A formula, as of --formula, that no reachable marking satisfies."""

    rank = 34
    meaning = "Is this formula never true?"
    asks = "Does no reachable marking satisfy this?"
    example = "'p1 >= 1 and p2 >= 1'"
    calculates = True
    outcomes = yes_or_no((HOLDS,), (VIOLATED,))
    reached = False
    hoped = True

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the formula as it is written."""
        from petricheck.formats.language.grammar import formula_of  # It brings lark.

        return formula_of(net, text)
