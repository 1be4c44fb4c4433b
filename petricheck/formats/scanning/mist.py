"""The grammar of mist's .spec files: a document from a text, not yet checked to be a Petri net."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from petricheck.formats.scanning.text import END, Token, TokenScanner, scan
from petricheck.support.words import quoted

TOO_LARGE = 2**31
"""Mist counts in 32 bits."""

_TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<comment>#[^\n]*)|(?P<arrow>->)|(?P<least>>=)|(?P<equal>=)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<digits>[0-9]+)|(?P<comma>,)|(?P<stop>;)"
    r"|(?P<prime>')|(?P<plus>\+)|(?P<minus>-)|(?P<open>\[)|(?P<close>\])"
)
_KEYWORDS = frozenset({"vars", "rules", "init", "target", "invariants", "in", "true"})
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class PlaceInterval:
    """A place holds at least, and at most if that is not None, so many tokens; with its token."""

    token: Token
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """The change of a place by a rule; negative where it takes."""

    token: Token
    by: int


@dataclass(frozen=True, slots=True)
class Rule:
    """A guarded command: bounds and changes by place."""

    guard: Mapping[str, PlaceInterval]
    changes: Mapping[str, PlaceChange]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole file: the variables, the rules, and bounds by place.

    Of the target's sets of bounds one must hold. The scanner is for errors and comments.
    """

    scanner: TokenScanner
    places: tuple[str, ...]
    rules: tuple[Rule, ...]
    initial: Mapping[str, PlaceInterval]
    target: tuple[Mapping[str, PlaceInterval], ...]


def fits(name: str) -> bool:
    """Return whether a place can have this name."""
    return _NAME.fullmatch(name) is not None and name not in _KEYWORDS


def comment(text: str) -> str:
    """Return the content of a comment."""
    return text[1:]


def document(text: str, path: str) -> Document:
    """Return the file; InputError where it breaks the grammar, or a variable is undeclared."""
    return scan(text, path, _TOKEN, _SpecParser).document()


@dataclass(slots=True)
class _SpecParser(TokenScanner):
    """Recursive descent; `places` are the declared variables."""

    places: dict[str, None] = field(default_factory=dict)

    def document(self) -> Document:
        self._section("vars")
        while self.next.kind == "word" and self.next.text not in _KEYWORDS:
            token = self.take()
            if token.text in self.places:
                raise self.error(f"{quoted(token.text)} is declared twice", token)
            self.places[token.text] = None
        self._section("rules")
        rules = []
        while self.next.text != "init" and self.next.kind != END:
            rules.append(self._rule())
        self._section("init")
        initial = self._bounds()
        self._section("target")
        target = [self._bounds()]
        while self.next.kind != END and self.next.text != "invariants":
            target.append(self._bounds())
        if self.accept_text("invariants"):  # hints for mist, which say nothing of the net
            while self.next.kind != END:
                self._bounds()
        return Document(self, tuple(self.places), tuple(rules), initial, tuple(target))

    def _section(self, name: str) -> None:
        if not self.accept_text(name):
            raise self.unexpected(f"the section {name!r}")

    def _rule(self) -> Rule:
        guard = self._bounds()
        self.expect("arrow", "',' or '->'")
        changes: dict[str, PlaceChange] = {}
        while not self.accept("stop"):
            if changes:
                self.expect("comma", "',' or ';'")
            token = self.next
            place = self._place()
            if place in changes:
                raise self.error(f"the rule assigns to {quoted(place)} twice", token)
            changes[place] = PlaceChange(token, self._change(token, place))
        return Rule(guard, changes)

    def _change(self, token: Token, place: str) -> int:
        self.expect("prime", "a prime after the variable that is assigned to")
        self.expect("equal", "'='")
        if self.next.kind == "digits":
            raise self.error(
                f"the rule resets {quoted(place)} to a number, which no Petri net does", token
            )
        if self._place() != place:
            raise self.error(f"the rule transfers to {quoted(place)}: no Petri net", token)
        sign = self.accept("plus") or self.accept("minus")
        if sign is None:
            return 0
        if self.next.kind == "word":
            raise self.error(f"the rule transfers to {quoted(place)}: no Petri net", token)
        by = self.number(self.expect("digits", "a number"))
        return -by if sign.kind == "minus" else by

    def _bounds(self) -> dict[str, PlaceInterval]:
        """Return bounds separated by commas, one or more; `true` is no bound."""
        bounds: dict[str, PlaceInterval] = {}
        while True:
            if not self.accept_text("true"):
                self._bound(bounds)
            if not self.accept("comma"):
                return bounds

    def _bound(self, bounds: dict[str, PlaceInterval]) -> None:
        token = self.next
        place = self._place()
        if self.accept("least"):
            least, most = self._number(), None
        elif self.accept("equal"):
            least = most = self._number()
        elif self.accept_text("in"):
            self.expect("open", "'['")
            least = self._number()
            self.expect("comma", "','")
            most = self._number()
            self.expect("close", "']'")
        else:
            raise self.unexpected("'>=', '=' or 'in'")
        previous = bounds.setdefault(place, PlaceInterval(token, least, most))
        if (previous.least, previous.most) != (least, most):
            raise self.error(
                f"{quoted(place)} is bounded twice, and mist heeds only one of them; join them",
                token,
            )
        if most is not None and most < least:
            raise self.error(f"no value of {quoted(place)} is in this interval", token)

    def _number(self) -> int:
        return self.number(self.expect("digits", "a number"))

    def _place(self) -> str:
        token = self.next
        if token.kind != "word" or token.text in _KEYWORDS:
            raise self.unexpected("a variable")
        if token.text not in self.places:
            raise self.error(f"the variable {quoted(token.text)} was not declared", token)
        return self.take().text
