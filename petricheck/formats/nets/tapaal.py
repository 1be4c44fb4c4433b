"""Nets of the tool TAPAAL (.tapn), where they have no time, colours, players or shared places.

Each feature of TAPAAL is checked where it is used, whatever <feature> declares: an arc from a place
must have the interval [0,inf), an invariant be < inf, a transition be neither urgent nor have a
priority. TAPAAL writes labels of coloured nets into other nets as well; they must be about black
tokens (dot) and agree with the plain attributes. Queries and drawings are skipped. Unknown elements
are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from petricheck.formats.nets import Format
from petricheck.formats.nets._assembly import assemble
from petricheck.formats.nets._net_elements import NetElements
from petricheck.formats.nets._net_parts import Element
from petricheck.formats.nets._pnml_vocabulary import SKIP
from petricheck.formats.nets._xml_output import attribute, node_id, require_separate, unused_stem
from petricheck.formats.scanning.aliases import spell
from petricheck.formats.scanning.text import digits
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.model.guarded.net import Guard, GuardedNet, as_guarded
from petricheck.model.net import Net, Transition
from petricheck.support.errors import InputError
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

_ARC_KINDS = {
    **dict.fromkeys(("timed", "normal"), "normal"),
    **dict.fromkeys(("tapnInhibitor", "inhibitor"), "inhibitor"),
}
_APART = 90
_COLUMNS = 10
"""The nodes in a row of a drawing, and how far they are apart."""
_DOTS = re.compile(r"\(?([0-9]+)'dot(?:\.all)?\)?")
_REMEDY = "model it without that in TAPAAL, and save it again"


class Tapaal(Format):
    """Nets of the tool TAPAAL, without time and colours."""

    extensions = (".tapn",)
    begins = re.compile(rb"<[\s\S]*?<place\s[^>]*\binitialMarking=")

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net | GuardedNet, tuple[str, ...]]:
        """Return the net."""
        scanner = XmlScanner(path)
        elements = _Elements(scanner, net_id)
        elements.read(pieces)
        return assemble(elements.name, elements.parts, scanner)

    def write(self, net: Net) -> bytes:
        """Return a file of the net, with ids as names where TAPAAL takes them, and no labels.

        InputError where an id has a character that XML cannot express, a number is too long to be
        read again, or a place and a transition have the same id.
        """
        return self.write_guarded(as_guarded(net))

    def write_guarded(self, net: GuardedNet) -> bytes:
        """Return the file, as `write`, with inhibitor arcs; InputError for a reset."""
        return "".join(f"{line}\n" for line in _lines(net)).encode()


def _lines(guarded: GuardedNet) -> Iterator[str]:
    net = guarded.plain
    require_separate(net, "TAPAAL")
    ids = (*net.places, *(transition.name for transition in net.transitions))
    stem, names = unused_stem("arc", ids), spell(ids, _fits, "n")
    yield '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    yield '<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">'
    name = f"id={attribute(net.name)} " if net.name else ""
    yield f'<net active="true" {name}type="P/T net">'
    nodes = zip(ids, (*net.initial, *(None for _ in net.transitions)), strict=True)
    for number, (id_, tokens) in enumerate(nodes):
        row, column = divmod(number, _COLUMNS)
        tag, kind = "place", f'initialMarking="{digits(tokens or 0)}" invariant="&lt; inf"'
        if tokens is None:
            tag, kind = "transition", 'priority="0" urgent="false"'
        where = f'positionX="{_APART * (column + 1)}" positionY="{_APART * (row + 1)}"'
        yield f"<{tag} id={node_id(id_)} name={attribute(names[id_])} {kind} {where}/>"
    arcs = (
        line
        for t, guard in zip(net.transitions, guarded.guards, strict=True)
        for line in _arcs(net, t, guard)
    )
    yield from (f'<arc id="{stem}{number}" {line}/>' for number, line in enumerate(arcs))
    yield from ("</net>", '<feature isGame="false" isTimed="false"/>', "</pnml>")


def _arcs(net: Net, transition: Transition, guard: Guard) -> Iterator[str]:
    if guard.resets:
        raise InputError(
            f"transition {quoted(transition.name)} has a reset arc, which TAPAAL does not know; "
            "write .pnml, or an ordinary net (--ordinary)"
        )
    id_ = node_id(transition.name)
    for kind, arcs in (("timed", transition.pre), ("tapnInhibitor", guard.upper)):
        for place, weight in arcs:
            ends = f"source={node_id(net.places[place])} target={id_}"
            yield f'{ends} type="{kind}" inscription="[0,inf)" weight="{digits(weight)}"'
    for place, weight in transition.post:
        ends = f"source={id_} target={node_id(net.places[place])}"
        yield f'{ends} type="normal" inscription="1" weight="{digits(weight)}"'


def _fits(name: str) -> bool:
    """Return whether TAPAAL takes a name as it is."""
    is_word = re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name) is not None
    return is_word and name.lower() not in ("true", "false")


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
        if kind not in _ARC_KINDS:
            raise element.error(
                f"is of type {quoted(kind)}, but only {', '.join(_ARC_KINDS)} are supported; "
                f"{_REMEDY}"
            )
        element.labels["kind"] = _ARC_KINDS[kind]
        element.valued.add("kind")  # its weight counts
        plain = ("", "1", weight) if kind == "normal" else ("[0,inf)",)
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
