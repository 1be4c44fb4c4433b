"""Asides of a PNML file: elements that are skipped, such as <toolspecific> and <graphics>.

One rule holds for all nets. What is read is known by `_pnml_vocabulary`; other elements, and
attributes of what is read, are refused. Asides say nothing about behaviour by the standard. But
some tools declare there that an arc is no ordinary one, or that a transition has to wait. So their
names, attributes and texts are searched for the words of `_pnml_hints`. A word that only might mean
it is refused too: the owner of a net can correct a net that is wrongly refused, but not one that is
wrongly read. Prose is not understood.
"""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.formats.nets import _pnml_hints as hints
from petricheck.formats.nets._net_parts import ONLY_NORMAL, Element
from petricheck.formats.scanning.xml import Scanner
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

_DRAWN = frozenset({"graphics", "line", "position", "dimension", "offset", "fill", "font", "point"})
_LISTS = frozenset({"places", "subunits"})  # of ids, in units (NUPN)
# A name in one of these is the name of a property; a key is in any element, as in ProM.
_PROPERTIES = frozenset({"property", "attribute", "parameter", "param", "option", "setting"})
_ENDS = frozenset({"source", "target"})
_POSITIONS = frozenset({"x", "y", "width", "height"})
# Attributes of these names hold numbers, or ids that may be any word.
_PLAIN = frozenset({*_POSITIONS, "id", "idref", "ref", *_ENDS})


@dataclass(slots=True)
class _Open:
    """An element that is open.

    Attributes:
        name: the meaning of its name.
        line: where it starts.
        of_arcs: whether it, or one around it, is about arcs.
        restrains: whether it, or one around it, makes transitions wait.
        denied: whether its text denies the meaning of its name.
    """

    name: hints.Name
    line: int
    of_arcs: bool
    restrains: bool
    denied: bool = False


class Aside:
    """A listener to one skipped element, from its start tag to its end tag."""

    def __init__(self, scanner: Scanner, arc: Element | None) -> None:
        """Listen to an element, which is part of `arc` unless that is None."""
        self._scanner, self._arc = scanner, arc
        self._open: list[_Open] = []
        self._text = ""

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        """Process a start tag.

        Raises:
            InputError: the words there may mean that the net is no place/transition net.
        """
        if self._text:
            self._judge_text()
        tag = name = hints.read(raw)
        for key in ("key", "name") if tag.local.lower() in _PROPERTIES else ("key",):
            if key in attributes and not name.sense:
                name = hints.read(attributes[key])
                attributes = {other: attributes[other] for other in attributes if other != key}
        of_arcs, restrains = tag.about_arcs or name.about_arcs, name.sense == "restraint"
        if self._open:
            around = self._open[-1]
            of_arcs, restrains = of_arcs or around.of_arcs, restrains or around.restrains
        else:
            of_arcs = of_arcs or self._arc is not None
        element = _Open(name, self._scanner.line, of_arcs, restrains)
        self._open.append(element)
        # Most elements have positions in a drawing only, and need no check.
        if not attributes.keys() <= _POSITIONS:
            self._judge_attributes(element, attributes)

    def text(self, text: str) -> None:
        """Process characters between tags."""
        if not self._text:
            self._text = text.lstrip()[: hints.LONGEST + 1]
        elif len(self._text) <= hints.LONGEST:
            self._text = (self._text + text)[: hints.LONGEST + 1]

    def end(self) -> None:
        """Process an end tag; InputError as for `start`."""
        if self._text:
            self._judge_text()
        closed = self._open[-1]
        if closed.name.sense == "special" and not closed.denied:
            text = f"<{quoted(closed.name.local)[1:-1]}>"
            raise self._refusal(text, closed.line, special=True)
        self._open.pop()

    def _judge_attributes(self, element: _Open, attributes: dict[str, str]) -> None:
        names = {key: hints.read(key) for key in attributes if key not in _PLAIN}
        if "value" in names:
            names["value"] = element.name
            element.denied |= attributes["value"].strip().lower() in hints.DENIALS
        if attributes.keys() >= _ENDS or any(name.about_arcs for name in names.values()):
            element.of_arcs = True
        for key, name in names.items():
            self._judge(name, attributes[key])

    def _judge_text(self) -> None:
        text, self._text = self._text.strip(), ""
        element = self._open[-1]
        element.denied |= text.lower() in hints.DENIALS
        if element.name.local not in _LISTS:
            self._judge(element.name, text)

    def _judge(self, name: hints.Name, value: str) -> None:
        """Refuse the current element or attribute if its text may change the net's meaning."""
        element = self._open[-1]
        text = value.strip().lower()
        special = self._is_special(element, name.sense, text)
        restrains = element.restrains or name.sense == "restraint"
        if special or (restrains and text not in hints.NOTHING):
            attribute = f"{quoted(name.local)[1:-1]}={quoted(value)}"
            raise self._refusal(attribute, element.line, special=special)

    def _is_special(self, element: _Open, sense: hints.Sense, text: str) -> bool:
        if sense == "special":
            return text not in hints.DENIALS
        if sense == "kind" and self._arc and self._is_specific and element.name.local not in _DRAWN:
            return text not in hints.NORMAL
        return hints.special(text) or (
            (element.of_arcs or sense == "kind") and hints.special_of_arc(text)
        )

    @property
    def _is_specific(self) -> bool:
        return self._open[0].name.local == "toolspecific"

    def _refusal(self, text: str, line: int, *, special: bool) -> InputError:
        if not special:
            advice = "which may hold back transitions; remove it if the plain net is meant"
        elif self._arc is None:
            advice = f"which hints at special arcs, but {ONLY_NORMAL}"
        else:
            advice = f"but {ONLY_NORMAL}"
        owner = "" if self._arc is None else f" of arc {quoted(self._arc.attributes.get('id', ''))}"
        return self._scanner.error(
            f"<{self._open[0].name.local}>{owner} says {text}, {advice}", line
        )
