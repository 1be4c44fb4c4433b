"""What the elements of a formula mean, from the names at its leaves to its temporal operator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from petricheck.presburger.formulas import Formula
from petricheck.presburger.terms import Term
from petricheck.problem import Weights
from petricheck.properties.meaning import Invariant, Maximum, Possible


@dataclass(frozen=True, slots=True)
class PlaceName:
    """<place>: the id of a place of the net."""

    place: str


@dataclass(frozen=True, slots=True)
class TransitionName:
    """<transition>: what a transition of the net needs."""

    pre: Weights


@dataclass(frozen=True, slots=True)
class State:
    """A formula about one marking, and how deep its connectives nest."""

    formula: Formula
    depth: int


@dataclass(frozen=True, slots=True)
class Finally:
    """<finally>: at some time along a path."""

    state: State


@dataclass(frozen=True, slots=True)
class Globally:
    """<globally>: at all times along a path."""

    state: State


Value: TypeAlias = (
    PlaceName | TransitionName | Term | State | Finally | Globally | Possible | Invariant | Maximum
)

DESCRIPTIONS: dict[type, str] = {
    PlaceName: "<place>",
    TransitionName: "<transition>",
    Term: "a number",
    State: "a formula about one marking",
    Finally: "<finally>",
    Globally: "<globally>",
    Possible: "a formula that begins with a path quantifier",
    Invariant: "a formula that begins with a path quantifier",
    Maximum: "<place-bound>",
}
"""What to call a value of each type in a message."""
