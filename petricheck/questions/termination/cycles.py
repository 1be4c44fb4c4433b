"""Termination of nets whose markings are explored: a cycle among them, or ranks that firings lower.

The rank of a marking is the greatest number of level firings (those that leave a sum as it is) one
after the other from there. Markings that lead into a cycle of such firings have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from petricheck.evidence.answer import trace_of
from petricheck.evidence.audit.tables.packed import strings
from petricheck.evidence.audit.tables.rows import firings_of
from petricheck.evidence.certificates.finite_set import MarkingTable
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import Stage
from petricheck.explicit.kernel.arrays import Integers
from petricheck.explicit.kernel.backwards import Backwards
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.packing import certificate_of, ranked_certificate, tighten
from petricheck.model.net import Net
from petricheck.questions.homes.explored import BLOCK, explored, rank_before
from petricheck.support.budget import Budget, watched


def ranks_or_cycle(
    net: Net, level: Sequence[int], budget: Budget, most: float = inf
) -> RankedTable | Stage | None:
    """Return ranks that firings of level transitions lower, or a cycle of them.

    None where the net has more than the most markings, or their table is too large to be read.
    """
    space = explored(net, budget, most)
    if not space.exhausted:
        return None
    ranks = _ranks(net, space, level, budget)
    unranked = np.flatnonzero(ranks < 0)
    if len(unranked):
        return _cycle(net, space, unranked, level, budget)
    none = np.zeros(len(ranks), dtype=np.uint32)
    return ranked_certificate(*tighten(space.bits, space.words), ranks, none, ())


def _ranks(net: Net, space: Exploration, level: Sequence[int], budget: Budget) -> Integers:
    """Return the ranks by marking; −1 where there is none."""
    layout = MarkingTable(space.bits, b"")
    firings = firings_of(net, layout, (net.transitions[number] for number in level))
    enabled: Integers = np.zeros(space.size, dtype=np.int64)
    for start in watched(range(0, space.size, BLOCK), budget, 1):
        words = np.ascontiguousarray(space.words[start : start + BLOCK].T)
        for firing in firings:
            enabled[start + firing.enabled(words)] += 1
    backwards = Backwards(net.without(frozenset(), level), space, enabled)
    rank_before(backwards, np.flatnonzero(enabled == 0), space.pace, budget)
    return backwards.ranks


def _cycle(
    net: Net, space: Exploration, unranked: Integers, level: Sequence[int], budget: Budget
) -> Stage | None:
    """Return a cycle among these markings, each of which leads to another of them."""
    table = certificate_of(space.bits, space.words[unranked])
    if table is None:
        return None
    rows = strings(table)
    words = rows.block(0, table.count)
    after, fired = np.full((2, table.count), -1, dtype=np.int64)
    firings = firings_of(net, table, (net.transitions[number] for number in level))
    for number, firing in watched(zip(level, firings, strict=True), budget, 1):
        before = firing.enabled(words)
        places, present = rows.find(firing.fire(words[:, before]))
        leads = present & firing.fits(words[:, before]) & (after[before] < 0)
        after[before[leads]], fired[before[leads]] = places[leads], number
    row = int(rows.find(np.ascontiguousarray(space.words[unranked[:1]].T))[0][0])
    path = dict[int, None]()
    while row not in path:
        path[row] = None
        row = int(after[row])
    cycle = [*path][[*path].index(row) :]
    (first,) = np.flatnonzero((space.words == words[:, row]).all(axis=1))
    stem = trace_of(space.trace(int(first)), net.actions)
    return Stage(stem, trace_of((int(fired[row]) for row in cycle), net.actions))
