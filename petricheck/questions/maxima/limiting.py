"""Limits of places, all of them at once: what place invariants and linear programs say.

One claim says of many places that they never hold more than so many tokens. Its invariant is a
conjunction of half-spaces y·m ≤ y·m0 with y ≥ 0 and y·δ ≤ 0 for every transition, and each part of
what it excludes contradicts one of them. No solver is needed for its audit, which takes time in
proportion to what the claim says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from math import inf

from petricheck.answer import Certificate, CoverHints
from petricheck.budget import Budget
from petricheck.claims import Excluded
from petricheck.linear import HalfSpace, value_at
from petricheck.presburger.formulas import Conjunction, disjunction
from petricheck.problem import Net, Weights
from petricheck.questions.maxima import exceeds
from petricheck.questions.study import Study
from petricheck.survey.bounds import Limits, by_invariants, by_programs

MOST = 20_000
"""Places that one claim limits; see `audit.basis.CUBES`."""


def limited(study: Study, wanted: Mapping[int, float]) -> Iterator[Excluded]:
    """Claims, proved, that limit as many of these places as half of the time that is left allows.

    Args:
        study: takes them in.
        wanted: a limit that will do by place number; infinity where any will. Where it is a number,
            the claims say this one of the place, and none if that is not known.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    net, budget = study.net, study.budget.part(2)
    limits, claimed = Limits(net, wanted), dict[int, int]()
    for _ in _stages(limits, budget, study.budget):
        for claim in _news(net, limits, wanted, claimed):
            study.prove(claim)
            yield claim


def _stages(limits: Limits, budget: Budget, whole: Budget) -> Iterator[None]:
    """Note sums; yields ever more seldom, since an audit takes longer than most programs."""
    with whole.tolerate_overruns():
        batches = chain(by_invariants(limits, budget), by_programs(limits, budget, inf))
        for turn, _ in enumerate(batches, 1):
            if turn.bit_count() == 1:
                yield
    yield


def _news(
    net: Net, limits: Limits, wanted: Mapping[int, float], claimed: dict[int, int]
) -> Iterator[Excluded]:
    """Claims of what is not claimed yet; `claimed` has the limits by place."""
    news: dict[int, tuple[int, Weights]] = {}
    for place, (bound, weights) in limits.best.items():
        limit = wanted.get(place)
        if limit is None or bound > limit:
            continue
        value = bound if limit == inf else int(limit)
        if value < claimed.get(place, inf):
            news[place] = value, weights
            claimed[place] = value
    rest = iter(sorted(news.items()))
    while part := dict(islice(rest, MOST)):
        yield excluded_places(net, part)


def excluded_places(net: Net, limits: Mapping[int, tuple[int, Weights]]) -> Excluded:
    """The claim that no place exceeds its limit.

    Args:
        net: the net.
        limits: by place number the limit, and y ≥ 0 that implies it and never grows.
    """
    # Long sums are shared by many places: they are told apart by identity, not by their entries.
    sums = {id(weights): weights for _, weights in limits.values()}
    bounds = (HalfSpace(y, value_at(y, net.initial)).inequality(net) for y in sums.values())
    parts = (exceeds(((net.places[p], 1),), value + 1) for p, (value, _) in limits.items())
    return Excluded(disjunction(parts), Certificate(Conjunction(tuple(bounds)), CoverHints(())))
