"""Signal transition graphs (.g) of petrify, Workcraft and their relatives, as nets.

The transitions of a signal `a` are `a+`, `a-` and `a~`, with numbers as in `a+/2`; those of a dummy
`d` are `d` and `d/2`. Declared signals and dummies tell them from places. An arc between two
transitions goes through an implicit place `<a+,b->`. Values of signals are no part of the net and
are passed over; state graphs, capacities and what is unknown are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from petricheck.formats.nets._draft import DraftReader, TextFormat
from petricheck.formats.scanning.text import END, Token
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<comment>#[^\n]*)|(?P<stop>\.end(?!\S)[\s\S]*)"
    r"|(?P<sign>[<>,={}()])|(?P<section>\.[a-z_]+)|(?P<word>[^\s#<>,={}()]+)"
)
_DECLARATIONS = (".inputs", ".outputs", ".internal", ".internals", ".dummy", ".silent")
_VALUES = (".initial_state", ".init_state", ".initial")
_COPY = re.compile(r"/[0-9]+$")
_EDGES = "+-~"
_PLACE = re.compile(r"[^/+~*^?!]*[^/+~*^?!-]")


@dataclass(slots=True)
class _StgReader(DraftReader):
    pattern = _TOKEN

    declared: set[str] = field(default_factory=set)
    arcs: set[tuple[str, str]] = field(default_factory=set)
    marked: set[str] = field(default_factory=set)
    sections: set[str] = field(default_factory=set)

    def file(self) -> None:
        while not self.accept("stop"):
            self._section(self.expect("section", "a section, such as .graph, or .end"))
        for needed in (".graph", ".marking"):
            if needed not in self.sections:
                raise InputError(f"the file has no {needed}; add it", path=self.path)

    def _section(self, section: Token) -> None:
        if section.text in self.sections and section.text not in _DECLARATIONS:
            raise self.error(f"{section.text} is given twice; join them", section)
        self.sections.add(section.text)
        match section.text:
            case ".model" | ".name":
                self.name = self.take().text if self._goes_on() else ""
            case text if text in _DECLARATIONS and ".graph" in self.sections:
                raise self.error(f"{text} comes too late; put it before .graph", section)
            case text if text in _DECLARATIONS:
                while self._goes_on():
                    self.declared.add(self.expect("word", "the name of a signal").text)
            case text if text in _VALUES:
                self.warnings.append("values of signals are ignored, since no arc asks for them")
                while self._goes_on():
                    self.take()
            case ".graph":
                while self.next.kind == "word":
                    self._line()
            case ".marking":
                self._marking()
            case ".capacity":
                raise self.error(
                    "the file gives capacities of places; remove them if no place can hold more, "
                    "or add a complement place for each that holds the free room",
                    section,
                )
            case ".state":
                raise self.error(
                    "this is a state graph and no Petri net; petrify makes a net of it", section
                )
            case _:
                raise self.error(
                    f"{section.text} is not known here; remove it if it says nothing about how "
                    "tokens move",
                    section,
                )

    def _goes_on(self) -> bool:
        """Return whether the next token is on the same line."""
        return not self.next.first and self.next.kind not in (END, "stop")

    def _line(self) -> None:
        """Read a node of the graph and those that follow it."""
        source = self.take()
        self._node(source)
        while self._goes_on():
            target = self.expect("word", "a place or a transition")
            self._node(target)
            weight = 1
            if number := self.accept_text("("):
                number = self.next
                weight = self._number()
                self.expect_text(")")
            self._arc(source, target, weight, number or target)

    def _node(self, token: Token) -> None:
        """Add a node; InputError where its name is that of no place and no declared transition."""
        base = _COPY.sub("", token.text)
        if base in self.declared or (base[-1:] in _EDGES and base[:-1] in self.declared):
            first = base + "/0"
            if all(name in self.pre or name == token.text for name in (base, first)):
                raise self.error(
                    f"{base} and {first} are one transition to some tools and two to others; "
                    "number them differently",
                    token,
                )
            self.transition(token.text)
        elif _PLACE.fullmatch(token.text):
            self.place(token.text)
        else:
            raise self.error(
                f"{quoted(token.text)} is written like a transition, but no signal and no dummy of "
                "this name is declared; add it to .inputs, .outputs, .internal or .dummy",
                token,
            )

    def _arc(self, source: Token, target: Token, weight: int, number: Token) -> None:
        if (source.text, target.text) in self.arcs:
            raise self.error(
                f"the arc from {quoted(source.text)} to {quoted(target.text)} is given twice; "
                "write one with the sum, as in p(2)",
                target,
            )
        self.arcs.add((source.text, target.text))
        match source.text in self.pre, target.text in self.pre:
            case True, False:
                self.add_arc(self.post[source.text], target.text, weight, number)
            case False, True:
                self.add_arc(self.pre[target.text], source.text, weight, number)
            case True, True:
                if weight != 1:
                    raise self.error(
                        "an arc between two transitions has a weight; write the place", number
                    )
                place = _implicit(source.text, target.text)
                self.place(place)
                self.post[source.text][place] = self.pre[target.text][place] = 1
            case _:
                raise self.error(
                    f"an arc joins two places, {quoted(source.text)} and {quoted(target.text)}; "
                    "if one is a transition, declare it",
                    target,
                )

    def _marking(self) -> None:
        self.expect_text("{")
        while not self.accept_text("}"):
            token = self.next
            place = token.text
            if self.accept_text("<"):
                before = self.expect("word", "a transition").text
                self.expect_text(",")
                place = _implicit(before, self.expect("word", "a transition").text)
                self.expect_text(">")
            else:
                self.expect("word", "a place or '}'")
            if place not in self.initial:
                raise self.error(f"there is no place {quoted(place)}", token)
            if place in self.marked:
                raise self.error(f"{quoted(place)} is marked twice", token)
            self.marked.add(place)
            self.initial[place] = self._number() if self.accept_text("=") else 1

    def _number(self) -> int:
        token = self.expect("word", "a number")
        if not re.fullmatch("[0-9]+", token.text):
            raise self.error(f"{quoted(token.text)} is no number of tokens", token)
        return self.number(token)


def _implicit(before: str, after: str) -> str:
    return f"<{before},{after}>"


class Stg(TextFormat):
    """Signal transition graphs of petrify and Workcraft."""

    extensions = (".g",)
    reader = _StgReader
    instead = "files of petrify are read and not written; write .pnml or .net"
