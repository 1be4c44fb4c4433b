"""Firing sequences, replayed with exact integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from petricheck.audit.limits import integral, watched
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.problem import Net


def replayed(
    net: Net,
    steps: Sequence[tuple[str, int]],
    tokens: list[int],
    budget: Budget,
    filled: Set[int] = frozenset(),
) -> Iterator[int]:
    """Fire the steps one after the other, changing `tokens`.

    Args:
        net: the net.
        steps: (transition id, how often in a row), none of it trusted.
        tokens: by place number, those before the first step.
        budget: limits.
        filled: places that lack nothing; they disable no transition, and keep their number.

    Yields:
        How many steps were fired, after each of them.

    Raises:
        EvidenceError: a step cannot fire, or is none.
        BudgetExhausted: time or memory ran out.
    """
    for number, (name, times) in enumerate(watched(steps, budget), 1):
        if name not in net.transition_numbers:
            raise EvidenceError(f"step {number} of the trace: the net has no transition {name!r}")
        if not integral(times) or times < 1:
            raise EvidenceError(f"step {number} of the trace: {name!r} has no positive count")
        transition = net.transitions[net.transition_numbers[name]]
        pre, effect, post = (
            [(place, weight) for place, weight in weights if place not in filled]
            for weights in (transition.pre, transition.effect, transition.post)
        )
        enabled = all(tokens[place] >= weight for place, weight in pre)
        for place, change in effect:
            tokens[place] += times * change
        needed = dict.fromkeys((place for place, _ in pre), 0) | dict(post)
        if not enabled or any(tokens[place] < least for place, least in needed.items()):
            raise EvidenceError(f"step {number} of the trace: {name!r} cannot fire that often")
        yield number
