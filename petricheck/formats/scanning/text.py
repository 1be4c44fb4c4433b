"""The tokens of a text, which know their line, and numbers in texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from petricheck.support.errors import InputError
from petricheck.support.words import MAX_DIGITS, quoted

END = "end"
"""Kind of the token after the last one."""

_TOO_LARGE = 10**MAX_DIGITS


class Token(NamedTuple):
    """A piece of the text, and the line where it begins.

    Its kind is the group of the format's regular expression that it matched. It is the first where
    nothing but blanks and comments stands before it on its line.
    """

    kind: str
    text: str
    line: int
    first: bool


def decoded(pieces: Iterable[bytes], path: str) -> str:
    """Return the text of a file, which is held as a whole, without a byte order mark.

    InputError where it is empty, no UTF-8 or has a NUL, which no text has.
    """
    data = b"".join(pieces)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("this is no UTF-8 text; convert it", path=path, line=line) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError("the text has a NUL character; export it again", path=path, line=line)
    if not text.strip():
        raise InputError("the file is empty", path=path)
    return text


@dataclass(slots=True)
class TokenScanner:
    """The tokens of a text, from the first to the last, and the reader's position.

    The last token is of kind `END`. Tokens of kind "comment" are in `comments` alone.
    """

    path: str
    tokens: list[Token]
    comments: list[Token]
    position: int = 0

    @property
    def next(self) -> Token:
        """The next token, which is not passed."""
        return self.tokens[self.position]

    @property
    def last(self) -> Token:
        """The token that was passed last; the first one where none was."""
        return self.tokens[max(self.position - 1, 0)]

    def take(self) -> Token:
        """Consume the next token and return it; the end token stays."""
        token = self.tokens[self.position]
        self.position += token.kind != END
        return token

    def accept(self, kind: str) -> Token | None:
        """Consume the next token and return it if it is of this kind; else return None."""
        return self.take() if self.tokens[self.position].kind == kind else None

    def accept_text(self, *texts: str) -> Token | None:
        """Consume the next token and return it if it is one of these texts; else return None."""
        return self.take() if self.tokens[self.position].text in texts else None

    def expect(self, kind: str, expected: str) -> Token:
        """Consume the next token and return it; InputError where it is of another kind."""
        if self.tokens[self.position].kind != kind:
            raise self.unexpected(expected)
        return self.take()

    def expect_text(self, *texts: str, expected: str = "") -> Token:
        """Consume the next token and return it; InputError, with `expected`, for other texts."""
        if self.tokens[self.position].text not in texts:
            raise self.unexpected(expected or repr(texts[0]))
        return self.take()

    def unexpected(self, expected: str) -> InputError:
        """Return the error about the next token."""
        token = self.next
        actual = "the file ends" if token.kind == END else f"{quoted(token.text)} stands"
        return self.error(f"{actual} where {expected} was expected", token)

    def error(self, message: str, token: Token) -> InputError:
        """Return an error about a token of the file."""
        return InputError(message, path=self.path, line=token.line)

    def number(self, token: Token, digits: str | None = None) -> int:
        """Return the number that a token spells, or its digits; InputError for too many."""
        text = token.text if digits is None else digits
        if len(text) > MAX_DIGITS:
            raise self.error(
                f"a number of {len(text)} digits is refused; {MAX_DIGITS} are the limit", token
            )
        return int(text)


Scanner = TypeVar("Scanner", bound=TokenScanner)


def scan(text: str, path: str, pattern: re.Pattern[str], scanner: type[Scanner]) -> Scanner:
    """Return a scanner of this type, of a text that is split into tokens.

    The pattern's named groups are the kinds of tokens. "blank" is dropped, "comment" stored
    separately, and a group whose name begins with "bad" refuses its text; InputError also for a
    character that begins no token.
    """
    tokens: list[Token] = []
    comments: list[Token] = []
    line, position, first = 1, 0, True
    while position < len(text):
        match = pattern.match(text, position)
        if match is None or match.lastgroup is None or match.lastgroup.startswith("bad"):
            raise InputError(_strange(text, position, match), path=path, line=line)
        kind, piece = match.lastgroup, match[0]
        if kind == "comment":
            comments.append(Token(kind, piece, line, first))
        elif kind != "blank":
            tokens.append(Token(kind, piece, line, first))
            first = False
        breaks = piece.count("\n")
        line += breaks
        first = first or breaks > 0
        position = match.end()
    return scanner(path, [*tokens, Token(END, "", line, True)], comments)


def _strange(text: str, position: int, match: re.Match[str] | None) -> str:
    if match is None or match.lastgroup is None:
        return f"{quoted(text[position])} begins nothing that this format has"
    problem = match.lastgroup.removeprefix("bad_").replace("_", " ")
    return f"{quoted(match[0])} is {problem}"


def digits(value: int, limit: int = _TOO_LARGE) -> str:
    """Return the number as text; InputError where it is as large as `limit` or larger."""
    if value >= limit:
        most = str(limit - 1) if limit < _TOO_LARGE else f"a number of {MAX_DIGITS} digits"
        raise InputError(f"a number is too large for this format; the largest is {most}")
    return str(value)
