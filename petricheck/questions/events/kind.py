"""What the kinds have in common that ask the same of every place, or of every transition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from petricheck.claims import Claim
from petricheck.problem import Net
from petricheck.questions.answers import Answers
from petricheck.questions.events import Events, sorted_out
from petricheck.questions.kind import Conclusion, Wordless
from petricheck.questions.listing import lines

if TYPE_CHECKING:
    from petricheck.questions.events.settling import Settling
    from petricheck.questions.study import Study


class Occurring(Wordless):
    """A kind that asks which events of a net happen; its content are the events.

    Attributes:
        outcomes: its answers.
        decisive: which events settle the answer: those that happen, or those that never do.
        verdict: the answer where there is one of them; without any, and none open, it is the other.
        words: what is said of them.
        fact: the same for programs.
    """

    outcomes: ClassVar[Answers]
    decisive: ClassVar[bool]
    verdict: ClassVar[bool]
    words: ClassVar[str]
    fact: ClassVar[str]

    def events(self, net: Net) -> Events:
        """Those of the net."""
        raise NotImplementedError

    def begin(self, settling: Settling) -> None:
        """What is tried before all that settles any event: nothing."""

    def answers(self, text: str) -> Answers:
        """Yes or no."""
        return self.outcomes

    def read(self, net: Net, text: str) -> Events:
        """The events of the net.

        Raises:
            QueryError: there are words.
        """
        super().read(net, text)
        return self.events(net)

    def search(self, study: Study, content: Events) -> None:
        """What is for this kind alone, then what settles any event."""
        # Not at the top: they bring numpy.
        from petricheck.questions.events.search import settle
        from petricheck.questions.events.settling import Settling

        settling = Settling(study, content, self.decisive)
        if not settling.enough:
            self.begin(settling)
        settle(settling)

    def conclude(self, net: Net, content: Events, claims: Sequence[Claim]) -> Conclusion:
        """Every event by itself."""
        outcome = sorted_out(content, claims)
        named = outcome.happens if self.decisive else outcome.never
        value = self.verdict if named else None if outcome.open else not self.verdict
        return Conclusion(
            self.outcomes,
            value,
            tuple(lines((self.words, named), ("Not decided", outcome.open))),
            {"holds": value, self.fact: list(named), "open": list(outcome.open)},
        )
