"""Asides of PNML: elements that are skipped, such as <toolspecific> and <graphics>.

They say nothing about behaviour by the standard. But some tools declare there that an arc is no
ordinary one, or that a transition has to wait. So their names, attributes and texts are searched
for the words of `_pnml_vocabulary`. A word that only might mean it is refused too: the owner of a
net can correct a net that is wrongly refused, but not one that is wrongly read. Prose is not
understood.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from petricheck.formats.nets import _pnml_vocabulary as vocabulary
from petricheck.formats.nets._net_parts import KNOWN_ARCS, Element
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

if TYPE_CHECKING:
    from petricheck.formats.nets._pnml_elements import PnmlElements

_DRAWN = frozenset({"graphics", "line", "position", "dimension", "offset", "fill", "font", "point"})
_LISTS = frozenset({"places", "subunits"})  # of ids, in units (NUPN)
# A name in one of these is the name of a property; a key is in any element, as in ProM.
_PROPERTIES = frozenset({"property", "attribute", "parameter", "param", "option", "setting"})
_AS_TYPE = 'and in a type of the arc, such as <type value="inhibitor"/>'
_ENDS = frozenset({"source", "target"})
_POSITIONS = frozenset({"x", "y", "width", "height"})
# Attributes of these names hold numbers, or ids that may be any word.
_PLAIN = frozenset({*_POSITIONS, "id", "idref", "ref", *_ENDS})


@dataclass(slots=True)
class _OpenElement:
    """An open element: the meaning of its name, and its first line.

    It, or one around it, is about arcs, or restrains transitions; its text denies its name. It is
    bare if no attributes but its name say what it is about.
    """

    name: vocabulary.Name
    line: int
    of_arcs: bool
    restrains: bool
    denied: bool = False
    is_bare: bool = False


class Aside:
    """A listener to one skipped element, from its start tag to its end tag."""

    def __init__(self, scanner: XmlScanner, arc: Element | None) -> None:
        """Listen to an element, which is part of `arc` unless that is None."""
        self._scanner, self._arc = scanner, arc
        self._open: list[_OpenElement] = []
        self._text = ""

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        """Process a start tag; InputError where its words may mean another kind of net."""
        if self._text:
            self._judge_text()
        tag = name = vocabulary.read_name(raw)
        for key in ("key", "name") if tag.local.lower() in _PROPERTIES else ("key",):
            if key in attributes and not name.sense:
                name = vocabulary.read_name(attributes[key])
                attributes = {other: attributes[other] for other in attributes if other != key}
        of_arcs, restrains = tag.about_arcs or name.about_arcs, name.sense == "restraint"
        if self._open:
            around = self._open[-1]
            of_arcs, restrains = of_arcs or around.of_arcs, restrains or around.restrains
        else:
            of_arcs = of_arcs or self._arc is not None
        element = _OpenElement(name, self._scanner.line, of_arcs, restrains)
        self._open.append(element)
        # Most elements have positions in a drawing only, and need no check.
        if not attributes.keys() <= _POSITIONS:
            self._judge_attributes(element, attributes)

    def text(self, text: str) -> None:
        if not self._text:
            self._text = text.lstrip()[: vocabulary.LONGEST + 1]
        elif len(self._text) <= vocabulary.LONGEST:
            self._text = (self._text + text)[: vocabulary.LONGEST + 1]

    def end(self) -> None:
        """Process an end tag; InputError as for `start`."""
        if self._text:
            self._judge_text()
        closed = self._open[-1]
        if closed.name.sense == "special" and not closed.denied:
            text = f"<{quoted(closed.name.local)[1:-1]}>"
            raise self._refusal(text, closed.line, special=True)
        self._open.pop()

    def _judge_attributes(self, element: _OpenElement, attributes: dict[str, str]) -> None:
        names = {key: vocabulary.read_name(key) for key in attributes if key not in _PLAIN}
        if "value" in names:
            names["value"] = element.name
            element.denied |= attributes["value"].strip().lower() in vocabulary.DENIALS
        if attributes.keys() >= _ENDS or any(name.about_arcs for name in names.values()):
            element.of_arcs = True
        for key, name in names.items():
            self._judge(name, attributes[key])

    def _judge_text(self) -> None:
        text, self._text = self._text.strip(), ""
        element = self._open[-1]
        element.denied |= text.lower() in vocabulary.DENIALS
        if element.name.local not in _LISTS:
            self._judge(element.name, text)

    def _judge(self, name: vocabulary.Name, value: str) -> None:
        """Refuse the current element or attribute if its text may change the net's meaning."""
        element = self._open[-1]
        text = value.strip().lower()
        special = self._is_special(element, name.sense, text)
        restrains = element.restrains or name.sense == "restraint"
        if special or (restrains and text not in vocabulary.NOTHING):
            attribute = f"{quoted(name.local)[1:-1]}={quoted(value)}"
            raise self._refusal(attribute, element.line, special=special)

    def _is_special(self, element: _OpenElement, sense: vocabulary.Sense, text: str) -> bool:
        if sense == "special":
            return text not in vocabulary.DENIALS
        if sense == "kind" and self._arc and self._is_specific and element.name.local not in _DRAWN:
            return text not in vocabulary.NORMAL
        return vocabulary.is_special(text) or (
            (element.of_arcs or sense == "kind") and vocabulary.is_special_of_arc(text)
        )

    @property
    def _is_specific(self) -> bool:
        return self._open[0].name.local == "toolspecific"

    def _refusal(self, text: str, line: int, *, special: bool) -> InputError:
        if not special:
            advice = "which may hold back transitions; remove it if the plain net is meant"
        elif self._arc is None:
            advice = f"which hints at special arcs, but {KNOWN_ARCS}, {_AS_TYPE}"
        else:
            advice = f"but {KNOWN_ARCS}, {_AS_TYPE}"
        owner = "" if self._arc is None else f" of arc {quoted(self._arc.attributes.get('id', ''))}"
        return self._scanner.error(
            f"<{self._open[0].name.local}>{owner} says {text}, {advice}", line
        )


