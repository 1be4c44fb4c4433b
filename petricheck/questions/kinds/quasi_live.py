"""The question whether every transition can fire in some reachable marking."""

from __future__ import annotations

from typing import ClassVar

from petricheck.model.net import Net
from petricheck.questions.events import Events
from petricheck.questions.events.occurring import Occurring
from petricheck.questions.kind import Answers, Colours, yes_or_no
from petricheck.questions.kinds._transitions import enabled_events, every_transition


class QuasiLive(Occurring):
    """Whether every transition can fire at least once, and which cannot."""

    rank: ClassVar[int] = 90
    meaning: ClassVar[str] = "Can every transition fire?"
    hoped: ClassVar[bool] = True
    colours: ClassVar[Colours] = "merged"
    outcomes: ClassVar[Answers] = yes_or_no(
        ("quasi-live", "quasi live"), ("not quasi-live", "not quasi live")
    )
    decisive: ClassVar[bool] = False
    verdict: ClassVar[bool] = False
    label: ClassVar[str] = "Never fire"
    fact: ClassVar[str] = "dead"

    def events(self, net: Net) -> Events:
        """Return, for each transition of the file, the event that some binding of it is enabled."""
        return enabled_events(net, every_transition(net))
