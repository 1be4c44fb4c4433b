"""No guidance: plain separators.

The markings on a path are known, and one row of the goal fails in the last. That row, taken back
through the path, is an interpolant at every cut. It is about this one path only, so that
refinement often diverges (Leroux et al. 2016, Example 8).
"""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.engines.guides import Choice, Guide, PathPart
from petricheck.engines.heuristics import Displacement, Heuristic
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.symbolic.interpolation.path import PathQuestion, constant_sequence
from petricheck.symbolic.linear import Hyperplane, scaled


class None_(Guide):
    """Neither abstraction nor acceleration: the row that fails, at every cut."""

    part = PathPart.PREFIX  # the markings are known up to the guard that fails

    def displacements(
        self, heuristics: Sequence[Heuristic], net: Net, path: Sequence[int]
    ) -> tuple[Displacement, ...]:
        """Return no displacements: the heuristics are not used."""
        return ()

    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """Return the sequence of the first row of the goal that separates."""
        rows = len(question.goal)
        for number, row in enumerate(question.goal):
            for sign in (1, -1) if isinstance(row, Hyperplane) else (1,):
                multipliers = tuple(sign * int(n == number) for n in range(rows))
                normal = scaled(row.direction, -sign)
                sequence = constant_sequence(question, normal, multipliers)
                if sequence is not None:
                    return Choice(sequence.half_spaces, sequence)
        return None
