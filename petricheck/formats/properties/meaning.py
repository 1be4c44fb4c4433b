"""The meaning of a property."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term


@dataclass(frozen=True, slots=True)
class Possible:
    """The property EF target: some reachable marking satisfies the target."""

    target: Formula


@dataclass(frozen=True, slots=True)
class InvariantProperty:
    """The property AG ¬target: no reachable marking satisfies the target, the violation."""

    target: Formula


@dataclass(frozen=True, slots=True)
class Maximum:
    """The largest value of a sum of places, a number and no truth: UpperBounds of the contest."""

    sum: Term


@dataclass(frozen=True, slots=True)
class RefusedProperty:
    """A property that is no question after reachability, or makes no sense for the net."""

    reason: str


Meaning: TypeAlias = Possible | InvariantProperty | Maximum | RefusedProperty


@dataclass(frozen=True, slots=True)
class Property:
    """A named question; its id is unique in its file, not empty, printable.

    At the first property of a file stands what is worth knowing about it, one sentence each.
    """

    id: str
    meaning: Meaning
    warnings: tuple[str, ...] = ()
