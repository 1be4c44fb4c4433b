"""Which places always hold as many tokens as initially."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.claims import Claim
from petricheck.presburger.formulas import Formula, at_least, at_most
from petricheck.presburger.terms import variable
from petricheck.problem import Net
from petricheck.questions.answers import Answers, yes_or_no
from petricheck.questions.events import Event, Events, of_one_net, sorted_out
from petricheck.questions.kind import Conclusion, require_no_words
from petricheck.questions.listing import lines
from petricheck.questions.study import Study

_ANSWERS = yes_or_no(("some place is stable", "stable"), ("no place is stable", "not stable"))


@dataclass(frozen=True)
class Stable:
    """Whether there are stable places, which always keep their number of tokens, and which."""

    rank: ClassVar[int] = 100
    meaning: ClassVar[str] = "Which places always keep their number of tokens."
    example: ClassVar[str] = ""

    def answers(self, text: str) -> Answers:
        """Some place is stable, or none."""
        return _ANSWERS

    def read(self, net: Net, text: str) -> None:
        """There is nothing to read.

        Raises:
            QueryError: there are words.
        """
        require_no_words(text, "which places are stable")

    def search(self, study: Study, content: None) -> None:
        """What settles any event."""
        # Not at the top: they bring numpy.
        from petricheck.questions.events.search import settle
        from petricheck.questions.events.settling import Settling, Sought

        settle(Settling(study, _events(study.net), Sought.ONE_NEVER_DOES))

    def conclude(self, net: Net, content: None, claims: Sequence[Claim]) -> Conclusion:
        """Every place by itself."""
        found = sorted_out(_events(net), claims)
        stable = True if found.never else None if found.open else False
        return Conclusion(
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
