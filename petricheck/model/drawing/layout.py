"""Layered layout of graphs, as in Sugiyama, Tagawa and Toda (1981).

`flow` ranks the nodes along the arcs, so that these lead downwards but for one of each cycle; an
arc over several ranks passes each at a bend. `ranks_of` ranks them by their distance from a first
node, so that cycles look like rings. The nodes and bends of a rank are first sorted by medians of
their neighbours, for few crossings. Then each rank gets the coordinates that are best in the sense
of least squares under its order and the least distances (isotonic regression).
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import count, pairwise
from statistics import fmean, median
from typing import TypeAlias

Neighbours: TypeAlias = Mapping[int, Sequence[int]]

Extent: TypeAlias = tuple[float, float]
"""Width of a node to the left and to the right of its centre, in pixels."""

Ranks: TypeAlias = list[list[int]]
"""Nodes by rank, from left to right."""

SWEEPS, VISITS = 16, 20_000
"""Passes over the ranks for the order, and as many pairs of passes for the coordinates; fewer where
they would visit more nodes."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Connected nodes in ranks.

    Attributes:
        ranks: nodes and bends.
        neighbours: of each of them, in the ranks above and below.
        bends: by the number of an arc, its bends from source to target.
    """

    ranks: Ranks
    neighbours: Neighbours
    bends: Mapping[int, Sequence[int]]


def flow(
    nodes: Sequence[int],
    arcs: Mapping[int, tuple[int, int]],
    lowest: Mapping[int, int],
    sources: Set[int],
) -> Flow:
    """Return the ranks along the arcs, which are source and target by number, of connected nodes.

    Each node has a least rank. The flow begins at the sources, as far as cycles leave the choice,
    and at the first of the nodes where it may.
    """
    following: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, (source, target) in arcs.items():
        following[source].append((number, target))
    order, turned = _downwards(nodes, following, sources)
    down: defaultdict[int, list[int]] = defaultdict(list)
    for number, (source, target) in arcs.items():
        upper, lower = (target, source) if number in turned else (source, target)
        down[upper].append(lower)
    rank = dict(lowest)
    below = {node for targets in down.values() for node in targets}
    for node in order:
        for target in down[node]:
            rank[target] = max(rank[target], rank[node] + 1)
    for node in order:
        if node not in below and down[node]:
            rank[node] = min(rank[target] for target in down[node]) - 1
    neighbours: defaultdict[int, list[int]] = defaultdict(list)
    bends: dict[int, Sequence[int]] = {}
    fresh = count(max(lowest) + 1)
    for number, (source, target) in arcs.items():
        step = 1 if rank[source] < rank[target] else -1
        levels = range(rank[source] + step, rank[target], step)
        bends[number] = [next(fresh) for _ in levels]
        rank |= dict(zip(bends[number], levels, strict=True))
        for one, other in pairwise((source, *bends[number], target)):
            neighbours[one].append(other)
            neighbours[other].append(one)
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for node in (*nodes, *(bend for several in bends.values() for bend in several)):
        rows[rank[node]].append(node)
    ranks = [rows[level] for level in sorted(rows)]
    return Flow(_ordered(ranks, neighbours), neighbours, bends)


def _downwards(
    nodes: Sequence[int], following: Mapping[int, Sequence[tuple[int, int]]], sources: Set[int]
) -> tuple[list[int], set[int]]:
    """Return an order of the nodes, and the arcs that lead against it, by a depth-first search.

    An arc that closes a cycle leads against it: the one to a source, where the cycle has one.
    """
    seen, above = set[int](), set[int]()
    finished: list[int] = []
    turned: set[int] = set()

    def closes(target: int) -> bool:
        begins = target in sources and target not in seen
        return target in above or (begins and any(t in above for _, t in following[target]))

    for root in nodes:
        if root in seen:
            continue
        seen.add(root)
        above.add(root)
        stack = [(root, iter(following[root]))]
        while stack:
            node, arcs = stack[-1]
            for number, target in arcs:
                if closes(target):
                    turned.add(number)
                elif target not in seen:
                    seen.add(target)
                    above.add(target)
                    stack.append((target, iter(following[target])))
                    break
            else:
                stack.pop()
                above.discard(node)
                finished.append(node)
    return finished[::-1], turned


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
    ranks: Ranks, neighbours: Neighbours, extents: Mapping[int, Extent]
) -> dict[int, float]:
    """Return x coordinates by node, close to those of the neighbours, without overlaps."""
    x: dict[int, float] = {}
    for row in ranks:
        x |= _nearest(row, [(0.0, 1.0)] * len(row), extents)
    rank = {node: n for n, row in enumerate(ranks) for node in row}
    sweeps = _sweeps(ranks)
    for sweep in range(2 * sweeps):
        # First each rank is aligned with the one before it, at last with both adjacent ranks.
        side = (-1, 1)[sweep % 2] if sweep < sweeps else 0
        for row in ranks[:: -side or 1]:
            positions = []
            for node in row:
                near = [x[n] for n in neighbours[node] if side in (0, rank[n] - rank[node])]
                positions.append((fmean(near), float(len(near))) if near else (x[node], 0.1))
            x |= _nearest(row, positions, extents)
    return x


def _sweeps(ranks: Ranks) -> int:
    return max(2, min(SWEEPS, VISITS // sum(map(len, ranks))))


def _ordered(ranks: Ranks, neighbours: Neighbours) -> Ranks:
    """Return the best of the orders that `SWEEPS` passes produce: the fewest crossings."""
    best, fewest = ranks, _crossings(ranks, neighbours)
    for sweep in range(_sweeps(ranks)):
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
    row: Sequence[int], positions: Sequence[tuple[float, float]], extents: Mapping[int, Extent]
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