class ToolData(Aside):
    """An aside that also reads what is known of some tools.

    These are the safety of NUPN, the operators and times of WoPeD, the cases of Yasper, and
    priorities, which say nothing where all are the same.
    """

    def __init__(self, elements: PnmlElements, arc: Element | None, tool: str) -> None:
        super().__init__(elements.scanner, arc)
        self._elements, self._tool = elements, tool.lower()
        self._context = elements.contexts[-1]

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        super().start(raw, attributes)
        element, local = self._open[-1], raw.rpartition(" ")[2]
        element.is_bare = attributes.keys() <= {"key", "name"}
        if self._tool == "nupn" and attributes.get("safe") == "true":
            self._elements.notes.safe = True
        elif local == "operator" and self._context == "transition":
            self._elements.note_operator(self._elements.element, attributes.get("type", ""))
        elif self._is_case(element):
            element.restrains = False
        elif local == "test" and self._context == "place" and not attributes:
            # No test arc: that would have to name a transition.
            element.name = element.name._replace(sense="")

    def _is_case(self, element: _OpenElement) -> bool:
        is_yasper = self._tool == "yasper" and self._context == "place"
        return is_yasper and element.name.local == "tokenCaseSensitive"

    def _judge_text(self) -> None:
        element, text, tool = self._open[-1], self._text.strip(), self._elements
        word = element.name.local.lower()
        around = self._open[-2] if len(self._open) > 1 else element
        is_own = len(self._open) == 2 and element.is_bare and self._context == "transition"
        if word == "text" and self._is_case(around):
            tool.note_case(tool.element.id, text)
        elif not (is_own and text.isdecimal()):
            super()._judge_text()
        elif word == "priority":
            tool.note_priority(text)
        elif word == "time" and self._tool == "woped":
            tool.notes.times = tool.notes.times or text.strip("0") != ""
        else:
            super()._judge_text()
        self._text = ""
