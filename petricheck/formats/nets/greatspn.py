"""Nets of GreatSPN (.net, beside a .def), where nothing but their arcs says what may fire.

A file begins with notes between bars, and then lists parameters of markings, places, parameters of
rates, groups of immediate transitions, and transitions with their arcs; the first line of a node
ends in the list of its layers, which ends in 0, and in what a coloured net adds. The tags of the
algebra, `name|tag`, are passed over, since they are for composing nets.

Immediate transitions hold back timed ones, and those of a lower priority. So a net is read if all
its transitions are immediate with one priority, or all are exponential: then whatever is enabled
may fire first. An inhibitor arc of weight w holds back its transition where its place has w tokens
or more. Refused are deterministic and general delays, rates that are 0 or that the .def defines,
load-dependent ones, and coloured nets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from petricheck.formats.nets._draft import DraftReader, TextFormat
from petricheck.formats.nets._greatspn import UNTAGGED, UNTIMED
from petricheck.formats.scanning.text import END, Token
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

_TOKEN = re.compile(r"(?P<blank>\s+)|(?P<notes>\A\|0\|[\s\S]*?\n\|)|(?P<word>\S+)")
_WHOLE = re.compile(r"-?[0-9]+")
_REAL = re.compile(r"-?[0-9]+(\.[0-9]*)?([Ee][-+]?[0-9]{1,3})?")
_TEMPLATE = -7134
"""The value of a parameter that is left open."""
_COLOURED = -10_000
"""Below it, a marking is the number of a definition in the .def."""
_PARAMETRIC = 20_000
"""From it on, a weight may be the number of a parameter."""
_DEFINED = -510
"""The rate of a transition whose rate is a function in the .def."""
_GENERAL = 127
"""The group of transitions whose delay is deterministic, or of any other distribution."""


@dataclass(slots=True)
class _GreatspnReader(DraftReader):
    pattern = _TOKEN

    places: list[str] = field(default_factory=list)
    constants: list[int] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    priorities: list[int] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    tagged: bool = False

    def file(self) -> None:
        self.expect("notes", "a file of GreatSPN, which begins with |0|,")
        self.expect_text("f", expected="the line of counts, which begins with f,")
        constants, places, rates, transitions, groups, colours, _ = (
            self._whole("a count") for _ in range(7)
        )
        if colours:
            raise self._coloured(self.last)
        for _ in range(constants):
            self._word("the name of a parameter")
            self.constants.append(self._whole("the value of a parameter"))
            self._rest_of_line()
        for _ in range(places):
            self._place()
        for _ in range(rates):
            self._word("the name of a parameter")
            self.rates.append(self._real())
            self._rest_of_line()
        for _ in range(groups):
            self._word("the name of a group")
            self._position()
            self.priorities.append(self._whole("a priority"))
            self._rest_of_line()
        for _ in range(transitions):
            self._transition()
        if self.next.kind != END:
            raise self.unexpected("the end of the file")
        self.warnings += [UNTIMED] * ("timed" in self.kinds) + [UNTAGGED] * self.tagged

    def _place(self) -> None:
        token = self.next
        name = self._name("a place", self.initial)
        marking = self._whole("the marking of a place")
        self._drawn(2)
        if not self.next.first or marking < _COLOURED:
            raise self._coloured(token)
        self.places.append(name)
        self.initial[name] = self._constant(-marking, token) if marking < 0 else marking

    def _constant(self, number: int, token: Token) -> int:
        if number > len(self.constants):
            raise self.error(f"the file has no parameter number {number}", token)
        value = self.constants[number - 1]
        if value == _TEMPLATE or value < 0:
            raise self.error(
                "a marking is a parameter without a value; write the number of tokens", token
            )
        return value

    def _transition(self) -> None:
        token = self.next
        name = self._name("a transition", self.pre)
        rate = self.next
        if rate.text == "*":
            raise self._general(token)
        delay = self._real()
        servers, group = self._whole("a number of servers"), self._whole("a group")
        inputs = self._whole("a number of arcs")
        self._whole("an orientation")
        self._drawn(3)
        if not self.next.first:
            raise self._coloured(token)
        self._check_kind(token, servers, group)
        self._check_rate(rate, delay)
        self.transition(name)
        for _ in range(inputs):
            self._arc(self.pre[name])
        for sides in (self.post, self.inhibitors):
            for _ in range(self._whole("a number of arcs")):
                self._arc(sides.setdefault(name, {}))

    def _check_kind(self, token: Token, servers: int, group: int) -> None:
        """Refuse delays that limit what fires first, and transitions that others hold back."""
        if group == _GENERAL:
            raise self._general(token)
        if servers < 0:
            raise self.error(
                "the rate depends on the marking and may be 0; give a constant one", token
            )
        if not 0 <= group <= len(self.priorities):
            raise self.error(f"the file has no group {group}", token)
        priority = self.priorities[group - 1] if group else 0
        kind = f"immediate with priority {priority}" if group else "timed"
        self.kinds.setdefault(kind, token.text)
        if len(self.kinds) > 1:
            (other, first), *_ = self.kinds.items()
            raise self.error(
                f"transition {quoted(token.text)} is {kind} and {quoted(first)} is {other}, so "
                "that one may hold back the other; make them alike if the plain net is meant",
                token,
            )

    def _general(self, token: Token) -> InputError:
        return self.error(
            "the transition has a deterministic or general delay, and petricheck knows no time; "
            "make it exponential if the time does not matter",
            token,
        )

    def _check_rate(self, token: Token, rate: float) -> None:
        if rate < 0 and rate != _DEFINED and -rate <= len(self.rates) and rate == int(rate):
            rate = self.rates[-int(rate) - 1]
        if not rate > 0:
            raise self.error(
                f"{quoted(token.text)} stands for a rate that is, or may be, 0, and then the "
                "transition never fires; write a positive number",
                token,
            )

    def _arc(self, side: dict[str, int]) -> None:
        token = self.next
        weight = abs(self._whole("the weight of an arc"))  # one below 0 is drawn in two pieces
        number = self._whole("the number of a place")
        points = self._whole("a number of points")
        self._layers()
        if not self.next.first:
            raise self._coloured(token)
        for _ in range(points):
            self._position()
        if not 0 < number <= len(self.places):
            raise self.error(f"the file has no place number {number}", token)
        if weight >= _PARAMETRIC and self.constants:
            raise self.error(
                "a weight is a parameter, or too large to be told from one; write it as a number "
                "in a file without parameters",
                token,
            )
        place = self.places[number - 1]
        if place in side:
            raise self.error(
                f"the arc between this transition and {quoted(place)} is given twice; write one",
                token,
            )
        self.add_arc(side, place, weight, token)

    def _name(self, expected: str, taken: Iterable[str]) -> str:
        """Return a name without tags for composing nets; InputError where it is taken."""
        token = self._word(f"the name of {expected}")
        name, bar, _ = token.text.partition("|")
        self.tagged = self.tagged or bool(bar)
        if not name or name in taken:
            raise self.error(f"{quoted(token.text)} is no new name of {expected}", token)
        return name

    def _drawn(self, positions: int) -> None:
        """Pass positions in the drawing, and layers."""
        for _ in range(positions):
            self._position()
        self._layers()

    def _position(self) -> None:
        self._real()
        self._real()

    def _layers(self) -> None:
        while self._whole("a layer, or 0 after the last one"):
            pass

    def _rest_of_line(self) -> None:
        while not self.next.first:
            self.take()

    def _word(self, expected: str) -> Token:
        return self.expect("word", expected)

    def _whole(self, expected: str) -> int:
        token = self.next
        if not _WHOLE.fullmatch(token.text):
            raise self.unexpected(expected)
        self.take()
        sign = -1 if token.text.startswith("-") else 1
        return sign * self.number(token, token.text.lstrip("-"))

    def _real(self) -> float:
        if not _REAL.fullmatch(self.next.text):
            raise self.unexpected("a number")
        return float(self.take().text)

    def _coloured(self, token: Token) -> InputError:
        return self.error(
            "this net is coloured; write it as PNML in GreatSPN's editor, which petricheck reads",
            token,
        )


class Greatspn(TextFormat):
    """Nets of GreatSPN without colours, whose transitions are all timed or all immediate."""

    extensions = (".net",)
    begins = re.compile(rb"\|0\|")
    reader = _GreatspnReader
    instead = "files of GreatSPN are not written; write .pnml, which GreatSPN imports"
