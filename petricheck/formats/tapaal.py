"""Nets of the tool TAPAAL (.tapn), where they have no time, colours, players or shared places.

Each feature of TAPAAL is looked at where it stands, whatever the file says of itself in <feature>:
an arc from a place must carry the interval [0,inf), an invariant be < inf, a transition neither be
urgent nor have a priority. The labels of coloured nets, which TAPAAL writes into others as well,
must speak of black tokens (dot) and say the same as the plain attributes. Queries and drawings are
skipped. What is not known is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from petricheck.errors import InputError
from petricheck.formats._pnml_assembly import assemble
from petricheck.formats._pnml_nodes import Draft, Element, Parts
from petricheck.problem import Net
from petricheck.scanning.xml import Scanner
from petricheck.words import quoted

_DRAWING = frozenset(
    {"angle", "displayName", "nameOffsetX", "nameOffsetY", "positionX", "positionY"}
)
# Servers say how fast, never whether.
_KNOWN = {
    "place": _DRAWING | {"id", "name", "initialMarking", "invariant"},
    "transition": _DRAWING | {"id", "name", "priority", "urgent", "player", "infiniteServer"},
    "arc": _DRAWING | {"id", "source", "target", "type", "inscription", "weight"},
}
_HARMLESS = {
    "invariant": ("<inf", "<=inf"),
    "priority": ("0",),
    "urgent": ("false",),
    "player": ("0",),
}
"""The values, without blanks, of attributes that otherwise change the meaning."""

_COLOURS = {
    "place": ("type", "hlinitialMarking"),
    "transition": (),
    "arc": ("hlinscription",),
}
_SKIPPED = {
    "pnml": ("query", "k-bound", "constant", "declaration"),
    "net": ("labels", "declaration"),
    "arc": ("arcpath",),
}
_FEATURES = ("isTimed",)
"""Features that are looked at where they are used."""

_DOTS = re.compile(r"\(?([0-9]+)'dot(?:\.all)?\)?")
_REMEDY = "model it without that in TAPAAL, and save it again"


@dataclass(frozen=True)
class Tapaal:
    """Nets of the tool TAPAAL, without time and colours."""

    extensions: ClassVar[tuple[str, ...]] = (".tapn",)
    written: ClassVar[bool] = False

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net, tuple[str, ...]]:
        """The net.

        Raises:
            InputError: the file has what no place/transition net has, or holds several nets and
                `net_id` names none.
        """
        scanner = Scanner(path)
        reader = _Reader(scanner, net_id)
        scanner.run(pieces, reader.start, reader.end, reader.text)
        return assemble(reader.draft(), scanner)

    def write(self, net: Net) -> bytes:
        """Nothing: TAPAAL opens PNML.

        Raises:
            InputError: always.
        """
        raise InputError("TAPAAL's own format is not written; write .pnml, which TAPAAL imports")


@dataclass(slots=True)
class _Reader:
    """Listens to the tags; the stack holds the names of open elements.

    Attributes:
        wanted: the id of the net to read, or None for the only one.
        nets: the ids of the nets of the file.
        skipping: how many elements are open from the one that is passed over.
        texts: what stands in the labels of the open place, transition or arc, by label.
    """

    scanner: Scanner
    wanted: str | None
    stack: list[str] = field(default_factory=list)
    nets: list[str] = field(default_factory=list)
    skipping: int = 0
    element: Element | None = None
    texts: dict[str, str] = field(default_factory=dict)
    parts: Parts = field(default_factory=Parts)

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        """A start tag."""
        name = raw.rpartition(" ")[2]
        parent = self.stack[-1] if self.stack else ""
        if self.skipping or name in _SKIPPED.get(parent, ()):
            self.skipping += 1
            return
        match parent, name:
            case "", "pnml":
                pass
            case "pnml", "net" if not self._is_wanted(attributes):
                self.skipping = 1
                return
            case "pnml", "net":
                pass
            case "pnml", "feature":
                self._check_features(attributes)
            case "net", "place" | "transition" | "arc":
                self._open(name, attributes)
            case "place" | "arc", label if label in _COLOURS[parent]:
                self.texts[label] = ""
            case _, "text" if len(self.stack) == 4:
                pass
            case _, "structure" if len(self.stack) == 4:
                self.skipping = 1
                return
            case _:
                raise self.scanner.error(
                    f"<{quoted(name)[1:-1]}> in {f'<{parent}>' if parent else 'the document'} is "
                    f"nothing that a place/transition net has; {_REMEDY}"
                )
        self.stack.append(name)

    def text(self, text: str) -> None:
        """Characters between tags."""
        if self.skipping or text.isspace():
            return
        if self.stack[-1] != "text":
            raise self.scanner.error(f"text {quoted(text.strip())} stands outside <text>")
        self.texts[self.stack[-2]] += text

    def end(self, _: str) -> None:
        """An end tag."""
        if self.skipping:
            self.skipping -= 1
            return
        name = self.stack.pop()
        if len(self.stack) == 2 and self.element is not None:
            self._close(name, self.element)

    def draft(self) -> Draft:
        """The net, once the document has ended.

        Raises:
            InputError: no net, not the one asked for, or several and none asked for.
        """
        names = ", ".join(map(quoted, self.nets))
        if self.wanted is None and len(self.nets) > 1:
            raise self.scanner.error(
                f"the file holds {len(self.nets)} nets ({names}); say which one by its id: --net ID"
            )
        name = self.nets[0] if self.wanted is None and self.nets else self.wanted or ""
        if self.nets.count(name) != 1:
            raise self.scanner.error(
                f"the file has {self.nets.count(name) or 'no'} nets with id {quoted(name)}, but: "
                f"{names or 'none'}"
            )
        return Draft(name, self.parts.nodes, tuple(self.parts.arcs), ())

    def _is_wanted(self, attributes: dict[str, str]) -> bool:
        """Note a net; whether it is the one to read."""
        name = attributes.get("id", "")
        self.nets.append(name)
        return name == self.wanted if self.wanted is not None else len(self.nets) == 1

    def _check_features(self, attributes: dict[str, str]) -> None:
        for key, value in attributes.items():
            if key not in _FEATURES and value != "false":
                raise self.scanner.error(
                    f"the file says {quoted(key)[1:-1]}={quoted(value)}: this is no "
                    f"place/transition net; {_REMEDY}"
                )

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.scanner.line, self.scanner, {})
        for key, value in attributes.items():
            said = "".join(value.split())
            if key not in _KNOWN[tag] or said not in _HARMLESS.get(key, (said,)):
                raise element.error(
                    f"has {quoted(key)[1:-1]}={quoted(value)}, which may change the meaning; "
                    "remove it if the plain net is meant"
                )
        self.element, self.texts = element, {}

    def _close(self, tag: str, element: Element) -> None:
        attributes = element.attributes
        element.labels["name"] = attributes.get("name")
        match tag:
            case "place":
                element.labels["initialMarking"] = attributes.get("initialMarking")
                place = element.place()
                self._check_colours(element, place.tokens)
                self.parts.keep(place, element)
            case "transition":
                self.parts.keep(element.transition(), element)
            case _:
                weight = attributes.get("weight", "1").strip()
                self._check_arc(element, weight)
                element.labels["inscription"] = weight
                arc = element.arc()
                self._check_colours(element, arc.weight)
                self.parts.keep_arc(arc, element)
        self.element = None

    def _check_arc(self, element: Element, weight: str) -> None:
        kind = element.attributes.get("type", "")
        said = "".join(element.attributes.get("inscription", "").split())
        if kind not in ("normal", "timed"):
            element.check_kind(kind)
        plain = ("[0,inf)",) if kind == "timed" else ("", "1", weight)
        if said not in plain:
            raise element.error(
                f"has the inscription {quoted(said)}, and petricheck knows no time; write "
                f"{plain[0] or 1} if the time does not matter"
            )

    def _check_colours(self, element: Element, number: int) -> None:
        """Refuse labels of coloured nets that do not say what the attributes say."""
        for label, text in self.texts.items():
            said = "".join(text.split())
            dots = _DOTS.fullmatch(said)
            same = said == "dot" if label == "type" else dots and dots[1] == str(number)
            if not same:
                raise element.error(
                    f"has {quoted(said)} in <{label}>, which is another net than that of the plain "
                    f"attributes; {_REMEDY}"
                )
