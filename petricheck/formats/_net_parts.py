"""Places, transitions, references and arcs of a file in XML, each checked on its own."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from petricheck.errors import InputError
from petricheck.formats._pnml_hints import special_of_arc
from petricheck.scanning.xml import Scanner
from petricheck.words import MAX_DIGITS, quoted

ONLY_NORMAL = (
    "only normal arcs are supported; model it with normal arcs (a test is an arc there and one "
    "back, an inhibitor of a bounded place a test of its complement place)"
)
"""What to tell of any other arc."""

Kind: TypeAlias = Literal["place", "transition"]

# PIPE writes the colour of its black tokens before their number.
_NUMBER = re.compile(r"(?:Default\s*,)?\s*\+?([0-9]+)")
_RATE = re.compile(r"[0-9]+(\.[0-9]*)?([Ee][-+]?[0-9]+)?")


class Node(NamedTuple):
    """A place, a transition, or a reference to one.

    Attributes:
        id: as written.
        kind: what it is, or what it refers to.
        line: where it stands.
        label: its name, without surrounding space; "" without one.
        tokens: initial marking of a place.
        reference: the id it stands for, or None for the thing itself.
    """

    id: str
    kind: Kind
    line: int
    label: str = ""
    tokens: int = 0
    reference: str | None = None


class Arc(NamedTuple):
    """An ordinary arc between ids that may not exist; its own id may be ""."""

    id: str
    source: str
    target: str
    weight: int
    line: int


@dataclass(slots=True)
class Element:
    """An element as written: its attributes and the text of its labels.

    Attributes:
        tag: its local name.
        attributes: as written.
        line: of its start tag.
        scanner: for errors.
        labels: text by label, None for a label without text; filled while the element is open.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    scanner: Scanner
    labels: dict[str, str | None]

    def place(self) -> Node:
        """The element as a place; a capacity must have been looked at before."""
        return Node(self.id, "place", self.line, self._label, self.number("initialMarking", 0, 0))

    def transition(self) -> Node:
        """The element as a transition; whether it is timed must have been looked at before."""
        if self.labels:
            self._check_rate(self.word("rate", "1"))
        return Node(self.id, "transition", self.line, self._label)

    def _check_rate(self, rate: str) -> None:
        if not _RATE.fullmatch(rate) or not float(rate) > 0:
            raise self.error(
                f"has the rate {quoted(rate)}, and with a rate of 0 it never fires; write a "
                "positive number, or remove the rate"
            )

    def reference(self) -> Node:
        """The element as a reference to a place or transition."""
        kind: Kind = "place" if self.tag == "referencePlace" else "transition"
        return Node(self.id, kind, self.line, self._label, reference=self._attribute("ref"))

    def arc(self) -> Arc:
        """The element as an ordinary arc."""
        for called in (self.attributes.get("name"), self.attributes.get("label")):
            if called and special_of_arc(called):
                self.check_kind(called)
        weight = self._weight() if self.labels else 1
        source, target = self._attribute("source"), self._attribute("target")
        return Arc(self.attributes.get("id", ""), source, target, weight, self.line)

    def _weight(self) -> int:
        name = self._label
        if name and special_of_arc(name):
            self.check_kind(name)
        for label in ("type", "arctype"):
            if label in self.labels:
                self.check_kind(self.word(label, ""))
        if self.word("tagged", "false") != "false":
            raise self.error("moves tagged tokens; set <tagged> to false if they do not matter")
        return self.number("inscription", 1, 1)

    @property
    def id(self) -> str:
        """The id, which must be there."""
        return self._attribute("id")

    def error(self, message: str) -> InputError:
        """A refusal of this element."""
        name = self.attributes.get("id")
        owner = f"<{self.tag}>" if name is None else f"{self.tag} {quoted(name)}"
        return self.scanner.error(f"{owner} {message}", self.line)

    def word(self, label: str, default: str) -> str:
        """A label's text; the default where the label or its text is missing."""
        text = self.labels.get(label)
        return default if text is None else text.strip()

    def check_kind(self, kind: str) -> None:
        """Refuse an arc of any kind but the ordinary one."""
        if kind != "normal":
            raise self.error(f"is of type {quoted(kind)}, but {ONLY_NORMAL}")

    def number(self, label: str, default: int, least: int) -> int:
        """The number in a label; a label without text counts as missing."""
        text = self.labels.get(label)
        if text is None:
            return default
        number = _NUMBER.fullmatch(text.strip())
        if number and len(number[1]) > MAX_DIGITS:
            raise self.error(
                f"has {len(number[1])} digits in <{label}>; at most {MAX_DIGITS} are read, use "
                "smaller numbers"
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


@dataclass(frozen=True, slots=True)
class Parts:
    """What is kept of a net while its file is read.

    Attributes:
        nodes: by id.
        arcs: in the order of the file.
        named: of the arcs, the first one of each id.
        repeated: ids and ends of the others, for several may share an id.
    """

    nodes: dict[str, Node] = field(default_factory=dict)
    arcs: list[Arc] = field(default_factory=list)
    named: dict[str, Arc] = field(default_factory=dict)
    repeated: set[tuple[str, str, str]] = field(default_factory=set)

    def keep(self, node: Node, element: Element) -> None:
        """Add a node.

        Raises:
            InputError: its id is taken.
        """
        if node.id in self.nodes or node.id in self.named:
            raise element.error("has an id that is taken already; make ids unique")
        self.nodes[node.id] = node

    def keep_arc(self, arc: Arc, element: Element) -> None:
        """Add an arc; nothing refers to arcs, so those with other ends may share its id.

        Raises:
            InputError: its id is that of a node, or of an arc with the same ends, so that it may be
                one arc written twice.
        """
        self.arcs.append(arc)
        if not arc.id:
            return
        first = self.named.setdefault(arc.id, arc)
        if arc.id in self.nodes or (first is not arc and self._is_repeated(first, arc)):
            raise element.error("has an id that is taken already; make ids unique")

    def _is_repeated(self, first: Arc, arc: Arc) -> bool:
        """Note an arc that shares the id of the first; whether one has its ends."""
        repeated = arc[:3] in self.repeated or arc[:3] == first[:3]
        self.repeated.add(arc[:3])
        return repeated
