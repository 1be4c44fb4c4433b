"""Names, numbers and nouns in messages for people, whatever files and questions hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

Entry = TypeVar("Entry")

MAX_DIGITS = 4000
"""Longest number that is read from a file or a question."""

_SHOWN = 60
"""Letters of a quoted text."""


def printable(text: str) -> str:
    r"""The text on one line, with what cannot be seen as an escape such as `\n`.

    Names come from files that may have been made to deceive. For people only: what is escaped is
    not read back.
    """
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def quoted(text: str) -> str:
    """The text in quotes, cut where it would fill a message."""
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number_text(number)} {noun}{'' if number == 1 else 's'}"


def listed(
    entries: Sequence[Entry],
    most: int,
    shown: Callable[[Entry], str],
    noun: str = "",
    separator: str = ", ",
) -> str:
    """A list in a sentence.

    Args:
        entries: all of them.
        most: how many are shown; the rest is counted.
        shown: writes one.
        noun: of those that are counted, in the singular; may be empty.
        separator: between two of them.
    """
    text, left = separator.join(map(shown, entries[:most])), len(entries) - most
    if left <= 0:
        return text
    return f"{text} and {counted(left, f'more {noun}') if noun else f'{left} more'}"


def shortened(
    entries: Sequence[Entry], most: int, shown: Callable[[Entry], str], noun: str
) -> list[str]:
    """The first entries on their own, and in a last one how many more there are."""
    left = len(entries) - most
    rest = [f"… and {counted(left, f'more {noun}')}"] if left > 0 else []
    return [*map(shown, entries[:most]), *rest]


def number_text(value: int) -> str:
    """The number in decimal, or in hexadecimal where Python refuses to print that many digits."""
    try:
        return str(value)
    except ValueError:
        return hex(value)


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """The key that sorts names as people count: p2 before p10."""
    words = re.split(r"0*([0-9]+)", name)
    # Numbers stand at odd positions; of two the longer one is larger.
    parts = ((len(word) * (number % 2), word) for number, word in enumerate(words))
    return (*parts, (0, name))
