"""The <structure> elements of a PNML document as trees, read only when they are complete."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from petricheck.formats.scanning.xml import FORMAL, MAX_DEPTH, XmlScanner
from petricheck.support.errors import InputError
from petricheck.support.words import MAX_DIGITS, counted, quoted

_WHOLE = re.compile(r"[-+]?[0-9]+")


ENUMERATIONS = ("cyclicenumeration", "finiteenumeration")

# Printable ASCII without characters that mean something in XML.
_PLAIN = "[ !#-%'-;=-~]"
CONSTANT = re.compile(
    f'[ \\t\\r\\n]*+<feconstant id="({_PLAIN}++)" name="({_PLAIN}*+)" ?/>', re.ASCII
)
"""A constant of an enumeration: id and name."""

CONSTANTS = re.compile(f"(?:{CONSTANT.pattern})++".replace(f"({_PLAIN}", f"(?:{_PLAIN}"), re.ASCII)
"""A run of constants."""


@dataclass(slots=True)
class Tree:
    """An element with its content; of a constant, `run` is the text of those directly behind it."""

    tag: str
    attributes: dict[str, str]
    line: int
    path: str
    children: list[Tree] = field(default_factory=list)
    run: str = ""

    def error(self, message: str) -> InputError:
        return InputError(f"<{quoted(self.tag)[1:-1]}> {message}", path=self.path, line=self.line)

    def attribute(self, name: str) -> str:
        """Return an attribute that must be there; InputError where it is not."""
        value = self.attributes.get(name)
        if not value:
            raise self.error(f"has no {name}; give it one")
        return value

    def whole(self, name: str) -> int:
        """Return an attribute that is a whole number; InputError where it is none, or too long."""
        value = self.attribute(name).strip()
        if not _WHOLE.fullmatch(value):
            raise self.error(f"has {name}={quoted(value)}; write a whole number")
        if len(value.lstrip("+-")) > MAX_DIGITS:
            raise self.error(
                f"has a {name} of {len(value)} digits; at most {MAX_DIGITS} are read, use smaller "
                "numbers"
            )
        return int(value)

    def parts(self, least: int = 1, most: int | None = None) -> list[Tree]:
        """Return the children, without the <subterm> around each; InputError by number."""
        inner = [child.only() if child.tag == "subterm" else child for child in self.children]
        if len(inner) < least or (most is not None and len(inner) > most):
            count = f"{least}" if most == least else f"{least} to {most}" if most else "at least 1"
            raise self.error(f"has {counted(len(inner), 'part')}; give it {count}")
        return inner

    def only(self, tag: str = "") -> Tree:
        """Return the only child, with this tag if one is given; InputError where there is none."""
        if len(self.children) != 1:
            raise self.error(f"holds {len(self.children)} elements; it has to hold one")
        if tag and self.children[0].tag != tag:
            raise self.children[0].error(f"stands where only <{tag}> may")
        return self.children[0]

    def require_empty(self) -> None:
        """Require that it has no children; InputError where it has some."""
        if self.children:
            raise self.error(f"holds <{self.children[0].tag}>, which may change the meaning")


_DECLARATION = frozenset({"id", "name"})
_NONE = frozenset[str]()
_ATTRIBUTES = {
    **dict.fromkeys(("structure", "declarations", "subterm", "productsort", "dot"), _NONE),
    **dict.fromkeys(("cyclicenumeration", "finiteenumeration", "dotconstant", "all"), _NONE),
    **dict.fromkeys(("add", "subtract", "numberof", "scalarproduct", "empty", "tuple"), _NONE),
    **dict.fromkeys(("successor", "predecessor", "gtp", "ltp", "equality", "inequality"), _NONE),
    **dict.fromkeys(("lessthan", "lessthanorequal", "greaterthan", "greaterthanorequal"), _NONE),
    **dict.fromkeys(("and", "or", "not", "imply"), _NONE),
    **dict.fromkeys(
        ("namedsort", "feconstant", "partition", "partitionelement", "variabledecl"), _DECLARATION
    ),
    **dict.fromkeys(("usersort", "useroperator"), frozenset({"declaration"})),
    **dict.fromkeys(
        ("finiteintrangeconstant", "numberconstant", "booleanconstant"), frozenset({"value"})
    ),
    "finiteintrange": frozenset({"start", "end"}),
    "variable": frozenset({"refvariable"}),
    "partitionelementof": frozenset({"refpartition"}),
}


class Structures:
    """A listener that replaces another one from the start tag of a structure to its end tag.

    `stray` says whether there was text between the elements.
    """

    def __init__(self, scanner: XmlScanner) -> None:
        self.stray = False
        self._scanner = scanner
        self._open: list[Tree] = []
        self._texts: list[str] = []
        self._namespace = ""
        self._max_depth = 0
        # Elements accepted before: tag and names of attributes → local name.
        self._recognized: dict[tuple[str, ...], str] = {}

    def begin(
        self, raw: str, attributes: dict[str, str], depth: int, done: Callable[[Tree, str], None]
    ) -> None:
        """Listen until the end tag of the structure; call `done` with the tree and the tag."""
        parser = self._scanner.parser
        start, end, text = (
            parser.StartElementHandler,
            parser.EndElementHandler,
            parser.CharacterDataHandler,
        )
        self._namespace, self._max_depth = raw.rpartition(" ")[0], MAX_DEPTH - depth
        self._open = [self._tree(raw, attributes)]

        def close(raw: str) -> None:
            tree = self._open.pop()
            if not self._open:
                parser.StartElementHandler = start
                parser.EndElementHandler = end
                parser.CharacterDataHandler = text
                self.stray = self.stray or bool("".join(self._texts).strip())
                self._texts.clear()
                done(tree, raw)

        parser.StartElementHandler = self._start
        parser.EndElementHandler = close
        parser.CharacterDataHandler = self._texts.append

    def last_constant(self) -> Tree | None:
        if not self._open or self._open[-1].tag not in ENUMERATIONS or not self._open[-1].children:
            return None
        return self._open[-1].children[-1]

    def _start(self, raw: str, attributes: dict[str, str]) -> None:
        tree = self._tree(raw, attributes)
        self._open[-1].children.append(tree)
        self._open.append(tree)
        if len(self._open) > self._max_depth:
            raise self._scanner.error(
                f"elements are nested more than {MAX_DEPTH} deep; no net needs that, flatten it"
            )

    def _tree(self, raw: str, attributes: dict[str, str]) -> Tree:
        name = self._recognized.get((raw, *attributes)) or self._recognize(raw, attributes)
        scanner = self._scanner
        return Tree(name, attributes, scanner.parser.CurrentLineNumber, scanner.path, [])

    def _recognize(self, raw: str, attributes: dict[str, str]) -> str:
        """Require the net's namespace and known attributes; return the local name."""
        namespace, _, name = raw.rpartition(" ")
        text = quoted(name)[1:-1]
        if namespace != self._namespace:
            raise self._scanner.error(
                f"<{text}> is in namespace {quoted(namespace)}, not in that of its net; correct it"
            )
        # Whoever reads the tree refuses unknown elements.
        if unexpected := attributes.keys() - _ATTRIBUTES.get(name, attributes.keys()) - FORMAL:
            attribute = quoted(min(unexpected).rpartition(" ")[2])[1:-1]
            raise self._scanner.error(
                f"<{text}> has the attribute {attribute}, which may change the meaning; remove it "
                "if it says nothing"
            )
        self._recognized[raw, *attributes] = name
        return name


class Words:
    """A listener to the <text> of a label, which is a comment beside its structure."""

    def __init__(self, scanner: XmlScanner) -> None:
        self._scanner = scanner
        self._blank = True

    def start(self, raw: str, _: dict[str, str]) -> None:
        """Refuse an element in it, by an InputError."""
        text = quoted(raw.rpartition(" ")[2])[1:-1]
        raise self._scanner.error(
            f"<{text}> stands in a <text>; write plain text there, and structured content in a "
            "<structure>"
        )

    def end(self) -> None:
        """Ignore the end tag."""

    def text(self, text: str) -> None:
        self._blank = self._blank and text.isspace()

    def require_none(self, label: str) -> None:
        """Require, where there is no structure, that the text is empty; InputError else."""
        if not self._blank:
            raise self._scanner.error(
                f"<{label}> is given in words alone, which are a comment; write its <structure>"
            )
