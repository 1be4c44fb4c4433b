"""Names, numbers and nouns in messages for people, whatever characters they contain."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from math import log10
from typing import TypeVar

Entry = TypeVar("Entry")

MAX_DIGITS = 4000
"""Longest number that is read from a file or a question."""

_LONG = 10**20
"""Limits from this on are written as powers of ten."""

_SHOWN = 60
"""Most characters of a quoted text."""


_BLANK = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    r"\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""Letters and marks that fonts show as nothing, such as fillers of Hangul and variation selectors;
to Python they are printable."""


def is_printable(text: str) -> bool:
    """Return whether every character can be seen, or is a space."""
    return text.isprintable() and _BLANK.search(text) is None


def printable(text: str) -> str:
    r"""Return the text on one line, with invisible characters as escapes such as `\n`.

    Names come from files that may have been made to deceive. For people only: the escapes are not
    read back.
    """
    return text if is_printable(text) else "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if is_printable(character):
        return character
    return character.encode("unicode_escape").decode("ascii")


def quoted(text: str) -> str:
    """Return the text in quotes, shortened if it is long."""
    return printable(repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"))


def fresh_name(name: str, names: Collection[str]) -> str:
    """Return the name, with as many primes as make it differ from these names."""
    while name in names:
        name += "'"
    return name


def counted(number: int, noun: str) -> str:
    """Return the number with its noun, in the plural if the number is not 1."""
    return f"{number_text(number)} {noun}{'' if number == 1 else 's'}"


def at_most(limit: int, noun: str) -> str:
    """Return the limit with its noun; in place of one of many digits, a power of ten above it."""
    if limit < _LONG:
        return counted(limit, noun)
    return f"10^{int(limit.bit_length() * log10(2)) + 1} {noun}s"


def listed(
    entries: Sequence[Entry],
    most: int,
    write: Callable[[Entry], str],
    noun: str = "",
    separator: str = ", ",
) -> str:
    """Return a list for a sentence.

    Args:
        entries: all of them.
        most: how many are shown; the others are counted.
        write: writes one entry.
        noun: names the entries that are counted, in the singular; may be empty.
        separator: between two of them.
    """
    text, remaining = separator.join(map(write, entries[:most])), len(entries) - most
    if remaining <= 0:
        return text
    return f"{text} and {counted(remaining, f'more {noun}') if noun else f'{remaining} more'}"


def shortened(
    entries: Sequence[Entry], most: int, write: Callable[[Entry], str], noun: str
) -> list[str]:
    """Return the first entries, and a last text with the number of others."""
    remaining = len(entries) - most
    tail = [f"… and {counted(remaining, f'more {noun}')}"] if remaining > 0 else []
    return [*map(write, entries[:most]), *tail]


def number_text(value: int) -> str:
    """Return the number in decimal, or in hexadecimal if it is too long for Python."""
    try:
        return str(value)
    except ValueError:
        return hex(value)


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """Return the key that sorts names as people count: p2 before p10."""
    words = re.split(r"0*([0-9]+)", name)
    # Numbers stand at odd positions; of two the longer one is larger.
    parts = ((len(word) * (number % 2), word) for number, word in enumerate(words))
    return (*parts, (0, name))
