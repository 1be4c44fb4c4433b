"""The tree of values that explains a claim; `reports.explanation` has its renderers.

In a sentence, formulas, ids and numbers are values, so that each renderer writes them in its own
way. Lists are complete; renderers shorten them, and count what they omit.

A claim explains itself by an `Outline`. It only names the parts for which more is needed than the
claim: names of the model, markings on the way, reasons of a certificate. `reports.explanation`
replaces these parts by nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.layout import Leaf
from petricheck.arithmetic.formulas.terms import Term
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import Description, notation_of
from petricheck.model.net import Net
from petricheck.model.node_names import NodeNames
from petricheck.model.problem import Problem

FORMULAS = 30
"""Formulas that are reached, or sums that grow, which a text lists; it counts the others."""


@dataclass(frozen=True, slots=True)
class Id:
    """A place or transition in a sentence."""

    name: str


@dataclass(frozen=True, slots=True)
class SentenceList:
    """A list in a sentence.

    Attributes:
        items: all entries.
        most: how many entries a text shows.
        noun: for the entries that are not shown, in the singular; may be empty.
        separator: between two entries.
    """

    items: tuple[Words, ...]
    most: int = 12
    noun: str = ""
    separator: str = ", "


Word: TypeAlias = str | int | Formula | Leaf | Term | Id | SentenceList

Words: TypeAlias = tuple[Word, ...]
"""A sentence; its strings are the program's own, or `printable`."""


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence on its own.

    Attributes:
        words: the sentence.
        quiet: whether it is a note of less importance.
        inner: whether it belongs to the sentence before.
        hint: which option shows the omitted part; empty if nothing is omitted.
    """

    words: Words
    quiet: bool = False
    inner: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences of one kind, each with notes; `noun` names the kind in the singular."""

    items: tuple[tuple[Words, ...], ...]
    noun: str
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class FiringList:
    """A firing sequence: (transition id, number of firings in a row); the label comes before it."""

    steps: tuple[tuple[str, int], ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """A certificate, written by its notation.

    Attributes:
        certificate: as it was audited.
        model: the certificate in the names that people see; None if these are the net's.
    """

    certificate: object
    model: object = None

    def describe(self, form: str) -> Description:
        """Return the certificate for people; the form for solvers is the audited one."""
        certificate = self.certificate if self.model is None or form == "smt" else self.model
        return notation_of(certificate).describe(certificate, form)


@dataclass(frozen=True, slots=True)
class TraceStep:
    """A step of a trace, or one that stands for several omitted steps.

    Attributes:
        number: of the step, or of the last omitted one; the first step has number 1.
        fires: id of the transition; None for omitted steps.
        times: how often it fires, or how many steps are omitted.
        changes: (number of the place, tokens before, tokens after).
    """

    number: int
    fires: str | None
    times: int
    changes: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps of a trace of the net, each with its changes of tokens; and names to show."""

    net: Net
    steps: tuple[TraceStep, ...]
    names: NodeNames = field(default_factory=NodeNames)

    @property
    def places(self) -> list[int]:
        """Numbers of the places that the steps change."""
        return sorted({place for step in self.steps for place, _, _ in step.changes})

    @property
    def total(self) -> int:
        """The number of steps of the trace."""
        return self.steps[-1].number


@dataclass(frozen=True, slots=True)
class PlaceTable:
    """Numbers by place: a row is an id with the numbers of the columns after the first."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Nodes that belong together."""

    title: Words
    nodes: tuple[Node, ...]


Node: TypeAlias = Line | Items | FiringList | Stated | Steps | PlaceTable | Section


@dataclass(frozen=True, slots=True)
class Fired:
    """A trace."""

    trace: Trace


@dataclass(frozen=True, slots=True)
class TraceTo:
    """A trace, and the marking in which it ends.

    Attributes:
        trace: the trace.
        places: ids of those that the statement names.
    """

    trace: Trace
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Replayed:
    """The steps of a trace, and the places that it changes; the title may be empty."""

    trace: Trace
    title: Words = ()


@dataclass(frozen=True, slots=True)
class ProofOutline:
    """The reasons of a certificate that no marking in the target is reachable; a title or none."""

    problem: Problem
    certificate: object
    title: Words = ()


Outline: TypeAlias = Node | Fired | TraceTo | Replayed | ProofOutline


@dataclass(frozen=True, slots=True)
class Explained:
    """A claim in words, the evidence that proves it, and the reasons; these may be empty."""

    says: Words
    evidence: tuple[Node, ...]
    reasons: tuple[Node, ...]


def sentences(words: Iterable[Words], noun: str) -> Iterator[Items]:
    """Yield the sentences as one list without notes; nothing if there are none."""
    if listed := tuple((sentence,) for sentence in words):
        yield Items(listed, noun)


def several_formulas(formulas: Iterable[Formula | Term]) -> SentenceList:
    """Return a list of the formulas or sums."""
    return SentenceList(tuple((formula,) for formula in formulas), FORMULAS, separator="; ")


def several_ids(ids: Iterable[str]) -> SentenceList:
    """Return a list of the places or transitions."""
    return SentenceList(tuple((Id(id_),) for id_ in ids))
