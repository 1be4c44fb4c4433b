"""Markings packed into 64-bit words, a field of bits for each place, and tables of them.

The fields are those of `MarkingTable`, so that the packed markings of an exploration are a
certificate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from petricheck.evidence.certificates.finite_set import TABLE, WORD, Field, MarkingTable
from petricheck.evidence.certificates.ranked_set import NUMBER, RankedTable
from petricheck.explicit.kernel.arrays import Integers, Words, arcs_of, integers
from petricheck.explicit.kernel.constants import MOST
from petricheck.model.net import Marking, Net, cached_by_net
from petricheck.model.weights import weights_of

WIDEST = MOST.bit_length()
"""Bits of the widest field."""

Numbers32: TypeAlias = NDArray[np.uint32]

_Number = TypeVar("_Number", bound=np.generic)

Bits: TypeAlias = tuple[tuple[str, int], ...]
"""Place ids with the widths of their fields, as in `MarkingTable.layout`."""


class Layout(NamedTuple):
    """Positions of places in the words, and the changes of the words by firings.

    Attributes:
        bits: by place, the width of its field.
        shifts: by place, the lowest bit of its field.
        masks: by place, the bits of its field, shifted down.
        most: by place, the most tokens that its field holds.
        firsts: by word, its first place; at last the number of places.
        starts, words, changes: by transition, the words that a firing changes, with the change of
            each, mod 2^64.
        factors: by word; the key is the sum of factors times words, mod 2^64.
        sums: by transition, the change of the key by a firing.
    """

    bits: Integers
    shifts: Words
    masks: Words
    most: Integers
    firsts: Integers
    starts: Integers
    words: Integers
    changes: Words
    factors: Words
    sums: Words


class PackedTable(NamedTuple):
    """Markings in the order of discovery, and a hash table of them.

    Attributes:
        words: packed, one marking a row.
        parents: number of the marking that each marking was reached from.
        actions: number of the transition that led there.
        slots: 0 if free, else the upper half of a key, and a row + 1; their number is a power of 2.
        keys: work space for the keys of one marking's successors.
    """

    words: Words
    parents: Numbers32
    actions: Numbers32
    slots: Words
    keys: Words


@cached_by_net
def first_layout(net: Net) -> Layout:
    """Return fields for the initial tokens and for those of one firing, of at least one bit each.

    The arrays are read-only.
    """
    most = np.maximum(integers(net.initial), 1)
    _, outputs, _ = weights_of(net)
    np.maximum.at(most, outputs.indices, outputs.values)
    return layout_of(net, integers(tokens.bit_length() for tokens in most.tolist()))


def layout_of(net: Net, bits: Integers) -> Layout:
    """Return the layout with fields of these widths."""
    fields, arcs = fields_of(bits_of(net, bits)), arcs_of(net)
    homes = integers(field.word for field in fields)
    shifts = np.array([field.shift for field in fields], dtype=np.uint64)
    width = int(homes[-1]) + 1 if fields else 1
    factors = np.random.default_rng(width).integers(1 << 62, 1 << 63, width, dtype=np.uint64)
    factors |= np.uint64(1)
    # The change of each word by each transition, mod 2^64: entries of the same word are summed.
    transitions, places = len(arcs.effect_starts) - 1, arcs.effect_places
    owners = np.repeat(np.arange(transitions), np.diff(arcs.effect_starts))
    keys, entries = np.unique(owners * width + homes[places], return_inverse=True)
    changes = np.zeros(len(keys), dtype=np.uint64)
    np.add.at(changes, entries, arcs.effect_changes.astype(np.uint64) << shifts[places])
    sums = np.zeros(transitions, dtype=np.uint64)
    np.add.at(sums, keys // width, changes * factors[keys % width])
    masks = (np.uint64(1) << bits.astype(np.uint64)) - np.uint64(1)
    return Layout(
        bits,
        shifts,
        masks,
        np.minimum(masks.astype(np.int64), MOST),
        np.searchsorted(homes, np.arange(width + 1)).astype(np.int64),
        np.searchsorted(keys // width, np.arange(transitions + 1)).astype(np.int64),
        keys % width,
        changes,
        factors,
        sums,
    )


def bits_of(net: Net, bits: Integers) -> Bits:
    """Return the widths by place id."""
    return tuple(zip(net.places, bits.tolist(), strict=True))


def fields_of(bits: Bits) -> tuple[Field, ...]:
    """Return the field of each place."""
    return MarkingTable(bits, b"").fields


def tokens(words: Words, field: Field) -> Words:
    """Return the tokens of a place in packed markings, one a row."""
    shifted: Words = words[:, field.word] >> np.uint64(field.shift)
    return shifted & np.uint64((1 << field.bits) - 1)


def columns(bits: Bits, words: Words) -> Iterator[Words]:
    """Yield by place the tokens of packed markings; each word is gathered only once."""
    last, column = -1, words[:, 0]
    for field in fields_of(bits):
        if field.word != last:
            last, column = field.word, np.ascontiguousarray(words[:, field.word])
        yield (column >> np.uint64(field.shift)) & np.uint64((1 << field.bits) - 1)


def pack(fields: Sequence[Field], count: int, columns: Iterable[NDArray[Any]]) -> Words:
    """Return `count` markings, one a row, packed from the tokens of each place."""
    words = np.zeros((count, max((f.word for f in fields), default=0) + 1), dtype=np.uint64)
    for field, column in zip(fields, columns, strict=True):
        words[:, field.word] |= column.astype(np.uint64) << np.uint64(field.shift)
    return words


def packed(layout: Layout, marking: Integers) -> Words:
    """Return one marking, packed, in a row."""
    words = np.zeros((1, len(layout.factors)), dtype=np.uint64)
    homes = np.searchsorted(layout.firsts, np.arange(len(marking)), "right") - 1
    np.add.at(words[0], homes, marking.astype(np.uint64) << layout.shifts)
    return words


def tighten(bits: Bits, words: Words) -> tuple[Bits, Words]:
    """Return packed markings in fields of only as many bits as their numbers need."""
    most = (int(column.max(initial=0)) for column in columns(bits, words))
    widths = tuple((place, n.bit_length()) for (place, _), n in zip(bits, most, strict=True))
    if widths == bits:
        return bits, words
    return widths, pack(fields_of(widths), len(words), columns(bits, words))


def extend(bits: Bits, words: Words, place: str, column: NDArray[np.int64]) -> tuple[Bits, Words]:
    """Return packed markings with one more place, whose tokens are not negative."""
    wider = (*bits, (place, int(column.max(initial=0)).bit_length()))
    last = pack(fields_of(wider)[-1:], len(words), [column])
    last[:, : words.shape[1]] |= words
    return wider, last


def certificate_of(bits: Bits, words: Words) -> MarkingTable | None:
    """Return the certificate of different packed markings; None if it is too large to be read.

    The markings may be in any order.
    """
    if words.nbytes > TABLE:
        return None
    return MarkingTable(bits, _strings(words[_ascending(words)]))


def ranked_certificate(
    bits: Bits, words: Words, ranks: Integers, transitions: Numbers32, names: tuple[str, ...]
) -> RankedTable | None:
    """Return the certificate with a rank and a transition by marking; see `RankedTable`."""
    if words.nbytes > TABLE:
        return None
    order = _ascending(words)
    table = MarkingTable(bits, _strings(words[order]))
    by_row = [numbers[order].astype(f">u{NUMBER}").tobytes() for numbers in (ranks, transitions)]
    return RankedTable(table, by_row[0], by_row[1], names)


def distances(parents: Numbers32) -> Integers:
    """Return by marking its distance from the first one, after a breadth-first search.

    The parent of a marking is the number of the one that it was reached from, its own for the
    first.
    """
    ranks = np.zeros(len(parents), dtype=np.int64)
    start, end = 0, 1
    while end < len(parents):
        following = int(np.searchsorted(parents, np.uint32(end)))
        ranks[end:following] = ranks[start] + 1
        start, end = end, following
    return ranks


def largest(bits: Bits, words: Words, places: Collection[int]) -> tuple[int, int]:
    """Return the most tokens on one of the places, and on all together, of packed markings."""
    most, totals = 0, np.zeros(len(words), dtype=np.uint64)
    for place, column in enumerate(columns(bits, words)):
        if place in places:
            most = max(most, int(column.max()))
            totals += column
    return most, int(totals.max())


def _ascending(words: Words) -> NDArray[np.intp]:
    """Return the numbers of the rows, in the order of a table."""
    return np.lexsort(words.T[::-1])


def _strings(words: Words) -> bytes:
    return words.astype(">u8").tobytes()


def markings_certificate(places: Sequence[str], markings: Sequence[Marking]) -> MarkingTable | None:
    """Return the certificate of different markings; None if it is too large to be read."""
    bits = tuple(
        (place, max(column).bit_length())
        for place, column in zip(places, zip(*markings, strict=True), strict=True)
    )
    if max((width for _, width in bits), default=0) >= WORD:
        return None
    columns = (np.array(column, dtype=np.uint64) for column in zip(*markings, strict=True))
    return certificate_of(bits, pack(fields_of(bits), len(markings), columns))


def unpack(table: MarkingTable) -> Words:
    """Return the packed markings of a certificate."""
    rows = np.frombuffer(table.rows, dtype=">u8").reshape(-1, table.words)
    return rows.astype(np.uint64)


def slots_for(capacity: int) -> int:
    """Return a power of two, of which `capacity` entries take at most three quarters."""
    return 1 << (capacity * 4 // 3).bit_length()


def lengthen(array: NDArray[_Number], length: int, reserved: int = 0) -> NDArray[_Number]:
    """Return the array with zeros after its rows; up to `reserved` rows it is copied only once.

    Reserved memory is not used before it is written.
    """
    whole = array if array.base is None else array.base
    if isinstance(whole, np.ndarray) and len(whole) >= length:
        return whole[:length]
    larger = np.zeros((max(length, reserved), *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger[:length]
