"""The ordinary net of a guarded one reaches the same markings, and traces fire in the guarded net.

A sum y·m with y ≥ 0 is at most B in every reachable marking where y·m0 ≤ B, and no firing leads
from a marking with y·m ≤ B to another: by induction. A firing does not where it adds nothing to the
sum, counted as if it reset nothing; or where an upper guard, or a reset, bounds each place of the
sum in the marking after it: m(p) ≤ w − 1, so m'(p) ≤ w − 1 + δ(p), and m'(p) = v(p) after a reset.
So m(p) ≤ K with K = ⌊B / y_p⌋.

With the bound K, the complement place q of p holds K − m(p). Where the transition does not reset p,
m(p) < w iff m(q) ≥ K − w + 1; and m'(p) ≤ K, that is m(q) ≥ δ(p), holds whenever the guarded net
fires. Where it does, the net has a transition for each number k = m(p) with which it may fire, and
it needs k tokens of p and K − k of q, no more and no fewer, since both together are K.

Where no bound is given of a place, the net has no upper guard on it, and another transition, a
drain, takes a token from it if it is reset: so the net can fire whatever the guarded net fires,
with all that a reset takes drained one by one. So it proves exclusions, and rankings; traces and
loops fire in the guarded net itself (`traces`). An invariant that holds initially, and that each
drain keeps, needs to be kept by the other transitions only where they fire in the guarded net
(`invariants.obligation`), or with drains before them: all that the guarded net reaches satisfies
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product

from petricheck.evidence.audit.limits import integral
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.guarded.translation import DRAIN, Complementation, SumBound
from petricheck.model.net import Marking, Net, cached_by_net
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import EvidenceError


@cached_by_net
def check_complements(net: Net, budget: Budget) -> None:
    """Check that the net is the ordinary one of its origin, and the bounds that it needs.

    EvidenceError where it is not, or a sum exceeds its bound.
    """
    origin = net.origin
    assert isinstance(origin, Complementation)
    guarded = origin.guarded
    for bound in watched(origin.bounds, budget):
        _check_bound(guarded, bound)
    limits = _limits(guarded, origin.bounds)
    count = len(guarded.places)
    free = (most - guarded.plain.initial[place] for place, most in limits.items())
    if net.places[:count] != guarded.places or net.initial != (*guarded.plain.initial, *free):
        raise EvidenceError("the ordinary net has other places than the guarded one")
    names = [name for name, _, _ in origin.named]
    if len(set(names)) < len(names) or len(set(net.places)) < len(net.places):
        raise EvidenceError("two nodes of the ordinary net have the same name")
    if list(net.actions) != names:
        raise EvidenceError("the ordinary net has other transitions than the guarded one")
    tokens: list[list[tuple[int, ...]]] = [[] for _ in guarded.transitions]
    drained = set[int]()
    for transition, (_, number, emptied) in zip(
        watched(net.transitions, budget), origin.named, strict=True
    ):
        if number == DRAIN:
            # More transitions only allow more, which matters where no bound is known.
            drained.update(place for place, _ in transition.pre)
            sides = dict.fromkeys(emptied, 1), dict[int, int]()
        else:
            tokens[number].append(emptied)
            sides = _sides(guarded, limits, number, emptied)
        if (dict(transition.pre), dict(transition.post)) != sides:
            raise EvidenceError(f"transition {transition.name!r} is translated wrongly")
    open_resets = {p for guard in guarded.guards for p in guard.resets if p not in limits}
    if drained != open_resets:
        raise EvidenceError("the places that are drained are not those that are reset")
    for number, ways in enumerate(tokens):
        if ways != [*product(*_ranges(guarded, limits, number))]:
            name = guarded.transitions[number].name
            raise EvidenceError(f"a way in which {name!r} fires is missing")


def is_bound(guarded: GuardedNet, bound: SumBound) -> bool:
    """Return whether the sum never exceeds its bound, by induction."""
    weights, most = dict(bound[0]), bound[1]
    if sum(n * guarded.plain.initial[place] for place, n in weights.items()) > most:
        return False
    return all(_keeps(guarded, number, weights, most) for number in range(len(guarded.guards)))


def _keeps(guarded: GuardedNet, number: int, weights: Mapping[int, int], most: int) -> bool:
    """Return whether no firing of the transition leads from y·m ≤ B to another marking."""
    transition, guard = guarded.transitions[number], guarded.guards[number]
    pre, post, effect = map(dict, (transition.pre, transition.post, transition.effect))
    upper = dict(guard.upper)
    if any(pre.get(place, 0) >= bound for place, bound in upper.items()):
        return True  # It never fires.
    if sum(n * effect.get(place, 0) for place, n in weights.items()) <= 0:
        return True
    after = 0
    for place, n in weights.items():
        if place in guard.resets:
            after += n * post.get(place, 0)
        elif place in upper:
            after += n * (upper[place] - 1 + effect.get(place, 0))
        else:
            return False
    return after <= most


def _check_bound(guarded: GuardedNet, bound: SumBound) -> None:
    weights, most = bound
    places, numbers = [place for place, _ in weights], [number for _, number in weights]
    named = set(places) <= {*range(len(guarded.places))} and len(set(places)) == len(places)
    if not (integral(most, *numbers) and named and min(numbers, default=1) > 0):
        raise EvidenceError("a bound is none of a sum of places")
    if not is_bound(guarded, bound):
        raise EvidenceError("it is not proved that a sum of places never exceeds its bound")


def _limits(guarded: GuardedNet, bounds: Sequence[SumBound]) -> dict[int, int]:
    """Return the least bound of each watched place that has one, by its number."""
    limits = {}
    for place in guarded.watched:
        if known := [most // n for weights, most in bounds for p, n in weights if p == place]:
            limits[place] = min(known)
    return limits


def _ranges(guarded: GuardedNet, limits: Mapping[int, int], number: int) -> list[range]:
    """Return the numbers of tokens with which it may fire, for each place that it resets."""
    transition, guard = guarded.transitions[number], guarded.guards[number]
    pre, post, upper = dict(transition.pre), dict(transition.post), dict(guard.upper)
    ranges = []
    for place in (place for place in guard.resets if place in limits):
        most = min(limits[place], upper.get(place, limits[place] + 1) - 1)
        possible = post.get(place, 0) <= limits[place]
        ranges.append(range(pre.get(place, 0), most + 1 if possible else 0))
    return ranges


def _sides(
    guarded: GuardedNet, limits: Mapping[int, int], number: int, emptied: Sequence[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return what it takes and puts in the ordinary net, with so many tokens in what it resets."""
    transition, guard = guarded.transitions[number], guarded.guards[number]
    pre, post, upper = dict(transition.pre), dict(transition.post), dict(guard.upper)
    for complement, (place, bound) in enumerate(limits.items(), len(guarded.places)):
        if place in guard.resets:
            tokens = emptied[[p for p in guard.resets if p in limits].index(place)]
            pre[place], pre[complement] = tokens, bound - tokens
            post[complement] = bound - post.get(place, 0)
        else:
            gain = post.get(place, 0) - pre.get(place, 0)
            pre[complement] = max(0, gain, bound - upper[place] + 1 if place in upper else 0)
            post[complement] = pre[complement] - gain
    taken, put = ({place: n for place, n in side.items() if n} for side in (pre, post))
    return taken, put


