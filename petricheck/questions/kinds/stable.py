"""Which places always hold as many tokens as initially."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.presburger.formulas import Formula, at_least, at_most
from petricheck.presburger.terms import variable
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
        pairs = zip(net.places, net.initial, strict=True)
        return Events(tuple(Event(place, _another(place, tokens)) for place, tokens in pairs))


def _another(place: str, tokens: int) -> tuple[Formula, ...]:
    more = at_least(variable(place), tokens + 1)
    return (at_most(variable(place), tokens - 1), more) if tokens else (more,)
