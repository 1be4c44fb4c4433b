"""Interpolant sequences for paths of nets, in closed form (accelerated Farkas sequences).

A path is a sequence of blocks t^n. Its interpolation problem (Def. 10 of Leroux et al. 2016, with
the accelerated step φ^acc of section 9.3 where n is free) asks for half-spaces c_i·m ≤ B_i − 1
that hold after i blocks and together exclude the goal. With multipliers w for the goal's rows
a·m ≤ b (w ≥ 0) or a·m = b (w free) and vectors c_i (after block i) and d_i (inside block i), the
conditions are linear:

    c_k + Σ w·a ≥ 0      the goal, and m ≥ 0
    c_i ≤ d_i ≤ c_{i-1}  end guard m ≥ v and start guard m ≥ u, in every place
    d_i·δ_i ≤ 0          only where the block may repeat any number n ≥ 1 of times
    B_k = −Σ w·b,  B_{i-1} = B_i + (d_i − c_i)·v_i + (c_{i-1} − d_i)·u_i − n_i·d_i·δ_i
    c_0·m0 < B_0

with n_i = 1 for a free n (then n = 1 is the worst case). `interpolation.chain` finds
solutions by linear programs; `confirm` checks a proposed solution exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram
from petricheck.model.net import Net, Transition, Weights
from petricheck.symbolic.linear import (
    Constraint,
    HalfSpace,
    Hyperplane,
    at_least,
    combination,
    product,
    products,
    scaled,
    value_at,
)


@dataclass(frozen=True, slots=True)
class Block:
    """t^n: one transition, `count` times in a row; None stands for any number n ≥ 1 of times."""

    transition: Transition
    count: int | None

    @property
    def worst(self) -> int:
        """The repetition for which the block's bound is computed."""
        return 1 if self.count is None else self.count


@dataclass(frozen=True, slots=True)
class PathQuestion:
    """The question whether the blocks lead from the initial marking to the goal (all its rows)."""

    net: Net
    blocks: tuple[Block, ...]
    goal: tuple[Constraint, ...]


@dataclass(frozen=True, slots=True)
class FarkasSequence:
    """A confirmed solution: integers that satisfy the conditions above.

    Attributes:
        multipliers: w, one for each row of the goal.
        cuts: c_0 … c_k.
        inner: d_1 … d_k; equal to c_i for blocks of one firing.
        half_spaces: the half-spaces at the cuts and inside the blocks, without duplicates.
    """

    multipliers: tuple[int, ...]
    cuts: tuple[Weights, ...]
    inner: tuple[Weights, ...]
    half_spaces: tuple[HalfSpace, ...]


def confirm(
    question: PathQuestion,
    multipliers: tuple[int, ...],
    cuts: Sequence[Weights],
    inner: Sequence[Weights],
) -> FarkasSequence | None:
    """Return the sequence with its bounds, or None where a condition fails. Exact."""
    rows = tuple(zip(multipliers, question.goal, strict=True))
    signs = all(w >= 0 or isinstance(row, Hyperplane) for w, row in rows)
    if not signs or not at_least(cuts[-1], combination((-w, row.direction) for w, row in rows)):
        return None
    bound = -sum(w * row.bound for w, row in rows)
    half_spaces = [HalfSpace(cuts[-1], bound - 1)]
    for number in range(len(question.blocks), 0, -1):
        block, after, inside, before = (
            question.blocks[number - 1], cuts[number], inner[number - 1], cuts[number - 1],
        )  # fmt: skip
        if not (at_least(inside, after) and at_least(before, inside)):
            return None
        pre, post = block.transition.pre, block.transition.post
        growth, consumption, production = products(inside, (block.transition.effect, pre, post))
        if block.count is None and growth > 0:
            return None
        bound += production - product(after, post)
        repeats = range(1 if block.count is None else min(block.count, _REPEATS))
        half_spaces.extend(HalfSpace(inside, bound - 1 - q * growth) for q in repeats)
        bound += product(before, pre) - consumption - block.worst * growth
        half_spaces.append(HalfSpace(before, bound - 1))
    if value_at(cuts[0], question.net.initial) >= bound:
        return None
    unique = tuple(dict.fromkeys(reversed(half_spaces)))
    return FarkasSequence(multipliers, tuple(cuts), tuple(inner), unique)


_REPEATS = 1000
"""Most half-spaces emitted inside one block; a longer block may need further refinements."""


def constant_sequence(
    question: PathQuestion, normal: Weights, multipliers: tuple[int, ...]
) -> FarkasSequence | None:
    """Return the sequence with the same normal at every cut, or None if that is none.

    For blocks that fire once this is the plain interpolant of a path: its markings are known, and
    one row of the goal fails in the last.
    """
    cuts = (normal,) * (len(question.blocks) + 1)
    return confirm(question, multipliers, cuts, cuts[1:])


def relevant_places(question: PathQuestion, more: Iterable[Weights] = ()) -> tuple[int, ...]:
    """Return the places that interpolants may contain.

    All of them in a net of moderate size. In a larger one those that the path and the goal touch,
    and those of vectors in `more` that share a place with them.
    """
    if len(question.net.places) <= _ALL_PLACES:
        return tuple(range(len(question.net.places)))
    touched = {place for row in question.goal for place, _ in row.direction}
    for block in question.blocks:
        touched |= {p for p, _ in (*block.transition.pre, *block.transition.post)}
    near = [vector for vector in more if any(place in touched for place, _ in vector)]
    return tuple(sorted(touched | {place for vector in near for place, _ in vector}))


_ALL_PLACES = 300


def feasible_counts(question: PathQuestion, seconds: float, integral: bool) -> (
    tuple[float, ...] | None
):  # fmt: skip
    """Return numbers n_i ≥ 1 with which the blocks fire into the goal, over ℚ or ℕ. A hint."""
    program = LinearProgram()
    free = _LONGEST_BLOCK if integral else INFINITY
    counts = [
        program.column(
            cost=1.0,
            lower=block.worst,
            upper=free if block.count is None else block.count,
            integral=integral,
        )
        for block in question.blocks
    ]

    growth: dict[int, dict[int, float]] = {}

    def require(vector: Weights, bound: int, equality: bool = False) -> None:
        """Add a row for vector·m ≥ bound at the current cut."""
        entries: dict[int, float] = {}
        for place, weight in vector:
            for column, change in growth.get(place, {}).items():
                entries[column] = entries.get(column, 0) + weight * change
        gap = bound - value_at(vector, question.net.initial)
        program.row(entries, lower=gap, upper=gap if equality else INFINITY)

    for block, column in zip(question.blocks, counts, strict=True):
        for place, weight in block.transition.pre:
            require(((place, 1),), weight)
        for place, change in block.transition.effect:
            growth.setdefault(place, {})[column] = change
        for place, weight in block.transition.end_guard:
            require(((place, 1),), weight)
    for row in question.goal:
        require(scaled(row.direction, -1), -row.bound, isinstance(row, Hyperplane))
    return program.solve(seconds)


_LONGEST_BLOCK = 10**6
"""Bounds the integer program: branch and bound need not end otherwise, and errs beyond."""
