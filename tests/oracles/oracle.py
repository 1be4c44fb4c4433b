"""Reachability by brute force, for comparison: breadth-first, one marking at a time.

It fires transitions by its own arithmetic, so a slip in the library's is found rather than shared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from guarded_oracle import Rule

from petricheck.arithmetic.formulas.formulas import evaluate
from petricheck.model.net import Marking, Net, Transition
from petricheck.model.problem import Problem

Step = tuple[Marking, str] | None
"""The marking before and the transition fired; None for the initial marking."""


def successor(marking: Marking, transition: Transition | Rule) -> Marking | None:
    """The marking after one firing, or None where the transition is disabled."""
    if isinstance(transition, Rule):
        return transition.after(marking)
    tokens = list(marking)
    for place, weight in transition.pre:
        tokens[place] -= weight
    if min(tokens, default=0) < 0:
        return None
    for place, weight in transition.post:
        tokens[place] += weight
    return tuple(tokens)


def replay(net: Net, names: tuple[str, ...]) -> Marking | None:
    """The marking that this firing sequence ends in, or None where it does not fire."""
    transitions = {transition.name: transition for transition in net.transitions}
    marking: Marking | None = net.initial
    for name in names:
        marking = None if marking is None else successor(marking, transitions[name])
    return marking


def explore(net: Net, limit: int) -> set[Marking] | None:
    """All reachable markings, or None where there are more than `limit`."""
    steps: dict[Marking, Step] = {}
    for _ in _search(net, steps):
        if len(steps) > limit:
            return None
    return set(steps)


def shortest_trace(problem: Problem, limit: int) -> tuple[str, ...] | None:
    """A shortest firing sequence into the target; None where the first `limit` markings miss it."""
    steps: dict[Marking, Step] = {}
    for marking in _search(problem.net, steps):
        if evaluate(problem.target, problem.net.values(marking)):
            return _path(steps, marking)
        if len(steps) > limit:
            return None
    return None


def known_verdict(problem: Problem, limit: int) -> str | None:
    """`reachable` or `unreachable`; None where `limit` markings do not tell."""
    steps: dict[Marking, Step] = {}
    for marking in _search(problem.net, steps):
        if evaluate(problem.target, problem.net.values(marking)):
            return "reachable"
        if len(steps) > limit:
            return None
    return "unreachable"


def _search(net: Net, steps: dict[Marking, Step]) -> Iterator[Marking]:
    """The reachable markings by distance; `steps` remembers how each was first met."""
    steps[net.initial] = None
    queue = deque([net.initial])
    while queue:
        marking = queue.popleft()
        yield marking
        for transition in net.transitions:
            after = successor(marking, transition)
            if after is not None and after not in steps:
                steps[after] = marking, transition.name
                queue.append(after)


def _path(steps: dict[Marking, Step], marking: Marking) -> tuple[str, ...]:
    names: list[str] = []
    while (step := steps[marking]) is not None:
        marking, name = step
        names.append(name)
    return tuple(reversed(names))


def first_markings(net: Net, limit: int) -> set[Marking]:
    """The first reachable markings, up to some `limit`."""
    steps: dict[Marking, Step] = {}
    for _ in _search(net, steps):
        if len(steps) >= limit:
            break
    return set(steps)


OMEGA = float("inf")
"""More tokens than any number."""


def suprema(net: Net, limit: int) -> tuple[float, ...] | None:
    """The most tokens of each place, OMEGA where it is unbounded (Karp and Miller 1969).

    None where the coverability tree has more than `limit` nodes.
    """
    nodes = _tree(net, limit)
    return None if nodes is None else tuple(map(max, zip(*nodes, strict=True)))


def coverable(net: Net, wanted: dict[int, int]) -> bool:
    """Whether some node of the coverability tree has at least so many tokens by place."""
    nodes = _tree(net, 1_000_000)
    assert nodes is not None
    return any(all(node[place] >= n for place, n in wanted.items()) for node in nodes)


def _tree(net: Net, limit: int) -> set[tuple[float, ...]] | None:
    pending: list[tuple[tuple[float, ...], ...]] = [(net.initial,)]
    seen: set[tuple[float, ...]] = {net.initial}
    while pending:
        branch = pending.pop()
        for transition in net.transitions:
            after = _accelerated(successor(branch[-1], transition), branch)  # type: ignore[arg-type]
            if after is not None and after not in seen:
                seen.add(after)
                pending.append((*branch, after))
        if len(seen) > limit:
            return None
    return seen


def _accelerated(
    marking: tuple[float, ...] | None, branch: tuple[tuple[float, ...], ...]
) -> tuple[float, ...] | None:
    """OMEGA where the marking is strictly above one before it, on the places that grew."""
    if marking is None:
        return None
    for before in branch:
        pairs = list(zip(before, marking, strict=True))
        if all(a <= b for a, b in pairs):
            marking = tuple(OMEGA if a < b else b for a, b in pairs)
    return marking
