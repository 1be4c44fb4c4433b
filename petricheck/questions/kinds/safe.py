"""Whether no place ever holds more than one token."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.claims import Claim
from petricheck.presburger.formulas import at_least
from petricheck.presburger.terms import variable
from petricheck.problem import Net
from petricheck.questions.answers import Answers, yes_or_no
from petricheck.questions.events import Event, Events, of_one_net, sorted_out
from petricheck.questions.kind import Conclusion, require_no_words
from petricheck.questions.listing import lines
from petricheck.questions.study import Study

_ANSWERS = yes_or_no(("safe", "1-safe", "1-bounded"), ("not safe", "unsafe"))


@dataclass(frozen=True)
class Safe:
    """Whether the net is safe (1-bounded), and which places are not."""

    rank: ClassVar[int] = 80
    meaning: ClassVar[str] = "Whether no place ever holds more than one token."
    example: ClassVar[str] = ""

    def answers(self, text: str) -> Answers:
        """Safe, or not."""
        return _ANSWERS

    def read(self, net: Net, text: str) -> None:
        """There is nothing to read.

        Raises:
            QueryError: there are words.
        """
        require_no_words(text, "whether a net is safe")

    def search(self, study: Study, content: None) -> None:
        """Sums that never grow, then what settles any event."""
        # Not at the top: they bring numpy.
        from petricheck.questions.events.search import settle
        from petricheck.questions.events.settling import Settling, Sought
        from petricheck.questions.maxima.limiting import limited

        settling = Settling(study, _events(study.net), Sought.ONE_HAPPENS)
        if not settling.enough:
            open_ = (study.net.place_numbers[place] for place in settling.open)
            for claim in limited(study, dict.fromkeys(open_, 1)):
                settling.exclude(claim.formula)
        settle(settling)

    def conclude(self, net: Net, content: None, claims: Sequence[Claim]) -> Conclusion:
        """Every place by itself."""
        found = sorted_out(_events(net), claims)
        safe = False if found.happens else None if found.open else True
        return Conclusion(
            _ANSWERS,
            safe,
            tuple(lines(("More than one token", found.happens), ("Not decided", found.open))),
            {"holds": safe, "unsafe": list(found.happens), "open": list(found.open)},
        )


@of_one_net
def _events(net: Net) -> Events:
    """A second token on each place."""
    return Events(tuple(Event(p, (at_least(variable(p), 2),)) for p in net.places))
