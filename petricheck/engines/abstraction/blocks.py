"""An abstract path as blocks, and the interpolation problems that it poses."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Congruence, Cube
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.support.budget import Budget
from petricheck.symbolic.interpolation.path import Block, PathQuestion, feasible_counts
from petricheck.symbolic.linear import Constraint, HalfSpace, constraint

Blocks: TypeAlias = tuple[tuple[int, int | None], ...]
"""(transition number, how often in a row, None for any n ≥ 1)."""


def compress(path: Sequence[int], accelerated: frozenset[int]) -> Blocks:
    """Join neighbouring firings of one transition; accelerated ones fire any number of times."""
    return tuple(
        (transition, None if transition in accelerated else len(tuple(group)))
        for transition, group in groupby(path)
    )


def path_question(net: Net, blocks: Blocks, goal: tuple[Constraint, ...]) -> PathQuestion:
    """Return the question whether the blocks lead from the initial marking into the goal."""
    return PathQuestion(net, tuple(Block(net.transitions[t], n) for t, n in blocks), goal)


def _guard(pre: Weights) -> tuple[HalfSpace, ...]:
    return tuple(HalfSpace(((place, -1),), -weight) for place, weight in pre)


def target_rows(net: Net, cube: Cube) -> tuple[tuple[Constraint, ...], tuple[int, ...]]:
    """Return the cube's inequalities and equalities over place numbers, and their literals."""
    rows = [(constraint(net, a), n) for n, a in enumerate(cube) if not isinstance(a, Congruence)]
    return tuple(row for row, _ in rows), tuple(number for _, number in rows)


def earliest_infeasible(
    net: Net, blocks: Blocks, cube: Cube, accelerated: frozenset[int], budget: Budget
) -> tuple[PathQuestion, bool] | None:
    """Return the shortest prefix of blocks that cannot go on, and whether it goes on to the target.

    Prefix k is asked to enable block k + 1, the whole path to meet the target. A block of fixed
    length that fails inside is split before its failing firing.
    """
    if not accelerated:
        return first_failure(net, blocks, cube)
    questions = [
        path_question(net, blocks[:k], _guard(net.transitions[blocks[k][0]].pre))
        for k in range(len(blocks))
    ]
    questions.append(path_question(net, blocks, target_rows(net, cube)[0]))

    def infeasible(k: int) -> bool:
        return feasible_counts(questions[k], budget.remaining, False) is None

    low, high = 0, len(blocks)
    if not infeasible(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if infeasible(middle) else (middle + 1, high)
    return questions[low], low == len(blocks)


def first_failure(net: Net, blocks: Blocks, cube: Cube) -> tuple[PathQuestion, bool] | None:
    """Return the first failure of blocks of fixed lengths, exactly, by simulation."""
    marking = net.initial
    for number, (t, count) in enumerate(blocks):
        transition = net.transitions[t]
        fired = _firings(transition, marking, count or 1)
        if fired < (count or 1):
            prefix = (*blocks[:number], *(((t, fired),) if fired else ()))
            return path_question(net, prefix, _guard(transition.pre)), False
        marking = transition.fire(marking, fired)
    rows = target_rows(net, cube)[0]
    if all(row.holds(marking) for row in rows):
        return None
    return path_question(net, blocks, rows), True


def _firings(transition: Transition, marking: Marking, most: int) -> int:
    """Return the number of times, at most `most`, that the transition fires from the marking."""
    fired = 0
    while fired < most and transition.enabled(marking):
        marking = transition.fire(marking)
        fired += 1
    return fired
