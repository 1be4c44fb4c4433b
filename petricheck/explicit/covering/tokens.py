"""Markings of few places, with ω tokens where there may be any number, and trees of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

from petricheck.model.net import Transition

OMEGA = inf
"""More tokens than any number; it is compared with integers only, so nothing is rounded."""

Tokens: TypeAlias = dict[int, Any]
"""Place number to its tokens, positive: an integer or `OMEGA`."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A word that can be repeated where it ends.

    Attributes:
        word: transition numbers.
        pumped: (place, tokens before, tokens gained by each repetition).
    """

    word: tuple[int, ...]
    pumped: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A marking of the tree.

    Attributes:
        parent: number of the node before, -1 for the root.
        transition: what was fired there, -1 for the root.
        loops: what was accelerated then, in order.
    """

    tokens: Tokens
    parent: int = -1
    transition: int = -1
    loops: tuple[Loop, ...] = ()


def fired(tokens: Tokens, transition: Transition) -> Tokens:
    """Return the marking after a transition that it enables."""
    after = dict(tokens)
    for place, change in transition.effect:
        count = after.get(place, 0)
        # ω stays ω; Python cannot add an integer beyond floats to it.
        after[place] = count if count == OMEGA else count + change
        if not after[place]:
            del after[place]
    return after


def gains(before: Tokens, after: Tokens) -> tuple[tuple[int, int, int], ...]:
    """Return (place, tokens, increase) for each place with more, if `after` is nowhere less."""
    if len(before) > len(after) or not below(before, after):
        return ()
    return tuple(
        (place, tokens, tokens - before.get(place, 0))
        for place, tokens in after.items()
        if tokens != OMEGA and tokens > before.get(place, 0)
    )


def below(low: Tokens, high: Tokens) -> bool:
    """Return whether one marking is nowhere more than the other."""
    return len(low) <= len(high) and all(high.get(p, 0) >= n for p, n in low.items())
