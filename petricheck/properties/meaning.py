"""What a property says about the reachable markings, and when it is true."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from petricheck.answer import Answer, Reachable, Unreachable
from petricheck.presburger.formulas import Formula


@dataclass(frozen=True, slots=True)
class Possible:
    """Some reachable marking satisfies the target: EF target."""

    target: Formula


@dataclass(frozen=True, slots=True)
class Invariant:
    """No reachable marking satisfies the target, which is the violation: AG ¬target."""

    target: Formula


@dataclass(frozen=True, slots=True)
class Refused:
    """It is no question after reachability, or makes no sense for the net."""

    reason: str


Meaning: TypeAlias = Possible | Invariant | Refused


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
    """Whether the property is true, given the answer about its target; None where that is open."""
    match meaning, answer:
        case (Possible(), Reachable()) | (Invariant(), Unreachable()):
            return True
        case (Possible(), Unreachable()) | (Invariant(), Reachable()):
            return False
        case _:
            return None
