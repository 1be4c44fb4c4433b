"""Whether every transition can fire in some reachable marking."""

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
from petricheck.language.enabling import enabled
from petricheck.problem import Net

_ANSWERS = yes_or_no(("quasi-live", "quasi live"), ("not quasi-live", "not quasi live"))


@dataclass(frozen=True)
class QuasiLive:
    """Whether every transition can fire at least once, and which cannot."""

    rank: ClassVar[int] = 40
    meaning: ClassVar[str] = "Whether every transition can fire in some reachable marking."
    example: ClassVar[str] = ""

    def answers(self, text: str) -> Answers:
        """Quasi-live, or not."""
        return _ANSWERS

    def search(self, net: Net, text: str, study: Study) -> None:
        """What settles any event."""
        # Not at the top: they bring numpy.
        from petricheck.analyses._search import settle
        from petricheck.analyses._settling import Settling, Sought

        settle(Settling(study, _events(net), Sought.ONE_NEVER_DOES))

    def conclude(self, net: Net, text: str, claims: Sequence[Claim]) -> Finding:
        """Every transition by itself."""
        if text.strip():
            raise QueryError("the question whether a net is quasi-live takes no words")
        found = sorted_out(_events(net), claims)
        live = False if found.never else None if found.open else True
        return Finding(
            _ANSWERS,
            live,
            tuple(lines(("Never fire", found.never), ("Not decided", found.open))),
            {"holds": live, "dead": list(found.never), "open": list(found.open)},
        )


@of_one_net
def _events(net: Net) -> Events:
    """That each transition of the file is enabled."""
    return Events(
        tuple(
            Event(transition.name, (enabled(net, transition.pre),))
            for transition in net.transitions
            if transition.name not in net.added
        )
    )
