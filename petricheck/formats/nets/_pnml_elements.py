"""The elements of PNML: their content, and warnings about the file.

An element or attribute is read, or is known not to change the behaviour of the net, or is refused.

Asides are elements that are skipped, such as <toolspecific> and <graphics>. They say nothing about
behaviour by the standard. But some tools declare there that an arc is no ordinary one, or that a
transition has to wait. So their names, attributes and texts are searched for the words of
`_pnml_vocabulary`. A word that only might mean it is refused too: the owner of a net can correct a
net that is wrongly refused, but not one that is wrongly read. Prose is not understood.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from petricheck.formats.nets import _pnml_vocabulary as vocabulary
from petricheck.formats.nets._net_elements import NODES, Listener, NetElements
from petricheck.formats.nets._net_parts import ONLY_NORMAL, Element, FileNode
from petricheck.formats.nets._pnml_vocabulary import STRUCTURED
from petricheck.formats.nets._structures import Structures, Tree, Words
from petricheck.formats.scanning.xml import FOREIGN, FORMAL, Ignored, XmlScanner
from petricheck.support.errors import InputError, NetTypeError
from petricheck.support.words import quoted

_SIDES = {
    **dict.fromkeys(("103", "104", "108"), ("post",)),
    **dict.fromkeys(("105", "109"), ("pre",)),
    **dict.fromkeys(("106", "XOR"), ("pre", "post")),
}
"""The sides on which an operator of WoPeD, by its number, or a type of Yasper chooses."""


@dataclass(slots=True)
class Notes:
    """Observations about the file; each kind is reported once."""

    tools: dict[str, None] = field(default_factory=dict)
    references: int = 0
    unnamed: bool = False
    untyped: bool = False
    safe: bool = False
    capacities: bool = False
    timed: bool = False
    final_markings: bool = False
    stray: bool = False
    ignored: Ignored = field(default_factory=Ignored)

    def texts(self) -> tuple[str, ...]:
        named = ", ".join(quoted(tool) if tool else "an unnamed tool" for tool in self.tools)
        safe = ", also the claim that the net is safe" if self.safe else ""
        holding = {
            "the net has no id": self.unnamed,
            "the net declares no type; it is read as a place/transition net": self.untyped,
            f"ignored what is specific to {named}{safe}": bool(self.tools),
            "capacity 0 is read as no limit": self.capacities,
            "all transitions are timed, with delays of any length; read as the untimed net": (
                self.timed
            ),
            "final markings are ignored": self.final_markings,
            "text between the elements of a structure is ignored": self.stray,
            f"resolved reference nodes: {self.references}": self.references > 0,
        }
        return (*(text for text, holds in holding.items() if holds), *self.ignored.texts())


_DRAWN = frozenset({"graphics", "line", "position", "dimension", "offset", "fill", "font", "point"})
_LISTS = frozenset({"places", "subunits"})  # of ids, in units (NUPN)
# A name in one of these is the name of a property; a key is in any element, as in ProM.
_PROPERTIES = frozenset({"property", "attribute", "parameter", "param", "option", "setting"})
_ENDS = frozenset({"source", "target"})
_POSITIONS = frozenset({"x", "y", "width", "height"})
# Attributes of these names hold numbers, or ids that may be any word.
_PLAIN = frozenset({*_POSITIONS, "id", "idref", "ref", *_ENDS})


@dataclass(slots=True)
class _OpenElement:
    """An open element: the meaning of its name, and its first line.

    It, or one around it, is about arcs, or restrains transitions; its text denies its name.
    """

    name: vocabulary.Name
    line: int
    of_arcs: bool
    restrains: bool
    denied: bool = False


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
            advice = f"which hints at special arcs, but {ONLY_NORMAL}"
        else:
            advice = f"but {ONLY_NORMAL}"
        owner = "" if self._arc is None else f" of arc {quoted(self._arc.attributes.get('id', ''))}"
        return self._scanner.error(
            f"<{self._open[0].name.local}>{owner} says {text}, {advice}", line
        )


class _Specific(Aside):
    """An aside that also reads the safety of NUPN and the operators of WoPeD."""

    def __init__(self, elements: PnmlElements, arc: Element | None, tool: str) -> None:
        super().__init__(elements.scanner, arc)
        self._elements, self._tool = elements, tool

    def start(self, raw: str, attributes: dict[str, str]) -> None:
        super().start(raw, attributes)
        if self._tool == "nupn" and attributes.get("safe") == "true":
            self._elements.notes.safe = True
        elif raw.rpartition(" ")[2] == "operator" and self._elements.contexts[-1] == "transition":
            self._elements.note_operator(self._elements.element, attributes.get("type", ""))


class PnmlElements(NetElements):
    grammar = vocabulary.GRAMMAR

    def __init__(self, scanner: XmlScanner, net_id: str | None) -> None:
        super().__init__(scanner, net_id)
        # For symmetric nets: elements of nodes by id and of arcs in order; declarations;
        # and the content of the open label.
        self.symmetric = False
        self.nodes: dict[str, Element] = {}
        self.arcs: list[Element] = []
        self.declared: list[Tree] = []
        self._structured: set[str] = set()  # labels of the open element with structures
        self._has_structure = False
        self._words: Words
        self.notes = Notes()
        self._choosing: list[tuple[Element, tuple[str, ...]]] = []
        self._priorities: dict[str, Element] = {}
        self._timed: dict[str, Element] = {}

    def warnings(self) -> tuple[str, ...]:
        """Return warnings at the end; InputError where transitions make others wait."""
        self.require_net()
        self.notes.stray = self.symmetric and self._structures.stray
        if len(self._priorities) > 1:
            raise list(self._priorities.values())[-1].error(
                "has another <priority> than transitions before it, so that one may hold back the "
                "other; remove the priorities if the plain net is meant"
            )
        self._check_timed()
        return self.notes.texts()

    @cached_property
    def _structures(self) -> Structures:
        return Structures(self.scanner)

    def note_operator(self, transition: Element, operator: str) -> None:
        """Store the sides on which an operator of WoPeD chooses."""
        if sides := _SIDES.get(operator):
            self._choosing.append((transition, sides))

    def _note_type(self, transition: Element) -> None:
        """Store the type of a transition by Yasper; InputError where it is unknown."""
        kind = transition.word("type", "AND").upper()
        if kind not in ("AND", "XOR"):
            raise transition.error(f"is of type {quoted(kind)}, which may change the meaning")
        self.note_operator(transition, kind)

    def check_choices(self) -> None:
        """Refuse transitions with several arcs to choose from, once all arcs are connected."""
        for transition, sides in self._choosing:
            number = ~self.parts.numbers[transition.id]
            arcs = {"pre": self.parts.pre[number], "post": self.parts.post[number]}
            if any(len(arcs[side]) > 1 for side in sides):
                raise transition.error(
                    "is an XOR operator, which chooses one of several arcs; write a transition "
                    "for each choice"
                )

    def remedy(self, name: str, context: str) -> str:
        return vocabulary.remedy(name, context, symmetric=self.symmetric)

    def _open(self, context: str, name: str, attributes: dict[str, str]) -> None:
        if context in NODES:
            self._structured = set()
        elif context == STRUCTURED:
            if name in self._structured and name != "declaration":
                raise self.element.error(f"has several <{name}>; keep one")
            self._structured.add(name)
            self.label, self._has_structure = name, False
            self._words = Words(self.scanner)
        elif context == "structure":
            raw = f"{self._namespace} {name}".lstrip()
            self._structures.begin(raw, attributes, len(self.contexts), self._add_structure)
            attributes = {}
        elif context == "final":
            self.parts.finals.append([])
        super()._open(context, name, attributes)

    def _add_structure(self, structure: Tree, raw: str) -> None:
        self._has_structure = True
        if self.label == "declaration":
            self.declared += structure.only("declarations").children
        elif self.label in self.element.trees:
            raise self.element.error(f"has several structures in <{self.label}>; keep one")
        elif structure.children or self.label != "condition":
            self.element.trees[self.label] = structure.only()
        self.end(raw)

    def close(self, context: str) -> None:
        """Store the place, transition, reference or arc; words alone are no label."""
        if context == STRUCTURED:
            if not self._has_structure:
                self._words.require_none(self.label)
            return
        element = self.element
        if context == "mark":
            self.parts.finals[-1].append(self._mark())
            return
        if self.symmetric:
            if context == "arc":
                self.arcs.append(element)
            else:
                self.nodes[element.id] = element
        if context == "arc":
            self.parts.add_arc(element.arc(), element)
        elif context == "place":
            self._check_capacity()
            self.parts.add(element.place(), element)
        elif context == "transition":
            self._priorities.setdefault(element.word("priority", ""), element)
            self._timed.setdefault(element.word("timed", "false"), element)
            self._note_type(element)
            self.parts.add(element.transition(), element)
        else:
            self.notes.references += 1
            self.parts.add(element.reference(), element)

    def _mark(self) -> FileNode:
        """Return the element as a place of a final marking, whose text is its tokens."""
        place = self.element.attributes.get("idref")
        if not place or len(self._values) != 1:
            raise self.element.error("in a final marking needs an idref and one <text>; add them")
        self.element.labels["text"] = self._values[0]
        tokens = self.element.number("text", 0, 0)
        return FileNode(place, "place", self.element.line, tokens=tokens, reference=place)

    def add(self, element: Element) -> None:
        self.element = element
        self.close(element.tag)

    def last_constant(self) -> Tree | None:
        return self._structures.last_constant()

    def note_plain(self, transition: Element) -> None:
        """Register a transition without labels, which was added already."""
        self._priorities.setdefault("", transition)
        self._timed.setdefault("false", transition)

    def skip(self, raw: str, name: str, attributes: dict[str, str]) -> Listener:
        """Return the listener for a skipped element; it may refuse the net."""
        if name == "text" and self.contexts[-1] == STRUCTURED:
            self.check("text", name, attributes)
            return self._words
        arc = self.element if "arc" in self.contexts[-2:] else None
        aside = Aside(self.scanner, arc)
        if name == "toolspecific":
            tool = attributes.get("tool", "")
            self.notes.tools[tool] = None
            aside = _Specific(self, arc, tool)
        elif name == "finalmarkings":
            self.notes.final_markings = True
        aside.start(raw, attributes)
        return aside

    def enter(self, attributes: dict[str, str]) -> None:
        self.notes.unnamed = not self.name
        type_name = attributes.get("type")
        self.notes.untyped = type_name is None
        if type_name is not None and vocabulary.is_symmetric_type(type_name):
            self.symmetric, self.grammar = True, vocabulary.SYMMETRIC_GRAMMAR
        elif type_name is not None and not vocabulary.is_place_transition_type(type_name):
            raise NetTypeError(
                f"the net is of type {quoted(type_name)}, not a place/transition net or a "
                "symmetric one; convert it, or correct the type to http://www.pnml.org/version-2009/grammar/ptnet",
                path=self.scanner.path,
                line=self.scanner.line,
            )

    def check(self, context: str, name: str, attributes: dict[str, str]) -> None:
        allowed = vocabulary.ATTRIBUTES.get(context, frozenset())
        if attributes.keys() <= allowed:
            return
        if context == "label" and name in ("type", "arctype"):
            for key in ("value", "text"):
                if key in attributes:
                    self.add_value(attributes[key])
            allowed = frozenset({"value", "text"})
        elif self.label == "name" and context in ("label", "text") and "arc" not in self.contexts:
            # Its language, its position and the like.
            allowed = frozenset(key for key in attributes if not vocabulary.read_name(key).changes)
        for key, value in attributes.items():
            if key in allowed or key in FORMAL:
                continue
            if name == "arc" and vocabulary.read_name(key).sense == "kind":
                self.element.check_kind(value.strip())
            elif self._is_remark(name, key) and not vocabulary.is_special(value):
                self.notes.ignored.add(name, key, self.scanner.line)
            else:
                text = quoted(key.rpartition(" ")[2])[1:-1]
                raise self.scanner.error(
                    f"<{name}> has the attribute {text}={quoted(value)}, which may change the "
                    "meaning; say it with PNML elements, or remove it if it says nothing"
                )

    def _is_remark(self, name: str, key: str) -> bool:
        """Return whether an unknown attribute belongs to the file, a net or a page only."""
        return name == "pnml" or (name in ("net", "page") and key.startswith(FOREIGN))

    def _check_timed(self) -> None:
        """Refuse timed transitions beside immediate ones, which PIPE lets fire first.

        Where all are timed, each may fire at any time after it was enabled, since delays are
        exponentially distributed. So the same markings are reached as without time.
        """
        for value, element in self._timed.items():
            if value not in ("true", "false"):
                raise element.error(f"has {quoted(value)} in <timed>; write true or false")
        if len(self._timed) > 1:
            raise list(self._timed.values())[-1].error(
                "is timed or immediate as transitions before it are not, and immediate ones hold "
                "back timed ones; set all <timed> to false if the untimed net is meant"
            )
        self.notes.timed = "true" in self._timed

    def _check_capacity(self) -> None:
        """Refuse capacities but 0, which some tools write for no limit."""
        capacity = self.element.word("capacity", "")
        if capacity not in ("", "0"):
            raise self.element.error(
                f"has the capacity {quoted(capacity)}; remove it and add a complement place that "
                "holds the free room"
            )
        self.notes.capacities |= capacity == "0"
