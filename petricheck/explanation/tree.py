"""What is told of a claim, as a tree of values: `text`, `plain` and `html` are its renderers.

Words are sentences whose formulas, ids and numbers are values, so that each renderer writes them in
its own way. Lists have all that is to be told up to some thousands of entries; renderers that have
less room shorten them, and count what they leave out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.presburger.formulas import Formula
from petricheck.presburger.terms import Term
from petricheck.presburger.text import Leaf
from petricheck.problem import Net


@dataclass(frozen=True, slots=True)
class Ids:
    """Places or transitions in a sentence."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Several:
    """Formulas or terms in a sentence, one after the other."""

    items: tuple[Formula | Term, ...]


Words: TypeAlias = tuple[str | int | Formula | Leaf | Term | Ids | Several, ...]
"""A sentence; its strings are the program's own, or `printable`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence on its own; `quiet` is said less loudly."""

    words: Words
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences of one kind.

    Attributes:
        items: the first ones.
        total: how many there are.
        noun: what they are called, in the singular.
    """

    items: tuple[Words, ...]
    total: int
    noun: str


@dataclass(frozen=True, slots=True)
class Firings:
    """A firing sequence: (transition id, how often in a row); the label says what to do with it."""

    steps: tuple[tuple[str, int], ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """A certificate, as its notation states it.

    Attributes:
        certificate: accepted.
        names: those that people gave to places and transitions, by id.
    """

    certificate: object
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Final:
    """The marking that a trace ends in.

    Attributes:
        named: places that the question names, with their tokens, in natural order.
        changed: other places that the trace changes, emptied ones last.
        marked: all places with tokens.
        places: how many the net has.
    """

    named: tuple[tuple[str, int], ...]
    changed: tuple[tuple[str, int], ...]
    marked: tuple[tuple[str, int], ...]
    places: int


@dataclass(frozen=True, slots=True)
class Part:
    """A conjunct of an invariant.

    Attributes:
        says: the conjunct.
        meanings: what it is in the net.
        initially: whether it holds there, and with which values.
        holds: whether it holds initially.
        origin: where it came from; may be empty.
    """

    says: Leaf | Formula
    meanings: tuple[Words, ...]
    initially: Words
    holds: bool
    origin: str


@dataclass(frozen=True, slots=True)
class Parts:
    """Conjuncts, numbered from 1."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a trace; or, where it fires nothing, several that are left out.

    Attributes:
        number: of the step, or of the last one that is left out; 0 is the initial marking.
        fires: id of the transition; None where steps are left out.
        times: how often it fires, or how many steps are left out.
        changes: (number of the place, tokens before, tokens after).
    """

    number: int
    fires: str | None
    times: int
    changes: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """What a trace does to the marking, step by step.

    Attributes:
        net: that it is about.
        places: numbers of the places that it changes.
        steps: in their order.
        total: how many steps the trace has.
    """

    net: Net
    places: tuple[int, ...]
    steps: tuple[Step, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Changes:
    """Places that a trace changes: id, tokens before, at most, and after it."""

    rows: tuple[tuple[str, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class GivenNames:
    """(id, the name that people gave it)."""

    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Nodes that belong together."""

    title: Words
    nodes: tuple[Node, ...]


Node: TypeAlias = (
    Line | Items | Firings | Stated | Final | Parts | Steps | Changes | GivenNames | Section
)


@dataclass(frozen=True, slots=True)
class Explained:
    """A claim with its evidence.

    Attributes:
        says: what is claimed.
        evidence: what proves it.
        reasons: why that is evidence; empty where the evidence speaks for itself.
    """

    says: Words
    evidence: tuple[Node, ...]
    reasons: tuple[Node, ...]
