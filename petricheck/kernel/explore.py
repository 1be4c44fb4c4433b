"""Breadth-first exploration that is watched by many targets at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from petricheck.budget import free_memory
from petricheck.evidence.finite_set import MarkingTable
from petricheck.evidence.ranked_set import RankedTable
from petricheck.kernel.arrays import Integers, Words, integers, work_of
from petricheck.kernel.circuit import no_aim
from petricheck.kernel.compiled import is_fast, loop
from petricheck.kernel.loops.constants import (
    CLOSED,
    DONE,
    FIRED,
    FOUND,
    FULL,
    MET,
    SIZE,
    TRUE,
    WAITING,
)
from petricheck.kernel.nearest import Nearest
from petricheck.kernel.packing import (
    WIDEST,
    Bits,
    Table,
    bits_of,
    distances,
    fields_of,
    first_bits,
    layout_of,
    longer,
    packed,
    ranked,
    sealed,
    slots_for,
    tightened,
    tokens,
)
from petricheck.kernel.stubborn import no_stubborn, stubborn_for
from petricheck.kernel.targets import WatchedSearch, Witness
from petricheck.presburger.formulas import Formula
from petricheck.problem import Marking, Net

SMALLEST = 1 << 12
"""Markings that a table has room for at first."""

_INPUTS = 1 << 26
_ENABLED = 64
"""So many inputs of transitions are looked at in some tenths of a second; one transition in so many
is enabled, about."""

_SLOWER = 10
"""Plain Python explores so many powers of two slower, about."""

_MANY = 1 << 20
"""Tokens of places in markings that are packed anew in no time."""

_FEW = 1 << 18
"""Markings from which on room is reserved for as many as there is memory for."""

LARGEST = (1 << 32) - 2
"""Markings that can be numbered."""


class Exploration(WatchedSearch):
    """The reachable markings, explored as far as asked: breadth first, or the nearest first.

    Attributes:
        layout: where places are in the packed words; changes as tokens need more bits.
        visited: the visited markings, with what led to them.
        reduced: whether not all successors of markings are taken, but what preserves some targets.
        overflowed: whether a place would hold more than 2^40 tokens; then nothing goes on.
        full: whether the memory is used up; then nothing goes on.
    """

    def __init__(
        self,
        net: Net,
        targets: Sequence[Formula],
        memory: int,
        first: Nearest | None = None,
        preserved: Sequence[int] = (),
    ) -> None:
        """An exploration that knows the initial marking.

        Args:
            net: the net.
            targets: formulas over its places.
            memory: most bytes that its table may take; it also ends where that would be more than
                half of what the machine then has free.
            first: which markings are expanded first; None for breadth first.
            preserved: numbers of targets: of each marking only so many successors are taken that
                these are met if they are reachable (`loops.stubborn`). Without any, all are.

        Raises:
            BudgetExhausted: the numbers of the net, or of the nearest target, are too large.
        """
        super().__init__(net, targets)
        self._memory = memory
        self._aim = no_aim()
        if first is not None:
            self._aim = self._aiming(first.target, first.far_sighted, first.order.value)
        self._preserved, self.reduced = tuple(preserved), bool(preserved)
        self._stubborn = no_stubborn()
        if self.reduced:
            nodes = self._open_nodes()
            self._stubborn = stubborn_for(self._arcs, self._circuit, nodes)
        self.layout = layout_of(net, first_bits(net))
        self.overflowed = self.full = False
        self.visited = self._new_table(packed(fields_of(self.bits), 1, self._initial))
        self._state.numbers[SIZE] = self._state.numbers[WAITING] = 1
        loop("fill")(self.layout, self.visited, 1)

    @property
    def size(self) -> int:
        """How many markings are visited."""
        return int(self._state.numbers[SIZE])

    @property
    def pace(self) -> int:
        """How many markings are expanded in some tenths of a second."""
        transitions, work = len(self._net.transitions), work_of(self._arcs)
        inputs = _INPUTS if is_fast() else _INPUTS >> _SLOWER
        return max(1, inputs // (1 + transitions + transitions * work // _ENABLED))

    @property
    def closed(self) -> int:
        """How many of them, from the first, are expanded."""
        return int(self._state.numbers[CLOSED])

    @property
    def exhausted(self) -> bool:
        """Return whether no marking is left to expand.

        Then all reachable markings are visited. If it is `reduced`, no open target that is
        preserved is reachable, which no certificate can show.
        """
        if len(self._aim.order):
            return not self._state.numbers[WAITING]
        return self.closed == self.size

    @property
    def words(self) -> Words:
        """The visited markings, packed, one a row, in the order of discovery."""
        return self.visited.words[: self.size]

    @property
    def table(self) -> MarkingTable | None:
        """The visited markings as a certificate; None where it would be too large to be read."""
        return sealed(*tightened(self.bits, self.words))

    @property
    def firings(self) -> int:
        """How many firings lead from expanded markings to visited ones."""
        return int(self._state.numbers[FIRED])

    @property
    def ranked(self) -> RankedTable | None:
        """Return the visited markings with their distances and the transitions that lead to them.

        They were explored breadth first. None if the table would be too large to be read.
        """
        numbers = distances(self.visited.parents[: self.size]), self.visited.actions[: self.size]
        return ranked(*tightened(self.bits, self.words), *numbers, self._net.actions)

    @property
    def bits(self) -> Bits:
        """The widths of the fields in them."""
        return bits_of(self._net, self.layout.bits)

    @property
    def markings(self) -> list[Marking]:
        """The visited markings in the order of discovery."""
        columns = (tokens(self.words, field).tolist() for field in fields_of(self.bits))
        return list(zip(*columns, strict=True)) if self._net.places else [()]

    def marking(self, number: int) -> Marking:
        """The marking of this number."""
        words = self.words[number : number + 1]
        return tuple(int(tokens(words, field)[0]) for field in fields_of(self.bits))

    def number(self, marking: Marking) -> int:
        """The number of a visited marking."""
        words = packed(fields_of(self.bits), 1, integers(marking)[:, None])
        return int(np.flatnonzero((self.words == words).all(axis=1))[0])

    def trace(self, number: int) -> tuple[int, ...]:
        """A firing sequence to the marking of this number, as transition numbers.

        Breadth first it is a shortest one.
        """
        actions = []
        while number:
            actions.append(int(self.visited.actions[number]))
            number = int(self.visited.parents[number])
        return tuple(reversed(actions))

    @property
    def ended(self) -> bool:
        """Return whether it has ended: all markings visited, `full`, or `overflowed`."""
        return self.exhausted or self.full or self.overflowed

    def run(self, markings: int) -> tuple[Witness, ...]:
        """Explore until so many more markings are visited; returns early with targets that are met.

        What is met is watched no longer, and the next run goes on. It
        also ends where all markings are visited, or where it is `full` or has `overflowed`.
        """
        limit = self.size + markings - 1
        while not self._state.numbers[TRUE] and not self.full and not self.overflowed:
            ended = self._expand(limit)
            if ended == DONE:
                return ()
            if ended == MET:
                self._load(int(self._state.numbers[FOUND]))
            elif ended == FULL:
                self._grow()
            else:
                self._widen(int(self._state.numbers[FOUND]))
        if not self._state.numbers[TRUE]:
            return ()
        met = self._close(self.trace(int(self._state.numbers[FOUND])))
        self._stubborn = self._stubborn._replace(targets=self._open_nodes())
        return met

    def _expand(self, limit: int) -> int:
        """Expand markings until so many are visited; why it ended, see `loops.exploration`."""
        if len(self._aim.order) and len(self._aim.heap) < len(self.visited.words):
            self._aim = self._aim._replace(heap=longer(self._aim.heap, len(self.visited.words)))
        arguments = self._arcs, self._circuit, self._state, self.layout, self.visited
        ended: int = loop("explore")(*arguments, self._aim, self._stubborn, limit)
        return ended

    def _open_nodes(self) -> Integers:
        """Those of the targets that are to be preserved and not met yet."""
        return integers(self._nodes[number] for number in self._preserved if number in self.open)

    def _load(self, number: int) -> None:
        arguments = self._arcs, self._circuit, self._state, self._aim, self.layout
        loop("load")(*arguments, self.visited.words, number)

    def _widen(self, place: int) -> None:
        """Give the place twice as many bits; where that takes long, also those that have as few."""
        if self.layout.bits[place] == WIDEST:
            self.overflowed = True
            return
        bits = self.layout.bits.copy()
        alike = bits == bits[place] if self.size * len(bits) > _MANY else place
        bits[alike] = min(2 * bits[place], WIDEST)
        before, self.layout = self.layout, layout_of(self._net, bits)
        words = np.zeros((len(self.visited.words), len(self.layout.factors)), dtype=np.uint64)
        loop("repack")(before, self.layout, self.visited.words, words, self.size)
        self.visited.slots[:] = 0
        self.visited = self.visited._replace(words=words)
        loop("fill")(self.layout, self.visited, self.size)

    def _new_table(self, words: Words) -> Table:
        transitions = len(self._net.transitions)
        room = len(words) + transitions + SMALLEST
        table = Table(
            np.zeros((room, words.shape[1]), dtype=np.uint64),
            np.zeros(room, dtype=np.uint32),
            np.zeros(room, dtype=np.uint32),
            np.zeros(slots_for(room), dtype=np.uint64),
            np.zeros(transitions, dtype=np.uint64),
        )
        table.words[: len(words)] = words
        return table

    def _grow(self) -> None:
        """Make room for twice as many markings, or as many as the memory allows."""
        room = len(self.visited.words)
        larger = min(2 * room, LARGEST)
        while larger > room and self._bytes(larger) > self._memory:
            larger -= room // 16
        if larger <= room or self._bytes(larger) - self._bytes(room) > free_memory() // 2:
            self.full = True
            return
        table, most = self.visited, self._memory // self._row if room > _FEW else 0
        self.visited = table._replace(
            words=longer(table.words, larger, most),
            parents=longer(table.parents, larger, most),
            actions=longer(table.actions, larger, most),
        )
        del table
        if len(self.visited.slots) < slots_for(larger):
            self.visited = self.visited._replace(slots=self.visited.slots[:0].copy())
            self.visited = self.visited._replace(slots=np.zeros(slots_for(larger), dtype=np.uint64))
            loop("fill")(self.layout, self.visited, self.size)

    @property
    def _row(self) -> int:
        """Bytes of a marking without its slot: words, parent and action, place in the heap."""
        return 8 * (len(self.layout.factors) + 1 + bool(len(self._aim.order)))

    def _bytes(self, room: int) -> int:
        """What so many markings take."""
        return room * self._row + 8 * slots_for(room)
