"""Reachability by brute force, for comparison: breadth-first, one marking at a time.

It fires transitions by its own arithmetic, so a slip in the library's is found rather than shared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from petricheck.presburger.formulas import evaluate
from petricheck.problem import Marking, Net, Problem, Transition

Step = tuple[Marking, str] | None
"""The marking before and the transition fired; None for the initial marking."""


def successor(marking: Marking, transition: Transition) -> Marking | None:
    """The marking after one firing, or None where the transition is disabled."""
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
    if shortest_trace(problem, limit) is not None:
        return "reachable"
    return None if explore(problem.net, limit) is None else "unreachable"


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
