"""The question after markings in which nothing can fire.

t is disabled where m < u_t in some place. If u_s ≤ u_t, then t is disabled wherever s is, so only
the transitions with minimal pre count. The formula stays a conjunction of disjunctions: its
disjunctive normal form would have a cube for every choice of one place from each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.errors import QueryError
from petricheck.language.enabling import minimal
from petricheck.presburger import formulas
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Weights


@dataclass(frozen=True)
class Deadlock:
    """A marking that enables no transition; this question takes no words."""

    rank: ClassVar[int] = 40
    meaning: ClassVar[str] = "A marking in which no transition is enabled."
    example: ClassVar[str] = ""

    def parse(self, net: Net, text: str) -> formulas.Formula:
        """For each transition with minimal pre, that some input place has too few tokens.

        True where the net has no transitions; false where some transition needs no tokens.

        Raises:
            QueryError: the text is not empty, or the net has added transitions, without which it
                may have deadlocks that it has not with them.
        """
        if net.added:
            raise QueryError(
                "a deadlock cannot be asked of a net whose initial value is parametric (at least "
                "so many tokens): the transitions added for that are always enabled; fix the value"
            )
        if text.strip():
            message = "the question after deadlocks takes no words"
            raise QueryError(message, text=text, position=len(text) - len(text.lstrip()))
        return formulas.conjunction(
            _disabled(net, pre) for pre in minimal(t.pre for t in net.transitions)
        )


def _disabled(net: Net, pre: Weights) -> formulas.Formula:
    return formulas.disjunction(
        formulas.at_most(variable(net.places[place]), weight - 1) for place, weight in pre
    )
