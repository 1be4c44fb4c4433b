"""Markings of few places, with ω tokens where there may be any number."""

from __future__ import annotations

from math import inf
from typing import Any, TypeAlias

from petricheck.problem import Transition

OMEGA = inf
"""More tokens than any number; it is compared with integers only, so nothing is rounded."""

Tokens: TypeAlias = dict[int, Any]
"""Place number to its tokens, positive: an integer or `OMEGA`."""


def fired(tokens: Tokens, transition: Transition) -> Tokens:
    """The marking after a transition that it enables."""
    after = dict(tokens)
    for place, change in transition.effect:
        count = after.get(place, 0)
        # ω stays ω; Python cannot add an integer beyond floats to it.
        after[place] = count if count == OMEGA else count + change
        if not after[place]:
            del after[place]
    return after


def gains(before: Tokens, after: Tokens) -> tuple[tuple[int, int, int], ...]:
    """The places where `after` is more, if it is nowhere less: (place, tokens, how many more)."""
    if len(before) > len(after) or not below(before, after):
        return ()
    return tuple(
        (place, tokens, tokens - before.get(place, 0))
        for place, tokens in after.items()
        if tokens != OMEGA and tokens > before.get(place, 0)
    )


def below(low: Tokens, high: Tokens) -> bool:
    """Whether one marking is nowhere more than the other."""
    return len(low) <= len(high) and all(high.get(p, 0) >= n for p, n in low.items())
