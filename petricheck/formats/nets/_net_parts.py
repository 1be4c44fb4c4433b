"""Places, transitions, references and arcs of a file in XML, each checked by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from petricheck.formats.nets._pnml_vocabulary import NORMAL, is_special_of_arc
from petricheck.formats.nets._structures import Tree
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.support.errors import InputError
from petricheck.support.words import MAX_DIGITS, quoted

KNOWN_ARCS = "only normal, inhibitor, read and reset arcs are supported"

Kind: TypeAlias = Literal["place", "transition"]
ArcKind: TypeAlias = Literal["normal", "inhibitor", "read", "reset"]

_ARC_KINDS: Mapping[str, ArcKind] = {
    **dict.fromkeys(NORMAL, "normal"),
    "inhibitor": "inhibitor",
    "read": "read",
    "test": "read",
    "reset": "reset",
}
_TYPES = ("kind", "type", "arctype")
"""The labels that give the kind of an arc; `kind` stands for its attribute `type`."""

# PIPE writes the colour of its black tokens before their number.
_NUMBER = re.compile(r"(?:Default\s*,)?\s*\+?([0-9]+)")
_RATE = re.compile(r"[0-9]+(\.[0-9]*)?([Ee][-+]?[0-9]+)?")


class FileNode(NamedTuple):
    """A place, a transition, or a reference to one, by its id.

    Attributes:
        kind: of the node, or of the node that it refers to.
        label: its name, without surrounding space; "" without one.
        tokens: initial marking of a place; of a mark, the tokens in the final marking.
        reference: the id that it refers to; None for a place or transition.
    """

    id: str
    kind: Kind
    line: int
    label: str = ""
    tokens: int = 0
    reference: str | None = None


class FileArc(NamedTuple):
    """An arc between ids that may not exist; its own id may be ""."""

    id: str
    source: str
    target: str
    weight: int
    line: int
    kind: ArcKind = "normal"


@dataclass(slots=True)
class Element:
    """An element as written, with the line of its start tag.

    Attributes:
        labels: text by label, None for a label without text; filled while the element is open.
        valued: labels whose text is a `value`, as in PIPE and its relatives.
        trees: of symmetric nets, the structure in a label, by label.
        line_offset: added to lines in its trees, which come from an earlier element.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    scanner: XmlScanner
    labels: dict[str, str | None]
    trees: dict[str, Tree] = field(default_factory=dict)
    line_offset: int = 0
    valued: set[str] = field(default_factory=set)

    def place(self) -> FileNode:
        """Return the element as a place, without its capacity."""
        marked = self.word("initialMarking", "")  # PIPE writes a blank one for no tokens
        tokens = self.number("initialMarking", 0, 0) if marked else 0
        return FileNode(self.id, "place", self.line, self._label, tokens)

    def transition(self) -> FileNode:
        """Return the element as a transition; <timed> must have been checked before."""
        if self.labels:
            self._check_rate(self.word("rate", "1"))
        return FileNode(self.id, "transition", self.line, self._label)

    def _check_rate(self, rate: str) -> None:
        if not _RATE.fullmatch(rate) or not float(rate) > 0:
            raise self.error(
                f"has the rate {quoted(rate)}, and with a rate of 0 it never fires; write a "
                "positive number, or remove the rate"
            )

    def reference(self) -> FileNode:
        kind: Kind = "place" if self.tag == "referencePlace" else "transition"
        return FileNode(self.id, kind, self.line, self._label, reference=self._attribute("ref"))

    def arc(self) -> FileArc:
        attributes = self.attributes
        kind = self._arc_kind() if self.labels else "normal"
        for name in (attributes.get("name"), attributes.get("label"), self._label):
            if name and is_special_of_arc(name) and _ARC_KINDS.get(name) != kind:
                raise self.unknown_kind(name)
        weight = self._weight(kind) if self.labels else 1
        source, target = self._attribute("source"), self._attribute("target")
        return FileArc(attributes.get("id", ""), source, target, weight, self.line, kind)

    def _arc_kind(self) -> ArcKind:
        words = [self.word(label, "") for label in _TYPES if label in self.labels]
        for word in words:
            if word not in _ARC_KINDS:
                raise self.unknown_kind(word)
        kinds = {_ARC_KINDS[word] for word in words} or {"normal"}
        if len(kinds) > 1:
            raise self.error(f"is of several types, {' and '.join(map(quoted, words))}; keep one")
        return kinds.pop()

    def _weight(self, kind: ArcKind) -> int:
        if self.word("tagged", "false") != "false":
            raise self.error("moves tagged tokens; set <tagged> to false if they do not matter")
        if kind != "normal" and not self.word("inscription", ""):
            return 1  # PIPE writes a blank one
        weight = self.number("inscription", 1, 1)
        if weight > 1 and kind == "reset":
            raise self.error("empties its place, so that a weight has no meaning; remove that")
        # ProM ignores such a weight, as does PIPE 5, which writes none.
        if weight > 1 and kind != "normal" and self.valued.isdisjoint(_TYPES):
            raise self.error(
                f"has a type in <text> and the weight {weight}, which some tools ignore; write "
                f'<type value="{kind}"/> if the weight counts, or else remove it'
            )
        return weight

    @property
    def id(self) -> str:
        """The id; InputError where it is missing."""
        return self._attribute("id")

    def error(self, message: str) -> InputError:
        name = self.attributes.get("id")
        owner = f"<{self.tag}>" if name is None else f"{self.tag} {quoted(name)}"
        return self.scanner.error(f"{owner} {message}", self.line)

    def error_in_tree(self, error: InputError) -> InputError:
        """Return an error about one of its trees, with the lines of this element."""
        return self.scanner.error(error.message, (error.line or 0) + self.line_offset)

    def word(self, label: str, default: str) -> str:
        """Return a label's text; the default where the label or its text is missing."""
        text = self.labels.get(label)
        return default if text is None else text.strip()

    def unknown_kind(self, kind: str) -> InputError:
        """Return the refusal of an arc whose type, or name, says something else."""
        return self.error(f"is of type {quoted(kind)}, but {KNOWN_ARCS}; model it with these")

    def number(self, label: str, default: int, least: int) -> int:
        """Return the number in a label; a label without text counts as missing."""
        text = self.labels.get(label)
        if text is None:
            return default
        number = _NUMBER.fullmatch(text.strip())
        if number and len(number[1]) > MAX_DIGITS:
            raise self.error(
                f"has {len(number[1])} digits in <{label}>; at most {MAX_DIGITS} are read"
            )
        if not number or (value := int(number[1])) < least:
            raise self.error(
                f"has {quoted(text.strip())} in <{label}>; write a whole number, at least {least}"
            )
        return value

    @property
    def _label(self) -> str:
        return (self.labels.get("name") or "").strip()

    def _attribute(self, key: str) -> str:
        value = self.attributes.get(key)
        if not value:
            raise self.error(f"has no {key}; give it one")
        return value
