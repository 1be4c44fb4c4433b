"""Bounds of places from sums that no transition increases.

For y ≥ 0 with y·δ_t ≤ 0 for every transition, y·m ≤ y·m0 in every reachable marking, and so
m(p) ≤ y·m0 / y_p. Place invariants are such sums, and are found by elimination. For what they do
not bound, linear programs suggest sums in floating point, many places at once: one over as many
places as there are such sums for, then such that bound as many places as possible by one token, and
at last a lightest one for each place. Nothing is believed of them: sums without common transitions
are told apart, rounded to integers, and every y·δ_t is recomputed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf

from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.model.net import Net, Weights
from petricheck.support.budget import Budget, watched
from petricheck.symbolic.facts.basis import PlaceSum, effects, invariant_basis, single_places
from petricheck.symbolic.facts.semiflows import minimal_semiflows

WORK = 2_000_000
"""Places and arcs of all programs together."""

STEPS = 20_000
"""Simplex steps of one program, where the work is limited."""

_PART = 2
"""Each kind of invariants is looked for within such a part of the time that is left."""

_NOISE = 1e-7
"""Smaller weights are none."""


class PlaceBounds:
    """The least bounds of places so far.

    Attributes:
        best: the bound, and the sum that gives it, by place number.
        goals: of the places that have no such bound yet, one that would do.
    """

    def __init__(self, net: Net, sufficient: Mapping[int, float]) -> None:
        """Store which bound suffices, by place number; infinity where any does."""
        self.net = net
        self.best: dict[int, tuple[int, Weights]] = {}
        self.goals = dict(sufficient)

    def note(self, sums: Iterable[Weights]) -> None:
        """Use sums y ≥ 0, y ≠ 0, that no transition increases."""
        for weights in sums:
            value = sum(w * self.net.initial[p] for p, w in weights)
            for place, weight in weights:
                bound = value // weight
                if place not in self.best or bound < self.best[place][0]:
                    self.best[place] = bound, weights
                    if bound <= self.goals.get(place, -1):
                        del self.goals[place]


def by_invariants(limits: PlaceBounds, budget: Budget) -> Iterator[None]:
    """Add place invariants, those found faster first; yield after each kind of them."""
    with budget.tolerate_overruns():
        basis = invariant_basis(limits.net, budget=budget.part(_PART)) or ()
        limits.note(y for y in basis if all(weight > 0 for _, weight in y))
    yield
    with budget.tolerate_overruns():
        if limits.goals:
            limits.note(minimal_semiflows(limits.net, budget=budget.part(_PART))[0])
    yield


def by_programs(limits: PlaceBounds, budget: Budget, work: float = WORK) -> Iterator[None]:
    """Add sums that linear programs suggest, as long as bounds are missing; yield after each.

    The work is the places and arcs of all programs together; infinite where time alone counts.
    """
    if not limits.goals:
        return
    rows = single_places(limits.net)
    steps = None if work == inf else STEPS
    program = _Widest(limits.net, steps, budget)
    boundless = limits.goals.keys() - limits.best.keys()
    if boundless:
        widest = program.over(boundless)
        limits.note(_confirmed(rows, widest))
        yield
        for place in [place for place in boundless if not widest or widest[place] <= _NOISE]:
            del limits.goals[place]  # No sum bounds them.
    program.lighten()
    before = -1
    while limits.goals and work >= 0 and len(limits.goals) != before:
        before, work = len(limits.goals), work - program.size
        limits.note(_confirmed(rows, program.over(limits.goals.keys())))
        yield
    lightest, size = lightest_sums(limits.net, budget), program.size // 2
    for place in sorted(limits.goals):
        work -= size
        if work < 0:
            return
        if place in limits.goals:
            with covering(lightest, ((place, 1),)):
                values = _values(lightest, steps, budget)
            limits.note(_confirmed(rows, values))
            yield


def lightest_sums(net: Net, budget: Budget) -> LinearProgram:
    """Return the program for the least y·m0 of weights y whose sum no transition increases."""
    program = LinearProgram()
    for tokens in net.initial:
        program.column(tokens)
    for effect in watched(effects(net), budget):
        program.row(dict(effect), upper=0.0)
    return program


@contextmanager
def covering(program: LinearProgram, weights: Weights) -> Iterator[None]:
    """Restrict to sums that have at least these weights on these places."""
    for place, weight in weights:
        program.bound(place, weight, INFINITY)
    yield
    for place, _ in weights:
        program.bound(place, 0.0, INFINITY)


def _confirmed(rows: Sequence[PlaceSum], values: Sequence[float]) -> Iterator[Weights]:
    """Yield the values as integers y ≥ 0, part by part, if exactly no transition increases y·m.

    Two parts have no place that the same transition changes, so each is a sum by itself.
    """
    for support in _parts(rows, [place for place, value in enumerate(values) if value > _NOISE]):
        weights = integer_ray([values[place] for place in support])
        if weights is None or min(weights) < 0:
            continue
        growth: dict[int, int] = {}
        for place, weight in zip(support, weights, strict=True):
            for effect, change in rows[place].growth.items():
                growth[effect] = growth.get(effect, 0) + weight * change
        if all(change <= 0 for change in growth.values()):
            yield tuple((place, w) for place, w in zip(support, weights, strict=True) if w)


def _parts(rows: Sequence[PlaceSum], places: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of places that are connected by effects."""
    users: dict[int, list[int]] = {}
    for place in places:
        for effect in rows[place].growth:
            users.setdefault(effect, []).append(place)
    left = set(places)
    for start in places:
        part, pending = [], [start] if start in left else []
        left.discard(start)
        while pending:
            part.append(place := pending.pop())
            for effect in rows[place].growth:
                more = [other for other in users.pop(effect, ()) if other in left]
                left.difference_update(more)
                pending += more
        if part:
            yield sorted(part)


class _Widest:
    """The weights y over as many of some places as possible.

    y = z + s with 0 ≤ z ≤ 1 and s ≥ 0; the greatest Σ z over these places has z = 1 wherever y may
    be positive. Its size are columns and entries.
    """

    def __init__(self, net: Net, steps: int | None, budget: Budget) -> None:
        self._net, self._steps, self._budget = net, steps, budget
        self._program = LinearProgram()
        places = len(net.places)
        for _ in net.places:
            self._program.column(-1.0, upper=1.0)
        for _ in net.places:
            self._program.column()
        self.size = 2 * places
        for effect in watched(effects(net), budget):
            self._program.row({q: w for p, w in effect for q in (p, p + places)}, upper=0.0)
            self.size += 2 * len(effect)

    def lighten(self) -> None:
        """Add y·m0 ≤ 1, so that a place of weight 1 holds at most one token."""
        tokens = [(p, n) for p, n in enumerate(self._net.initial) if n]
        places = len(self._net.places)
        self._program.row({q: n for p, n in tokens for q in (p, p + places)}, upper=1.0)

    def over(self, places: Iterable[int]) -> tuple[float, ...]:
        """Return the weights; empty where there is no solution."""
        count, chosen = len(self._net.places), set(places)
        for place in range(count):
            self._program.bound(place, 0.0, 1.0 if place in chosen else 0.0)
        values = _values(self._program, self._steps, self._budget)
        return tuple(z + s for z, s in zip(values[:count], values[count:], strict=True))


def _values(program: LinearProgram, steps: int | None, budget: Budget) -> tuple[float, ...]:
    """Return the values of the columns; none where the program has no answer."""
    budget.check()
    optimum = program.optimum(budget.remaining, steps)
    budget.check()
    return () if optimum is None else tuple(optimum.values.tolist())
