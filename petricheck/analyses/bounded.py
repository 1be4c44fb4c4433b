"""Is there a limit to the tokens of each place?

A place is bounded by a sum y·m with y ≥ 0 that no transition increases: a place invariant, or what
a linear program finds; what no such sum covers may be pumped, or else a complete coverability tree
tells a limit, which engines then prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from petricheck.analyses import Answers, Finding, yes_or_no
from petricheck.analyses._ranges import Range, Sum, exceeds, ranges
from petricheck.analyses._study import Study
from petricheck.audit.limits import watched
from petricheck.claims import Claim
from petricheck.errors import BudgetExhausted, QueryError
from petricheck.presburger.shown import shown_name
from petricheck.problem import Net
from petricheck.words import counted

_FEW = 20
"""Places that are listed."""

_ANSWERS = yes_or_no(("bounded",), ("not bounded", "unbounded"))


@dataclass(frozen=True)
class Bounded:
    """Whether all places are bounded: which are not, and what limits the others."""

    rank: ClassVar[int] = 20
    meaning: ClassVar[str] = "Whether the tokens of every place have a limit."
    example: ClassVar[str] = ""

    def answers(self, text: str) -> Answers:
        """Bounded, or not."""
        return _ANSWERS

    def search(self, net: Net, text: str, study: Study) -> None:
        """Half-spaces for all places, then loops, then engines for what is left."""
        # Not at the top: whoever asks something else need not wait for it.
        from petricheck.analyses._limiting import limited

        for _ in limited(study, dict.fromkeys(range(len(net.places)), inf)):
            """Each is proved."""
        if not _open(net, study):
            return
        from petricheck.analyses._maxima import pump_along_walks
        from petricheck.analyses._pumping import Pumping

        pumping = Pumping(net)
        with suppress(BudgetExhausted):
            half = study.budget.within(study.budget.remaining / 2)
            for claim in pumping.claims(_open(net, study), half):
                study.prove(claim)
                if study.brief:
                    return
        left = _open(net, study)
        if pumping.complete:
            every = watched(left, study.budget, 1)
            beyond = [exceeds(weights, pumping.greatest(weights) + 1) for weights in every]
            study.decide_all(beyond)
        else:
            pump_along_walks(study, left)

    def conclude(self, net: Net, text: str, claims: Sequence[Claim]) -> Finding:
        """Every place by itself."""
        if text.strip():
            raise QueryError("the question whether a net is bounded takes no words")
        known = ranges(claims)
        of = {place: known.get(((place, 1),), Range()) for place in net.places}
        unbounded = [place for place, found in of.items() if found.unbounded]
        left = [place for place, found in of.items() if found.finite is None]
        limits = {place: found.limit for place, found in of.items() if found.finite}
        bounded = False if unbounded else None if left else True
        return Finding(
            _ANSWERS,
            bounded,
            tuple(_details(unbounded, left, limits)),
            {
                "bounded": bounded,
                "unbounded": unbounded,
                "open": left,
                "limits": limits,
            },
        )


def _details(
    unbounded: Sequence[str], left: Sequence[str], limits: Mapping[str, int | None]
) -> Iterator[str]:
    if unbounded:
        yield f"Unbounded: {_listed(unbounded)}."
    if left:
        yield f"Not decided: {_listed(left)}."
    if limits:
        most = max(limit for limit in limits.values() if limit is not None)
        which = "No other place" if unbounded or left else "No place"
        yield f"{which} ever holds more than {counted(most, 'token')}."


def _listed(places: Sequence[str]) -> str:
    shown = ", ".join(map(shown_name, places[:_FEW]))
    return shown if len(places) <= _FEW else f"{shown} and {len(places) - _FEW} more"


def _open(net: Net, study: Study) -> tuple[Sum, ...]:
    """The places of which nothing is known yet."""
    known = ranges(study.claims)
    sums = (((place, 1),) for place in net.places)
    return tuple(weights for weights in sums if known.get(weights, Range()).finite is None)
