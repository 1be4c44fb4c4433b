"""The question whether every transition can fire in some reachable marking."""

from __future__ import annotations

from petricheck.model.net import Net
from petricheck.questions.events import Events
from petricheck.questions.events.occurring import Occurring
from petricheck.questions.kind import yes_or_no
from petricheck.questions.kinds._transitions import enabled_events, every_transition


class QuasiLive(Occurring):
    """Whether every transition can fire at least once, and which cannot."""

    rank = 90
    meaning = "Can every transition fire?"
    hoped = True
    starts = "linear"
    colours = "merged"
    outcomes = yes_or_no(("quasi-live", "quasi live"), ("not quasi-live", "not quasi live"))
    decisive = False
    verdict = False
    label = "Never fire"
    fact = "dead"

    def events(self, net: Net) -> Events:
        """Return, for each transition of the file, the event that some binding of it is enabled."""
        return enabled_events(net, every_transition(net))
