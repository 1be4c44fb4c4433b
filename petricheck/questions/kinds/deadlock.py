"""The question whether a marking is reachable in which no transition is enabled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.arithmetic.formulas import formulas
from petricheck.formats.language.model import deadlocked
from petricheck.model.net import Net
from petricheck.questions.kind import Reaching


@dataclass(frozen=True)
class Deadlock(Reaching):
    """A marking that enables no transition; this question takes no text."""

    rank: ClassVar[int] = 40
    meaning: ClassVar[str] = "Is a marking reachable in which no transition is enabled?"

    def read(self, net: Net, text: str) -> formulas.Formula:
        """Return the formula: of each transition with minimal pre, some place has too few tokens.

        True where the net has no transitions; false where some transition needs no tokens.

        Raises:
            QueryError: the text is not empty, or the net has added transitions: without them it may
                have more deadlocks.
        """
        super().read(net, text)
        return deadlocked(net)
