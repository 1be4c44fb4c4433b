"""Guides: how an interpolant is chosen among the feasible ones. One file each.

A guide is a value with two methods. `displacements` asks the heuristics; `interpolate` answers the
interpolation problem of a path with predicates that its interpolants are made of, or with None
where the problem is infeasible, or the guide finds nothing. Which part of a path it would rather
be asked about is its `part`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from petricheck.budget import Budget
from petricheck.heuristics import Displacement, Heuristic
from petricheck.interpolation.path import FarkasSequence, PathQuestion
from petricheck.linear import HalfSpace, Residue
from petricheck.problem import Net, Weights


class Part(Enum):
    """The part of a path without accelerated actions that is interpolated first.

    Interpolants are steady where no displacement increases them. Of an accelerated path, and of the
    empty one, it is always the whole. Where that is not taken, the earliest prefix that fails is.
    """

    PREFIX = "the earliest prefix that fails"
    STEADY = "the whole path if steady, where displacements are other vectors than its actions'"
    WHOLE = "the whole path, steady or not"


@dataclass(frozen=True, slots=True)
class Choice:
    """A guide's answer.

    Attributes:
        predicates: what the interpolants are made of.
        proof: the interpolants as one half-space at each cut, where they are that.
        templates: the template terms that they may speak in; empty where not restricted.
        cost: of the abstraction, or 0.
    """

    predicates: tuple[HalfSpace | Residue, ...]
    proof: FarkasSequence | None = None
    templates: tuple[Weights, ...] = ()
    cost: int = 0

    @property
    def normals(self) -> tuple[Weights, ...]:
        """The directions that the interpolants bound at the cuts."""
        if self.proof is not None:
            return tuple(dict.fromkeys(self.proof.cuts))
        bounds = (p.direction for p in self.predicates if isinstance(p, HalfSpace))
        return tuple(dict.fromkeys(bounds))


def proved(sequence: FarkasSequence, templates: tuple[Weights, ...] = (), cost: int = 0) -> Choice:
    """The choice of a sequence of half-spaces."""
    return Choice(sequence.half_spaces, sequence, templates, cost)


class Guide(ABC):
    """The frame of every member of this family.

    Attributes:
        part: which part of a path the guide is asked about first.
    """

    part: ClassVar[Part]

    def displacements(
        self, heuristics: Sequence[Heuristic], net: Net, path: Sequence[int]
    ) -> tuple[Displacement, ...]:
        """Return the displacements of the heuristics that the guide uses."""
        return ask_all(heuristics, net, path)

    @abstractmethod
    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """Return the parts of interpolants that exclude the question's goal, or None."""


def ask_all(
    heuristics: Sequence[Heuristic], net: Net, path: Sequence[int]
) -> tuple[Displacement, ...]:
    """The displacements of all heuristics."""
    return tuple(d for heuristic in heuristics for d in heuristic.displacements(net, path))
