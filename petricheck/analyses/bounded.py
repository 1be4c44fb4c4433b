"""Is there a limit to the tokens of each place?

A place is bounded by a sum y·m with y ≥ 0 that no transition increases, the lightest that a linear
program finds; what no such sum covers may be pumped, or else a complete coverability tree tells a
limit, which engines then prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from petricheck.analyses import Finding
from petricheck.analyses._ranges import Range, Sum, exceeds, ranges
from petricheck.analyses._study import Study
from petricheck.claims import Claim
from petricheck.errors import BudgetExhausted, QueryError
from petricheck.presburger.shown import counted, shown_name
from petricheck.problem import Net, Weights

_FEW = 20
"""Places that are listed."""


@dataclass(frozen=True)
class Bounded:
    """Whether all places are bounded: which are not, and what limits the others."""

    rank: ClassVar[int] = 20
    meaning: ClassVar[str] = "Whether the tokens of every place have a limit."
    example: ClassVar[str] = ""

    def search(self, net: Net, text: str, study: Study) -> None:
        """Half-spaces for all places, then loops, then engines for what is left."""
        _limit(net, study)
        _limit_each(net, study)
        if not _open(net, study):
            return
        # Not at the top: numpy takes its time to be imported.
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
            beyond = [exceeds(weights, pumping.greatest(weights) + 1) for weights in left]
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
            bounded is not None,
            {True: "bounded", False: "not bounded", None: "unknown"}[bounded],
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


def _limit(net: Net, study: Study) -> None:
    """Claim limits of places, each from the sum that limits it most."""
    # Not at the top: whoever asks something else need not wait for it.
    from petricheck.analyses._half_spaces import CUBES, excluded, place_limits
    from petricheck.survey.bounds import never_growing

    best: dict[int, tuple[int, Weights]] = {}
    for kept in never_growing(net, range(len(net.places))):
        value = sum(weight * net.initial[place] for place, weight in kept)
        for place, weight in kept:
            if place not in best or value // weight < best[place][0]:
                best[place] = value // weight, kept
    for kept in dict.fromkeys(kept for _, kept in best.values()):
        limits = place_limits(net, kept)
        told = [limit for (p, _), limit in zip(kept, limits, strict=True) if best[p][1] == kept]
        for start in range(0, len(told), CUBES):
            study.prove(excluded(net, kept, told[start : start + CUBES]))


def _limit_each(net: Net, study: Study) -> None:
    """Claim limits of places that no sum limits so far, from one linear program for each."""
    from petricheck.analyses._half_spaces import CUBES, HalfSpaces, excluded, place_limits

    half_spaces, budget = HalfSpaces(net), study.budget.within(study.budget.remaining / 2)
    left = dict.fromkeys(_open(net, study))
    while left and budget.remaining:
        weights, _ = left.popitem()
        found = half_spaces.above(weights, budget.remaining)
        limits = place_limits(net, found.kept) if found else ()
        told = [limit for limit in limits if limit.sum == weights or limit.sum in left]
        told.sort(key=lambda limit: limit.sum != weights)  # A claim may not have room for all.
        if found is not None and told:
            study.prove(excluded(net, found.kept, told[:CUBES]))
            for limit in told[:CUBES]:
                left.pop(limit.sum, None)


def _open(net: Net, study: Study) -> tuple[Sum, ...]:
    """The places of which nothing is known yet."""
    known = ranges(study.claims)
    sums = (((place, 1),) for place in net.places)
    return tuple(weights for weights in sums if known.get(weights, Range()).finite is None)
