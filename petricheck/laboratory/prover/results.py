"""Questions to the prover, and its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.laboratory.prover.proofs import Proof


class Theory(StrEnum):
    """The values that variables range over."""

    INTEGERS = "integers"
    RATIONALS = "rationals"
    FUNCTIONS = "functions"
    """Rationals as well, with values of functions of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Elimination:
    """The elimination of the parts' own variables, which gave interpolants without a proof.

    Attributes:
        reason: why no proof was found.
    """

    reason: str


@dataclass(frozen=True, slots=True)
class Interpolated:
    """The result where the parts contradict each other.

    Attributes:
        interpolants: one for two parts, one for each cut of a sequence, or one for each part.
        by: the proof that all of them come from, or the elimination.
    """

    interpolants: tuple[Formula, ...]
    by: Proof | Elimination

    @property
    def interpolant(self) -> Formula:
        """The only interpolant; ValueError where there are several."""
        (single,) = self.interpolants
        return single


@dataclass(frozen=True, slots=True)
class Satisfiable:
    """The result where the parts have a common model.

    Attributes:
        model: the values of all their variables, and of applications of functions.
    """

    model: Mapping[str, int | Fraction]


@dataclass(frozen=True, slots=True)
class Undecided:
    """The result where neither was found.

    Attributes:
        reason: why the search ended.
    """

    reason: str


Result: TypeAlias = Interpolated | Satisfiable | Undecided
