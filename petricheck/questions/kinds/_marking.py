"""The common part of kinds whose words are tokens of places: `p1=1, p3=2`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import ClassVar

from petricheck.arithmetic.formulas.text import COLOURED_NAME, QUOTED, name_to_text
from petricheck.formats.language.elements import GAP, entries, example, names_of, number
from petricheck.formats.language.model import NamedPlace
from petricheck.model.net import Net
from petricheck.questions.kind import Reaching
from petricheck.support.errors import QueryError
from petricheck.support.words import MAX_DIGITS, quoted

_BLANK = r"(?:\s|#[^\n]*)*"
_NAME = rf'(?P<name>{COLOURED_NAME}(?![^\s,=<>!"#])|{QUOTED}|[^\s,=<>!"#]+)?'
_ENTRY = rf"{_NAME}{_BLANK}(?P<sign>[<>=!]*){_BLANK}(?P<digits>[0-9]*){GAP}"


@dataclass(frozen=True)
class Marks:
    """The syntax of tokens of places, and advice where it is violated.

    Attributes:
        relations: the accepted signs between a place and its number.
        advice: the message for another sign.
        empty: the message where no place is named, with a gap for some place of the net.
    """

    relations: tuple[str, ...]
    advice: str
    empty: str

    def read(self, net: Net, text: str) -> dict[NamedPlace, int]:
        """Return the tokens of the named places.

        A name ends before a blank, comma, `=`, `<`, `>`, `!`, `#` or quote, or it is quoted.
        QueryError also where no place is named: perhaps a variable of a shell is not set.
        """
        names, tokens = names_of(net), dict[NamedPlace, int]()
        for name, entry in entries(_ENTRY, text, "place"):
            place = names.place(name, text, entry.start())
            if place in tokens:
                message = f"place {quoted(net.shown.place(place.name))} is given twice"
                raise QueryError(message, text=text, position=entry.start())
            tokens[place] = self._number(entry, text)
        if not tokens:
            raise QueryError(self.empty.format(place=example(net)), text=text, position=0)
        return tokens

    def _number(self, entry: re.Match[str], text: str) -> int:
        start, end, message = entry.start("digits"), entry.end("digits"), ""
        if not entry["sign"]:
            signs = " or ".join(f"'{sign}'" for sign in self.relations)
            start, message = entry.start("sign"), f"expected {signs} after the name of a place"
        elif entry["sign"] not in self.relations:
            start, message = entry.start("sign"), self.advice
        elif not entry["digits"]:
            negative = text[start : start + 1] in ("-", "−")
            reason = "a place never holds a negative number of tokens; " if negative else ""
            message = f"{reason}expected a number such as 0 or 12"
        elif end < len(text) and not entry["gap"]:
            start = end
            message = "expected a whole number, then a comma, a new line or the end"
        if message:
            raise QueryError(message, text=text, position=start)
        return number(entry["digits"], text, start)


class Tokens(Reaching):
    """A kind whose words are tokens of places, in the syntax of its `marks`."""

    marks: ClassVar[Marks]

    def counts(self, net: Net, text: str) -> list[tuple[NamedPlace, int]]:
        """Return the named places with their tokens: in the net's order, then coloured ones."""
        order, last = net.place_numbers, len(net.places)
        pairs = self.marks.read(net, text).items()
        return sorted(pairs, key=lambda pair: order.get(pair[0].name, last))

    def words(self, tokens: Mapping[str, int]) -> str:
        """Return the words that ask for so many tokens."""
        return ", ".join(
            f"{_place_text(place)}={_digits(place, tokens[place])}" for place in tokens
        )


def _place_text(place: object) -> str:
    if not isinstance(place, str):
        raise QueryError(f"places are named by text, not by {place!r}")
    return name_to_text(place)


def _digits(place: str, tokens: object) -> str:
    try:
        return str(index(tokens))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        message = f"place {quoted(place)} holds a whole number of tokens of at most"
        raise QueryError(f"{message} {MAX_DIGITS} digits") from None
