"""The question whether every reachable marking satisfies a formula."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from petricheck.arithmetic.formulas import formulas
from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.questions.kind import VERDICTS, Conclusion
from petricheck.questions.kinds._invariance import Invariance


class Always(Invariance):
    """A formula, as of --formula, that every reachable marking satisfies.

    The target of the evidence is its negation: the formula holds where that is unreachable.
    """

    rank = 32
    meaning = "Is this formula always true?"
    asks = "Does every reachable marking satisfy this?"
    example = "'p1 + p2 <= 1'"

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the negation of the formula."""
        return formulas.negate(super().read(net, text))

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
