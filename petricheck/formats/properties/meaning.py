"""The meaning of a property, and how the answer to its question decides it.

`kind` is the kind of this question, `quantifier` None where its answer is no truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.terms import Term
from petricheck.formats.language.quantifier import Quantifier


@dataclass(frozen=True, slots=True)
class Possible:
    """The property EF target: some reachable marking satisfies the target."""

    target: Formula
    kind: ClassVar = "formula"
    quantifier: ClassVar = Quantifier.POSSIBLE


@dataclass(frozen=True, slots=True)
class InvariantProperty:
    """The property AG ¬target: no reachable marking satisfies the target, the violation."""

    target: Formula
    kind: ClassVar = "formula"
    quantifier: ClassVar = Quantifier.ALWAYS


@dataclass(frozen=True, slots=True)
class AlwaysPossible:
    """The property AG EF target: a marking in it can be reached from every reachable marking."""

    target: Formula
    kind: ClassVar = "home"
    quantifier: ClassVar = Quantifier.ALWAYS_POSSIBLE


@dataclass(frozen=True, slots=True)
class LiveProperty:
    """The property AG EF that a transition, by its id, is enabled: the transition is live."""

    transition: str
    kind: ClassVar = "live"
    quantifier: ClassVar = Quantifier.ALWAYS_POSSIBLE


@dataclass(frozen=True, slots=True)
class Maximum:
    """The largest value of a sum of places, a number and no truth: UpperBounds of the contest."""

    sum: Term
    kind: ClassVar = "bound"
    quantifier: ClassVar = None


@dataclass(frozen=True, slots=True)
class RefusedProperty:
    """A property of another form, or one that makes no sense for the net."""

    reason: str
    kind: ClassVar = "formula"
    quantifier: ClassVar = None


Meaning: TypeAlias = (
    Possible | InvariantProperty | AlwaysPossible | LiveProperty | Maximum | RefusedProperty
)


@dataclass(frozen=True, slots=True)
class Property:
    """A named question; its id is unique in its file, not empty, printable.

    At the first property of a file stands what is worth knowing about it, one sentence each.
    """

    id: str
    meaning: Meaning
    warnings: tuple[str, ...] = ()
