"""A listener to the tags of a document with nets; it stores one net of it, not yet connected.

A format adds its grammar and checks the attributes of elements. An element that the grammar does
not have is refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Protocol

from petricheck.formats.nets._assembly import Parts
from petricheck.formats.nets._net_parts import Element
from petricheck.formats.nets._pnml_vocabulary import SKIP, STRUCTURED
from petricheck.formats.scanning.xml import MAX_DEPTH, XmlScanner
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

MAX_TEXT = 1 << 20
"""The most characters of one label."""

NODES = frozenset({"place", "transition", "reference", "arc", "mark"})
"""Contexts whose labels are read; of a mark, in a final marking, the text itself is read."""


class Listener(Protocol):
    """A listener to a skipped element."""

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        """Process a start tag in it."""

    def text(self, text: str) -> None:
        """Process characters in it."""

    def end(self) -> None:
        """Process an end tag, finally its own."""


class NetElements:
    """A listener to a document whose root contains nets; a scanner calls its methods."""

    grammar: Mapping[str, Mapping[str, str]]
    """Context, element → the context inside the element; the first context is "document"."""

    def __init__(self, scanner: XmlScanner, net_id: str | None) -> None:
        self.scanner = scanner
        self.name = ""
        self.parts = Parts()
        # The open place, transition, reference or arc, and the open label in it.
        self.element = Element("", {}, 0, scanner, {})
        self.label = ""
        self.contexts = ["document"]
        self._net_id = net_id
        self._ids: list[str] = []
        self._chosen = 0
        self._namespace = ""
        # Elements accepted before: context, tag → context inside, name.
        self._recognized: defaultdict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
        # The number of open elements from the skipped one on, and their listener: None in
        # a net that is not read.
        self._skipping = 0
        self._aside: Listener | None = None
        # The texts of the open label.
        self._values: list[str] = []
        self._pieces: list[str] = []
        self._length = 0

    def check(self, context: str, name: str, attributes: dict[str, str]) -> None:
        """Refuse attributes that may change the meaning, by an InputError."""

    def enter(self, attributes: dict[str, str]) -> None:
        """Check the net that is read; InputError where it is of another kind."""

    def skip(self, raw: str, name: str, attributes: dict[str, str]) -> Listener | None:
        """Return the listener for the content of a skipped element."""
        return None

    def close(self, context: str) -> None:
        """Store the place, transition, reference, arc or structured label that ends here."""
        raise NotImplementedError

    def remedy(self, name: str, context: str) -> str:
        """Return advice about an element that may not occur in this context."""
        raise NotImplementedError

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        if len(self.contexts) + self._skipping > MAX_DEPTH:
            raise self.scanner.error(
                f"elements are nested more than {MAX_DEPTH} deep; no net needs that, flatten it"
            )
        if self._skipping:
            self._skipping += 1
            if self._aside is not None:
                self._aside.start(raw, attributes)
            return
        parent = self.contexts[-1]
        context, name = self._recognized[parent].get(raw) or self._recognize(parent, raw)
        if context == SKIP:
            self._skipping, self._aside = 1, self.skip(raw, name, attributes)
        elif context == "net" and not self._is_chosen(raw, attributes):
            self._skipping, self._aside = 1, None
        else:
            self._open(context, name, attributes)

    def _open(self, context: str, name: str, attributes: dict[str, str]) -> None:
        self.contexts.append(context)
        if context in NODES:
            line = self.scanner.parser.CurrentLineNumber
            self.element = Element(name, attributes, line, self.scanner, {})
            self.label, self._values, self._length = name, [], 0
        elif context == "text":
            self._end_text()
        elif context == "label":
            self.label, self._values, self._pieces, self._length = name, [], [], 0
        if attributes:
            self.check(context, name, attributes)

    def end(self, _: str) -> None:
        if self._skipping:
            self._skipping -= 1
            if self._aside is not None:
                self._aside.end()
            return
        context = self.contexts.pop()
        if context == "text":
            self._values.append("".join(self._pieces))
            self._pieces = []
        elif context == "label":
            self._end_text()
            if self.contexts[-1] in NODES:
                self._close_label()
        elif context in NODES or context == STRUCTURED:
            self.close(context)

    def text(self, text: str) -> None:
        if self._skipping:
            if self._aside is not None:
                self._aside.text(text)
            return
        context = self.contexts[-1]
        if context == "text" or (context == "label" and self.label == "name"):
            self._length += len(text)
            if self._length > MAX_TEXT:
                raise self.scanner.error(
                    f"<{self.label}> has more than {MAX_TEXT} characters; shorten it"
                )
            self._pieces.append(text)
        elif not text.isspace():
            raise self.scanner.error(
                f"text {quoted(text.strip())} stands outside <text>; wrap it in <text>…</text> or "
                "remove it",
                self.scanner.line - text.lstrip().count("\n"),
            )

    def add_value(self, value: str) -> None:
        """Add an attribute of the open label as if it were a text in it."""
        self._values.append(value)

    def read(self, pieces: Iterable[bytes]) -> None:
        """Listen to a whole document; InputError where the net is not in it, or several are."""
        self.scanner.run(pieces, self.start, self.end, self.text)
        names = ", ".join(map(quoted, self._ids[:10])) + (", …" if len(self._ids) > 10 else "")
        if not self._ids:
            raise self.scanner.error("the file holds no <net>; export the net again")
        if self._net_id is None and len(self._ids) > 1:
            raise self.scanner.error(
                f"the file holds {len(self._ids)} nets ({names}); say which one by its id: --net "
                "ID in a command, net=ID in Python"
            )
        if self._chosen != 1:
            raise self.scanner.error(
                f"the file has {self._chosen or 'no'} nets with id {quoted(self._net_id or '')}, "
                f"but: {names}; name one"
            )

    def _recognize(self, parent: str, raw: str) -> tuple[str, str]:
        """Accept an element in this context; return the context inside it, and its name."""
        namespace, _, name = raw.rpartition(" ")
        context = self.grammar[parent].get(name)
        if context is None:
            raise self._unknown(name, parent)
        if "net" in self.contexts and namespace != self._namespace:
            raise self.scanner.error(
                f"<{name}> is in namespace {quoted(namespace)}, not in that of its net; put it "
                "inside <toolspecific> if it does not change the meaning"
            )
        self._recognized[parent][raw] = context, name
        return context, name

    def _unknown(self, name: str, parent: str) -> InputError:
        tag = {"label": self.label}.get(parent, self.element.tag if parent in NODES else parent)
        description = "the document" if parent == "document" else f"<{tag}>"
        text = quoted(name)[1:-1]
        return self.scanner.error(
            f"<{text}> in {description} is not supported; {self.remedy(name, parent)}"
        )

    def _is_chosen(self, raw: str, attributes: dict[str, str]) -> bool:
        """Register a net; return whether it is the one to read."""
        name = attributes.get("id", "")
        self._ids.append(name)
        chosen = name == self._net_id if self._net_id is not None else len(self._ids) == 1
        self._chosen += chosen
        if not chosen or self._chosen > 1:
            return False
        self.name, self._namespace = name, raw.rpartition(" ")[0]
        self.enter(attributes)
        return True

    def _end_text(self) -> None:
        """Store the text directly in the label, which only a name may have."""
        if text := "".join(self._pieces).strip():
            self._values.append(text)
        self._pieces = []

    def _close_label(self) -> None:
        labels = self.element.labels
        if len(self._values) > 1 or self.label in labels:
            raise self.element.error(f"has several values of <{self.label}>; keep one")
        labels[self.label] = self._values[0] if self._values else None
