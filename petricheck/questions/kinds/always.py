"""The question whether every reachable marking satisfies a formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from petricheck.arithmetic.formulas import formulas
from petricheck.evidence.claims import Claim
from petricheck.formats.language.quantifier import HOLDS, VIOLATED
from petricheck.model.net import Net
from petricheck.questions.kind import VERDICTS, Conclusion, Reaching, yes_or_no


class Always(Reaching):
    """A formula, as of --formula, that every reachable marking satisfies.

    The target of the evidence is its negation: the formula holds where that is unreachable.
    """

    rank = 32
    meaning = "Is this formula always true?"
    asks = "Does every reachable marking satisfy this?"
    example = "'p1 + p2 <= 1'"
    calculates = True
    outcomes = yes_or_no((HOLDS,), (VIOLATED,))
    reached = False
    hoped = True

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the negation of the formula."""
        from petricheck.formats.language.grammar import formula_of  # It brings lark.

        return formulas.negate(formula_of(net, text))

    def asked(self, content: formulas.Formula) -> formulas.Formula:
        """Return the formula whose negation the target is."""
        return formulas.negate(content)

    def conclude(self, net: Net, content: formulas.Formula, claims: Sequence[Claim]) -> Conclusion:
        """Return whether the formula holds, and say what the target is."""
        conclusion = super().conclude(net, content, claims)
        if (value := conclusion.value) is None:
            return conclusion
        verdict = VERDICTS.describe(value is self.reached)
        return replace(
            conclusion,
            details=(f"The target, which is the negation of the formula, is {verdict}.",),
        )
