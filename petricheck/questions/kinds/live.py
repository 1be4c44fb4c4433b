"""The question whether every transition can fire again from every reachable marking."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.questions.events import Events
from petricheck.questions.events.occurring import Occurring
from petricheck.questions.homes import home_spaces
from petricheck.questions.kind import yes_or_no
from petricheck.questions.kinds._transitions import enabled_events, every_transition, named, names
from petricheck.questions.study import IMPOSSIBLE, Study


class Live(Occurring):
    """Whether every transition, or each that is named, is live, and which are not.

    A transition is live if from every reachable marking one is reachable that enables it; a
    coloured one, if one that enables it under some binding.
    """

    rank = 95
    meaning = "Can all transitions, or these, always fire again?"
    hoped = True
    example = "'t1, t2'"
    optional = True
    # Without colours more markings may be reachable.
    colours = "merged"
    outcomes = yes_or_no(("live",), ("not live",))
    decisive = False
    verdict = False
    label = "Not live"
    fact = "not live"

    def events(self, net: Net) -> Events:
        """Return, for each transition of the file, the event that some binding of it is enabled."""
        return enabled_events(net, every_transition(net))

    def read(self, net: Net, text: str) -> Events:
        """Return such events of the named transitions; of all, where none is named."""
        return enabled_events(net, named(net, text)) if text.strip() else self.events(net)

    def names(self, net: Net) -> tuple[str, ...]:
        """Return the transitions of the file, those of the model first."""
        return names(net)

    def decided(self, events: Events, claims: Sequence[Claim]) -> tuple[set[str], set[str]]:
        """Return the names of live transitions, and of those that are not live."""
        result = home_spaces([event.formula for event in events.members], claims)
        names = [event.name for event in events.members]
        return {names[number] for number in result.homes}, {names[number] for number in result.lost}

    def search(self, study: Study, contents: Sequence[Events]) -> None:
        """Search for the home spaces that the transitions need, for all together."""
        from petricheck.questions.homes.search import decide_homes  # It brings numpy.

        members = [event for events in contents for event in events.members]
        if not all(event.parts for event in members):
            study.prove(IMPOSSIBLE)
        decide_homes(study, list(dict.fromkeys(event.formula for event in members if event.parts)))
