"""Which places always hold as many tokens as initially."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.analyses import Answers, Finding, yes_or_no
from petricheck.analyses._events import Event, Events, of_one_net, sorted_out
from petricheck.analyses._listing import lines
from petricheck.analyses._study import Study
from petricheck.claims import Claim
from petricheck.errors import QueryError
from petricheck.presburger.formulas import Formula, at_least, at_most
from petricheck.presburger.terms import variable
from petricheck.problem import Net

_ANSWERS = yes_or_no(("some place is stable", "stable"), ("no place is stable", "not stable"))


@dataclass(frozen=True)
class Stable:
    """Whether there are stable places, which always keep their number of tokens, and which."""

    rank: ClassVar[int] = 50
    meaning: ClassVar[str] = "Which places always keep their number of tokens."
    example: ClassVar[str] = ""

    def answers(self, text: str) -> Answers:
        """Some place is stable, or none."""
        return _ANSWERS

    def search(self, net: Net, text: str, study: Study) -> None:
        """What settles any event."""
        # Not at the top: they bring numpy.
        from petricheck.analyses._search import settle
        from petricheck.analyses._settling import Settling, Sought

        settle(Settling(study, _events(net), Sought.ONE_NEVER_DOES))

    def conclude(self, net: Net, text: str, claims: Sequence[Claim]) -> Finding:
        """Every place by itself."""
        if text.strip():
            raise QueryError("the question which places are stable takes no words")
        found = sorted_out(_events(net), claims)
        stable = True if found.never else None if found.open else False
        return Finding(
            _ANSWERS,
            stable,
            tuple(lines(("Always as initially", found.never), ("Not decided", found.open))),
            {"holds": stable, "stable": list(found.never), "open": list(found.open)},
        )


@of_one_net
def _events(net: Net) -> Events:
    """That each place holds another number of tokens than initially."""
    return Events(
        tuple(
            Event(place, _another(place, tokens))
            for place, tokens in zip(net.places, net.initial, strict=True)
        )
    )


def _another(place: str, tokens: int) -> tuple[Formula, ...]:
    more = at_least(variable(place), tokens + 1)
    return (at_most(variable(place), tokens - 1), more) if tokens else (more,)
