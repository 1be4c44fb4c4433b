"""Petri nets of the tool APT (.apt): sections of places, transitions, flows and a marking.

All of APT's grammar is read. Options of places, transitions and flows, such as labels, do not
change the behaviour and are skipped. Transition systems, which have the same extension, are
refused. So is a node, a section or the flow of a transition that is given twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from petricheck.formats.nets._draft import DraftReader, TextFormat
from petricheck.formats.nets._pnml_vocabulary import read_name
from petricheck.formats.scanning.text import END, Token
from petricheck.model.net import Marking, Net
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]+)|(?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r'|(?P<string>"[^"]*")|(?P<section>\.[A-Za-z_]+)|(?P<arrow>->)'
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<digits>[0-9]+)|(?P<sign>[][{}:,*=])"
)
_NODE = ("word", "digits")
_ONCE = (".name", ".type", ".description", ".initial_marking")


@dataclass(frozen=True, slots=True)
class _Flow:
    """The tokens that a transition takes and puts, as written."""

    transition: Token
    takes: list[tuple[Token, int]]
    puts: list[tuple[Token, int]]


@dataclass(slots=True)
class _AptReader(DraftReader):
    """One pass over the sections, in any order, and then over the flows."""

    pattern = _TOKEN

    sections: set[str] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)
    flows: list[_Flow] = field(default_factory=list)
    marking: list[tuple[Token, int]] = field(default_factory=list)
    finals: list[list[tuple[Token, int]]] = field(default_factory=list)

    def file(self) -> None:
        while self.next.kind != END:
            self._section(self.expect("section", "a section, such as .places"))
        if ".type" not in self.sections:
            raise InputError("the file has no .type; write .type PN", path=self.path)
        for token, tokens in self.marking:
            self.initial[self.require_place(token)] += tokens
        joined: set[str] = set()
        for flow in self.flows:
            name = flow.transition.text
            if name not in self.pre:
                raise self.error(f"there is no transition {quoted(name)}", flow.transition)
            if name in joined:
                raise self.error(f"{quoted(name)} has two flows; join them", flow.transition)
            joined.add(name)
            # A place that occurs several times is counted each time, as in APT.
            for side, arcs in ((self.pre, flow.takes), (self.post, flow.puts)):
                for token, weight in arcs:
                    place = self.require_place(token)
                    self.add_arc(side[name], place, weight, token)

    def result(self, net_id: str | None) -> Net:
        """Return the net, also with its final markings."""
        markings = list[Marking]()
        for members in self.finals:
            tokens = dict.fromkeys(self.initial, 0)
            for token, number in members:
                tokens[self.require_place(token)] += number
            markings.append(tuple(tokens.values()))
        return replace(self.net(net_id), finals=tuple(markings))

    def _section(self, section: Token) -> None:
        if section.text in _ONCE and section.text in self.sections:
            raise self.error(f"{section.text} is given twice", section)
        self.sections.add(section.text)
        match section.text:
            case ".name":
                self.name = self.expect("string", "a name in quotes").text[1:-1]
            case ".type":
                self._type()
            case ".description":
                self.expect("string", "a text in quotes")
            case ".places":
                self._nodes(self.place)
            case ".transitions":
                self._nodes(self.transition)
            case ".flows":
                while self.next.kind in _NODE:
                    self.flows.append(self._flow())
            case ".initial_marking":
                self.marking = self._set() if self.next.text == "{" else []
            case ".final_markings":
                while self.next.text == "{":
                    self.finals.append(self._set())
            case _:
                raise self.error(f"{section.text} is no section of a Petri net in APT", section)

    def _type(self) -> None:
        kind = self.expect("word", "PN or LPN")
        if kind.text not in ("PN", "LPN"):
            raise self.error(
                f"the file is of type {quoted(kind.text)}, and only Petri nets (PN, LPN) are read; "
                "a transition system is none",
                kind,
            )

    def _nodes(self, declare: Callable[[str], None]) -> None:
        while self.next.kind in _NODE:
            token = self.take()
            if token.text in self.nodes:
                raise self.error(f"{quoted(token.text)} is declared twice", token)
            self.nodes.add(token.text)
            declare(token.text)
            self._options()

    def _flow(self) -> _Flow:
        transition = self.take()
        self.expect_text(":")
        takes = self._set()
        self.expect("arrow", "'->'")
        flow = _Flow(transition, takes, self._set())
        self._options()
        return flow

    def _set(self) -> list[tuple[Token, int]]:
        self.expect_text("{")
        members: list[tuple[Token, int]] = []
        while self.next.text != "}":
            if members:
                self.expect_text(",")
            token, number = self._node(), 1
            if token.kind == "digits" and self.accept_text("*"):
                number = self.number(token)
                token = self._node()
            members.append((token, number))
        self.expect_text("}")
        return members

    def _options(self) -> None:
        """Skip options in brackets, unless one may change the meaning."""
        if not self.accept_text("["):
            return
        while self.next.text != "]":
            if self.next.kind not in ("word", "string", "digits") and (
                self.next.text not in (",", "=")
            ):
                raise self.unexpected("']'")
            token = self.take()
            if token.kind == "word" and read_name(token.text).sense:
                raise self.error(
                    f"the option {quoted(token.text)} may change the meaning; remove it if it does "
                    "not",
                    token,
                )
        self.take()

    def _node(self) -> Token:
        if self.next.kind not in _NODE:
            raise self.unexpected("a place")
        return self.take()


class Apt(TextFormat):
    """Petri nets of the tool APT."""

    extensions = (".apt",)
    reader = _AptReader
    instead = "files of APT are read and not written; write .pnml or .lola"
