"""Odd names without quotes: `P-start_2 = 1`, where nothing else can be meant.

A *word* is a run of characters without blanks, parentheses, comparisons or connectives. It is read
as operands, which are numbers and known names, with operators between them; what looks like a
number is one, even where a place is called so. A reading in which every name is an ordinary one
wins: `a-b` is a minus wherever a and b are places. Otherwise, if there is one reading only, its odd
names are put between quotes. A word with several readings, or none, or with a keyword in it, stays
as it is, for the grammar to read or to complain of, and so does a name with colours, `p(a-1)`.
Between the parentheses of `fireable(…)` stand names of transitions, and no sums: `fireable(T-1)`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Set
from typing import TypeAlias

from petricheck.arithmetic.formulas.text import (
    BARE_NAME,
    COLOURED_NAME,
    KEYWORDS,
    QUOTED,
    name_to_text,
)

MAX_LETTERS = 200
"""Longer words stay as they are."""

_WORD = r'(?:(?!->)[^\s()<>=!&|#,"∧∨¬≤≥≠])+'
_ASIDE = rf"{COLOURED_NAME}|{QUOTED}|#[^\n]*"
_CALL = rf"fireable\s*\((?:{_ASIDE}|[^()\"#])*"
_PIECE = re.compile(rf"(?P<call>{_CALL})|{_ASIDE}|(?P<word>{_WORD})", re.DOTALL)
_PLAIN = re.compile(rf"{BARE_NAME}|[0-9]+")
_NAME = re.compile(BARE_NAME)
_NUMBER = re.compile(r"[0-9]+")
_OPERATORS = frozenset("+-*")

_Reading: TypeAlias = tuple[str, ...]
"""The operands and operators of a word, from left to right."""


def with_quotes(text: str, names: Collection[str]) -> str:
    """Return the formula with quotes around its odd names.

    Args:
        text: the formula.
        names: all names that places have.
    """
    words = {piece["word"] for piece in _PIECE.finditer(text)}
    quoted = _quoted({word for word in words if word and not _PLAIN.fullmatch(word)}, names)

    def replacement(piece: re.Match[str]) -> str:
        return quoted.get(piece["word"], piece[0]) if piece["call"] is None else _called(piece[0])

    return _PIECE.sub(replacement, text)


def _called(call: str) -> str:
    """Return the beginning of a `fireable(…)` with quotes around its odd names."""

    def replacement(piece: re.Match[str]) -> str:
        name = piece["word"]
        return piece[0] if name is None or name in KEYWORDS else name_to_text(name)

    word, listed = call.split("(", 1)
    return f"{word}({_PIECE.sub(replacement, listed)}"


def _quoted(words: Set[str], names: Collection[str]) -> Mapping[str, str]:
    """Return the spelling of each of the words, none of which is an ordinary name."""
    if not words:
        return {}
    ordinary = {name for name in names if name_to_text(name) == name}
    odd = {name for name in names if name not in ordinary and not _NUMBER.fullmatch(name)}
    return {word: _with_quotes(word, ordinary, odd) for word in words}


def _with_quotes(word: str, ordinary: Set[str], odd: Set[str]) -> str:
    if len(word) > MAX_LETTERS or not KEYWORDS.isdisjoint(_NAME.findall(word)):
        return word
    if _readings(word, ordinary):
        return word
    match _readings(word, ordinary | odd):
        case [reading]:
            return "".join(name_to_text(part) if part in odd else part for part in reading)
        case _:
            return word


def _readings(word: str, names: Set[str]) -> list[_Reading]:
    """Return the ways to read the word, two at most."""
    # From each position on: after an operator or nothing, and after an operand.
    free: dict[int, list[_Reading]] = {len(word): [()]}
    bound = {len(word): [_Reading()]}
    for start in reversed(range(len(word))):
        sign = word[start]
        bound[start] = [(sign, *r) for r in free[start + 1]] if sign in _OPERATORS else []
        free[start] = list(bound[start])
        for end in range(start + 1, len(word) + 1):
            if bound[end] and _is_operand(word[start:end], names):
                free[start] += [(word[start:end], *reading) for reading in bound[end]]
        del free[start][2:]
    return free[0]


def _is_operand(piece: str, names: Set[str]) -> bool:
    return piece in names or _NUMBER.fullmatch(piece) is not None
