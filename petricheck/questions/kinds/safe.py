"""The question whether no place ever holds more than one token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import at_least
from petricheck.evidence.claims import Excluded
from petricheck.formats.language.model import places_of
from petricheck.model.net import Net
from petricheck.questions.events import Events, MarkingEvent
from petricheck.questions.events.occurring import Occurring
from petricheck.questions.kind import yes_or_no

if TYPE_CHECKING:
    from petricheck.questions.events.settling import Settling


class Safe(Occurring):
    """Whether the net is safe (1-bounded), and which places are not."""

    rank = 80
    meaning = "Does no place ever hold more than one token?"
    hoped = True
    starts = "linear"
    outcomes = yes_or_no(("safe", "1-safe", "1-bounded"), ("not safe", "unsafe"))
    decisive = True
    verdict = False
    label = "More than one token"
    fact = "unsafe"

    def events(self, net: Net) -> Events:
        """Return, for each place, the event that it has a second token; none if never marked."""
        return Events(
            tuple(
                MarkingEvent(p, (at_least(tokens, 2),) if tokens.coefficients else ())
                for p, tokens in places_of(net).items()
            )
        )

    def begin(self, settling: Settling) -> None:
        """Exclude second tokens by sums that no transition increases."""
        # They bring numpy.
        from petricheck.questions.maxima.half_spaces import limited_places, limited_sums

        study, before = settling.study, len(settling.study.proved)
        counted = [places_of(study.net)[name].coefficients for name in settling.open]
        alone = {study.net.place_numbers[c[0][0]]: 1.0 for c in counted if len(c) == 1}
        study.prove_all(limited_places(study.net, alone, study.budget.part(2)))
        together = tuple(c for c in counted if len(c) > 1)
        study.prove_all(limited_sums(study.net, together, study.budget.part(2), 1))
        for claim in study.claims[before:]:
            if isinstance(claim, Excluded):
                settling.exclude(claim.formula)
