"""Whether every transition can fire in some reachable marking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from petricheck.language.enabling import enabled, minimal
from petricheck.language.model import transitions_of
from petricheck.problem import Net, Transition, Weights
from petricheck.questions.events import Event, Events, Occurring
from petricheck.questions.kind import Answers, yes_or_no


@dataclass(frozen=True)
class QuasiLive(Occurring):
    """Whether every transition can fire at least once, and which cannot."""

    rank: ClassVar[int] = 90
    meaning: ClassVar[str] = "Whether every transition can ever fire."
    outcomes: ClassVar[Answers] = yes_or_no(
        ("quasi-live", "quasi live"), ("not quasi-live", "not quasi live")
    )
    decisive: ClassVar[bool] = False
    verdict: ClassVar[bool] = False
    label: ClassVar[str] = "Never fire"
    fact: ClassVar[str] = "dead"

    def events(self, net: Net) -> Events:
        """That each transition of the file is enabled, under some binding if it is coloured."""
        return Events(
            tuple(
                Event(name, tuple(enabled(net, pre) for pre in _needs(firings)))
                for name, firings in transitions_of(net).items()
            )
        )


def _needs(firings: Sequence[Transition]) -> tuple[Weights, ...]:
    if len(firings) == 1:
        return (firings[0].pre,)
    return minimal(transition.pre for transition in firings)
