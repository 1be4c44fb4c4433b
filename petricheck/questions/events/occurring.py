"""The common part of kinds that ask one question about every place or transition."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.questions.events import Events
from petricheck.questions.kind import Conclusion, Kind, lines

if TYPE_CHECKING:
    from petricheck.questions.events.settling import Settling
    from petricheck.questions.study import Study


class Occurring(Kind):
    """A kind that asks which events of a net happen; its content is these events.

    Attributes:
        decisive: which events settle the answer: those that happen, or those that never do.
        verdict: the answer where there is one of them; without any, and none open, it is the other.
        label: the words before their names in the report.
        fact: the same for programs.
    """

    decisive: ClassVar[bool]
    verdict: ClassVar[bool]
    label: ClassVar[str]
    fact: ClassVar[str]

    @abstractmethod
    def events(self, net: Net) -> Events:
        """Return the events of the net."""

    def decided(self, events: Events, claims: Sequence[Claim]) -> tuple[set[str], set[str]]:
        """Return the names of events that happen, and of those that never do, by proved claims."""
        return events.decided(claims)

    def begin(self, settling: Settling) -> None:
        """Run the kind's own search, before the common one; by default there is none."""

    def read(self, net: Net, text: str) -> Events:
        """Return the events of the net; QueryError where there are words."""
        super().read(net, text)
        return self.events(net)

    def search(self, study: Study, contents: Sequence[Events]) -> None:
        """Run the kind's own search, then the common one."""
        # Not at the top: they bring numpy.
        from petricheck.questions.events.search import decide_events
        from petricheck.questions.events.settling import Settling

        settling = Settling(study, contents[0], self.decisive)
        if not settling.enough:
            self.begin(settling)
        decide_events(settling)

    def conclude(self, net: Net, content: Events, claims: Sequence[Claim]) -> Conclusion:
        """Return the answer, with the names of decisive and of open events."""
        happens, never = self.decided(content, claims)
        names, decisive = [event.name for event in content.members], (never, happens)[self.decisive]
        named = [name for name in names if name in decisive]
        undecided = [name for name in names if name not in happens and name not in never]
        value = self.verdict if named else None if undecided else not self.verdict
        return Conclusion(
            self.outcomes,
            value,
            tuple(lines(net.shown.node, (self.label, named), ("Not decided", undecided))),
            {"holds": value, self.fact: named, "open": undecided},
        )
