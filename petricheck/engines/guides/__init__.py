"""Guides: how an interpolant is chosen among the feasible ones. One file each.

A guide is a value with two methods. `displacements` collects those of the heuristics.
`interpolate` returns predicates of which interpolants of the path are made, or None where there
are none, or the guide does not find them. Its `part` is the part of a path that it prefers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from petricheck.engines.heuristics import Displacement, Heuristic
from petricheck.model.net import Net, Weights
from petricheck.support.budget import Budget
from petricheck.support.plugins import option
from petricheck.symbolic.interpolation.path import FarkasSequence, PathQuestion
from petricheck.symbolic.linear import HalfSpace, ModularDirection


class PathPart(StrEnum):
    """The part of a path that is interpolated first.

    Interpolants are steady where no displacement increases them. `prefix` is the earliest prefix
    that fails; `steady` is the whole path if that has steady interpolants, where displacements are
    other vectors than its actions' effects; `whole` is the whole path, steady or not. With the
    first two, a path with accelerated actions and the empty one are interpolated as a whole if
    steady. Without such interpolants the earliest prefix that fails is interpolated.
    """

    PREFIX = "prefix"
    STEADY = "steady"
    WHOLE = "whole"


def part(default: PathPart) -> str:
    """Return the option of a guide that can interpolate any part."""
    return option(
        default.value, "prefix, steady or whole: what of a path is interpolated first", PathPart
    )


@dataclass(frozen=True, slots=True)
class Choice:
    """A guide's answer.

    Attributes:
        predicates: the predicates of which the interpolants are made.
        proof: the interpolants, if each of them is one half-space.
        templates: the template terms to which interpolants are restricted; empty without
            restriction.
        cost: of the abstraction, or 0.
        queries: how often it was decided whether templates suffice.
    """

    predicates: tuple[HalfSpace | ModularDirection, ...]
    proof: FarkasSequence | None = None
    templates: tuple[Weights, ...] = ()
    cost: int = 0
    queries: int = 0

    @property
    def normals(self) -> tuple[Weights, ...]:
        """The directions that the interpolants bound at the cuts."""
        if self.proof is not None:
            return tuple(dict.fromkeys(self.proof.cuts))
        bounds = (p.direction for p in self.predicates if isinstance(p, HalfSpace))
        return tuple(dict.fromkeys(bounds))


class Guide(ABC):
    """The frame of every member of this family.

    Attributes:
        part: which `PathPart` the guide interpolates first.
    """

    part: str

    def displacements(
        self, heuristics: Sequence[Heuristic], net: Net, path: Sequence[int]
    ) -> tuple[Displacement, ...]:
        """Return the displacements of the heuristics that the guide uses."""
        return tuple(d for heuristic in heuristics for d in heuristic.displacements(net, path))

    @abstractmethod
    def interpolate(
        self, question: PathQuestion, displacements: Sequence[Displacement], budget: Budget
    ) -> Choice | None:
        """Return predicates whose interpolants exclude the question's goal, or None."""
