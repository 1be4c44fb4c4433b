"""What is told of a claim, as a tree of values, of which `text` and `html` are renderers.

Words are sentences whose formulas, ids and numbers are values, so that each renderer writes them in
its own way. Lists have all that is to be told; renderers that have less room shorten them, and
count what they leave out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.evidence import Description, notation_of
from petricheck.presburger.formulas import Formula
from petricheck.presburger.layout import Leaf
from petricheck.presburger.terms import Term
from petricheck.presburger.text import quoted_name
from petricheck.problem import Net
from petricheck.words import printable

NAME = 40
"""Letters of the names that people gave which are told."""


@dataclass(frozen=True, slots=True)
class Id:
    """A place or transition in a sentence."""

    name: str


@dataclass(frozen=True, slots=True)
class Several:
    """A list in a sentence.

    Attributes:
        items: all of them.
        most: how many a text shows.
        noun: of those that are not shown, in the singular; may be empty.
        separator: between two of them.
    """

    items: tuple[Words, ...]
    most: int = 12
    noun: str = ""
    separator: str = ", "


Word: TypeAlias = str | int | Formula | Leaf | Term | Id | Several

Words: TypeAlias = tuple[Word, ...]
"""A sentence; its strings are the program's own, or `printable`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence on its own.

    Attributes:
        words: the sentence.
        quiet: whether it is said less loudly.
        inner: whether it belongs to the sentence before.
        hint: of the command, where it shows less than all of it; may be empty.
    """

    words: Words
    quiet: bool = False
    inner: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences of one kind, each with notes on it; the noun, in the singular, says which."""

    items: tuple[tuple[Words, ...], ...]
    noun: str
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Firings:
    """A firing sequence: (transition id, how often in a row); the label says what to do with it."""

    steps: tuple[tuple[str, int], ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """A certificate, as its notation states it.

    Attributes:
        certificate: as it was audited.
        names: that people gave, by id.
        model: the certificate in the names of the model, None where these are the net's.
    """

    certificate: object
    names: Mapping[str, str]
    model: object = None

    def describe(self, form: str) -> Description:
        """The certificate for people; solvers are told what was audited."""
        certificate = self.certificate if self.model is None or form == "smt" else self.model
        return notation_of(certificate).describe(certificate, form)


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
    """What a trace of the net does to the marking, step by step."""

    net: Net
    steps: tuple[Step, ...]

    @property
    def places(self) -> list[int]:
        """Numbers of the places that have to do with it."""
        return sorted({place for step in self.steps for place, _, _ in step.changes})

    @property
    def total(self) -> int:
        """How many steps the trace has."""
        return self.steps[-1].number


@dataclass(frozen=True, slots=True)
class Table:
    """Numbers of places: a row has an id and the numbers below the heads, the first aside."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Nodes that belong together."""

    title: Words
    nodes: tuple[Node, ...]


Node: TypeAlias = Line | Items | Firings | Stated | Steps | Table | Section


@dataclass(frozen=True, slots=True)
class Explained:
    """What is claimed, the evidence that proves it, and why it does, if that is to be told."""

    says: Words
    evidence: tuple[Node, ...]
    reasons: tuple[Node, ...]


def items(words: Iterable[Words], noun: str) -> Iterator[Items]:
    """The sentences without notes; nothing where there are none."""
    if sentences := tuple((sentence,) for sentence in words):
        yield Items(sentences, noun)


def several_ids(ids: Iterable[str]) -> Several:
    """The places or transitions."""
    return Several(tuple((Id(id_),) for id_ in ids))


def names_line(ids: Iterable[str], names: Mapping[str, str]) -> Iterator[Line]:
    """The names that people gave to some of these; nothing where none has one."""
    ids_with_names = [id_ for id_ in dict.fromkeys(ids) if id_ in names]
    if named := tuple((Id(id_), f" is {_quoted(names[id_])}") for id_ in ids_with_names):
        yield Line(("Names: ", Several(named, noun="name"), "."), quiet=True)


def _quoted(name: str) -> str:
    return printable(quoted_name(name if len(name) <= NAME else f"{name[:NAME]}…"))
