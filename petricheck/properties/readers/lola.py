"""Formulas of the tool LoLA (.formula), separated by colons: formula-1, formula-2, …

A file that breaks the grammar is refused as a whole; a formula that is no question after
reachability, or names what the net has not, only by itself. Modules: `_lola_formulas`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from petricheck.errors import QueryError
from petricheck.problem import Net
from petricheck.properties.meaning import Meaning, Property, Refused
from petricheck.properties.readers._lola_formulas import FormulaParser, Renamed
from petricheck.properties.vocabulary import Vocabulary
from petricheck.scanning import lola as words
from petricheck.scanning.aliases import renamed
from petricheck.scanning.text import END, Scanner, Token, decoded, scan

_TOKEN = re.compile(
    rf"{words.SKIPPED}|(?P<sign>[();:,])|(?P<word>{words.NAME})"
    r"|(?P<bad_a_comment_that_is_not_closed_or_one_of_two_on_a_line>[{}][^\n]*|/\*)"
)


@dataclass(frozen=True)
class Lola:
    """Formulas of the tool LoLA."""

    extensions: ClassVar[tuple[str, ...]] = (".formula",)

    def read(self, pieces: Iterable[bytes], path: str, net: Net) -> tuple[Property, ...]:
        """The formulas as properties, numbered from 1.

        Raises:
            InputError: the file breaks LoLA's grammar, or mixes connectives so that it is not
                plain which binds tighter.
        """
        scanner = scan(decoded(pieces, path), path, _TOKEN)
        vocabulary = Vocabulary(net)
        aliases = renamed(scanner, words.comment)
        return tuple(
            Property(f"formula-{number}", _meaning(part, vocabulary, aliases))
            for number, part in enumerate(_parts(scanner), start=1)
        )


def _parts(scanner: Scanner) -> list[Scanner]:
    """The formulas, each with an end of its own."""
    parts: list[list[Token]] = [[]]
    for token in scanner.tokens:
        if token.kind == END or token.text == ":":
            parts[-1].append(Token(END, "", token.line, True))
            parts.append([])
        else:
            parts[-1].append(token)
    return [Scanner(scanner.path, tokens, []) for tokens in parts[:-1]]


def _meaning(part: Scanner, vocabulary: Vocabulary, aliases: Renamed) -> Meaning:
    try:
        return FormulaParser(part, vocabulary, aliases).formula()
    except QueryError as error:
        return Refused(f"line {part.last.line}: {error.message}")
