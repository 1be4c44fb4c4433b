"""What can be said of a net before any question: size, place invariants, bounds, oddities.

A place invariant is a vector y with y·δ_t = 0 for every transition, so that y·m = y·m0 in every
reachable marking. Those with y ≥ 0 and minimal support (all other y ≥ 0 are sums of them) come from
the double description method, transition by transition; each bounds the places it covers, and the
least of these bounds is the best that invariants y ≥ 0 can give. What they do not span is filled up
from a basis of all invariants. Both are given up beyond a fixed amount of work, never of time, so
that the same net is always described alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd

from petricheck.presburger.algebra import orthogonal_complement, rank
from petricheck.presburger.formulas import Equality
from petricheck.presburger.terms import linear
from petricheck.problem import Net, Transition, Weights

WORK = 3_000_000
"""Elementary steps that the search for invariants y ≥ 0 may take."""

PLACES = 400
"""Nets with more places get no basis of all invariants."""

ENTRIES = 10_000
"""A basis with more entries (vectors times places) is not computed."""


@dataclass(frozen=True, slots=True)
class PlaceInvariant:
    """weights·m = value in every reachable marking.

    Attributes:
        weights: y, sparse over the places.
        value: y·m0.
    """

    weights: Weights
    value: int

    def formula(self, net: Net) -> Equality:
        """The invariant over place ids."""
        return Equality(linear(((net.places[p], w) for p, w in self.weights), -self.value))


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a net.

    Attributes:
        net: the net.
        arcs: how many there are, parallel ones counted once.
        tokens: in the initial marking.
        semiflows: the invariants y ≥ 0 of minimal support, as far as they were found.
        others: invariants that the semiflows do not span; together they are independent of them.
        all_semiflows: whether no semiflow is missing.
        all_invariants: whether the semiflows and the others span all invariants.
        bounds: most tokens, by place number, for the places that a semiflow covers.
        isolated: places without arcs.
        sources: transitions that need no token, hence can always fire.
        idle: transitions that change nothing.
        twins: groups of transitions with the same arcs.
    """

    net: Net
    arcs: int
    tokens: int
    semiflows: tuple[PlaceInvariant, ...]
    others: tuple[PlaceInvariant, ...]
    all_semiflows: bool
    all_invariants: bool
    bounds: Mapping[int, int]
    isolated: tuple[str, ...]
    sources: tuple[str, ...]
    idle: tuple[str, ...]
    twins: tuple[tuple[str, ...], ...]

    @property
    def uncovered(self) -> tuple[str, ...]:
        """The places that no known semiflow bounds."""
        return tuple(p for number, p in enumerate(self.net.places) if number not in self.bounds)


def survey(net: Net) -> Survey:
    """Everything the module's description promises."""
    vectors, all_semiflows = semiflows(net)
    found = tuple(_invariant(net, y) for y in vectors)
    others, all_invariants = _others(net, vectors)
    touched = {place for t in net.transitions for place, _ in (*t.pre, *t.post)}
    return Survey(
        net=net,
        arcs=sum(len(t.pre) + len(t.post) for t in net.transitions),
        tokens=sum(net.initial),
        semiflows=found,
        others=tuple(_invariant(net, y) for y in others),
        all_semiflows=all_semiflows,
        all_invariants=all_invariants,
        bounds=_bounds(found),
        isolated=tuple(name for p, name in enumerate(net.places) if p not in touched),
        sources=_names(t for t in net.transitions if not t.pre),
        idle=_names(t for t in net.transitions if not t.effect),
        twins=_twins(net.transitions),
    )


def semiflows(net: Net, work: int = WORK) -> tuple[tuple[Weights, ...], bool]:
    """The invariants y ≥ 0 of minimal support, primitive, and whether none is missing."""
    cone = _Cone(net, work)
    complete = cone.run()
    return tuple(sorted(tuple(sorted(ray.weights.items())) for ray in cone.finished())), complete


@dataclass(frozen=True, slots=True)
class _Ray:
    """y ≥ 0, its support as a bit set, and y·δ by transition where that is not 0."""

    weights: dict[int, int]
    support: int
    growth: dict[int, int]


