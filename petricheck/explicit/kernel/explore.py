"""Breadth-first exploration that many targets watch at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.certificates.stubborn_sets import StubbornTable
from petricheck.explicit.kernel.arrays import Integers, Words, integers
from petricheck.explicit.kernel.circuit import no_aim
from petricheck.explicit.kernel.constants import (
    CLOSED,
    DONE,
    FIRED,
    FULL,
    RESULT,
    SIZE,
    TARGET_REACHED,
    TRUE,
    WAITING,
)
from petricheck.explicit.kernel.packing import (
    WIDEST,
    Bits,
    PackedTable,
    bits_of,
    certificate_of,
    distances,
    fields_of,
    first_layout,
    layout_of,
    lengthen,
    packed,
    ranked_certificate,
    slots_for,
    tighten,
    tokens,
)
from petricheck.explicit.kernel.stubborn import no_stubborn, stubborn_for
from petricheck.explicit.kernel.targets import WatchedSearch, WatchedTargets, Witness
from petricheck.model.net import Marking, Net
from petricheck.support.budget import free_memory
from petricheck.support.compiled import loop


class Order(Enum):
    """The order of equally near markings, as a factor of their numbers, mod 2^32."""

    LATEST = (1 << 32) - 1
    EARLIEST = 1
    ANY = 0x9E3779B1


@dataclass(frozen=True, slots=True)
class Nearest:
    """The order in which the marking nearest to a target is expanded first.

    If far-sighted, distances are firings that would lead there if firings took no tokens
    (`loops.distances.estimate_costs`); otherwise they are differences of the formula's terms.
    `order` is that of equally near markings.
    """

    target: int
    far_sighted: bool = True
    order: Order = Order.LATEST


SMALLEST = 1 << 12
"""Free rows of a new table."""

_MANY = 1 << 20
"""Numbers of tokens that are packed again in negligible time."""

_FEW = 1 << 18
"""Size of a table from which on all the memory is reserved for it."""

LARGEST = (1 << 32) - 2
"""Markings that can be numbered."""


class Exploration(WatchedSearch):
    """The reachable markings, breadth first or the nearest to a target first.

    Attributes:
        layout: the fields of places in the packed words; changes as tokens need more bits.
        visited: the visited markings, with their parents and the transitions from these.
        reduced: whether only those successors of a marking are explored that preserve some targets.
        overflowed: whether a place would get more than 2^40 tokens, which ends the exploration.
        full: whether the memory is used up, which ends the exploration.
    """

    def __init__(
        self,
        net: Net,
        targets: Sequence[Formula] | WatchedTargets,
        memory: int,
        first: Nearest | None = None,
        preserved: Sequence[int] = (),
    ) -> None:
        """Start with the initial marking.

        The markings expanded first are those that `first` says; else the search is breadth first.
        The table has at most so many bytes of memory, and half of what the machine has free. If
        `preserved` are numbers of targets, they are reached if they are reachable, though only some
        successors of markings are explored (`loops.stubborn`). Without any, all are.

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
            self._stubborn = stubborn_for(self._arcs, self._circuit, self._open_nodes())
        self.layout = first_layout(net)
        self.overflowed = self.full = False
        self.visited = self._new_table(packed(self.layout, self._initial))
        self._state.numbers[SIZE] = self._state.numbers[WAITING] = 1
        loop("fill")(self.layout, self.visited, 1)

    @property
    def size(self) -> int:
        """The number of visited markings."""
        return int(self._state.numbers[SIZE])

    @property
    def pace(self) -> int:
        """The number of further markings that are found in some hundredths of a second."""
        return self._pace(self.size)

    @property
    def closed(self) -> int:
        """The number of expanded markings, which come first."""
        return int(self._state.numbers[CLOSED])

    @property
    def exhausted(self) -> bool:
        """True if no marking remains to be expanded.

        Then all reachable markings are visited; or if the exploration is `reduced`, all that
        stubborn sets lead to. The targets that are `excluded` are not reachable.
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
        """The visited markings as a certificate; None if it is too large to be read."""
        return certificate_of(*tighten(self.bits, self.words))

    @property
    def excluded(self) -> tuple[int, ...]:
        """The open targets that are not reachable, as an exhausted exploration shows."""
        if not self.exhausted:
            return ()
        return tuple(n for n in self.open if n in self._preserved or not self.reduced)

    @property
    def exclusion(self) -> MarkingTable | StubbornTable | None:
        """The certificate of each `excluded` target; None if it is too large to be read."""
        table = self.table
        return table if table is None or not self.reduced else StubbornTable(table)

    @property
    def firings(self) -> int:
        """The number of firings that lead from expanded markings to visited ones."""
        return int(self._state.numbers[FIRED])

    @property
    def ranked(self) -> RankedTable | None:
        """Certificate of markings, ranked by breadth-first search; None if too large to be read."""
        numbers = distances(self.visited.parents[: self.size]), self.visited.actions[: self.size]
        return ranked_certificate(*tighten(self.bits, self.words), *numbers, self._net.actions)

    @property
    def bits(self) -> Bits:
        """The widths of the fields of `words`."""
        return bits_of(self._net, self.layout.bits)

    @property
    def markings(self) -> list[Marking]:
        """The visited markings in the order of discovery."""
        columns = (tokens(self.words, field).tolist() for field in fields_of(self.bits))
        return list(zip(*columns, strict=True)) if self._net.places else [()]

    def marking(self, number: int) -> Marking:
        """Return the marking of this number."""
        words = self.words[number : number + 1]
        return tuple(int(tokens(words, field)[0]) for field in fields_of(self.bits))

    def number(self, marking: Marking) -> int:
        """Return the number of a visited marking."""
        words = packed(self.layout, integers(marking))
        return int(np.flatnonzero((self.words == words).all(axis=1))[0])

    def trace(self, number: int) -> tuple[int, ...]:
        """Return a firing sequence to the marking of this number, as transition numbers.

        Breadth first it is a shortest one.
        """
        actions = []
        while number:
            actions.append(int(self.visited.actions[number]))
            number = int(self.visited.parents[number])
        return tuple(reversed(actions))

    @property
    def ended(self) -> bool:
        """True if the exploration is exhausted, `full`, or has `overflowed`."""
        return self.exhausted or self.full or self.overflowed

    def run(self, markings: int) -> tuple[Witness, ...]:
        """Explore up to `markings` more markings; return early with the targets that are reached.

        Reached targets are watched no longer, and the next run continues. A run also ends if all
        markings are visited, and when it is `full` or has `overflowed`.
        """
        limit = self.size + markings - 1
        while not self._state.numbers[TRUE] and not self.full and not self.overflowed:
            code = self._expand(limit)
            if code == DONE:
                return ()
            if code == TARGET_REACHED:
                arguments = self._arcs, self._circuit, self._state, self._aim, self.layout
                loop("load")(*arguments, self.visited.words, int(self._state.numbers[RESULT]))
            elif code == FULL:
                self._grow()
            else:
                self._widen(int(self._state.numbers[RESULT]))
        if not self._state.numbers[TRUE]:
            return ()
        witnesses = self._close(self.trace(int(self._state.numbers[RESULT])))
        self._stubborn = self._stubborn._replace(targets=self._open_nodes())
        return witnesses

    def _expand(self, limit: int) -> int:
        """Expand markings until `limit` are visited; return the code of `loops.exploration`."""
        if len(self._aim.order) and len(self._aim.heap) < len(self.visited.words):
            self._aim = self._aim._replace(heap=lengthen(self._aim.heap, len(self.visited.words)))
        arguments = self._arcs, self._circuit, self._state, self.layout, self.visited
        code: int = loop("explore")(*arguments, self._aim, self._stubborn, limit)
        return code

    def _open_nodes(self) -> Integers:
        """Return the nodes of the open targets that are to be preserved."""
        return integers(self._nodes[number] for number in self._preserved if number in self.open)

    def _widen(self, place: int) -> None:
        """Double the bits of the place, and of all places of its width if repacking takes long."""
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

    def _new_table(self, words: Words) -> PackedTable:
        transitions = len(self._net.transitions)
        capacity = len(words) + transitions + SMALLEST
        table = PackedTable(
            np.zeros((capacity, words.shape[1]), dtype=np.uint64),
            np.zeros(capacity, dtype=np.uint32),
            np.zeros(capacity, dtype=np.uint32),
            np.zeros(slots_for(capacity), dtype=np.uint64),
            np.zeros(transitions, dtype=np.uint64),
        )
        table.words[: len(words)] = words
        return table

    def _grow(self) -> None:
        """Enlarge the table to twice its rows, or as many as the memory allows."""
        capacity = len(self.visited.words)
        larger = min(2 * capacity, LARGEST)
        while larger > capacity and self._bytes(larger) > self._memory:
            larger -= capacity // 16
        if larger <= capacity or self._bytes(larger) - self._bytes(capacity) > free_memory() // 2:
            self.full = True
            return
        table, most = self.visited, self._memory // self._row if capacity > _FEW else 0
        self.visited = table._replace(
            words=lengthen(table.words, larger, most),
            parents=lengthen(table.parents, larger, most),
            actions=lengthen(table.actions, larger, most),
        )
        del table
        if len(self.visited.slots) < slots_for(larger):
            self.visited = self.visited._replace(slots=self.visited.slots[:0].copy())
            self.visited = self.visited._replace(slots=np.zeros(slots_for(larger), dtype=np.uint64))
            loop("fill")(self.layout, self.visited, self.size)

    @property
    def _row(self) -> int:
        """Bytes of a marking without its slot: words, parent and action, entry in the heap."""
        return 8 * (len(self.layout.factors) + 1 + bool(len(self._aim.order)))

    def _bytes(self, capacity: int) -> int:
        """-"""
        return capacity * self._row + 8 * slots_for(capacity)
