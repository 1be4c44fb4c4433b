"""The words of LoLA's files: comments, names, keywords, and the spelling of a net's names.

A name is any text without blanks and `,;:(){}`. Names that would be a keyword or a number in a
formula are spelled differently in nets as well, so that the two agree.
"""

from __future__ import annotations

import re

from petricheck.formats.scanning.aliases import spell
from petricheck.model.net import Net

SKIPPED = r"(?P<blank>\s+)|(?P<comment>/\*(?:[^*]|\*(?!/))*\*/|\{[^{}]*\}(?![^\n]*\}))"
"""Blanks and comments; to LoLA a comment in braces goes to the last brace of its line."""

NAME = r"(?!/\*)[^,;:(){}\s]+"
"""A name, a keyword, a number, or an operator."""

NET_KEYWORDS = frozenset(
    {"PLACE", "MARKING", "TRANSITION", "CONSUME", "PRODUCE", "SAFE", "WEAK", "STRONG", "FAIR"}
)

HIGH_LEVEL = frozenset({"SORT", "FUNCTION", "VAR", "GUARD", "CONSTANT", "RECORD", "ARRAY"})

FORMULA_KEYWORDS = frozenset(
    {"FIREABLE", "DEADLOCK", "INITIAL", "FORMULA", "MAX", "AND", "NOT", "OR", "XOR", "TRUE",
     "FALSE", "ALLPATH", "EXPATH", "ALWAYS", "EVENTUALLY", "UNTIL", "NEXTSTATE", "RELEASE",
     "REACHABLE", "INVARIANT", "IMPOSSIBLE", "oo"}
)  # fmt: skip

OPERATORS = ("<->", "->", "<=", ">=", "!=", "<>", "=", "<", ">", "#", "+", "-", "*")

TOO_LARGE = 2**31
"""LoLA counts in 32 bits."""

_PATHS = re.compile("[AEFGXUR]+")
_WRITTEN = re.compile(r"(?!/\*|[-+*#<>=!]*[0-9]*\Z)[!-~]+")


def comment(text: str) -> str:
    """Return the content of a comment."""
    return text[1:-1] if text.startswith("{") else text[2:-2]


def places(net: Net) -> dict[str, str]:
    """Return the spelling of each place, by its name."""
    return spell(net.places, _fits, "p")


def transitions(net: Net) -> dict[str, str]:
    """Return the spelling of each transition, by its name."""
    return spell((t.name for t in net.transitions), _fits, "t")


def _fits(name: str) -> bool:
    keywords = NET_KEYWORDS | HIGH_LEVEL | FORMULA_KEYWORDS
    return (
        re.fullmatch(NAME, name) is not None
        and _WRITTEN.fullmatch(name) is not None
        and name not in keywords
        and _PATHS.fullmatch(name) is None
    )
