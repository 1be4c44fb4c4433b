"""Nets of the Tina toolbox (.net), as its manual page formats(n) describes them, without time.

A net consists of declarations, each of which begins a line here. Names are letters, digits,
primes and underscores, or anything between braces. Labels are human names; notes are skipped.
An inhibitor arc `p?-w` holds back its transition where p has w tokens or more; a test arc `p?w`
needs w tokens. Refused are features that no such net has, and ambiguous input: intervals other than
[0,w[, priorities, stopwatch arcs, an arc or a marking given twice, and a test of a place from which
the transition also takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from petricheck.formats.nets._draft import DraftReader, TextFormat
from petricheck.formats.scanning.aliases import remarks, renamed, spell
from petricheck.formats.scanning.text import END, Token, digits
from petricheck.model.guarded.net import GuardedNet, as_guarded
from petricheck.model.net import Net, Weights
from petricheck.support.errors import InputError
from petricheck.support.words import quoted

_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<comment>#[^\n]*)|(?P<braced>\{(?:[^{}\\\n]|\\[{}\\])*\})|(?P<arrow>->)"
    r"|(?P<interval>\[\]|[\[\]]\s*(?:\d+\s*)?,\s*(?:\d+|w)\s*[\[\]])"
    r"|(?P<special>\?-?|!-?)|(?P<marking>\([^()\n]*\))|(?P<word>[\w']+)|(?P<sign>[*:<>])"
    r"|(?P<bad_a_name_that_is_not_closed_or_has_a_stray_backslash>\{[^\n]*)"
    r"|(?P<bad_no_interval>[\[\]][^\s]*)"
)
_PLAIN = re.compile(r"[A-Za-z_'][A-Za-z0-9_']*")
_NUMBER = re.compile(r"([0-9]+)([KMGTPE]?)")
_ZEROS = {letter: "000" * n for n, letter in enumerate(("", *"KMGTPE"))}
_UNTIMED = ("[]", "[0,w[")
_REDUCED = "# generated equations"
_Arc: TypeAlias = tuple[Token, str, str, int]
"""The token of an arc, its other end, its sign and its weight."""
_KEYWORDS = ("tr", "pl", "lb", "nt", "pr", "net")


@dataclass(slots=True)
class _TinaReader(DraftReader):
    pattern = _TOKEN

    marked: set[str] = field(default_factory=set)
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    label_lines: list[tuple[Token, str, str]] = field(default_factory=list)

    def file(self) -> None:
        while self.next.kind != END:
            self._declaration()
        if len(self.tokens) == 1:
            raise InputError("the file declares nothing; a net was expected", path=self.path)
        if any(comment.text.startswith(_REDUCED) for comment in self.comments):
            self.warnings.append(
                "Tina reduced this net; its comments say what that means for the original net"
            )

    def _declaration(self) -> None:
        keyword = self.next
        if not _begins(keyword):
            raise self.unexpected("tr, pl, lb, nt or net at the beginning of a line")
        self.take()
        match keyword.text:
            case "tr":
                self._transition()
            case "pl":
                self._place()
            case "lb":
                token = self.next
                self.label_lines.append((token, self._name("a name"), self._name("a label")))
            case "nt":
                self._note()
            case "pr":
                raise self.error(
                    "the net has priorities, which petricheck does not support; remove them if "
                    "they do not matter",
                    keyword,
                )
            case _:
                self._net(keyword)

    def result(self, net_id: str | None) -> Net | GuardedNet:
        """Return the net, with its labels and its original names."""
        for token, name, label in self.label_lines:
            kind = "place" if name in self.initial else "transition"
            self.labels[kind, name] = label
            if kind == "transition" and name not in self.pre:
                raise self.error(f"there is no node {quoted(name)} to be labelled", token)
        names = renamed(self, lambda comment: comment[1:])
        return self.guarded(self.net(net_id, names, self.labels))

    def _net(self, keyword: Token) -> None:
        name = self._name("the name of the net")
        if self.name not in ("", name):
            raise self.error("the net is named twice", keyword)
        self.name = name

    def _note(self) -> None:
        self._name("a note")
        self.expect_text("0", "1", expected="0 or 1")
        self._name("the text of a note")

    def _transition(self) -> None:
        name = self._name("the name of a transition")
        self.transition(name)
        self._label("transition", name)
        interval = self.accept("interval")
        if interval is not None and "".join(interval.text.split()) not in _UNTIMED:
            raise self.error(
                f"transition {quoted(name)} has the interval {interval.text}, and petricheck "
                "knows no time; write [0,w[ if the time does not matter",
                interval,
            )
        inputs, outputs = self._sides("a place, -> or a new line")
        for token, place, kind, weight in inputs:
            self._input(token, name, place, kind, weight)
        for token, place, kind, weight in outputs:
            self._output(token, name, place, kind, weight)

    def _place(self) -> None:
        name = self._name("the name of a place")
        self.place(name)
        self._label("place", name)
        marking = self.accept("marking")
        if marking is not None:
            if name in self.marked:
                raise self.error(f"place {quoted(name)} is marked twice", marking)
            self.marked.add(name)
            self.initial[name] = self._quantity(marking, marking.text[1:-1].strip())
        inputs, outputs = self._sides("a transition, -> or a new line")
        for side, arcs in ((self._output, inputs), (self._input, outputs)):
            for token, transition, kind, weight in arcs:
                self.transition(transition)
                side(token, transition, name, kind, weight)

    def _input(self, token: Token, transition: str, place: str, kind: str, weight: int) -> None:
        """Add an arc from a place to a transition."""
        sides = {"?": self.reads, "?-": self.inhibitors}.get(kind, self.pre)
        self._arc(token, sides.setdefault(transition, {}), place, weight)
        if place in self.pre[transition] and place in self.reads.get(transition, {}):
            raise self.error(
                f"the transition tests {quoted(place)} and takes from it, and tools differ in how "
                "many tokens both need; write p*n with all that it needs, and an arc back",
                token,
            )

    def _output(self, token: Token, transition: str, place: str, kind: str, weight: int) -> None:
        """Add an arc from a transition to a place."""
        if kind:
            raise self.error(f"an arc with {kind} leads from a place to a transition", token)
        self._arc(token, self.post[transition], place, weight)

    def _arc(self, token: Token, weights: dict[str, int], place: str, weight: int) -> None:
        self.place(place)
        if place in weights:
            raise self.error(
                f"the arc between this transition and {quoted(place)} is given twice; write one, "
                "such as p*2 for their sum",
                token,
            )
        self.add_arc(weights, place, weight, token)

    def _sides(self, expected: str) -> tuple[list[_Arc], ...]:
        sides: list[list[_Arc]] = [[]]
        while not _begins(self.next) and self.next.kind != END:
            if len(sides) == 1 and self.accept("arrow"):
                sides.append([])
                continue
            token = self.next
            sides[-1].append((token, self._name(expected), *self._weight()))
        if len(sides) == 1:
            if sides[0]:
                raise self.unexpected("-> between what goes in and what comes out")
            sides.append([])
        return tuple(sides)

    def _weight(self) -> tuple[str, int]:
        """Return the sign of an arc, "" of a normal one, and its weight."""
        special = self.accept("special")
        if special is not None and special.text.startswith("!"):
            raise self.error(
                "the net has stopwatch arcs, and petricheck knows no time; remove them if the time "
                "does not matter",
                special,
            )
        if special is None and not self.accept_text("*"):
            return "", 1
        token = self.expect("word", "a weight")
        return "" if special is None else special.text, self._quantity(token, token.text)

    def _quantity(self, token: Token, text: str) -> int:
        number = _NUMBER.fullmatch(text)
        if number is None:
            raise self.error(f"{quoted(text)} is no number of tokens such as 3 or 2K", token)
        return self.number(token, number[1] + _ZEROS[number[2]])

    def _label(self, kind: str, name: str) -> None:
        if self.accept_text(":"):
            self.labels[kind, name] = self._name("a label")

    def _name(self, expected: str) -> str:
        token = self.next
        if token.kind == "braced":
            self.take()
            return re.sub(r"\\(.)", r"\1", token.text[1:-1])
        if token.kind == "word" and token.text not in _KEYWORDS:
            return self.take().text
        if token.kind == "word" and not token.first:
            raise self.error(
                f"{token.text} is a keyword; put it on a new line, or in braces if it is a name",
                token,
            )
        raise self.unexpected(expected)


def _begins(token: Token) -> bool:
    return token.first and token.kind == "word" and token.text in _KEYWORDS


def _lines(guarded: GuardedNet) -> Iterator[str]:
    net = guarded.plain
    places = spell(net.places, _fits, "p")
    transitions = spell((t.name for t in net.transitions), _fits, "t")
    named = _fits(net.name)
    yield from (f"# {line}" for line in remarks("" if named else net.name, places, transitions))
    if named:
        yield f"net {_spelled(net.name)}"
    labels = net.labels or ("",) * len(net.places)
    for place, label, tokens in zip(net.places, labels, net.initial, strict=True):
        marking = f" ({digits(tokens)})" if tokens else ""
        yield f"pl {_spelled(places[place])}{_labelled(label)}{marking}"
    for t, guard in zip(net.transitions, guarded.guards, strict=True):
        if guard.resets:
            raise InputError(
                f"transition {quoted(t.name)} has a reset arc, which Tina does not know; write "
                ".pnml, or an ordinary net (--ordinary)"
            )
        inhibitors = (f"{_spelled(places[net.places[p]])}?-{digits(w)}" for p, w in guard.upper)
        sides = (_side(net, places, t.pre), *inhibitors, "->", _side(net, places, t.post))
        name = _spelled(transitions[t.name]) + _labelled(t.label)
        yield " ".join(("tr", name, *filter(None, sides)))


def _labelled(label: str) -> str:
    return f" : {_spelled(label)}" if _fits(label) else ""


def _side(net: Net, places: dict[str, str], weights: Weights) -> str:
    return " ".join(
        _spelled(places[net.places[place]]) + (f"*{digits(weight)}" if weight > 1 else "")
        for place, weight in weights
    )


def _fits(name: str) -> bool:
    """Return whether the name can stand between braces."""
    return bool(name) and name.isprintable()


def _spelled(name: str) -> str:
    if _PLAIN.fullmatch(name) and name not in _KEYWORDS:
        return name
    return "{" + re.sub(r"([{}\\])", r"\\\1", name) + "}"


class Tina(TextFormat):
    """Nets of the Tina toolbox, untimed."""

    extensions = (".net",)
    reader = _TinaReader

    def write(self, net: Net) -> bytes:
        """Return one line for each node; InputError where a number is too long to be read again."""
        return self.write_guarded(as_guarded(net))

    def write_guarded(self, net: GuardedNet) -> bytes:
        """Return the file, as `write`, with inhibitor arcs; InputError for a reset."""
        return "".join(f"{line}\n" for line in _lines(net)).encode()
