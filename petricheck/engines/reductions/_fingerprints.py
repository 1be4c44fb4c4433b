"""Fingerprints of sparse vectors, one number each, and pairs of transitions found by them.

The fingerprint of a difference is the difference. Others may have the same by chance, so what is
proposed has to be looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petricheck.explicit.kernel.arrays import Integers, Words
from petricheck.model.net import Net
from petricheck.model.weights import Vectors, weights_of
from petricheck.support.budget import Budget

_SEED = 1


def fingerprints(rows: Vectors, width: int) -> Words:
    """Return for each vector the sum, modulo 2^64, of its values times random numbers.

    All indices are below the width.
    """
    numbers = np.random.default_rng(_SEED).integers(1 << 64, size=width, dtype=np.uint64)
    values = rows.values
    if values.dtype == object:
        values = values % (1 << 64)
    return totals(rows.starts, numbers[rows.indices] * values.astype(np.uint64))


def maybe_proportional(rows: Vectors, width: int) -> list[int]:
    """Return the nonzero vectors that are, or look like, multiples of another one."""
    lengths = np.diff(rows.starts)
    numbers = np.flatnonzero(lengths)
    if not len(numbers):
        return []
    factors = np.gcd.reduceat(rows.values, rows.starts[numbers])
    primitive = rows.values // np.repeat(factors, lengths[numbers])
    words = fingerprints(Vectors(rows.starts, rows.indices, primitive), width)[numbers]
    _, kinds, counts = np.unique(words, return_inverse=True, return_counts=True)
    alike: list[int] = numbers[counts[kinds] > 1].tolist()
    return alike


def totals(starts: Integers, values: NDArray[Any]) -> NDArray[Any]:
    """Return the sums of the segments that begin there; those of words are modulo 2^64."""
    sums = np.concatenate((np.zeros(1, dtype=values.dtype), np.cumsum(values, dtype=values.dtype)))
    segments: NDArray[Any] = sums[starts[1:]] - sums[starts[:-1]]
    return segments


COMPARED = 1_000
"""How many others are tried as the first of the two, so that the effort stays linear."""

PAIRS = 1 << 24
"""How many pairs are looked at in all; in larger nets fewer others are tried."""

_TOGETHER = 1 << 18
"""So many pairs are looked at at once."""


class Sums:
    """Pairs of transitions that may replace a third one, as the fingerprints of effects add up."""

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
        """-"""
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
