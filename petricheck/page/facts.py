"""What there is to know, line by line, as a page lists it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from petricheck.formats import NetFile
from petricheck.page.nets import sizes
from petricheck.words import counted, printable


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
    """The facts, each text on one line whatever it holds."""
    return tuple(Fact(*map(printable, (fact.title, fact.text, fact.note))) for fact in facts)


def net_facts(file: NetFile) -> Iterator[Fact]:
    """The net's file, and what it warns of."""
    size = sizes(file.net)
    counts = (counted(size[noun + "s"], noun) for noun in ("place", "transition", "arc"))
    yield Fact("Net", file.path, ", ".join(counts))
    for warning in file.warnings:
        yield Fact("Warning", warning)
