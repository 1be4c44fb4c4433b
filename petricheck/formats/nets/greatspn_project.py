"""Nets in projects of GreatSPN's editor (.PNPRO), of version 120 and later.

A project has pages; those that hold nets are told apart by their names. What may fire is decided as
in `greatspn`: all transitions are immediate with one priority, or all are exponential. Numbers are
written as such or as constants of the net. Colours, guards, general delays, continuous places and
transitions, and parameters without a value are refused where they are used. Other
pages, texts and drawings are passed over, and tags for composing nets with a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from petricheck.formats.nets import Format
from petricheck.formats.nets._assembly import assemble
from petricheck.formats.nets._greatspn import UNTAGGED, UNTIMED
from petricheck.formats.nets._net_elements import NetElements
from petricheck.formats.nets._net_parts import ArcKind, Element, FileArc, FileNode
from petricheck.formats.nets._pnml_vocabulary import SKIP
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.net import Net
from petricheck.support.words import MAX_DIGITS, quoted

_OTHER_PAGE = "page"
_GRAMMAR = {
    "document": {"project": "project"},
    "project": {"gspn": "net", _OTHER_PAGE: SKIP},
    "net": {"nodes": "nodes", "edges": "edges"},
    "nodes": {
        **{tag: tag for tag in ("place", "transition", "constant")},
        **dict.fromkeys(("template", "color-class", "color-var", "clock", "text-box"), SKIP),
    },
    "edges": {"arc": "arc"},
    "place": {},
    "transition": {},
    "constant": {},
    "arc": {"point": SKIP},
}
_DRAWN = re.compile(r"[xyk]|.*-[xyk]|width|height|rotation|(.*-)?magnets?|(is-)?broken|id")
_SHOWN = re.compile(r"name|id|(show|view)-.*")
_KNOWN = {
    "place": {"name", "marking", "type", "domain", "partition", "superposition-tags"},
    "transition": {
        *("name", "type", "delay", "priority", "weight", "nservers", "guard"),
        "superposition-tags",
    },
    "arc": {"tail", "head", "kind", "mult"},
}
_ARC_KINDS: Mapping[str, ArcKind] = {
    **dict.fromkeys(("INPUT", "OUTPUT", "INPUT_OR_OUTPUT"), "normal"),
    "INHIBITOR": "inhibitor",
}
_WHOLE = re.compile(r"[0-9]+")
_REAL = re.compile(r"[0-9]*\.?[0-9]+([Ee][-+]?[0-9]{1,3})?|[0-9]+\.")
_OLDEST = 120
_COLOURED = "write the net as PNML in GreatSPN's editor, which petricheck reads with its colours"


class GreatspnProject(Format):
    """Nets in projects of GreatSPN's editor, of the same kind as in its `.net` files."""

    extensions = (".pnpro",)
    begins = re.compile(rb"(?:<\?[^>]*\?>\s*|<!--(?:[^-]|-(?!-))*-->\s*)*<project\b")
    instead = "projects of GreatSPN are not written; write .pnml, which GreatSPN imports"

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net | GuardedNet, tuple[str, ...]]:
        """Return the net, and warnings about what says nothing of its behaviour."""
        scanner = XmlScanner(path)
        elements = _ProjectElements(scanner, net_id)
        elements.read(pieces)
        warnings = elements.finish()
        net, summed = assemble(elements.name, elements.parts, scanner)
        return net, warnings + summed


