"""What stands aside in a PNML file: <toolspecific>, <graphics> and the like, which are passed over.

By the standard they say nothing about behaviour, but some tools declare there that an arc is no
ordinary one, or that a transition has to wait. So each is listened to for such words. One that
only might mean it is refused too: a net that is wrongly refused can be mended by its owner, one
that is wrongly read cannot.
"""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.errors import InputError
from petricheck.formats import _pnml_hints as hints
from petricheck.formats._pnml_nodes import ONLY_NORMAL, Element
from petricheck.formats._pnml_xml import Scanner, quoted

_DRAWN = frozenset({"graphics", "line", "position", "dimension", "offset", "fill", "font", "point"})
_LISTS = frozenset({"places", "subunits"})  # of ids, in units (NUPN)
_ENDS = frozenset({"source", "target"})
# Attributes of these names hold numbers, or ids that may be any word.
_PLAIN = frozenset({"x", "y", "width", "height", "id", "idref", "ref", *_ENDS})


@dataclass(slots=True)
class _Open:
    """An element whose end has not been reached.

    Attributes:
        name: its local name.
        line: where it starts.
        of_arcs: whether it, or one around it, is about arcs.
        restrains: whether it, or one around it, is what holds a transition back.
        denied: whether its text takes back what its name says.
    """

    name: str
    line: int
    of_arcs: bool
    restrains: bool
    denied: bool = False


class Aside:
    """Listens to one element that is passed over, from its start tag to its end tag."""

    def __init__(self, scanner: Scanner, arc: Element | None) -> None:
        """An element that stands in an arc, or elsewhere."""
        self._scanner, self._arc = scanner, arc
        self._open: list[_Open] = []
        self._said = ""

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        """A start tag.

        Raises:
            InputError: what is said there may mean that the net is no place/transition net.
        """
        self._judge_text()
        name = hints.local(raw)
        around = self._open[-1] if self._open else _Open("", 0, self._arc is not None, False)
        judged = attributes.keys() - _PLAIN
        of_arcs = (
            around.of_arcs
            or hints.about_arcs(name)
            or attributes.keys() >= _ENDS
            or any(map(hints.about_arcs, judged))
        )
        restrains = around.restrains or hints.sense(name) == "restraint"
        self._open.append(_Open(name, self._scanner.line, of_arcs, restrains))
        for key, value in attributes.items():
            if key in judged:
                self._judge(key, value)

    def text(self, text: str) -> None:
        """Characters between tags."""
        if len(self._said) <= hints.LONGEST:
            text = text if self._said else text.lstrip()
            self._said = (self._said + text)[: hints.LONGEST + 1]

    def end(self) -> None:
        """An end tag; InputError as for `start`."""
        self._judge_text()
        closed = self._open[-1]
        if hints.sense(closed.name) == "special" and not closed.denied:
            raise self._refusal(f"<{quoted(closed.name)[1:-1]}>", closed.line, special=True)
        self._open.pop()

    def _judge_text(self) -> None:
        said, self._said = self._said.strip(), ""
        if said:
            element = self._open[-1]
            element.denied |= said.lower() in hints.DENIALS
            if element.name not in _LISTS:
                self._judge(element.name, said)

    def _judge(self, name: str, value: str) -> None:
        """Refuse what the current element, or an attribute of it, says, if it may mean harm."""
        element = self._open[-1]
        said = value.strip().lower()
        shown = f"{quoted(hints.local(name))[1:-1]}={quoted(value)}"
        sense = hints.sense(name)
        if self._is_special(element, sense, said):
            raise self._refusal(shown, element.line, special=True)
        restrains = element.restrains or sense == "restraint"
        if restrains and self._is_specific and said not in hints.NOTHING:
            raise self._refusal(shown, element.line, special=False)

    def _is_special(self, element: _Open, sense: hints.Sense, said: str) -> bool:
        if sense == "special":
            return said not in hints.DENIALS
        if sense == "kind" and self._arc and self._is_specific and element.name not in _DRAWN:
            return said not in hints.NORMAL
        return hints.special(said) or (
            (element.of_arcs or sense == "kind") and hints.special_of_arc(said)
        )

    @property
    def _is_specific(self) -> bool:
        return self._open[0].name == "toolspecific"

    def _refusal(self, said: str, line: int, *, special: bool) -> InputError:
        if not special:
            advice = "which may hold back transitions; remove it if the plain net is meant"
        elif self._arc is None:
            advice = f"which hints at special arcs, but {ONLY_NORMAL}"
        else:
            advice = f"but {ONLY_NORMAL}"
        owner = "" if self._arc is None else f" of arc {quoted(self._arc.attributes.get('id', ''))}"
        return self._scanner.error(f"<{self._open[0].name}>{owner} says {said}, {advice}", line)
