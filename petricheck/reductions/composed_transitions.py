"""Transitions that do what others do one after the other (Thierry-Mieg 2020).

Let u ≥ u_a and u + δ_a ≥ u_b, and δ = δ_a + δ_b. Wherever t can fire, a can, then b, and they lead
where t leads; b may be a itself. So no trace needs t, and every set that a and b do not leave is
one that t does not leave. What a and b do, others may do in turn.

The same hints show it. Let c·m ≤ U hold before a, c′·m ≤ U′ between, c″·m ≤ U″ after b, where
c ≥ c′ ≥ c″ as the audit asks. With v = u + δ_a ≥ u_b that gives U − c·u + c′·v ≤ U′ and
U′ − c′·v + c″·(v + δ_b) ≤ U″, whose sum is what is asked of t; where c′ ≥ 0 and c′·u_b > U′
disable b, c ≥ 0 and c·u > U disable t. Marked traps stay marked, and empty siphons empty, since a
and b keep them so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar

from petricheck.budget import Budget
from petricheck.linear import combination
from petricheck.problem import Net, Problem, Weights
from petricheck.reductions._selection import Selection, select

COMPARED = 1_000
"""How many others are tried as the first of the two, so that the effort stays linear."""

DEPTH = 6
"""How often a transition is taken apart, so that none becomes more than 64 others."""

_PRIME = (1 << 61) - 1


@dataclass(frozen=True)
class ComposedTransitions:
    """Leave out transitions that do what others do one after the other."""

    rank: ClassVar[int] = 65
    for_all: ClassVar[bool] = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """The problem without them; certificates and traces stay what they are."""
        doubles = _doubles(problem.net, budget)
        return select(problem, doubles=doubles) if doubles else None


def _doubles(net: Net, budget: Budget) -> dict[int, Sequence[int]]:
    """By transition that goes, those that stay and do the same."""
    index = _Index(net)
    pairs: dict[int, tuple[int, int]] = {}
    depths: dict[int, int] = defaultdict(int)
    sizes = [sum(w for _, w in (*t.pre, *t.post)) for t in net.transitions]
    for number in sorted(range(len(sizes)), key=lambda number: (-sizes[number], number)):
        budget.check()
        pair = index.pair(number, pairs.keys()) if depths[number] < DEPTH else None
        if pair is not None:
            pairs[number] = pair
            for part in pair:
                depths[part] = max(depths[part], depths[number] + 1)
    # A part of a pair went later than the pair's own.
    found: dict[int, Sequence[int]] = {}
    for number, pair in reversed(tuple(pairs.items())):
        found[number] = [n for part in pair for n in found.get(part, (part,))]
    return found


class _Index:
    """The transitions with effect, found by what they need and by what they do.

    An effect is found by its sum of weights times powers: that of δ − δ_a is a difference.
    """

    def __init__(self, net: Net) -> None:
        self._transitions = net.transitions
        powers = [pow(3, place + 1, _PRIME) for place in range(len(net.places))]
        effects = (transition.effect for transition in net.transitions)
        self._keys = [sum(powers[p] * change for p, change in e) % _PRIME for e in effects]
        uses = Counter(place for t in net.transitions for place, _ in t.pre)
        self._by_key: dict[int, list[int]] = defaultdict(list)
        # Each under the rarest of its input places.
        self._by_place: dict[int | None, list[int]] = defaultdict(list)
        for number, transition in enumerate(net.transitions):
            if transition.effect:
                rarest = min((p for p, _ in transition.pre), key=uses.__getitem__, default=None)
                self._by_key[self._keys[number]].append(number)
                self._by_place[rarest].append(number)

    def pair(self, number: int, gone: Set[int]) -> tuple[int, int] | None:
        """Two transitions that do what this one does, and are not gone."""
        transition = self._transitions[number]
        needed = dict(transition.pre)
        places = (None, *needed)
        lighter = chain.from_iterable(self._by_place.get(place, ()) for place in places)
        for first in islice(lighter, COMPARED):
            seconds = self._by_key.get((self._keys[number] - self._keys[first]) % _PRIME, ())
            if not seconds or first == number or first in gone:
                continue
            if not _covers(needed, self._transitions[first].pre):
                continue
            for second in seconds:
                if second != number and second not in gone and self._follows(number, first, second):
                    return first, second
        return None

    def _follows(self, number: int, first: int, second: int) -> bool:
        """Whether the second can fire after the first, and both do what this one does."""
        whole, a, b = (self._transitions[n] for n in (number, first, second))
        between = dict(combination(((1, whole.pre), (1, a.effect))))
        return combination(((1, whole.effect), (-1, a.effect))) == b.effect and _covers(
            between, b.pre
        )


def _covers(marking: dict[int, int], pre: Weights) -> bool:
    return all(marking.get(place, 0) >= weight for place, weight in pre)
