"""The syntax of markings: `p1=1, p3=2`, separated by commas or newlines, with `# comments`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import ClassVar

from petricheck.errors import QueryError
from petricheck.language.elements import QUOTED, Names, example, number, unquoted
from petricheck.presburger.text import name_to_text
from petricheck.problem import Net
from petricheck.questions.kind import Reaching
from petricheck.words import MAX_DIGITS, quoted

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_GAP = re.compile(r"(?:[\s,]|#[^\n]*)*")
_NAME = re.compile(rf'{QUOTED}|[^\s,=<>!"#]+', re.DOTALL)
_RELATION = re.compile(r"[<>=!]*")
_DIGITS = re.compile(r"[0-9]*")


@dataclass(frozen=True, slots=True)
class Syntax:
    """What one kind of marking accepts between a place and its number.

    Attributes:
        relations: the accepted signs.
        advice: what to tell those who use another.
        empty: what to tell those who name no place, given how a place of the net is written.
    """

    relations: tuple[str, ...]
    advice: str
    empty: str


class Tokens(Reaching):
    """What the kinds have in common whose words are tokens of places.

    Attributes:
        syntax: of the words.
    """

    syntax: ClassVar[Syntax]

    def tokens(self, net: Net, text: str) -> dict[str, int]:
        """Tokens by place id, for the places that are named.

        A name ends before a blank, comma, `=`, `<`, `>`, `!`, `#` or quote, or it is quoted.

        Raises:
            QueryError: it points at the character that does not fit, or no place is named: that is
                rather a variable of a shell that is not set than a question.
        """
        names = Names(net)
        tokens: dict[str, int] = {}
        position = _end(_GAP, text, 0)
        while position < len(text):
            place, after = _read_place(names, text, position)
            if place in tokens:
                message = f"place {quoted(place)} is given twice"
                raise QueryError(message, text=text, position=position)
            tokens[place], position = _read_number(self.syntax, text, _end(_BLANK, text, after))
            position = _read_gap(text, position)
        if not tokens:
            raise QueryError(self.syntax.empty.format(place=example(net)), text=text, position=0)
        return tokens

    def words(self, tokens: Mapping[str, int]) -> str:
        """The words that ask for so many tokens.

        Raises:
            QueryError: a name is no text, or a number no integer that can be written.
        """
        return ", ".join(f"{_written(place)}={_digits(place, tokens[place])}" for place in tokens)


def _written(place: object) -> str:
    if not isinstance(place, str):
        raise QueryError(f"places are named by text, not by {place!r}")
    return name_to_text(place)


def _digits(place: str, tokens: object) -> str:
    try:
        return str(index(tokens))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        message = f"place {quoted(place)} holds a whole number of tokens of at most"
        raise QueryError(f"{message} {MAX_DIGITS} digits") from None


def _read_place(names: Names, text: str, position: int) -> tuple[str, int]:
    match = _NAME.match(text, position)
    if match is None:
        unclosed = text[position] == '"'
        message = "this quote is never closed" if unclosed else "expected the name of a place"
        raise QueryError(message, text=text, position=position)
    name = match[0]
    if name.startswith('"'):
        name = unquoted(name, text, position)
    return names.place(name, text, position), match.end()


def _read_number(syntax: Syntax, text: str, position: int) -> tuple[int, int]:
    end = _end(_RELATION, text, position)
    if end == position:
        signs = " or ".join(f"'{sign}'" for sign in syntax.relations)
        message = f"expected {signs} after the name of a place"
        raise QueryError(message, text=text, position=position)
    if text[position:end] not in syntax.relations:
        raise QueryError(syntax.advice, text=text, position=position)
    start = _end(_BLANK, text, end)
    end = _end(_DIGITS, text, start)
    if end == start:
        negative = text[start : start + 1] in ("-", "−")
        message = (
            "a place never holds a negative number of tokens; expected" if negative else "expected"
        )
        raise QueryError(f"{message} a number such as 0 or 12", text=text, position=start)
    return number(text[start:end], text, start), end


def _read_gap(text: str, position: int) -> int:
    end = _end(_GAP, text, position)
    if end < len(text) and not {",", "\n"} & set(text[position:end]):
        message = "expected a comma or a new line between two places"
        if end == position:
            message = "expected a whole number, then a comma, a new line or the end"
        raise QueryError(message, text=text, position=end)
    return end


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where the match at `position` ends, for patterns that match the empty text as well."""
    match = pattern.match(text, position)
    assert match is not None
    return match.end()
