"""Which places always hold as many tokens as initially."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.language.model import places_of
from petricheck.presburger.formulas import Formula, at_least, at_most
from petricheck.presburger.terms import Term
from petricheck.problem import Net
from petricheck.questions.events import Event, Events, Occurring
from petricheck.questions.kind import Answers, yes_or_no


@dataclass(frozen=True)
class Stable(Occurring):
    """Whether there are stable places, which always keep their number of tokens, and which."""

    rank: ClassVar[int] = 100
    meaning: ClassVar[str] = "Which places always keep their number of tokens."
    outcomes: ClassVar[Answers] = yes_or_no(
        ("some place is stable", "stable"), ("no place is stable", "not stable")
    )
    decisive: ClassVar[bool] = False
    verdict: ClassVar[bool] = True
    label: ClassVar[str] = "Always as initially"
    fact: ClassVar[str] = "stable"

    def events(self, net: Net) -> Events:
        """That each place holds another number of tokens than initially."""
        values = net.values(net.initial)
        return Events(
            tuple(
                Event(place, _another(tokens, tokens.evaluate(values)))
                for place, tokens in places_of(net).items()
            )
        )


def _another(tokens: Term, initially: int) -> tuple[Formula, ...]:
    if not tokens.coefficients:
        return ()  # No colour of the place is ever marked.
    more = at_least(tokens, initially + 1)
    return (at_most(tokens, initially - 1), more) if initially else (more,)
