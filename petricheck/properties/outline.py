"""What a file of the contest asks, read without the net: ids, and which answer makes each true.

A property that asks may still be refused by `read_properties`, which knows the net's
names; one that asks nowhere is refused there as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from petricheck.errors import QueryError
from petricheck.properties.grammar import check_tag
from petricheck.properties.readers import pieces_of
from petricheck.properties.readers.mcc import check_id
from petricheck.scanning.xml import Scanner

Verdict: TypeAlias = Literal["reachable", "unreachable", "maximum", "nowhere"]

_PATHS: dict[tuple[str, ...], Verdict] = {
    ("exists-path", "finally"): "reachable",
    ("all-paths", "globally"): "unreachable",
}
_TEMPORAL = frozenset(tag for tags in _PATHS for tag in tags)


@dataclass(frozen=True, slots=True)
class Outline:
    """A property as far as it can be understood without the net.

    Attributes:
        id: unique in its file.
        true_where: what the target is where the property is true; maximum, for one that asks for
            a number instead; nowhere, for any other that is no question after reachability; None
            where only the net tells.
    """

    id: str
    true_where: Verdict | None


def read_outlines(path: str | Path) -> tuple[Outline, ...]:
    """The properties of a file, in its order; none where it holds something else than properties.

    Raises:
        InputError: the file cannot be read, is too large, is not well-formed, or a property has no
            id, or that of another.
    """
    reader = _Reader(Scanner(str(path)))
    reader.scanner.run(pieces_of(path), reader.start, reader.end, reader.text)
    return tuple(reader.outlines.values())


def _true_where(tags: list[str]) -> Verdict:
    """By the elements of the formula, in the order of their beginnings."""
    if tags[:1] == ["place-bound"]:
        return "maximum" if set(tags[1:]) <= {"place"} else "nowhere"
    negations = 0
    while tags[negations : negations + 1] == ["negation"]:
        negations += 1
    paths, rest = tuple(tags[negations : negations + 2]), tags[negations + 2 :]
    verdict = _PATHS.get(paths)
    if verdict is None or not _TEMPORAL.isdisjoint(rest):
        return "nowhere"
    try:
        for tag in rest:
            check_tag(tag)
    except QueryError:
        return "nowhere"
    if negations % 2:
        return "unreachable" if verdict == "reachable" else "reachable"
    return verdict


@dataclass(slots=True)
class _Reader:
    """Listens to the scanner; depth counts the elements that are open."""

    scanner: Scanner
    outlines: dict[str, Outline] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)
    id: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)

    def start(self, name: str, _: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        if self.stack == ["property-set"]:
            self.id, self.tags = [], []
        elif self.stack[:3] == ["property-set", "property", "formula"]:
            self.tags.append(tag)
        self.stack.append(tag)

    def text(self, data: str) -> None:
        if self.stack == ["property-set", "property", "id"]:
            self.id.append(data)

    def end(self, _: str) -> None:
        if self.stack == ["property-set", "property"]:
            self._end_property()
        self.stack.pop()

    def _end_property(self) -> None:
        name = "".join(self.id).strip()
        check_id(self.scanner, name, self.outlines, self.scanner.line)
        self.outlines[name] = Outline(name, _true_where(self.tags))
