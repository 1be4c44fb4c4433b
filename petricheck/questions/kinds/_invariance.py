"""The common part of kinds that ask whether a formula holds, or not, in every reachable marking."""

from __future__ import annotations

from petricheck.arithmetic.formulas import formulas
from petricheck.formats.language.quantifier import HOLDS, VIOLATED
from petricheck.model.net import Net
from petricheck.questions.kind import Reaching, yes_or_no


class Invariance(Reaching):
    """A statement about every reachable marking: it holds where its target is unreachable."""

    calculates = True
    outcomes = yes_or_no((HOLDS,), (VIOLATED,))
    reached = False
    hoped = True

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the formula as it is written."""
        from petricheck.formats.language.grammar import formula_of  # It brings lark.

        return formula_of(net, text)
