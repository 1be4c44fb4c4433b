"""Low-level nets of the tool LoLA (.lola): PLACE, MARKING, then transitions.

They are read as LoLA 2 reads them, except for input that some tool would read wrongly: an arc of
weight 0, two comments in braces on a line. SAFE is a promise about the reachable markings, not a
limit, and fairness does not change reachability; both are skipped with a warning. High-level nets
are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.formats.nets._draft import DraftReader, TextFormat
from petricheck.formats.scanning import lola as words
from petricheck.formats.scanning.aliases import remarks, renamed
from petricheck.formats.scanning.text import END, Token, digits
from petricheck.model.net import Net, Weights
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

_TOKEN = re.compile(
    rf"{words.SKIPPED}|(?P<sign>[,;:])|(?P<word>{words.NAME})"
    r"|(?P<bad_a_comment_that_is_not_closed_or_one_of_two_on_a_line>[{}][^\n]*|/\*)"
)


@dataclass(slots=True)
class _LolaReader(DraftReader):
    pattern = _TOKEN

    def file(self) -> None:
        self._keyword("PLACE")
        self._places()
        while self.next.text != "MARKING":
            self._places()
        self._keyword("MARKING")
        marked: set[str] = set()
        for _, place, tokens in self._list():
            if place in marked:
                self._warn("summed markings given more than once")
            marked.add(place)
            self.initial[place] += tokens
        self._transition()
        while self.next.kind != END:
            self._transition()

    def result(self, net_id: str | None) -> Net:
        """Return the net, with its original names."""
        return self.net(net_id, renamed(self, words.comment))

    def _places(self) -> None:
        """Read one list of places, up to its semicolon."""
        if self.accept_text("SAFE"):
            if self.next.text.isdigit():
                self.take()
            self.expect_text(":", expected="':' after SAFE")
            self._warn("SAFE is a promise about the net, not a limit, and was skipped")
        while True:
            token = self.next
            name = self._name("the name of a place")
            if name in self.initial:
                raise self.error(f"there are two places {quoted(name)}", token)
            self.place(name)
            if self.expect_text(",", ";", expected="',' or ';'").text == ";":
                return

    def _transition(self) -> None:
        self._keyword("TRANSITION")
        token = self.next
        name = self._name("the name of a transition")
        if name in self.pre:
            raise self.error(f"there are two transitions {quoted(name)}", token)
        self.transition(name)
        if self.accept_text("WEAK", "STRONG"):
            self._keyword("FAIR")
            self._warn("fairness is irrelevant to reachability and was skipped")
        for keyword, side in (("CONSUME", self.pre), ("PRODUCE", self.post)):
            self._keyword(keyword)
            weights = side[name]
            for token, place, weight in self._list():
                if place in weights:
                    self._warn("summed arcs given more than once")
                self.add_arc(weights, place, weight, token)

    def _list(self) -> list[tuple[Token, str, int]]:
        """Read places with numbers, up to and with the semicolon."""
        members: list[tuple[Token, str, int]] = []
        if self.accept_text(";"):
            return members
        while True:
            token = self.next
            self._name("a place")
            place = self.require_place(token)
            members.append((token, place, self._number() if self.accept_text(":") else 1))
            if self.expect_text(",", ";", expected="':', ',' or ';'").text == ";":
                return members

    def _number(self) -> int:
        token = self.next
        if not re.fullmatch("[0-9]+", token.text):
            raise self.unexpected("a number")
        return self.number(self.take())

    def _keyword(self, keyword: str) -> None:
        token = self.next
        if token.text in words.HIGH_LEVEL:
            raise self.error(
                f"{token.text} belongs to a high-level net; let LoLA unfold it first", token
            )
        self.expect_text(keyword, expected=keyword)

    def _name(self, expected: str) -> str:
        token = self.next
        if token.kind != "word" or token.text in words.NET_KEYWORDS:
            raise self.unexpected(expected)
        return self.take().text

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)


def _lines(net: Net) -> Iterator[str]:
    places = words.places(net)
    transitions = words.transitions(net)
    yield from (f"{{ {line} }}" for line in remarks(net.name, places, transitions))
    yield f"PLACE {', '.join(places.values())};"
    marked = ((p, n) for p, n in zip(net.places, net.initial, strict=True) if n)
    yield f"MARKING {', '.join(_counted(places[p], n) for p, n in marked)};"
    for t in net.transitions:
        yield f"TRANSITION {transitions[t.name]}"
        yield f"CONSUME {_side(net, places, t.pre)};"
        yield f"PRODUCE {_side(net, places, t.post)};"


def _side(net: Net, places: dict[str, str], weights: Weights) -> str:
    return ", ".join(_counted(places[net.places[place]], weight) for place, weight in weights)


def _counted(place: str, value: int) -> str:
    return place if value == 1 else f"{place}: {digits(value, words.TOO_LARGE)}"


class Lola(TextFormat):
    """Low-level nets of the tool LoLA."""

    extensions = (".lola",)
    reader = _LolaReader

    def write(self, net: Net) -> bytes:
        """Return the file; InputError without places or transitions, or for large numbers."""
        if not net.places or not net.transitions:
            raise InputError("LoLA has no nets without places or without transitions")
        return "".join(f"{line}\n" for line in _lines(net)).encode()