class _Cone:
    """The extreme rays of { y ≥ 0 : y·δ_t = 0 for the transitions treated so far }."""

    def __init__(self, net: Net, work: int) -> None:
        growth: list[dict[int, int]] = [{} for _ in net.places]
        for number, effect in enumerate(_effects(net)):
            for place, change in effect:
                growth[place][number] = change
        self._rays = [_Ray({place: 1}, 1 << place, row) for place, row in enumerate(growth)]
        self._work = work

    def finished(self) -> Iterator[_Ray]:
        """The rays that are invariants."""
        return (ray for ray in self._rays if not ray.growth)

    def run(self) -> bool:
        """Treat all transitions, always the one with the fewest combinations; False if too many."""
        while (transition := self._next()) is not None:
            up = [ray for ray in self._rays if ray.growth.get(transition, 0) > 0]
            down = [ray for ray in self._rays if ray.growth.get(transition, 0) < 0]
            self._work -= len(up) * len(down) * len(self._rays)
            if self._work < 0:
                return False
            made = [
                _balance(left, right, transition)
                for left in up
                for right in down
                if self._adjacent(left, right)
            ]
            self._rays = [ray for ray in self._rays if transition not in ray.growth] + made
        return self._work >= 0

    def _next(self) -> int | None:
        if self._work < 0:
            return None
        up: Counter[int] = Counter()
        down: Counter[int] = Counter()
        for ray in self._rays:
            self._work -= len(ray.growth)
            for transition, change in ray.growth.items():
                (up if change > 0 else down)[transition] += 1
        return min(up | down, key=lambda t: (up[t] * down[t], t), default=None)

    def _adjacent(self, left: _Ray, right: _Ray) -> bool:
        """Whether their sum is a new extreme ray: no third ray's support lies in theirs."""
        outside = ~(left.support | right.support)
        return not any(
            ray.support & outside == 0 for ray in self._rays if ray is not left and ray is not right
        )


def _balance(left: _Ray, right: _Ray, transition: int) -> _Ray:
    """The positive combination that the transition leaves unchanged."""
    gain, loss = left.growth[transition], -right.growth[transition]
    weights = _combine(left.weights, loss, right.weights, gain)
    growth = _combine(left.growth, loss, right.growth, gain)
    divisor = gcd(*weights.values())
    return _Ray(
        {place: weight // divisor for place, weight in weights.items()},
        left.support | right.support,
        {t: change // divisor for t, change in growth.items() if change},
    )


def _combine(left: Mapping[int, int], a: int, right: Mapping[int, int], b: int) -> dict[int, int]:
    return {k: a * left.get(k, 0) + b * right.get(k, 0) for k in (*left, *right)}


def _effects(net: Net) -> tuple[Weights, ...]:
    """The different effects, without zero."""
    return tuple(dict.fromkeys(t.effect for t in net.transitions if t.effect))


def _others(net: Net, known: Sequence[Weights]) -> tuple[tuple[Weights, ...], bool]:
    """Invariants that complete the known ones to a basis, and whether nothing is missing."""
    size = len(net.places)
    if size > PLACES:
        return (), False
    effects = [_dense(effect, size) for effect in _effects(net)]
    span = [_dense(y, size) for y in known]
    dimension = size - rank(effects)
    if rank(span) == dimension:
        return (), True
    if dimension * size > ENTRIES:
        return (), False
    found: list[Weights] = []
    for vector in orthogonal_complement(effects, size):
        if rank([*span, vector]) > rank(span):
            span.append(vector)
            found.append(tuple((p, w) for p, w in enumerate(vector) if w))
    return tuple(found), True


def _dense(vector: Weights, size: int) -> tuple[int, ...]:
    entries = dict(vector)
    return tuple(entries.get(number, 0) for number in range(size))


def _invariant(net: Net, weights: Weights) -> PlaceInvariant:
    return PlaceInvariant(weights, sum(w * net.initial[p] for p, w in weights))


def _bounds(invariants: Iterable[PlaceInvariant]) -> dict[int, int]:
    least: dict[int, int] = {}
    for invariant in invariants:
        for place, weight in invariant.weights:
            bound = invariant.value // weight
            least[place] = min(bound, least.get(place, bound))
    return dict(sorted(least.items()))


def _names(transitions: Iterable[Transition]) -> tuple[str, ...]:
    return tuple(t.name for t in transitions)


def _twins(transitions: Iterable[Transition]) -> tuple[tuple[str, ...], ...]:
    groups: dict[Hashable, list[str]] = {}
    for t in transitions:
        groups.setdefault((t.pre, t.post), []).append(t.name)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
