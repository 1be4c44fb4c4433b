"""The elements of PNML: their content, and warnings about the file.

An element or attribute is read, or is known not to change the behaviour of the net, or is refused;
`_pnml_asides` says how elements are skipped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from petricheck.formats.nets import _pnml_vocabulary as vocabulary
from petricheck.formats.nets._net_elements import NODES, Listener, NetElements
from petricheck.formats.nets._net_parts import Element, FileArc, FileNode
from petricheck.formats.nets._pnml_asides import Aside, ToolData
from petricheck.formats.nets._pnml_vocabulary import STRUCTURED
from petricheck.formats.nets._structures import Structures, Tree, Words
from petricheck.formats.scanning.xml import FOREIGN, FORMAL, Ignored, XmlScanner
from petricheck.support.errors import NetTypeError
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
    unlimited: bool = False
    timed: bool = False
    times: bool = False
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
            "capacity 0 is read as no limit": self.unlimited,
            "all transitions are timed, with delays of any length; read as the untimed net": (
                self.timed
            ),
            "times of WoPeD are ignored, as in its token game": self.times,
            "final markings are ignored": self.final_markings,
            "text between the elements of a structure is ignored": self.stray,
            f"resolved reference nodes: {self.references}": self.references > 0,
        }
        return (*(text for text, holds in holding.items() if holds), *self.ignored.texts())


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
        self._priorities: dict[tuple[str, ...], Element] = {}
        self._before_module = (0, 0)  # nets that were chosen, and nets, before the open module
        self._noted: set[str] = set()  # priorities of the open transition, in data of tools
        self._cases: dict[str, bool] = {}  # places of Yasper, and whether their tokens have cases
        self._timed: dict[str, Element] = {}
        self._of_tina = False

    def warnings(self) -> tuple[str, ...]:
        """Return warnings at the end; InputError where transitions make others wait."""
        self.notes.stray = self.symmetric and self._structures.stray
        if len(self._priorities) > 1:
            raise list(self._priorities.values())[-1].error(
                "has another priority than transitions before it, so that one may hold back "
                "the other; remove the priorities if the plain net is meant"
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

    def note_priority(self, priority: str) -> None:
        """Store a priority of the open transition."""
        self._noted.add(priority)

    def note_case(self, place: str, value: str) -> None:
        """Store whether Yasper's tokens on a place belong to cases, whose tokens do not meet."""
        self._cases[place] = self._cases.get(place, False) or value != "false"

    def _check_cases(self) -> None:
        """Refuse nets of Yasper with more than one case, once all arcs are connected.

        A place that does not say whether its tokens have cases is taken for the worse of both.
        """
        if not any(self._cases.values()):
            return
        numbers, nodes = self.parts.numbers, self.parts.nodes
        may = {numbers[place] for place in numbers if self._cases.get(place, True)}
        must = {numbers[place] for place, has_cases in self._cases.items() if has_cases}
        several = (
            self.symmetric
            or sum(nodes[id_].tokens for id_, number in numbers.items() if number in may) > 1
        )
        for id_, number in numbers.items():
            if number < 0 and not several:
                takes = any(place in must for place, _ in self.parts.pre[~number])
                several = not takes and any(place in may for place, _ in self.parts.post[~number])
            if several:
                raise self.scanner.error(
                    f"Yasper's tokens belong to cases, and at {quoted(id_)} there may be several, "
                    "whose tokens do not meet; set tokenCaseSensitive to false if they may",
                    nodes[id_].line,
                )

    def check_choices(self) -> None:
        """Refuse what tokens may not freely choose, once all arcs are connected.

        These are transitions with several arcs to choose from, and cases of Yasper.
        """
        self._check_cases()
        for transition, sides in self._choosing:
            number = ~self.parts.numbers[transition.id]
            others = sum(transition == number for _, transition, _ in self.parts.special)
            arcs = {
                "pre": len(self.parts.pre[number]) + others,
                "post": len(self.parts.post[number]),
            }
            if any(arcs[side] > 1 for side in sides):
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
        elif context == "module":
            self._before_module = self._chosen, len(self._ids)
        elif context == "finals" and self.contexts[-1] == "module":
            chosen, nets = self._before_module
            if len(self._ids) == nets:
                raise self.scanner.error("final markings stand before their net; put them behind")
            if self._chosen == chosen:  # They are those of another net.
                self._skipping, self._aside = 1, None
                return
        elif context == "final":
            self.parts.finals.append([])
        elif context == "text" and name == "value":
            self.element.valued.add(self.label)
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
            self.parts.add_arc(self._arc(), element)
        elif context == "place":
            place = element.place()
            self.parts.add(place, element)
            self._note_capacity(place)
        elif context == "transition":
            noted = sorted(self._noted - vocabulary.NOTHING)
            self._priorities.setdefault((element.word("priority", ""), *noted), element)
            self._noted = set()
            self._timed.setdefault(element.word("timed", "false"), element)
            self._note_type(element)
            self.parts.add(element.transition(), element)
        else:
            self.notes.references += 1
            self.parts.add(element.reference(), element)

    def _arc(self) -> FileArc:
        """Return the open arc; InputError where nets of this type have none of its kind."""
        arc = self.element.arc()
        if arc.kind != "normal" and self.symmetric:
            raise self.element.error(
                f"is of type {arc.kind!r}, but only normal arcs of coloured nets are supported"
            )
        if arc.kind == "reset" and self._of_tina:
            raise self.element.error(
                "is of type 'reset', which Tina does not know, and programs that add it differ in "
                "whether it needs a token; correct the net's type if it needs none"
            )
        return arc

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
        self._priorities.setdefault(("",), transition)
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
            aside = ToolData(self, arc, tool)
        elif name == "finalmarkings":
            self.notes.final_markings = True
        aside.start(raw, attributes)
        return aside

    def enter(self, attributes: dict[str, str]) -> None:
        self.notes.unnamed = not self.name
        type_name = attributes.get("type")
        self.notes.untyped = type_name is None
        self._of_tina = vocabulary.is_tina_type(type_name or "")
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
            if "value" in attributes:
                self.element.valued.add(name)
        elif self.label == "name" and context in ("label", "text") and "arc" not in self.contexts:
            # Its language, its position and the like.
            allowed = frozenset(key for key in attributes if not vocabulary.read_name(key).changes)
        for key, value in attributes.items():
            if key in allowed or key in FORMAL:
                continue
            if name == "arc" and key == "type":  # as TAPAAL has it, which also reads weights
                self.element.labels["kind"] = value
                self.element.valued.add("kind")
            elif name == "arc" and vocabulary.read_name(key).sense == "kind":
                if value.strip() not in vocabulary.NORMAL:
                    raise self.element.unknown_kind(value)
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

    def _note_capacity(self, place: FileNode) -> None:
        """Store the capacity of a place; some tools write 0 for no limit."""
        if not self.element.word("capacity", ""):
            return
        capacity = self.element.number("capacity", 0, 0)
        if not capacity:
            self.notes.unlimited = True
            return
        if self.symmetric:
            raise self.element.error(
                "has a capacity, which is not supported in coloured nets; add a complement place "
                "that holds the free room"
            )
        if place.tokens > capacity:
            raise self.element.error(
                f"has {place.tokens} tokens and the capacity {capacity}; correct one of them"
            )
        self.parts.capacities[place.id] = capacity
        if "capacity" not in self.element.valued:
            self.parts.unclear.add(place.id)
