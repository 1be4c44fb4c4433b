"""What there is to know, line by line, as a page lists it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from petricheck.drawing.words import sizes
from petricheck.formats import NetFile
from petricheck.words import printable


@dataclass(frozen=True, slots=True)
class Fact:
    """A line of what there is to know.

    Attributes:
        title: heads it.
        text: says it.
        note: said less loudly; may be empty.
    """

    title: str
    text: str
    note: str = ""


def printed(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts, each text on one line whatever it holds; HTML stays as it is."""
    return tuple(Fact(*map(_line, (fact.title, fact.text, fact.note))) for fact in facts)


def _line(text: str) -> str:
    return text if isinstance(text, Markup) else printable(text)


def net_facts(file: NetFile) -> Iterator[Fact]:
    """The net's file, and what it warns of."""
    yield Fact("Net", file.path, sizes(file.net))
    for warning in file.warnings:
        yield Fact("Warning", warning)
