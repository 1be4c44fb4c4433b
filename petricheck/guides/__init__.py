"""Guides: how an interpolant is chosen among the feasible ones. One file each.

A guide is a value with two methods. `displacements` asks the heuristics; `interpolate` answers the
interpolation problem of a path with one sequence of half-spaces, or with None where the problem
is infeasible, or the guide finds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from petricheck.budget import Budget
from petricheck.heuristics import Displacement, Heuristic
from petricheck.interpolation.path import FarkasSequence, PathQuestion
from petricheck.problem import Net, Weights


@dataclass(frozen=True, slots=True)
class Choice:
    """A guide's answer.

    Attributes:
        sequence: the interpolants.
        templates: the template terms that they may speak in; empty where not restricted.
        cost: of the abstraction, or 0.
    """

    sequence: FarkasSequence
    templates: tuple[Weights, ...] = ()
    cost: int = 0


class Guide(Protocol):
    """The frame of every member of this family."""

    def displacements(
        self, heuristics: Sequence[Heuristic], net: Net, path: Sequence[int]
    ) -> tuple[Displacement, ...]:
        """What the guide wants to know of the heuristics."""

    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """A sequence of interpolants that excludes the question's goal, or None."""


def ask_all(
    heuristics: Sequence[Heuristic], net: Net, path: Sequence[int]
) -> tuple[Displacement, ...]:
    """The displacements of all heuristics."""
    return tuple(d for heuristic in heuristics for d in heuristic.displacements(net, path))
