"""The question whether a marking is reachable that satisfies a formula."""

from __future__ import annotations

from petricheck.arithmetic.formulas import formulas
from petricheck.model.net import Net
from petricheck.questions.kind import Reaching


class Formula(Reaching):
    """Any linear formula: 'p1 = 0 and (p2 >= 3 or 2*p3 <= p4 + 1)', '(p1 + p2) mod 2 = 1'.

    Connectives: not, and, or, ->, from tight to loose. Comparisons: = != < <= > >=, also chained
    (1 <= p <= 3). Conditions: enabled(t1, t2), deadlock. Odd names are quoted where something else
    may be meant: "odd-id"; inside quotes a backslash comes before a quote or another backslash.
    """

    rank = 30
    meaning = "Can this formula be true?"
    example = "'p1 = 0 or p2 > p3'"
    calculates = True

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the formula as it is written, `!=` as a disjunction, negations left in place."""
        from petricheck.formats.language.grammar import formula_of  # It brings lark.

        return formula_of(net, text, ", or 'true' for any marking")
