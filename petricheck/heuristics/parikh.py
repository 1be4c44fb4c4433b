"""ABS(3), increasing sequences (Leroux et al. 2016, section 9.3).

The path is abstracted to the multiset of its actions. A sub-multiset with a non-negative, non-zero
effect v might be repeated for ever, like a single action with such an effect, even where no order
of its actions can be iterated (Example 9). Interpolants should not grow along v.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from petricheck.heuristics import Displacement
from petricheck.linear import sparse
from petricheck.plugins import option
from petricheck.problem import Net, Weights

_MOST_RAYS = 400


@dataclass(frozen=True)
class Parikh:
    """Avoid growth along effects v ≥ 0, v ≠ 0, of sub-multisets of the path's actions."""

    weight: int = option(4, "cost of growing along such an effect")

    def displacements(self, net: Net, path: Sequence[int]) -> tuple[Displacement, ...]:
        """The effects of the increasing sub-multisets."""
        effects = dict.fromkeys(effect for _, effect in increasing_multisets(net, path))
        return tuple(Displacement(effect, self.weight, False, "parikh") for effect in effects)


def increasing_multisets(
    net: Net, path: Sequence[int]
) -> tuple[tuple[dict[int, int], Weights], ...]:
    """Sub-multisets of the path's actions with effect v ≥ 0, v ≠ 0.

    Each comes as (occurrences by transition number, v). They are the extreme rays of the cone
    { n ≥ 0 : Σ n_a·δ_a ≥ 0 } with v ≠ 0 that fit into the path, and of these the ones whose
    support contains no other's. (A multiset of minimal support need not be an extreme ray: where
    all rays with its support are too long for the path, a mixture of them may still fit. Such
    mixtures are not looked for.) Where the cone has too many rays while it is computed, some are
    left out.
    """
    occurrences = Counter(path)
    actions = sorted(occurrences)
    found = [
        (counts, effect)
        for counts, effect in _rays(net, actions)
        if effect and all(n <= occurrences[a] for a, n in counts.items())
    ]
    supports = [frozenset(counts) for counts, _ in found]
    return tuple(
        pair
        for pair, support in zip(found, supports, strict=True)
        if not any(other < support for other in supports)
    )


def _rays(net: Net, actions: Sequence[int]) -> list[tuple[dict[int, int], Weights]]:
    """Extreme rays of the cone, place by place (the double description method).

    A ray is a primitive pair of counts and effect. Each step combines a ray that increases a
    place with one that decreases it, so that the place is unchanged, and drops the decreasing
    rays; only combinations of minimal support over actions and treated places are kept.
    """
    rays = [({a: 1}, dict(net.transitions[a].effect)) for a in actions]
    places = sorted({place for _, effect in rays for place in effect})
    treated: set[int] = set()
    for place in places:
        treated.add(place)
        losing = [ray for ray in rays if ray[1].get(place, 0) < 0]
        gaining = [ray for ray in rays if ray[1].get(place, 0) > 0]
        kept = [ray for ray in rays if ray[1].get(place, 0) >= 0]
        kept += [_balance(up, down, place) for up in gaining for down in losing]
        rays = _minimal(kept, treated)[:_MOST_RAYS]
    return [(counts, sparse(effect.items())) for counts, effect in rays]


_Ray = tuple[dict[int, int], dict[int, int]]


def _balance(up: _Ray, down: _Ray, place: int) -> _Ray:
    gain, loss = up[1][place], -down[1][place]
    counts = _combine(up[0], loss, down[0], gain)
    effect = _combine(up[1], loss, down[1], gain)
    divisor = gcd(*counts.values())
    return (
        {action: count // divisor for action, count in counts.items()},
        {p: w // divisor for p, w in effect.items() if w},
    )


def _combine(left: dict[int, int], a: int, right: dict[int, int], b: int) -> dict[int, int]:
    return {k: a * left.get(k, 0) + b * right.get(k, 0) for k in (*left, *right)}


def _minimal(rays: list[_Ray], treated: set[int]) -> list[_Ray]:
    """The rays whose support, of actions and of treated places, contains no other's."""
    supports = [
        (frozenset(counts), frozenset(p for p, w in effect.items() if w and p in treated))
        for counts, effect in rays
    ]
    order = sorted(range(len(rays)), key=lambda n: (len(supports[n][0]) + len(supports[n][1]), n))
    kept: list[int] = []
    for number in order:
        mine = supports[number]
        if not any(supports[k][0] <= mine[0] and supports[k][1] <= mine[1] for k in kept):
            kept.append(number)
    return [rays[number] for number in kept]