class _ProjectElements(NetElements):
    grammar = _GRAMMAR

    def __init__(self, scanner: XmlScanner, net_id: str | None) -> None:
        super().__init__(scanner, net_id)
        self._version = ""
        self._constants: dict[str, str] = {}
        self._elements: list[Element] = []  # numbers may name constants that follow

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        """Process a start tag; pages of other kinds are skipped, and names are ids."""
        tag = raw.rpartition(" ")[2]
        if not self._skipping and self.contexts[-1] == "project" and tag != "gspn":
            raw = _OTHER_PAGE
        if tag != "arc" and "name" in attributes:
            attributes = {**attributes, "id": attributes["name"]}
        super().start(raw, attributes)

    def remedy(self, name: str, context: str) -> str:
        return "no place/transition net has it; remove it in GreatSPN's editor"

    def enter(self, attributes: dict[str, str]) -> None:
        if not _WHOLE.fullmatch(self._version) or int(self._version[:9]) < _OLDEST:
            raise self.scanner.error(
                f"the project is of version {quoted(self._version)}; save it with an editor that "
                f"writes version {_OLDEST} or a later one"
            )
        if unknown := [key for key in attributes if not _SHOWN.fullmatch(key)]:
            raise self.scanner.error(
                f"the net has the attribute {quoted(unknown[0])}, which may change the meaning"
            )

    def check(self, context: str, name: str, attributes: dict[str, str]) -> None:
        if context == "project":
            self._version = attributes.get("version", "")
        elif context == "constant" and not attributes.get("domain"):
            self._constants[attributes.get("name", "")] = attributes.get("value", "")
        elif context in _KNOWN:
            for key, value in attributes.items():
                if key not in _KNOWN[context] and not _DRAWN.fullmatch(key):
                    raise self.element.error(
                        f"has {quoted(key)[1:-1]}={quoted(value)}, which may change the meaning"
                    )

    def close(self, context: str) -> None:
        self._elements.append(self.element)

    def finish(self) -> tuple[str, ...]:
        """Store nodes and arcs once all constants are known; return warnings."""
        kinds: dict[str, Element] = {}
        joined: set[tuple[str, str, ArcKind]] = set()
        for element in self._elements:
            if element.tag == "place":
                self.parts.add(self._place(element), element)
            elif element.tag == "transition":
                kinds.setdefault(self._kind(element), element)
                self.parts.add(FileNode(element.id, "transition", element.line), element)
            else:
                arc = self._arc(element)
                ends = arc.source, arc.target, arc.kind
                if ends in joined:
                    raise element.error(f"from {quoted(arc.source)} is given twice; write one")
                joined.add(ends)
                self.parts.add_arc(arc, element)
        if len(kinds) > 1:
            (first, other), (second, element), *_ = kinds.items()
            raise element.error(
                f"is {second} and {quoted(other.id)} is {first}, so that one may hold back the "
                "other; make them alike if the plain net is meant"
            )
        tagged = any(element.attributes.get("superposition-tags") for element in self._elements)
        return (UNTIMED,) * ("timed" in kinds) + (UNTAGGED,) * tagged

    def _place(self, place: Element) -> FileNode:
        self._require(place, "type", "DISCRETE", "DISCRETE", "tokens are counted here")
        self._require(place, "domain", "", "", _COLOURED)
        return FileNode(
            place.id, "place", place.line, tokens=self._whole(place, "marking", "0", least=0)
        )

    def _kind(self, transition: Element) -> str:
        """Return the kind of a transition; InputError where it may wait although it is enabled."""
        self._require(transition, "guard", "True", "True", _COLOURED)
        if transition.attributes.get("type") == "IMM":
            self._require_positive(transition, "weight", "1.0")
            return f"immediate with priority {self._whole(transition, 'priority', '1', least=0)}"
        self._require(transition, "type", "", "EXP", "make it exponential if time does not matter")
        self._require_positive(transition, "delay", "1.0")
        if transition.attributes.get("nservers", "Infinite") != "Infinite":
            self._whole(transition, "nservers", "", least=1)
        return "timed"

    def _arc(self, arc: Element) -> FileArc:
        kind = arc.attributes.get("kind", "")
        if kind not in _ARC_KINDS:
            raise arc.error(
                f"is of the kind {quoted(kind)}, but only {', '.join(_ARC_KINDS)} are supported; "
                "model it with these"
            )
        tail, head = arc.attributes.get("tail", ""), arc.attributes.get("head", "")
        weight = self._whole(arc, "mult", "1", least=1)
        return FileArc("", tail, head, weight, arc.line, _ARC_KINDS[kind])

    def _require(self, element: Element, key: str, default: str, only: str, remedy: str) -> None:
        value = element.attributes.get(key, default)
        if value != only:
            raise element.error(f"has {key}={quoted(value)}; {remedy}")

    def _whole(self, element: Element, key: str, default: str, least: int) -> int:
        """Return the number that an attribute is, or that of the constant which it names."""
        text = (element.attributes.get(key) or default).strip()
        digits = self._constants.get(text, text).strip()
        if not _WHOLE.fullmatch(digits) or len(digits) > MAX_DIGITS or int(digits) < least:
            raise element.error(
                f"has {key}={quoted(text)}; write a whole number, at least {least}, or the name of "
                "a constant of such a value"
            )
        return int(digits)

    def _require_positive(self, transition: Element, key: str, default: str) -> None:
        text = (transition.attributes.get(key) or default).strip()
        number = self._constants.get(text, text).strip()
        if not _REAL.fullmatch(number) or not float(number) > 0:
            raise transition.error(
                f"has {key}={quoted(text)}, which may be 0, so that it never fires; write a "
                "positive number, or the name of a constant of such a value"
            )
