"""Layered layout of bipartite directed graphs: arcs run downwards where that is possible.

The method of Sugiyama, Tagawa and Toda (1981): nodes get ranks, long arcs a bend on every rank they
pass, the ranks are ordered by medians of neighbours to have few crossings, and last come the
coordinates: the best ones in the sense of least squares that keep the order and its distances,
rank by rank (isotonic regression). Ranks are tried in two ways, and the simpler picture is taken:
the longest path, after arcs that close a cycle of a depth-first search were turned round, which
suits processes that fork and join; and the distance from the start, which keeps loops short.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise
from statistics import median
from typing import TypeAlias

Arc: TypeAlias = tuple[int, int]
Extent: TypeAlias = tuple[float, float]
"""What a node needs to the left and to the right of its centre."""

Ranks: TypeAlias = list[list[int]]
"""Nodes and bends by rank, from left to right."""

SWEEPS = 16
"""Passes over the ranks, each for order and for coordinates."""

BEND = 16.0
"""Room for a bend."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything goes.

    Attributes:
        nodes: (x, rank) of each.
        bends: for each arc, x on the ranks strictly between its ends, from source to target.
    """

    nodes: tuple[tuple[float, int], ...]
    bends: tuple[tuple[float, ...], ...]


def lay_out(extents: Sequence[Extent], arcs: Sequence[Arc], starts: int) -> Layout:
    """A layout without overlaps of a connected bipartite graph.

    Args:
        extents: of the nodes; earlier ones are rather placed above later ones.
        arcs: (source, target), different from each other.
        starts: how many of the nodes, the first ones and all of one kind, are to be on top; at
            least one.
    """
    size = len(extents)
    ways = (_ranks(size, _acyclic(size, arcs)), _distances(size, arcs, starts))
    return min((_layout(extents, arcs, rank) for rank in ways), key=lambda way: way[0])[1]


def _layout(
    extents: Sequence[Extent], arcs: Sequence[Arc], rank: Sequence[int]
) -> tuple[int, Layout]:
    """How complicated the picture with these ranks is, and the picture."""
    size = len(extents)
    forward = [(a, b) if rank[a] < rank[b] else (b, a) for a, b in arcs]
    chains, all_ranks = _chains(rank, forward)
    links = [pair for chain in chains for pair in pairwise(chain)]
    needed = [*extents, *[(BEND / 2, BEND / 2)] * (len(all_ranks) - size)]
    ranks = _ordered(_by_rank(all_ranks, links), links, all_ranks)
    x = _coordinates(ranks, links, needed, size)
    bends = [
        tuple(x[node] for node in (chain[1:-1] if turned == arc else chain[-2:0:-1]))
        for arc, turned, chain in zip(arcs, forward, chains, strict=True)
    ]
    layout = Layout(tuple((x[node], rank[node]) for node in range(size)), tuple(bends))
    return len(links) + 2 * _crossings(ranks, _neighbours(links)), layout


def components(size: int, arcs: Iterable[Arc]) -> tuple[tuple[int, ...], ...]:
    """The connected parts, each sorted, in the order of their least nodes."""
    least = list(range(size))
    for a, b in arcs:
        low, high = sorted((least[a], least[b]))
        least = [low if node == high else node for node in least]
    parts: defaultdict[int, list[int]] = defaultdict(list)
    for node, first in enumerate(least):
        parts[first].append(node)
    return tuple(map(tuple, parts.values()))


def _neighbours(arcs: Iterable[Arc], backwards: bool = False) -> defaultdict[int, list[int]]:
    """By node where its arcs lead, or come from."""
    neighbours: defaultdict[int, list[int]] = defaultdict(list)
    for source, target in arcs:
        if backwards:
            neighbours[target].append(source)
        else:
            neighbours[source].append(target)
    return neighbours


def _acyclic(size: int, arcs: Sequence[Arc]) -> list[Arc]:
    """The arcs, those turned round that lead back on the path of a depth-first search."""
    successors = _neighbours(arcs)
    seen, path, back = set[int](), set[int](), set[Arc]()

    def visit(node: int) -> None:
        seen.add(node)
        path.add(node)
        for following in successors[node]:
            if following in path:
                back.add((node, following))
            elif following not in seen:
                visit(following)
        path.remove(node)

    for root in range(size):
        if root not in seen:
            visit(root)
    return [(b, a) if (a, b) in back else (a, b) for a, b in arcs]


def _ranks(size: int, arcs: Sequence[Arc]) -> list[int]:
    """Each node below its predecessors, and no further from its successors than need be."""
    above, below = _neighbours(arcs, backwards=True), _neighbours(arcs)
    order = list(TopologicalSorter({node: above[node] for node in range(size)}).static_order())
    rank = [0] * size
    for node in order:
        rank[node] = max((rank[n] + 1 for n in above[node]), default=0)
    for _ in range(3):
        for node in reversed(order):
            if len(below[node]) > len(above[node]):
                rank[node] = min(rank[n] - 1 for n in below[node])
    lowest = min(rank, default=0)
    return [value - lowest for value in rank]


def _distances(size: int, arcs: Sequence[Arc], starts: int) -> list[int]:
    """Each node one below the first that leads to it, or else one above the first it leads to.

    The graph is bipartite and the starts are of one kind, so no arc joins nodes of equal rank.
    """
    below, above = _neighbours(arcs), _neighbours(arcs, backwards=True)
    rank = dict.fromkeys(range(starts), 0)
    order = list(rank)
    for neighbours, step in ((below, 1), (above, -1)) * size:
        for node in order:  # grows
            fresh = [n for n in dict.fromkeys(neighbours[node]) if n not in rank]
            rank.update(dict.fromkeys(fresh, rank[node] + step))
            order += fresh
            if step < 0 and fresh:
                break
        if len(order) == size:
            break
    highest = min(rank.values())
    return [rank[node] - highest for node in range(size)]


def _chains(rank: Sequence[int], arcs: Sequence[Arc]) -> tuple[list[list[int]], list[int]]:
    """Each arc as a chain of neighbours in rank, and the ranks of nodes and bends."""
    ranks = list(rank)
    chains = []
    for source, target in arcs:
        between = range(rank[source] + 1, rank[target])
        bends = range(len(ranks), len(ranks) + len(between))
        ranks.extend(between)
        chains.append([source, *bends, target])
    return chains, ranks


def _by_rank(rank: Sequence[int], links: Sequence[Arc]) -> Ranks:
    """A first order: as a depth-first search comes by."""
    neighbours = _neighbours([*links, *((b, a) for a, b in links)])
    ranks: Ranks = [[] for _ in range(max(rank, default=-1) + 1)]
    seen: set[int] = set()
    for root in sorted(range(len(rank)), key=lambda node: rank[node]):
        pending = [root]
        while pending:
            node = pending.pop()
            if node not in seen:
                seen.add(node)
                ranks[rank[node]].append(node)
                pending.extend(reversed(neighbours[node]))
    return ranks


def _ordered(ranks: Ranks, links: Sequence[Arc], rank: Sequence[int]) -> Ranks:
    """The order with the fewest crossings of some passes up and down."""
    above, below = _neighbours(links, backwards=True), _neighbours(links)
    best, fewest = ranks, _crossings(ranks, below)
    for sweep in range(SWEEPS):
        if not fewest:
            break
        downwards = sweep % 2 == 0
        ranks = [list(row) for row in ranks]
        place = {node: n for row in ranks for n, node in enumerate(row)}
        for row in ranks if downwards else reversed(ranks):
            _by_medians(row, above if downwards else below, place)
        crossings = _crossings(ranks, below)
        if crossings < fewest:
            best, fewest = ranks, crossings
    return best


def _by_medians(row: list[int], neighbours: Mapping[int, list[int]], place: dict[int, int]) -> None:
    """Sort the rank by the middle of each node's neighbours; who has none stays."""
    wanted = {node: median([place[n] for n in neighbours[node]] or [place[node]]) for node in row}
    row.sort(key=lambda node: wanted[node])
    place.update((node, n) for n, node in enumerate(row))


