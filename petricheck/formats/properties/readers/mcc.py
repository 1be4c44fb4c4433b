"""Property files of the Model Checking Contest: XML in which nobody is trusted, read in one pass.

A file that is not well-formed, or whose properties cannot be told apart, is refused as a whole; a
property whose formula is not supported only by itself. Limits: 256 MiB, 1000 nested elements, 100
nested connectives, 4000 digits a number, 16 MiB a tag, no DOCTYPE. Namespaces are ignored, as are
<description> and <tags>.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, cast

from petricheck.formats.properties.grammar import Value, check_tag, value_of
from petricheck.formats.properties.meaning import Meaning, Property, Refused
from petricheck.formats.properties.vocabulary import Vocabulary
from petricheck.formats.scanning.xml import FORMAL, Ignored, Scanner
from petricheck.support.errors import NoProperties, QueryError
from petricheck.support.words import quoted

MAX_NESTING = 1000
"""Elements may nest this deep."""

_IGNORED = ("description", "tags")
_CHILDREN = ("id", "formula", *_IGNORED)
_OUTER = ("property-set", "property")


@dataclass(frozen=True)
class Mcc:
    """Property files of the Model Checking Contest."""

    extensions: ClassVar[tuple[str, ...]] = (".xml",)

    def read(
        self, pieces: Iterable[bytes], path: str, vocabulary: Vocabulary
    ) -> tuple[Property, ...]:
        """Return the properties, each with the id that the file gives it.

        Raises:
            InputError: the file was refused as a whole.
        """
        reader = _Reader(Scanner(path), vocabulary)
        reader.scanner.run(pieces, reader.start, reader.end, reader.text)
        if not reader.properties:
            raise NoProperties("the file holds no <property>", path=path)
        first, *others = reader.properties.values()
        return (replace(first, warnings=reader.ignored.texts()), *others)


@dataclass(slots=True)
class _Open:
    """An element whose end has not been reached."""

    tag: str
    line: int
    text: list[str] = field(default_factory=list)
    parts: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class _Reader:
    """A listener to the scanner; `properties` are by id.

    The stack holds <property-set>, <property>, a child of it, and from the fourth on, where that
    child is <formula>, the elements of the grammar. Of the current property `child` is the tag of
    that child, `ids` are its ids, and `refused` says why it is refused, where it is.
    """

    scanner: Scanner
    vocabulary: Vocabulary
    properties: dict[str, Property] = field(default_factory=dict)
    ignored: Ignored = field(default_factory=Ignored)
    stack: list[_Open] = field(default_factory=list)
    child: str = ""
    ids: list[str] = field(default_factory=list)
    refused: Refused | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag, depth = name.rpartition(" ")[2], len(self.stack)
        if depth < 2:
            self._start_outer(tag, _OUTER[depth])
        elif depth == 2:
            self.child = tag
            if tag not in _CHILDREN:
                self._refuse(f"<{quoted(tag)[1:-1]}> is not known in a <property>")
        elif depth >= MAX_NESTING:
            raise self.scanner.error(f"elements nest deeper than {MAX_NESTING} levels")
        elif self.child == "id":
            raise self.scanner.error("<id> must hold text alone")
        elif self.child == "formula" and self.refused is None:
            try:
                check_tag(tag)
            except QueryError as error:
                self._refuse(error.message)
        self.stack.append(_Open(tag, self.scanner.line))
        if attributes:
            self._look_at(tag, attributes)

    def text(self, data: str) -> None:
        if len(self.stack) > 2:
            self.stack[-1].text.append(data)

    def end(self, _: str) -> None:
        element = self.stack.pop()
        depth, text = len(self.stack), "".join(element.text).strip()
        if depth == 1:
            self._end_property(element)
        elif depth == 2 and self.child == "id":
            self.ids.append(text)
        elif depth >= 2 and self.child == "formula" and self.refused is None:
            try:
                value = value_of(self.vocabulary, element.tag, text, element.parts)
                self.stack[-1].parts.append(value)
            except QueryError as error:
                self._refuse(error.message, element.line)

    def _start_outer(self, tag: str, expected: str) -> None:
        if tag != expected:
            raise NoProperties(
                f"<{quoted(tag)[1:-1]}> stands where <{expected}> was expected; this is no file "
                "of properties as the Model Checking Contest writes them",
                path=self.scanner.path,
                line=self.scanner.line,
            )
        self.child, self.ids, self.refused = "", [], None

    def _end_property(self, element: _Open) -> None:
        name = self.ids[0] if len(self.ids) == 1 else ""
        if not name or not name.isprintable():
            reason = "a <property> must have one <id> of printable characters"
            raise self.scanner.error(reason, element.line)
        if name in self.properties:
            raise self.scanner.error(f"the property {quoted(name)} is given twice", element.line)
        if len(element.parts) != 1:
            self._refuse(f"it must have 1 <formula>, not {len(element.parts)}", element.line)
        self.properties[name] = Property(name, self.refused or cast(Meaning, element.parts[0]))

    def _refuse(self, reason: str, line: int | None = None) -> None:
        """Store the first reason why this property is refused."""
        if self.refused is None:
            self.refused = Refused(f"line {line or self.scanner.line}: {reason}")

    def _look_at(self, tag: str, attributes: dict[str, str]) -> None:
        """Refuse attributes in a formula, which has none; others are passed over with a warning."""
        if self.child in _IGNORED:
            return
        for key in sorted(attributes.keys() - FORMAL):
            if self.child == "formula":
                text = quoted(key.rpartition(" ")[2])[1:-1]
                self._refuse(f"<{tag}> has the attribute {text}, which is not known there")
            else:
                self.ignored.add(tag, key, self.scanner.line)
