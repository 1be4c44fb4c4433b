"""Transitions that do what others do one after the other (Thierry-Mieg 2020).

Let u ≥ u_a and u + δ_a ≥ u_b, and δ = δ_a + δ_b. Wherever t can fire, a can, then b, and they lead
where t leads; b may be a itself. So no trace needs t, and every set that a and b do not leave is
one that t does not leave. What a and b do, others may do in turn.

The same hints show it. Let c·m ≤ U hold before a, c′·m ≤ U′ between, c″·m ≤ U″ after b, where
c ≥ c′ ≥ c″ as the audit asks. With v = u + δ_a ≥ u_b that gives U − c·u + c′·v ≤ U′ and
U′ − c′·v + c″·(v + δ_b) ≤ U″, whose sum is what is asked of t; where c′ ≥ 0 and c′·u_b > U′
disable b, c ≥ 0 and c·u > U disable t. Marked traps stay marked, and empty siphons empty, since a
and b keep them so.

Pairs of transitions that may replace a third one: pairs whose effects may add up.

An effect is known by its fingerprint: that of a difference is the difference. Others may have the
same by chance, so what is proposed has to be looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petricheck.engines.reductions._fingerprints import fingerprints, totals
from petricheck.engines.reductions._selection import Selection, select
from petricheck.explicit.kernel.arrays import Integers, Vectors, Words, weights_of
from petricheck.model.net import Net, Transition, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.linear import combination

COMPARED = 1_000
"""How many others are tried as the first of the two, so that the effort stays linear."""

PAIRS = 1 << 24
"""How many pairs are looked at in all; in larger nets fewer others are tried."""

_TOGETHER = 1 << 18
"""So many pairs are looked at at once."""


class Sums:
    """The transitions by the fingerprints of their effects."""

    def __init__(self, net: Net) -> None:
        self._inputs = weights_of(net).inputs
        self._effects = weights_of(net).effects
        self._places = len(net.places)
        self._words = fingerprints(self._effects, self._places)
        self._moving = np.flatnonzero(np.diff(self._effects.starts))
        self._marks = _marks(self._inputs)
        self._needs: list[int] = self._marks.tolist()
        self._gives: list[int] = _marks(weights_of(net).outputs).tolist()
        self._sums: list[int] = self._words.tolist()
        self._having: dict[int, list[int]] = defaultdict(list)
        for number in self._moving.tolist():
            self._having[self._sums[number]].append(number)

    def seconds(self, whole: int, first: int) -> Iterator[int]:
        """Yield the transitions b with effect δ_t − δ_a, or maybe so, that may fire after a."""
        places = self._needs[whole] | self._gives[first]
        for number in self._having.get((self._sums[whole] - self._sums[first]) % (1 << 64), ()):
            if not self._needs[number] & ~places:
                yield number

    def proposals(self, budget: Budget) -> Iterator[tuple[int, int]]:
        """Yield (t, a) if a may fire when t can and a transition has the fingerprint of δ_t − δ_a.

        The heaviest t come first.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        fingerprints = np.sort(self._words[self._moving])
        for wholes, firsts in self._compared(budget):
            fit = (self._marks[firsts] & ~self._marks[wholes] == 0) & (wholes != firsts)
            wholes, firsts = wholes[fit], firsts[fit]
            rests = self._words[wholes] - self._words[firsts]
            at = np.searchsorted(fingerprints, rests).clip(max=len(fingerprints) - 1)
            fit = fingerprints[at] == rests
            yield from zip(wholes[fit].tolist(), firsts[fit].tolist(), strict=True)

    def _compared(self, budget: Budget) -> Iterator[tuple[Integers, Integers]]:
        """Yield pairs (t, a) where t has a's rarest input place, or a has no input place."""
        starts, members = self._by_rarest_input()
        # The transitions without input are found under one more place, which comes first.
        places = np.insert(self._inputs.indices, self._inputs.starts[:-1], self._places)
        firsts = self._inputs.starts + np.arange(len(self._inputs.starts))
        sizes = np.diff(starts)[places]
        before = np.cumsum(sizes) - sizes
        before -= np.repeat(before[firsts[:-1]], np.diff(firsts))
        most = min(COMPARED, PAIRS // max(1, self._inputs.size))
        counts = np.minimum(sizes, (most - before).clip(min=0))
        lists = Vectors(firsts, places, counts)
        order = np.argsort(-self._weights(), kind="stable")
        pairs = np.cumsum(totals(firsts, counts)[order])
        begin = 0
        while begin < len(order):
            budget.check()
            total = pairs[begin - 1] if begin else 0
            end = max(begin + 1, int(np.searchsorted(pairs, total + _TOGETHER)))
            owners, entries = lists.entries(order[begin:end])
            lengths = counts[entries]
            offsets = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            named = members[np.repeat(starts[places[entries]], lengths) + offsets]
            yield np.repeat(order[begin:end][owners], lengths), named
            begin = end

    def _by_rarest_input(self) -> tuple[Integers, Integers]:
        """Return transitions with effect by their rarest input place, as starts and members."""
        inputs = self._inputs
        uses = np.bincount(inputs.indices, minlength=self._places)
        by_use = np.lexsort((uses[inputs.indices], inputs.owners))
        rarest = np.full(inputs.size, self._places)
        needing = np.flatnonzero(np.diff(inputs.starts))
        rarest[needing] = inputs.indices[by_use][inputs.starts[needing]]
        members = self._moving[np.argsort(rarest[self._moving], kind="stable")]
        return np.searchsorted(rarest[members], np.arange(self._places + 2)), members

    def _weights(self) -> NDArray[np.float64]:
        """Return for each transition the sum of its weights."""
        outputs = totals(self._effects.starts, self._effects.values)
        inputs = totals(self._inputs.starts, self._inputs.values)
        # It only says who comes first, so that numbers beyond floats may be alike.
        return np.array(np.minimum(2 * inputs + outputs, 1 << 62), dtype=np.float64)


def _marks(rows: Vectors) -> Words:
    """Return for each vector a word of bits; a vector that is part of it has no further bits."""
    sums = np.zeros(rows.size, dtype=np.uint64)
    bits = np.uint64(1) << (rows.indices % 64).astype(np.uint64)
    np.bitwise_or.at(sums, rows.owners, bits)
    return sums


DEPTH = 6
"""How often a transition is taken apart, so that none becomes more than 64 others."""


@dataclass(frozen=True)
class ComposedTransitions:
    """Leave out transitions that do what others do one after the other."""

    rank: ClassVar[int] = 65
    for_all: ClassVar[bool] = True
    of_net: ClassVar[bool] = True

    def apply(self, problem: Problem, budget: Budget) -> Selection | None:
        """Return the problem without them; certificates and traces stay what they are."""
        doubles = _doubles(problem.net, budget)
        return select(problem, doubles=doubles) if doubles else None


def _doubles(net: Net, budget: Budget) -> dict[int, Sequence[int]]:
    """Return for each removed transition those that replace it, as far as time permits."""

    index, transitions = Sums(net), net.transitions
    pairs: dict[int, tuple[int, int]] = {}
    depths: dict[int, int] = defaultdict(int)
    with suppress(BudgetExhausted):  # Each pair is right by itself.
        for number, first in index.proposals(budget):
            if number in pairs or first in pairs or depths[number] == DEPTH:
                continue
            for second in index.seconds(number, first):
                if second == number or second in pairs:
                    continue
                if _follows(transitions[number], transitions[first], transitions[second]):
                    pairs[number] = first, second
                    for part in pairs[number]:
                        depths[part] = max(depths[part], depths[number] + 1)
                    break
    # A part of a pair went later than the pair's own.
    factors: dict[int, Sequence[int]] = {}
    for number, pair in reversed(tuple(pairs.items())):
        factors[number] = [n for part in pair for n in factors.get(part, (part,))]
    return factors


def _follows(whole: Transition, a: Transition, b: Transition) -> bool:
    """Return whether a, then b can fire wherever the whole can, and have its effect."""
    if not _covers(dict(whole.pre), a.pre):
        return False
    between = dict(combination(((1, whole.pre), (1, a.effect))))
    difference = combination(((1, whole.effect), (-1, a.effect)))
    return difference == b.effect and _covers(between, b.pre)


def _covers(marking: dict[int, int], pre: Weights) -> bool:
    return all(marking.get(place, 0) >= weight for place, weight in pre)
