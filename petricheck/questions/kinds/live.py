"""Whether every transition can fire again, whatever happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.claims import Claim, ExcludedAfter, Home
from petricheck.language.enabling import Needs, ways
from petricheck.language.model import needs, transitions_of
from petricheck.problem import Net
from petricheck.questions.events import Event, Events, Occurring, parts_of
from petricheck.questions.kind import Answers, yes_or_no
from petricheck.questions.kinds._transitions import named, names
from petricheck.questions.study import IMPOSSIBLE, Study


@dataclass(frozen=True)
class Live(Occurring):
    """Whether every transition, or each that is named, is live, and which are not.

    A transition is live if from every reachable marking one is reachable that enables it; a
    coloured one, if one that enables it under some binding.
    """

    rank: ClassVar[int] = 95
    meaning: ClassVar[str] = "Whether transitions can always fire again, all or those named."
    example: ClassVar[str] = "'t1, t2'"
    optional: ClassVar[bool] = True
    outcomes: ClassVar[Answers] = yes_or_no(("live",), ("not live",))
    decisive: ClassVar[bool] = False
    verdict: ClassVar[bool] = False
    label: ClassVar[str] = "Not live"
    fact: ClassVar[str] = "not live"

    def events(self, net: Net) -> Events:
        """That each transition of the file is enabled, under some binding if it is coloured."""
        return _enabled(net, {name: needs(net, name) for name in transitions_of(net)})

    def read(self, net: Net, text: str) -> Events:
        """That each of the named transitions is enabled; all, where none is named.

        Raises:
            QueryError: it points at the character that does not fit.
        """
        return _enabled(net, named(net, text)) if text.strip() else self.events(net)

    def names(self, net: Net) -> tuple[str, ...]:
        """The transitions of the file, those of the model first."""
        return names(net)

    def settled(self, events: Events, claims: Sequence[Claim]) -> tuple[set[str], set[str]]:
        """The live ones, and those that are not."""
        live = {
            event.name
            for claim in claims
            if isinstance(claim, Home)
            for formula in claim.formulas
            for event in events.shown_by(formula)
        }
        _, never = events.settled(claims)
        after = (claim.formula for claim in claims if isinstance(claim, ExcludedAfter))
        lost = {e.name for formula in after for e in events.excluded_by(set(parts_of(formula)))}
        return live, lost | never

    def search(self, study: Study, contents: Sequence[Events]) -> None:
        """Proofs that enabling is a home space, and markings from which it is out of reach."""
        from petricheck.questions.homes.lost import refute

        for events in contents:
            if events.impossible:
                study.prove(IMPOSSIBLE)
            study.prove_all(
                refute(study, [e.formula for e in events.members if e.parts], study.budget)
            )


def _enabled(net: Net, transitions: Mapping[str, Needs]) -> Events:
    return Events(tuple(Event(name, tuple(ways(net, n))) for name, n in transitions.items()))
