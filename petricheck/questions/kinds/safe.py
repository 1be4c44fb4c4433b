"""Whether no place ever holds more than one token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from petricheck.claims import Excluded
from petricheck.presburger.formulas import at_least
from petricheck.presburger.terms import variable
from petricheck.problem import Net
from petricheck.questions.events import Event, Events, Occurring
from petricheck.questions.kind import Answers, yes_or_no

if TYPE_CHECKING:
    from petricheck.questions.events.settling import Settling


@dataclass(frozen=True)
class Safe(Occurring):
    """Whether the net is safe (1-bounded), and which places are not."""

    rank: ClassVar[int] = 80
    meaning: ClassVar[str] = "Whether no place ever holds more than one token."
    outcomes: ClassVar[Answers] = yes_or_no(("safe", "1-safe", "1-bounded"), ("not safe", "unsafe"))
    decisive: ClassVar[bool] = True
    verdict: ClassVar[bool] = False
    label: ClassVar[str] = "More than one token"
    fact: ClassVar[str] = "unsafe"

    def events(self, net: Net) -> Events:
        """A second token on each place."""
        return Events(tuple(Event(p, (at_least(variable(p), 2),)) for p in net.places))

    def begin(self, settling: Settling) -> None:
        """Sums that never grow."""
        from petricheck.questions.maxima.half_spaces import limited_places  # It brings numpy.

        study, before = settling.study, len(settling.study.proved)
        wanted = {study.net.place_numbers[name]: 1.0 for name in settling.open}
        study.prove_all(limited_places(study.net, wanted, study.budget.part(2)))
        for claim in study.claims[before:]:
            if isinstance(claim, Excluded):
                settling.exclude(claim.formula)
