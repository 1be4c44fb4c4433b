"""Words that are repeated very often, as short firing sequences.

A word a b … that is to be fired n times is fired as aᶜ bᶜ … over and over, each time with the
largest c that the tokens at hand allow; where the word gains tokens, c soon grows. A word that
passes one token around stays at c = 1, and is unrolled.

Limit: a sequence may need so many steps that it is not written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from petricheck.explicit.covering.tokens import OMEGA, TreeNode
from petricheck.model.net import Net
from petricheck.symbolic.linear import combination

STEPS = 1 << 22
"""Sequences with more steps are not written down."""

Block: TypeAlias = tuple[tuple[int, int], ...]
"""(transition number, how often in a row)."""


def hurdle(net: Net, word: Sequence[int], times: int, need: Mapping[int, int]) -> dict[int, int]:
    """Return the least marking that fires the word this often and then covers `need`."""
    least: dict[int, int] = {}
    effect: dict[int, int] = {}
    for action in reversed(word):
        transition = net.transitions[action]
        for place, change in transition.effect:
            least[place] = max(0, least.get(place, 0) - change)
            effect[place] = effect.get(place, 0) + change
        for place, weight in transition.pre:
            least[place] = max(weight, least.get(place, 0))
    for place in {**least, **need}:
        start, change = least.get(place, 0), effect.get(place, 0)
        last = max(start, need.get(place, 0) - change)
        least[place] = max(start, last - (times - 1) * change)
    return {place: tokens for place, tokens in least.items() if tokens > 0}


def words(
    net: Net, line: Sequence[TreeNode], goal: Mapping[int, int]
) -> list[tuple[tuple[int, ...], int]]:
    """Return (word, how often) from the root to a node, so that its ω hold what the goal needs.

    The line is the node and its ancestors, the root last; the node's marking is at least the goal.
    """
    words_fired = []
    need = {p: n for p, n in goal.items() if line[0].tokens.get(p) == OMEGA}
    for node in line:
        unbounded = {place for place, tokens in node.tokens.items() if tokens == OMEGA}
        for loop in reversed(node.loops):
            times = max(-((base - need.get(p, 0)) // gain) for p, base, gain in loop.pumped)
            unbounded.difference_update(place for place, _, _ in loop.pumped)
            if times > 0:
                words_fired.append((loop.word, times))
                need = hurdle(net, loop.word, times, need)
            need = {place: tokens for place, tokens in need.items() if place in unbounded}
        if node.transition >= 0:
            words_fired.append(((node.transition,), 1))
            need = hurdle(net, (node.transition,), 1, need)
            need = {place: tokens for place, tokens in need.items() if place in unbounded}
    return words_fired[::-1]


def unrolled(
    net: Net, words: Iterable[tuple[tuple[int, ...], int]]
) -> list[tuple[int, int]] | None:
    """Return the repeated words as (transition, times in a row); None if too many steps.

    The words must fire one after the other from the initial marking.
    """
    marking = list(net.initial)
    steps: list[tuple[int, int]] = []
    for word, times in words:
        patience = 1
        while times:
            share = _share(net, marking, word, times)
            block = tuple((action, share) for action in word)
            # Few rounds at first: the tokens that they add may allow for a greater share.
            rounds = min(times // share, patience, _rounds(net, marking, block))
            patience *= 2
            if len(steps) + rounds * len(block) > STEPS:
                return None
            steps.extend(block * rounds)
            times -= share * rounds
            for action, count in block:
                for place, change in net.transitions[action].effect:
                    marking[place] += count * rounds * change
    return steps


def _share(net: Net, marking: Sequence[int], word: tuple[int, ...], times: int) -> int:
    """Return the greatest c ≤ times such that aᶜ bᶜ … fires for the word a b …, which fires."""
    low, high = 1, 2
    while high <= times and _fires(net, marking, word, high):
        low, high = high, 2 * high
    high = min(high, times + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _fires(net, marking, word, middle) else (low, middle)
    return low


def _fires(net: Net, marking: Sequence[int], word: tuple[int, ...], count: int) -> bool:
    need = _before_block(net, tuple((action, count) for action in word))
    return all(marking[place] >= tokens for place, tokens in need.items())


def _before_block(net: Net, block: Block) -> dict[int, int]:
    need: dict[int, int] = {}
    for action, count in reversed(block):
        need = hurdle(net, (action,), count, need)
    return need


def _rounds(net: Net, marking: Sequence[int], block: Block) -> int:
    """Return the number of times the block, which fires, can fire; unlimited is a large number."""
    effect = combination((count, net.transitions[action].effect) for action, count in block)
    need = _before_block(net, block)
    margins = (
        1 + (marking[place] - need.get(place, 0)) // -change
        for place, change in effect
        if change < 0
    )
    return min(margins, default=STEPS)
