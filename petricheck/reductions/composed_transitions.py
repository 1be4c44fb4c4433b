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

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import ClassVar

from petricheck.budget import Budget
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
    largest_first = sorted(range(len(sizes)), key=lambda number: (-sizes[number], number))
    for number in largest_first:
        budget.check()
        pair = index.pair(number, pairs.keys()) if depths[number] < DEPTH else None
        if pair is not None:
            pairs[number] = pair
            for part in pair:
                depths[part] = max(depths[part], depths[number] + 1)
    return _expanded(pairs)


def _expanded(pairs: Mapping[int, tuple[int, int]]) -> dict[int, Sequence[int]]:
    """By transition, what its pair has become; a part of a pair went later than the pair's own."""
    found: dict[int, Sequence[int]] = {}
    for number, pair in reversed(tuple(pairs.items())):
        found[number] = [n for part in pair for n in found.get(part, (part,))]
    return found


@dataclass(frozen=True)
class _Index:
    """The transitions of a net, found by what they need and by what they do.

    An effect is found by its sum of weights times powers: that of δ − δ_a is a difference.
    """

    net: Net

    def pair(self, number: int, gone: Set[int]) -> tuple[int, int] | None:
        """Two transitions that do what this one does, and are not gone."""
        transition = self.net.transitions[number]
        needed = dict(transition.pre)
        key = self._keys[number]
        for first in islice(self._lighter(transition.pre), COMPARED):
            seconds = self._by_key.get((key - self._keys[first]) % _PRIME, ())
            if not seconds or first == number or first in gone:
                continue
            if not _covers(needed, self.net.transitions[first].pre):
                continue
            for second in seconds:
                if second != number and second not in gone and self._follows(number, first, second):
                    return first, second
        return None

    def _follows(self, number: int, first: int, second: int) -> bool:
        """Whether the second can fire after the first, and both do what this one does."""
        whole, a, b = (self.net.transitions[n] for n in (number, first, second))
        between, after = dict(whole.pre), dict(whole.effect)
        for place, change in a.effect:
            between[place] = between.get(place, 0) + change
            after[place] = after.get(place, 0) - change
        left = tuple(sorted((place, change) for place, change in after.items() if change))
        return left == b.effect and _covers(between, b.pre)

    def _lighter(self, pre: Weights) -> Iterator[int]:
        """Transitions with effect that may need no more, each once."""
        for place in (None, *(place for place, _ in pre)):
            yield from self._by_place.get(place, ())

    @cached_property
    def _keys(self) -> Sequence[int]:
        powers = [pow(3, place + 1, _PRIME) for place in range(len(self.net.places))]
        effects = (transition.effect for transition in self.net.transitions)
        return [sum(powers[p] * change for p, change in effect) % _PRIME for effect in effects]

    @cached_property
    def _by_key(self) -> dict[int, list[int]]:
        """The transitions with effect."""
        found: dict[int, list[int]] = defaultdict(list)
        for number, transition in enumerate(self.net.transitions):
            if transition.effect:
                found[self._keys[number]].append(number)
        return dict(found)

    @cached_property
    def _by_place(self) -> dict[int | None, list[int]]:
        """The transitions with effect, each under the rarest of its input places."""
        uses: dict[int, int] = defaultdict(int)
        for transition in self.net.transitions:
            for place, _ in transition.pre:
                uses[place] += 1
        found: dict[int | None, list[int]] = defaultdict(list)
        for number, transition in enumerate(self.net.transitions):
            if transition.effect:
                places = (place for place, _ in transition.pre)
                found[min(places, key=lambda place: uses[place], default=None)].append(number)
        return found


def _covers(marking: dict[int, int], pre: Weights) -> bool:
    return all(marking.get(place, 0) >= weight for place, weight in pre)
