"""Whether every transition can fire in some reachable marking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.claims import Claim
from petricheck.language.enabling import enabled
from petricheck.problem import Net
from petricheck.questions.answers import Answers, yes_or_no
from petricheck.questions.events import Event, Events, of_one_net, sorted_out
from petricheck.questions.kind import Conclusion, require_no_words
from petricheck.questions.listing import lines
from petricheck.questions.study import Study

_ANSWERS = yes_or_no(("quasi-live", "quasi live"), ("not quasi-live", "not quasi live"))


@dataclass(frozen=True)
class QuasiLive:
    """Whether every transition can fire at least once, and which cannot."""

    rank: ClassVar[int] = 90
    meaning: ClassVar[str] = "Whether every transition can ever fire."
    example: ClassVar[str] = ""

    def answers(self, text: str) -> Answers:
        """Quasi-live, or not."""
        return _ANSWERS

    def read(self, net: Net, text: str) -> None:
        """There is nothing to read.

        Raises:
            QueryError: there are words.
        """
        require_no_words(text, "whether a net is quasi-live")

    def search(self, study: Study, content: None) -> None:
        """What settles any event."""
        # Not at the top: they bring numpy.
        from petricheck.questions.events.search import settle
        from petricheck.questions.events.settling import Settling, Sought

        settle(Settling(study, _events(study.net), Sought.ONE_NEVER_DOES))

    def conclude(self, net: Net, content: None, claims: Sequence[Claim]) -> Conclusion:
        """Every transition by itself."""
        found = sorted_out(_events(net), claims)
        live = False if found.never else None if found.open else True
        return Conclusion(
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
