"""XML events of untrusted files: Expat, with everything dangerous refused.

Entities cannot be declared, since a DOCTYPE that does is refused before its first declaration. No
other file is ever opened. The length of one tag or comment is limited, so that the work stays
proportional to the size of the file. The listener limits the depth, since it counts it anyway.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from xml.parsers import expat

from petricheck.support.errors import InputError
from petricheck.support.files import PIECE
from petricheck.support.words import quoted

MAX_MARKUP = 16 << 20
"""The most bytes of one tag or comment."""

MAX_DEPTH = 256
"""The greatest depth of nested elements."""

_XML = "http://www.w3.org/XML/1998/namespace "
_SCHEMA = "http://www.w3.org/2001/XMLSchema-instance "

FOREIGN = (_XML, _SCHEMA)
"""Namespaces of attributes about XML itself; elements of nets have few of them."""

FORMAL = frozenset(
    {
        *(_XML + name for name in ("base", "id", "lang", "space")),
        *(_SCHEMA + name for name in ("schemaLocation", "noNamespaceSchemaLocation")),
    }
)
"""Attributes that do not change the meaning of a file and may occur anywhere."""

_KINDS = 20
"""The most kinds of attributes that are counted separately."""

_UNKNOWN_ENCODING = expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]

_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def checked(text: str) -> str:
    """Return the text itself; InputError where it has a character that XML cannot hold."""
    if unfit := _NO_XML.search(text):
        raise InputError(
            f"{quoted(text)} has the character U+{ord(unfit[0]):04X}, which XML cannot hold; "
            "rename it"
        )
    return text


def line_ends(text: str) -> int:
    """Return the number of lines that end in it, as XML counts them (XML 1.0, section 2.11)."""
    ends = text.count("\n")
    return ends + text.count("\r") - text.count("\r\n") if "\r" in text else ends


@dataclass(frozen=True)
class XmlScanner:
    """One pass over one document, with the current line.

    A DOCTYPE without declarations may occur if `doctype` says so; the file that it names is not
    opened. The parser's names come as "namespace local", or "local" without a namespace.
    """

    path: str
    doctype: bool = False
    parser: expat.XMLParserType = field(
        default_factory=lambda: expat.ParserCreate(namespace_separator=" ")
    )

    @property
    def line(self) -> int:
        """The line of the current event."""
        return self.parser.CurrentLineNumber

    def error(self, message: str, line: int | None = None) -> InputError:
        """Return a refusal of this file, at `line` or else at the current one."""
        return InputError(message, path=self.path, line=self.line if line is None else line)

    def run(
        self,
        pieces: Iterable[bytes],
        start: Callable[[str, dict[str, str]], object],
        end: Callable[[str], object],
        text: Callable[[str], object],
    ) -> None:
        """Report every tag and text to the three functions, in document order.

        A text comes in several parts: where a comment or an entity interrupts it, where a piece of
        the file ends, and where it is long. InputError where the document is not well-formed, has a
        DOCTYPE, an unknown encoding, or is beyond a cap.
        """
        self.parser.buffer_text = True
        self.parser.StartElementHandler = start
        self.parser.EndElementHandler = end
        self.parser.CharacterDataHandler = text
        self.parser.StartDoctypeDeclHandler = self._doctype
        try:
            fed, blank = 0, True
            for piece in pieces:
                self.parser.Parse(piece, False)
                fed, blank = fed + len(piece), blank and (not piece or piece.isspace())
                self._cap_markup(fed)
            if blank:
                raise InputError("the file is empty", path=self.path)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise self.error(
                f"this is not well-formed XML ({reason}, column {error.offset + 1}); "
                "repair the file or export it again",
                error.lineno,
            ) from None
        except (LookupError, ValueError) as error:
            if self.parser.ErrorCode != _UNKNOWN_ENCODING:
                raise  # a mistake in one of the three functions
            raise self.error(
                f"the declared encoding cannot be read ({error}); save the file as UTF-8", 1
            ) from None

    def _doctype(self, _: str, _system: str | None, _public: str | None, declares: bool) -> None:
        if self.doctype and not declares:
            return
        raise self.error("the file has a DOCTYPE, which may define entities; delete the DOCTYPE")

    def _cap_markup(self, fed: int) -> None:
        # Expat scans an unfinished tag again from its start whenever it is fed.
        if fed - self.parser.CurrentByteIndex > MAX_MARKUP + PIECE:
            raise self.error(
                f"one tag or comment is longer than {MAX_MARKUP >> 20} MiB; shorten it"
            )


@dataclass(slots=True)
class Ignored:
    """Attributes that were ignored: the first line and the number of each kind."""

    kinds: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, tag: str, attribute: str, line: int) -> None:
        """Count one more."""
        kind = f"the attribute {quoted(attribute.rpartition(' ')[2])[1:-1]} of <{tag}>"
        if kind not in self.kinds and len(self.kinds) >= _KINDS:
            kind = "further attributes"
        first, count = self.kinds.get(kind, (line, 0))
        self.kinds[kind] = first, count + 1

    def texts(self) -> tuple[str, ...]:
        """Return one sentence for each kind."""
        return tuple(
            f"ignored {kind} (line {line}{'' if count == 1 else f', {count} times'})"
            for kind, (line, count) in self.kinds.items()
        )