def _crossings(ranks: Ranks, below: defaultdict[int, list[int]]) -> int:
    count = 0
    for row, following in pairwise(ranks):
        place = {node: n for n, node in enumerate(following)}
        passed: list[int] = []
        for node in row:
            ends = sorted(place[n] for n in below[node])
            count += sum(len(passed) - bisect_right(passed, end) for end in ends)
            for end in ends:
                insort(passed, end)
    return count


def _coordinates(
    ranks: Ranks, links: Sequence[Arc], extents: Sequence[Extent], size: int
) -> list[float]:
    """Coordinates that bring linked nodes above each other, long arcs first of all."""
    x = [0.0] * len(extents)
    for row in ranks:
        _settle(row, [0.0] * len(row), [1.0] * len(row), extents, x)
    both: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for a, b in links:
        weight = (1.0, 3.0, 9.0)[(a >= size) + (b >= size)]
        both[a].append((b, weight))
        both[b].append((a, weight))
    rank = {node: n for n, row in enumerate(ranks) for node in row}
    for sweep in range(2 * SWEEPS):
        # At first each rank follows the one before it; in the end it heeds both neighbours.
        side = (-1, 1)[sweep % 2] if sweep < SWEEPS else 0
        for row in ranks[:: -side or 1]:
            wanted, weights = [], []
            for node in row:
                heard = [e for e in both[node] if side in (0, rank[e[0]] - rank[node])]
                total = sum(weight for _, weight in heard)
                mean = sum(x[n] * weight for n, weight in heard) / total if total else x[node]
                wanted.append(mean)
                weights.append(total or 0.1)
            _settle(row, wanted, weights, extents, x)
    return x


def _settle(
    row: Sequence[int],
    wanted: Sequence[float],
    weights: Sequence[float],
    extents: Sequence[Extent],
    x: list[float],
) -> None:
    """Coordinates nearest to the wanted ones that keep order and distances (pool neighbours)."""
    offsets, offset = [], 0.0
    for n, node in enumerate(row):
        offset += extents[row[n - 1]][1] + extents[node][0] if n else 0.0
        offsets.append(offset)
    pools: list[tuple[float, float, int]] = []
    for want, weight, shift in zip(wanted, weights, offsets, strict=True):
        mean, mass, members = want - shift, weight, 1
        while pools and pools[-1][0] >= mean:
            before, more, others = pools.pop()
            mean = (mean * mass + before * more) / (mass + more)
            mass, members = mass + more, members + others
        pools.append((mean, mass, members))
    settled = [mean for mean, _, members in pools for _ in range(members)]
    for node, value, shift in zip(row, settled, offsets, strict=True):
        x[node] = value + shift
