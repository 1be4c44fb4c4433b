"""A listener to the <structure> elements of a PNML document, which stores them as trees."""

from __future__ import annotations

from collections.abc import Callable

from petricheck.formats.nets._net_elements import MAX_DEPTH
from petricheck.formats.nets._tree import ENUMERATIONS, Tree
from petricheck.formats.scanning.xml import FORMAL, Scanner
from petricheck.support.words import quoted

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

    Attributes:
        stray: whether there was text between the elements.
    """

    def __init__(self, scanner: Scanner) -> None:
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
        """Listen until the end tag of the structure.

        Args:
            raw: the start tag of the structure.
            attributes: of it.
            depth: the number of open elements.
            done: is called with the tree and the end tag.
        """
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
        """Return the last constant in the open enumeration."""
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

    def __init__(self, scanner: Scanner) -> None:
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
        """Record whether there are characters other than blanks."""
        self._blank = self._blank and text.isspace()

    def require_none(self, label: str) -> None:
        """Require that the text is empty where there is no structure.

        Raises:
            InputError: it is not.
        """
        if not self._blank:
            raise self._scanner.error(
                f"<{label}> is given in words alone, which are a comment; write its <structure>"
            )
