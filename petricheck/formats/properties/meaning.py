"""The meaning of a property, and when it is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.answer import Answer, Reachable, Unreachable


@dataclass(frozen=True, slots=True)
class Possible:
    """The property EF target: some reachable marking satisfies the target."""

    target: Formula


@dataclass(frozen=True, slots=True)
class Invariant:
    """The property AG ¬target: no reachable marking satisfies the target, the violation."""

    target: Formula


@dataclass(frozen=True, slots=True)
class Maximum:
    """The largest value of a sum of places, a number and no truth: UpperBounds of the contest."""

    sum: Term


@dataclass(frozen=True, slots=True)
class Refused:
    """A property that is no question after reachability, or makes no sense for the net."""

    reason: str


Meaning: TypeAlias = Possible | Invariant | Maximum | Refused


@dataclass(frozen=True, slots=True)
class Property:
    """A named question.

    Attributes:
        id: unique in its file, not empty, printable.
        meaning: what it asks.
        warnings: what is worth knowing about the file, one sentence each; at its first property.
    """

    id: str
    meaning: Meaning
    warnings: tuple[str, ...] = ()


def holds(meaning: Meaning, answer: Answer) -> bool | None:
    """Return whether the property is true, given the answer about its target; None if open.

    A maximum, which has no target, is always open.
    """
    match meaning, answer:
        case (Possible(), Reachable()) | (Invariant(), Unreachable()):
            return True
        case (Possible(), Unreachable()) | (Invariant(), Reachable()):
            return False
        case _:
            return None