def firing_by_guards(net: Net, steps: Sequence[tuple[str, int]]) -> Iterator[Marking]:
    """Yield the marking of the net after each of the steps, by the guarded net's rule of firing.

    After the first firing of several in a row, a place that is reset has the same tokens before
    each, and every other one changes by δ: what holds before the second one and before the last
    holds before all between. EvidenceError where one of them cannot fire, or resets other numbers
    of tokens than its name says.
    """
    origin = net.origin
    assert isinstance(origin, Complementation)
    guarded, limits = origin.guarded, _limits(origin.guarded, origin.bounds)
    ways = {name: (number, emptied) for name, number, emptied in origin.named if number != DRAIN}
    marking = net.initial[: len(guarded.places)]  # It may begin elsewhere.
    for name, times in steps:
        if name not in ways or not integral(times) or times < 1:
            raise EvidenceError(f"{name!r} is no transition of the guarded net, or fires never")
        number, emptied = ways[name]
        resets = [place for place in guarded.guards[number].resets if place in limits]
        for firings in chain((1,), (times - 2,) * (times > 2), (1,) * (times > 1)):
            as_named = all(marking[p] == n for p, n in zip(resets, emptied, strict=True))
            if not as_named or not guarded.enabled(number, marking):
                raise EvidenceError(f"{name!r} cannot fire in the guarded net")
            once = guarded.fire(number, marking)
            pairs = zip(marking, once, strict=True)
            marking = tuple(before + firings * (after - before) for before, after in pairs)
        yield (*marking, *(most - marking[place] for place, most in limits.items()))
