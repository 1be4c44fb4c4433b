"""Clauses are generalised: what a polyhedron can be widened to, so that still nothing leads in.

First sides are dropped; then bounds of those that keep the initial marking out are raised towards
it. In the end the polyhedron misses the initial marking, and no transition from the frame enters.
"""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.laboratory.pdr.frames import Frames
from petricheck.laboratory.pdr.polyhedra import Polyhedron, polyhedron
from petricheck.linear import HalfSpace, value_at
from petricheck.problem import Marking, Transition

WIDENINGS = 3
"""How many larger bounds are tried for a side."""


def generalised(
    frames: Frames,
    level: int,
    blocked: Polyhedron,
    needed: frozenset[HalfSpace],
    initial: Marking,
) -> Polyhedron:
    """A polyhedron around `blocked` without the initial marking, which the frame never enters.

    Args:
        frames: the frames.
        level: of the frame.
        blocked: misses the initial marking, and nothing enters it from the frame.
        needed: what `Frames.entering` gave for it.
        initial: the initial marking.
    """
    wide = _missing(initial, needed, blocked)
    for side in sorted(wide.sides, key=_specific, reverse=True):
        if side in wide.sides:
            wide = _without(frames, level, wide, side, initial)
    for side in wide.sides:
        wide = _raised(frames, level, wide, side, initial)
    return wide


def _specific(side: HalfSpace) -> tuple[int, int]:
    return len(side.direction), abs(side.bound)


def _missing(initial: Marking, needed: Iterable[HalfSpace], blocked: Polyhedron) -> Polyhedron:
    """The intersection of the needed sides, and of one more where the initial marking is there."""
    wide = polyhedron(needed)
    if initial not in wide:
        return wide
    outside = next(side for side in blocked.sides if not side.holds(initial))
    return polyhedron((*wide.sides, outside))


def _without(
    frames: Frames, level: int, wide: Polyhedron, side: HalfSpace, initial: Marking
) -> Polyhedron:
    """Without this side, and what else then is not needed; as it was where this fails."""
    fewer = polyhedron(other for other in wide.sides if other != side)
    if initial in fewer:
        return wide
    reason = frames.entering(fewer, level)
    return wide if isinstance(reason, Transition) else _missing(initial, reason, fewer)


def _raised(
    frames: Frames, level: int, wide: Polyhedron, side: HalfSpace, initial: Marking
) -> Polyhedron:
    """With a larger bound for this side; the largest that is considered misses the initial marking.

    It is halved towards the old one until nothing enters.
    """
    most = value_at(side.direction, initial) - 1
    for _ in range(WIDENINGS):
        if most <= side.bound:
            break
        more = HalfSpace(side.direction, most)
        wider = polyhedron(more if other == side else other for other in wide.sides)
        if not isinstance(frames.entering(wider, level), Transition):
            return wider
        most = (side.bound + most) // 2
    return wide
