"""Bounds of places from sums that no transition increases.

For y ≥ 0 with y·δ_t ≤ 0 for every transition, y·m ≤ y·m0 in every reachable marking, and so
m(p) ≤ y·m0 / y_p. Linear programs suggest such y in floating point: first one over as many places
as there are such sums for, then, where its bound is loose, a lightest one for each place. Nothing
is believed of them: y is rounded to integers, and every y·δ_t is recomputed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from petricheck.audit.limits import watched
from petricheck.budget import Budget
from petricheck.flows.sums import Sum, effects, single_places
from petricheck.presburger.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.problem import Net, Weights

WORK = 2_000_000
"""Places and arcs of all programs together."""

STEPS = 20_000
"""Simplex steps of one program."""

_NOISE = 1e-7
"""Smaller weights are none."""


def least_bounds(net: Net, sums: Iterable[Weights]) -> dict[int, int]:
    """The least bound that the sums give, by place number, in the order of the places.

    Args:
        net: the net.
        sums: vectors y ≥ 0 with y·δ ≤ 0 for every transition.
    """
    least: dict[int, int] = {}
    for weights in sums:
        value = sum(w * net.initial[p] for p, w in weights)
        for place, weight in weights:
            bound = value // weight
            least[place] = min(bound, least.get(place, bound))
    return dict(sorted(least.items()))


def never_growing(
    net: Net, places: Sequence[int], work: int = WORK, budget: Budget | None = None
) -> tuple[Weights, ...]:
    """Sums y ≥ 0 that no transition increases, to bound the places as far as possible.

    Args:
        net: the net.
        places: which are to be bounded.
        work: places and arcs of all programs together.
        budget: limits.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    limits = budget or Budget()
    rows = single_places(net)
    widest = _widest(net, limits)
    found = [y for y in (_confirmed(rows, widest),) if y]
    least = least_bounds(net, found)
    lightest = _Lightest(net)
    for place in (place for place in places if widest and widest[place] > _NOISE):
        # 1, or the initial tokens, is the least bound of a place that is ever marked.
        if least.get(place, INFINITY) <= max(1, net.initial[place]):
            continue
        limits.check()
        work -= lightest.size
        if work < 0:
            break
        if y := _confirmed(rows, lightest.over(place, limits)):
            found.append(y)
            _lower(least, least_bounds(net, [y]))
    return tuple(found)


def _lower(least: dict[int, int], bounds: Mapping[int, int]) -> None:
    for place, bound in bounds.items():
        least[place] = min(bound, least.get(place, bound))


def _confirmed(rows: Sequence[Sum], values: Sequence[float]) -> Weights | None:
    """The values as integers y ≥ 0, y ≠ 0, if indeed no transition increases y·m."""
    support = [place for place, value in enumerate(values) if value > _NOISE]
    weights = integer_ray([values[place] for place in support]) if support else None
    if weights is None:
        return None
    growth: dict[int, int] = {}
    for place, weight in zip(support, weights, strict=True):
        for effect, change in rows[place].growth.items():
            growth[effect] = growth.get(effect, 0) + weight * change
    if min(weights) < 0 or any(change > 0 for change in growth.values()):
        return None
    return tuple((place, w) for place, w in zip(support, weights, strict=True) if w)


def _widest(net: Net, budget: Budget) -> tuple[float, ...]:
    """Weights y over as many places as possible; empty where there is no answer.

    y = z + s with 0 ≤ z ≤ 1 and s ≥ 0; the greatest Σ z has z = 1 wherever y may be positive.
    """
    size = len(net.places)
    program = LinearProgram()
    for _ in net.places:
        program.column(-1.0, upper=1.0)
    for _ in net.places:
        program.column()
    for effect in watched(effects(net), budget):
        program.row({q: w for p, w in effect for q in (p, p + size)}, upper=0.0)
    found = _values(program, budget)
    return tuple(z + s for z, s in zip(found[:size], found[size:], strict=True))


class _Lightest:
    """The sum of least y·m0 over any one place.

    Attributes:
        size: places and arcs.
    """

    def __init__(self, net: Net) -> None:
        self._program = LinearProgram()
        for tokens in net.initial:
            self._program.column(tokens)
        self.size = len(net.places)
        for effect in effects(net):
            self._program.row(dict(effect), upper=0.0)
            self.size += len(effect)

    def over(self, place: int, budget: Budget) -> tuple[float, ...]:
        """Its weights, about 1 or more for the place; empty where there is no answer."""
        self._program.bound(place, 1.0, INFINITY)
        found = _values(self._program, budget)
        self._program.bound(place, 0.0, INFINITY)
        return found


def _values(program: LinearProgram, budget: Budget) -> tuple[float, ...]:
    """Of the columns; empty where the program has no answer."""
    optimum = program.optimum(budget.remaining, STEPS)
    budget.check()
    return () if optimum is None else tuple(optimum.values.tolist())
