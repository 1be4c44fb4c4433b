"""The question after markings in which nothing can fire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.language.model import deadlocked
from petricheck.presburger import formulas
from petricheck.problem import Net
from petricheck.questions.kind import Reaching


@dataclass(frozen=True)
class Deadlock(Reaching):
    """A marking that enables no transition; this question takes no words."""

    rank: ClassVar[int] = 40
    meaning: ClassVar[str] = "A marking in which no transition is enabled."

    def read(self, net: Net, text: str) -> formulas.Formula:
        """For each transition with minimal pre, that some input place has too few tokens.

        True where the net has no transitions; false where some transition needs no tokens.

        Raises:
            QueryError: the text is not empty, or the net has added transitions, without which it
                may have deadlocks that it has not with them.
        """
        super().read(net, text)
        return deadlocked(net)
