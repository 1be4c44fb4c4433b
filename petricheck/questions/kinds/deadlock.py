"""The question whether a marking is reachable in which no transition is enabled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from petricheck.arithmetic.formulas import formulas
from petricheck.evidence.claims import Claim
from petricheck.formats.language.model import deadlocked
from petricheck.model.net import Net
from petricheck.questions.kind import Answers, Conclusion, Reaching, Value


class Deadlock(Reaching):
    """A marking that enables no transition; this question takes no text."""

    rank = 40
    meaning = "Is a marking reachable in which no transition is enabled?"
    outcomes = Answers(
        {True: ("reachable", "deadlock", "a deadlock"), False: ("unreachable", "deadlock-free")}
    )

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the formula: of each transition with minimal pre, some place has too few tokens.

        True where the net has no transitions; false where some transition needs no tokens.
        """
        super().read(net, text)
        return deadlocked(net)

    def conclude(self, net: Net, content: formulas.Formula, claims: Sequence[Claim]) -> Conclusion:
        """Return whether a deadlock is reachable, and say what that makes of the net."""
        conclusion = super().conclude(net, content, claims)
        details = () if conclusion.value is None else (_SENTENCES[conclusion.value],)
        return replace(conclusion, details=details)


_SENTENCES: Mapping[Value, str] = {
    True: "The net has a deadlock.",
    False: "The net is deadlock-free.",
}
