"""Property files of the Model Checking Contest: XML in which nobody is trusted, read in one pass.

A file that is not well-formed, or whose properties cannot be told apart, is refused as a whole; a
property whose formula is not supported only by itself. Limits: 256 MiB, 1000 nested elements, 100
nested connectives, 4000 digits a number, 16 MiB a tag, no DOCTYPE. Namespaces are ignored, as are
<description> and <tags>.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, TypeVar

from petricheck.errors import InputError, QueryError
from petricheck.problem import Net
from petricheck.properties.grammar import Element, Value, check_tag, meaning_of, value_of
from petricheck.properties.meaning import Meaning, Property, Refused
from petricheck.properties.vocabulary import Vocabulary
from petricheck.scanning.xml import FORMAL, Ignored, Scanner
from petricheck.words import quoted

MAX_NESTING = 1000
"""Elements may nest this deep."""

_IGNORED = ("description", "tags")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Mcc:
    """Property files of the Model Checking Contest."""

    extensions: ClassVar[tuple[str, ...]] = (".xml",)

    def read(self, pieces: Iterable[bytes], path: str, net: Net) -> tuple[Property, ...]:
        """The properties, each with the id that the file gives it.

        Raises:
            InputError: the file was refused as a whole.
        """
        reader = _Reader(Scanner(path), Vocabulary(net))
        reader.scanner.run(pieces, reader.start, reader.end, reader.text)
        if not reader.properties:
            raise InputError("the file holds no <property>", path=path)
        first, *others = reader.properties.values()
        return (replace(first, warnings=reader.ignored.texts()), *others)


def check_id(scanner: Scanner, name: str, taken: Container[str], line: int) -> None:
    """Refuse the file where a property has no id, or that of another.

    Raises:
        InputError: it is empty, not printable, or taken.
    """
    if not name or not name.isprintable():
        raise scanner.error("a <property> must have one <id> of printable characters", line)
    if name in taken:
        raise scanner.error(f"the property {quoted(name)} is given twice", line)


@dataclass(slots=True)
class _Open:
    """An element whose end has not been reached."""

    tag: str
    line: int
    text: list[str] = field(default_factory=list)
    parts: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class _Draft:
    """A property whose end has not been reached."""

    line: int
    ids: list[str] = field(default_factory=list)
    meanings: list[Meaning] = field(default_factory=list)
    refused: Refused | None = None


@dataclass(slots=True)
class _Reader:
    """Listens to the scanner; `properties` are by id.

    The stack holds <property-set>, <property>, a child of it, and from the fourth on, where that
    child is <formula>, the elements of the grammar.
    """

    scanner: Scanner
    vocabulary: Vocabulary
    properties: dict[str, Property] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    draft: _Draft = field(default_factory=lambda: _Draft(0))
    ignored: Ignored = field(default_factory=Ignored)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition(" ")[2]
        match len(self.stack):
            case 0:
                self._expect(tag, "property-set")
            case 1:
                self._expect(tag, "property")
                self.draft = _Draft(self.scanner.line)
            case 2:
                if tag not in ("id", "formula", *_IGNORED):
                    reason = f"<{quoted(tag)[1:-1]}> is not known in a <property>"
                    self._refuse(reason, self.scanner.line)
            case depth if depth >= MAX_NESTING:
                raise self.scanner.error(f"elements nest deeper than {MAX_NESTING} levels")
            case _:
                self._start_inner(tag)
        self.stack.append(_Open(tag, self.scanner.line))
        if attributes:
            self._look_at(tag, attributes)

    def text(self, data: str) -> None:
        if len(self.stack) > 2:
            self.stack[-1].text.append(data)

    def end(self, _: str) -> None:
        element = self.stack.pop()
        match len(self.stack):
            case 0:
                pass
            case 1:
                self._end_property()
            case 2:
                self._end_child(element)
            case _:
                self._end_inner(element)

    def _expect(self, tag: str, expected: str) -> None:
        if tag != expected:
            raise self.scanner.error(
                f"<{quoted(tag)[1:-1]}> stands where <{expected}> was expected; this is no file "
                "of properties as the Model Checking Contest writes them"
            )

    def _refuse(self, reason: str, line: int) -> None:
        """Remember the first reason why this property is refused."""
        if self.draft.refused is None:
            self.draft.refused = Refused(f"line {line}: {reason}")

    def _read(
        self, line: int, function: Callable[..., _Result], *arguments: object
    ) -> _Result | None:
        """What the function returns; None where it refuses, which refuses this property."""
        try:
            return function(*arguments)
        except QueryError as error:
            self._refuse(error.message, line)
            return None

    def _reading(self) -> bool:
        """Whether the current element belongs to a formula that has not been refused."""
        return self.stack[2].tag == "formula" and self.draft.refused is None

    def _look_at(self, tag: str, attributes: dict[str, str]) -> None:
        """Refuse attributes in a formula, which has none; others are passed over with a warning."""
        child = self.stack[2].tag if len(self.stack) > 2 else ""
        if child in _IGNORED:
            return
        for key in sorted(attributes.keys() - FORMAL):
            if child == "formula":
                shown = quoted(key.rpartition(" ")[2])[1:-1]
                reason = f"<{tag}> has the attribute {shown}, which is not known there"
                self._refuse(reason, self.scanner.line)
            else:
                self.ignored.add(tag, key, self.scanner.line)

    def _start_inner(self, tag: str) -> None:
        if self.stack[2].tag == "id":
            raise self.scanner.error("<id> must hold text alone")
        if self._reading():
            self._read(self.scanner.line, check_tag, tag)

    def _end_inner(self, element: _Open) -> None:
        if self._reading():
            text = "".join(element.text).strip()
            whole = Element(self.vocabulary, element.tag, text, element.parts)
            value = self._read(element.line, value_of, whole)
            if value is not None:
                self.stack[-1].parts.append(value)

    def _end_child(self, element: _Open) -> None:
        text = "".join(element.text).strip()
        if element.tag == "id":
            self.draft.ids.append(text)
        if element.tag == "formula" and self.draft.refused is None:
            meaning = self._read(element.line, meaning_of, element.parts, text)
            if meaning is not None:
                self.draft.meanings.append(meaning)

    def _end_property(self) -> None:
        draft = self.draft
        name = draft.ids[0] if len(draft.ids) == 1 else ""
        check_id(self.scanner, name, self.properties, draft.line)
        if len(draft.meanings) != 1:
            reason = f"it must have 1 <formula>, not {len(draft.meanings)}"
            self._refuse(reason, draft.line)
        self.properties[name] = Property(name, draft.refused or draft.meanings[0])
