"""Petri nets of the tool APT (.apt): sections of places, transitions, flows and a marking.

All of APT's grammar is read. Options of places, transitions and flows, such as labels, do not
change the behaviour and are skipped. Transition systems, which have the same extension, are
refused. So is a node, a section or the flow of a transition that is given twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from petricheck.formats.nets._draft import Draft
from petricheck.formats.nets._pnml_vocabulary import read_name
from petricheck.formats.scanning.text import END, Token, TokenScanner, decoded, scan
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


@dataclass(frozen=True)
class Apt:
    """Petri nets of the tool APT."""

    extensions: ClassVar[tuple[str, ...]] = (".apt",)
    begins: ClassVar[re.Pattern[bytes] | None] = None
    written: ClassVar[bool] = False

    def read(
        self, pieces: Iterable[bytes], path: str, net_id: str | None = None
    ) -> tuple[Net, tuple[str, ...]]:
        """Return the net."""
        scanner = scan(decoded(pieces, path), path, _TOKEN)
        reader = _AptReader(scanner, Draft(scanner))
        reader.file()
        return replace(reader.draft.net(reader.name, net_id), finals=reader.final_markings()), ()

    def write(self, net: Net) -> bytes:
        """Raise InputError: the format is not written."""
        raise InputError("files of APT are read and not written; write .pnml or .lola")


@dataclass(frozen=True, slots=True)
class _Flow:
    """The tokens that a transition takes and puts, as written."""

    transition: Token
    takes: list[tuple[Token, int]]
    puts: list[tuple[Token, int]]


@dataclass(slots=True)
class _AptReader:
    """One pass over the sections, in any order, and then over the flows."""

    scanner: TokenScanner
    draft: Draft
    name: str = ""
    sections: set[str] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)
    flows: list[_Flow] = field(default_factory=list)
    marking: list[tuple[Token, int]] = field(default_factory=list)
    finals: list[list[tuple[Token, int]]] = field(default_factory=list)

    def file(self) -> None:
        """Read the whole file; InputError where it breaks the grammar, or is no Petri net."""
        while self.scanner.next.kind != END:
            self._section(self.scanner.expect("section", "a section, such as .places"))
        if ".type" not in self.sections:
            raise InputError("the file has no .type; write .type PN", path=self.scanner.path)
        for token, tokens in self.marking:
            self.draft.tokens[self.draft.require_place(token)] += tokens
        joined: set[str] = set()
        for flow in self.flows:
            name = flow.transition.text
            if name not in self.draft.pre:
                raise self.scanner.error(f"there is no transition {quoted(name)}", flow.transition)
            if name in joined:
                raise self.scanner.error(
                    f"{quoted(name)} has two flows; join them", flow.transition
                )
            joined.add(name)
            # A place that occurs several times is counted each time, as in APT.
            for side, arcs in ((self.draft.pre, flow.takes), (self.draft.post, flow.puts)):
                for token, weight in arcs:
                    place = self.draft.require_place(token)
                    self.draft.add_arc(side[name], place, weight, token)

    def final_markings(self) -> tuple[Marking, ...]:
        """Return the final markings; InputError where one names an unknown place."""
        markings = []
        for members in self.finals:
            tokens = dict.fromkeys(self.draft.tokens, 0)
            for token, number in members:
                tokens[self.draft.require_place(token)] += number
            markings.append(tuple(tokens.values()))
        return tuple(markings)

    def _section(self, section: Token) -> None:
        if section.text in _ONCE and section.text in self.sections:
            raise self.scanner.error(f"{section.text} is given twice", section)
        self.sections.add(section.text)
        match section.text:
            case ".name":
                self.name = self.scanner.expect("string", "a name in quotes").text[1:-1]
            case ".type":
                self._type()
            case ".description":
                self.scanner.expect("string", "a text in quotes")
            case ".places":
                self._nodes(self.draft.place)
            case ".transitions":
                self._nodes(self.draft.transition)
            case ".flows":
                while self.scanner.next.kind in _NODE:
                    self.flows.append(self._flow())
            case ".initial_marking":
                self.marking = self._set() if self.scanner.next.text == "{" else []
            case ".final_markings":
                while self.scanner.next.text == "{":
                    self.finals.append(self._set())
            case _:
                raise self.scanner.error(
                    f"{section.text} is no section of a Petri net in APT", section
                )

    def _type(self) -> None:
        kind = self.scanner.expect("word", "PN or LPN")
        if kind.text not in ("PN", "LPN"):
            raise self.scanner.error(
                f"the file is of type {quoted(kind.text)}, and only Petri nets (PN, LPN) are read; "
                "a transition system is none",
                kind,
            )

    def _nodes(self, declare: Callable[[str], None]) -> None:
        while self.scanner.next.kind in _NODE:
            token = self.scanner.take()
            if token.text in self.nodes:
                raise self.scanner.error(f"{quoted(token.text)} is declared twice", token)
            self.nodes.add(token.text)
            declare(token.text)
            self._options()

    def _flow(self) -> _Flow:
        transition = self.scanner.take()
        self.scanner.expect_text(":")
        takes = self._set()
        self.scanner.expect("arrow", "'->'")
        flow = _Flow(transition, takes, self._set())
        self._options()
        return flow

    def _set(self) -> list[tuple[Token, int]]:
        self.scanner.expect_text("{")
        members: list[tuple[Token, int]] = []
        while self.scanner.next.text != "}":
            if members:
                self.scanner.expect_text(",")
            token, number = self._node(), 1
            if token.kind == "digits" and self.scanner.accept_text("*"):
                number = self.scanner.number(token)
                token = self._node()
            members.append((token, number))
        self.scanner.expect_text("}")
        return members

    def _options(self) -> None:
        """Skip options in brackets, unless one may change the meaning."""
        if not self.scanner.accept_text("["):
            return
        while self.scanner.next.text != "]":
            if self.scanner.next.kind not in ("word", "string", "digits") and (
                self.scanner.next.text not in (",", "=")
            ):
                raise self.scanner.unexpected("']'")
            token = self.scanner.take()
            if token.kind == "word" and read_name(token.text).sense:
                raise self.scanner.error(
                    f"the option {quoted(token.text)} may change the meaning; remove it if it does "
                    "not",
                    token,
                )
        self.scanner.take()

    def _node(self) -> Token:
        if self.scanner.next.kind not in _NODE:
            raise self.scanner.unexpected("a place")
        return self.scanner.take()
