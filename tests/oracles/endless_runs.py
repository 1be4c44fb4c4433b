"""Infinite runs by definition: a search for a marking that is nowhere less than one before it."""

from __future__ import annotations

from collections.abc import Collection

from oracle import explore, first_markings, successor

from petricheck.model.net import Marking, Net


class Exceeded(Exception):
    """The search looked at more markings than it may."""


def terminates(net: Net, exempt: Collection[str] = (), limit: int = 400) -> bool | None:
    """Whether no infinite run fires the exempt transitions finitely often; None where it is open.

    From each reachable marking the tree of the other firings is searched, as Karp and Miller do:
    it is finite, or has a branch on which a marking is nowhere less than one before it.
    """
    whole = explore(net, limit)
    ends: set[Marking] = set()
    # Without exempt transitions every run is one from the initial marking.
    starts = first_markings(net, limit) if exempt else [net.initial]
    known = whole is not None or not exempt
    for marking in starts:
        try:
            if _goes_on(net, marking, {*exempt}, ends, limit):
                return False
        except Exceeded:
            known = False
    return True if known else None


def _goes_on(
    net: Net, start: Marking, exempt: Collection[str], ends: set[Marking], limit: int
) -> bool:
    """Whether an infinite run begins here; markings of which none begins are collected."""
    firing = [t for t in net.transitions if t.name not in exempt]
    branch, steps, visited = [start], [iter(firing)], 0
    while branch:
        after = next((m for t in steps[-1] if (m := successor(branch[-1], t))), None)
        if after is None:
            ends.add(branch.pop())
            steps.pop()
        elif after not in ends:
            if any(all(a <= b for a, b in zip(m, after, strict=True)) for m in branch):
                return True
            visited += 1
            if visited > 20 * limit:
                raise Exceeded
            branch.append(after)
            steps.append(iter(firing))
    return False
