"""The question which places always hold as many tokens as initially."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula, at_least, at_most, disjunction
from petricheck.arithmetic.formulas.terms import Term
from petricheck.formats.language.model import places_of
from petricheck.model.net import Net
from petricheck.model.origin import Origin
from petricheck.questions.events import Events, MarkingEvent
from petricheck.questions.events.occurring import Occurring
from petricheck.questions.kind import yes_or_no

if TYPE_CHECKING:
    from petricheck.questions.events.settling import Settling


class Stable(Occurring):
    """Whether there are stable places, which always keep their number of tokens, and which."""

    rank = 100
    meaning = "Which places always keep their number of tokens?"
    outcomes = yes_or_no(("some place is stable", "stable"), ("no place is stable", "not stable"))
    decisive = False
    verdict = True
    label = "Always as initially"
    fact = "stable"

    def events(self, net: Net) -> Events:
        """Return, for each place, the event that its number of tokens is not the initial one."""
        values = net.values(net.initial)
        return Events(
            tuple(
                MarkingEvent(place, _another(tokens, tokens.evaluate(values)))
                for place, tokens in places_of(net).items()
            )
        )

    def begin(self, settling: Settling) -> None:
        """Exclude changes of coloured places whose number of tokens no transition changes."""
        net, study = settling.study.net, settling.study
        if net.origin is None:
            return
        from petricheck.questions.maxima.half_spaces import unchanged  # It brings numpy.

        for name in [*settling.open.keys() - _changed(net, net.origin)]:
            if not settling.enough:
                claims = tuple(unchanged(net, places_of(net)[name].coefficients))
                study.prove_all(iter(claims))
                settling.exclude(disjunction(claim.formula for claim in claims))


def _changed(net: Net, origin: Origin) -> set[str]:
    """Return the coloured places whose number of tokens some transition changes."""
    owners = {n: name for name, numbers in origin.places.items() for n in numbers}
    changed = set[str]()
    for transition in net.transitions:
        totals = Counter[str]()
        for place, change in transition.effect:
            if place in owners:
                totals[owners[place]] += change
        changed.update(name for name, total in totals.items() if total)
    return changed


def _another(tokens: Term, initially: int) -> tuple[Formula, ...]:
    if not tokens.coefficients:
        return ()  # No colour of the place is ever marked.
    more = at_least(tokens, initially + 1)
    return (at_most(tokens, initially - 1), more) if initially else (more,)
