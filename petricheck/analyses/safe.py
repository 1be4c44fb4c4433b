"""Whether no place ever holds more than one token."""

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
from petricheck.presburger.formulas import at_least
from petricheck.presburger.terms import variable
from petricheck.problem import Net

_ANSWERS = yes_or_no(("safe", "1-safe", "1-bounded"), ("not safe", "unsafe"))


@dataclass(frozen=True)
class Safe:
    """Whether the net is safe (1-bounded), and which places are not."""

    rank: ClassVar[int] = 30
    meaning: ClassVar[str] = "Whether no place ever holds more than one token."
    example: ClassVar[str] = ""

    def answers(self, text: str) -> Answers:
        """Safe, or not."""
        return _ANSWERS

    def search(self, net: Net, text: str, study: Study) -> None:
        """Sums that never grow, then what settles any event."""
        # Not at the top: they bring numpy.
        from petricheck.analyses._limiting import limited
        from petricheck.analyses._search import settle
        from petricheck.analyses._settling import Settling, Sought

        settling = Settling(study, _events(net), Sought.ONE_HAPPENS)
        if not settling.enough:
            open_ = (net.place_numbers[place] for place in settling.open)
            for claim in limited(study, dict.fromkeys(open_, 1)):
                settling.exclude(claim.formula)
        settle(settling)

    def conclude(self, net: Net, text: str, claims: Sequence[Claim]) -> Finding:
        """Every place by itself."""
        if text.strip():
            raise QueryError("the question whether a net is safe takes no words")
        found = sorted_out(_events(net), claims)
        safe = False if found.happens else None if found.open else True
        return Finding(
            _ANSWERS,
            safe,
            tuple(lines(("More than one token", found.happens), ("Not decided", found.open))),
            {"holds": safe, "unsafe": list(found.happens), "open": list(found.open)},
        )


@of_one_net
def _events(net: Net) -> Events:
    """A second token on each place."""
    return Events(tuple(Event(p, (at_least(variable(p), 2),)) for p in net.places))
