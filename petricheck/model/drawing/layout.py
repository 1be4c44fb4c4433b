"""Layered layout of bipartite graphs: adjacent nodes are one rank apart.

A node's rank is its distance from a first node. So every arc connects two consecutive ranks, and
cycles look like rings. As in Sugiyama, Tagawa and Toda (1981), the nodes of a rank are first sorted
by medians of their neighbours, for few crossings. Then each rank gets the coordinates that are best
in the sense of least squares under its order and the least distances (isotonic regression).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import TypeAlias

Neighbours: TypeAlias = Mapping[int, Sequence[int]]

Extent: TypeAlias = tuple[float, float]
"""Width of a node to the left and to the right of its centre, in pixels."""

Ranks: TypeAlias = list[list[int]]
"""Nodes by rank, from left to right."""

SWEEPS = 16
"""Passes over the ranks for the order, and as many pairs of passes for the coordinates."""


def ranks_of(start: int, neighbours: Neighbours) -> Ranks:
    """Return the nodes connected with the start by rank, in an order with few crossings."""
    ranks, nodes = [[start]], {start}
    while True:
        following = dict.fromkeys(n for node in ranks[-1] for n in neighbours[node])
        next_rank = [node for node in following if node not in nodes]
        if not next_rank:
            return _ordered(ranks, neighbours)
        ranks.append(next_rank)
        nodes.update(next_rank)


def coordinates(
    ranks: Ranks, neighbours: Neighbours, extents: Sequence[Extent]
) -> dict[int, float]:
    """Return x coordinates by node, close to those of the neighbours, without overlaps."""
    x: dict[int, float] = {}
    for row in ranks:
        x |= _nearest(row, [(0.0, 1.0)] * len(row), extents)
    rank = {node: n for n, row in enumerate(ranks) for node in row}
    for sweep in range(2 * SWEEPS):
        # First each rank is aligned with the one before it, at last with both adjacent ranks.
        side = (-1, 1)[sweep % 2] if sweep < SWEEPS else 0
        for row in ranks[:: -side or 1]:
            positions = []
            for node in row:
                near = [x[n] for n in neighbours[node] if side in (0, rank[n] - rank[node])]
                positions.append((fmean(near), float(len(near))) if near else (x[node], 0.1))
            x |= _nearest(row, positions, extents)
    return x


def _ordered(ranks: Ranks, neighbours: Neighbours) -> Ranks:
    """Return the best of the orders that `SWEEPS` passes produce: the fewest crossings."""
    best, fewest = ranks, _crossings(ranks, neighbours)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        up = sweep % 2
        passed: Ranks = []
        for row in reversed(ranks) if up else ranks:
            passed.append(_by_medians(row, passed[-1] if passed else [], neighbours))
        ranks = passed[::-1] if up else passed
        crossings = _crossings(ranks, neighbours)
        if crossings < fewest:
            best, fewest = ranks, crossings
    return best


def _by_medians(row: list[int], other: list[int], neighbours: Neighbours) -> list[int]:
    """Return the rank sorted by the median of each node's neighbours in another rank."""
    place = {node: n for n, node in enumerate(other)}
    near = ([place[m] for m in neighbours[node] if m in place] for node in row)
    middles = {node: median(ns or [n]) for n, (node, ns) in enumerate(zip(row, near, strict=True))}
    return sorted(row, key=middles.__getitem__)


def _crossings(ranks: Ranks, neighbours: Neighbours) -> int:
    count = 0
    for row, following in pairwise(ranks):
        place = {node: n for n, node in enumerate(following)}
        passed: list[int] = []
        for node in row:
            ends = sorted(place[n] for n in neighbours[node] if n in place)
            count += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return count


def _nearest(
    row: Sequence[int], positions: Sequence[tuple[float, float]], extents: Sequence[Extent]
) -> dict[int, float]:
    """Return the coordinates by node nearest to the positions, in order and without overlaps.

    "Nearest" is by least squares with the weights of the positions. Neighbours that would overlap
    are pooled.
    """
    offsets, offset = [], 0.0
    for n, node in enumerate(row):
        offset += extents[row[n - 1]][1] + extents[node][0] if n else 0.0
        offsets.append(offset)
    pools: list[tuple[float, float, int]] = []
    for (position, weight), shift in zip(positions, offsets, strict=True):
        mean, mass, members = position - shift, weight, 1
        while pools and pools[-1][0] >= mean:
            before, more, others = pools.pop()
            mean = (mean * mass + before * more) / (mass + more)
            mass, members = mass + more, members + others
        pools.append((mean, mass, members))
    nearest = [mean for mean, _, members in pools for _ in range(members)]
    return {n: value + shift for n, value, shift in zip(row, nearest, offsets, strict=True)}
