"""Nets of the tool TAPAAL (.tapn), where they have no time, colours, players or shared places.

Each feature of TAPAAL is checked where it is used, whatever <feature> declares: an arc from a place
must have the interval [0,inf), an invariant be < inf, a transition be neither urgent nor have a
priority. TAPAAL writes labels of coloured nets into other nets as well; they must be about black
tokens (dot) and agree with the plain attributes. Queries and drawings are skipped. Unknown elements
are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from petricheck.formats.nets import Format
from petricheck.formats.nets._net_elements import NetElements
from petricheck.formats.nets._net_parts import Element, assemble
from petricheck.formats.nets._pnml_vocabulary import SKIP
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.model.net import Net
from petricheck.support.words import quoted

_DRAWING = frozenset(
    {"angle", "displayName", "nameOffsetX", "nameOffsetY", "positionX", "positionY"}
)
# Servers change speed only.
_ATTRIBUTES = {
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

_GRAMMAR = {
    "document": {"pnml": "pnml"},
    "pnml": {
        **dict.fromkeys(("query", "k-bound", "constant", "declaration"), SKIP),
        "feature": "feature",
        "net": "net",
    },
    "feature": {},
    "net": {
        **dict.fromkeys(("labels", "declaration"), SKIP),
        **{tag: tag for tag in ("place", "transition", "arc")},
    },
    "place": {"type": "label", "hlinitialMarking": "label"},
    "transition": {},
    "arc": {"hlinscription": "label", "arcpath": SKIP},
    "label": {"text": "text", "structure": SKIP},
    "text": {},
}
_COLOURS = frozenset({"type", "hlinitialMarking", "hlinscription"})
_FEATURES = ("isTimed",)
"""Features that are checked where they are used."""

_DOTS = re.compile(r"\(?([0-9]+)'dot(?:\.all)?\)?")
_REMEDY = "model it without that in TAPAAL, and save it again"


class Tapaal(Format):
    """Nets of the tool TAPAAL, without time and colours."""

    extensions = (".tapn",)
    begins = re.compile(rb"<[\s\S]*?<place\s[^>]*\binitialMarking=")
    instead = "TAPAAL's own format is not written; write .pnml, which TAPAAL imports"

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net, tuple[str, ...]]:
        """Return the net."""
        scanner = XmlScanner(path)
        elements = _Elements(scanner, net_id)
        elements.read(pieces)
        return assemble(elements.name, elements.parts, scanner)


class _Elements(NetElements):
    grammar = _GRAMMAR

    def remedy(self, name: str, context: str) -> str:
        return f"no place/transition net has it; {_REMEDY}"

    def check(self, context: str, name: str, attributes: dict[str, str]) -> None:
        for key, value in attributes.items() if context == "feature" else ():
            if key not in _FEATURES and value != "false":
                raise self.scanner.error(
                    f"the file says {quoted(key)[1:-1]}={quoted(value)}: this is no "
                    f"place/transition net; {_REMEDY}"
                )
        for key, value in attributes.items() if context in _ATTRIBUTES else ():
            text = "".join(value.split())
            if key not in _ATTRIBUTES[context] or text not in _HARMLESS.get(key, (text,)):
                raise self.element.error(
                    f"has {quoted(key)[1:-1]}={quoted(value)}, which may change the meaning; "
                    "remove it if the plain net is meant"
                )

    def close(self, context: str) -> None:
        element, attributes = self.element, self.element.attributes
        colours = {label: text for label, text in element.labels.items() if label in _COLOURS}
        element.labels = {"name": attributes.get("name")}
        if context == "place":
            element.labels["initialMarking"] = attributes.get("initialMarking")
            place = element.place()
            self._check_colours(colours, place.tokens)
            self.parts.add(place, element)
        elif context == "transition":
            self.parts.add(element.transition(), element)
        else:
            weight = attributes.get("weight", "1").strip()
            self._check_arc(element, weight)
            element.labels["inscription"] = weight
            arc = element.arc()
            self._check_colours(colours, arc.weight)
            self.parts.add_arc(arc, element)

    def _check_arc(self, element: Element, weight: str) -> None:
        kind = element.attributes.get("type", "")
        text = "".join(element.attributes.get("inscription", "").split())
        if kind not in ("normal", "timed"):
            element.check_kind(kind)
        plain = ("[0,inf)",) if kind == "timed" else ("", "1", weight)
        if text not in plain:
            raise element.error(
                f"has the inscription {quoted(text)}, and petricheck knows no time; write "
                f"{plain[0] or 1} if the time does not matter"
            )

    def _check_colours(self, colours: Mapping[str, str | None], number: int) -> None:
        """Refuse labels of coloured nets that do not agree with the attributes."""
        for label, text in colours.items():
            content = "".join((text or "").split())
            dots = _DOTS.fullmatch(content)
            same = content == "dot" if label == "type" else dots and dots[1] == str(number)
            if not same:
                raise self.element.error(
                    f"has {quoted(content)} in <{label}>, which is another net than that of the "
                    f"plain attributes; {_REMEDY}"
                )
