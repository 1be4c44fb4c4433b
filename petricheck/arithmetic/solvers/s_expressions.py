"""S-expressions, in which SMT-LIB 2 is written, with their positions in the text.

Readers raise `refusal`, a `ScriptRefused`, for what they do not understand, with its position:
here also for parentheses or quotations that do not match, and lists that nest deeper than `DEPTH`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from petricheck.arithmetic.solvers.smtlib import CHUNK

DEPTH = 256
"""Levels of nesting that are read, before and after `let` is expanded; questions nest less."""
BITS = 1 << 20
"""Bits that an integer may have."""

_TOKEN = re.compile(
    r"(?:[ \t\r\n]+|;[^\r\n]*)*+(?:(\|[^|\\]*\||\"[^\"]*\"|[()]|[^\s()|\";]+)|(.)|\Z)", re.DOTALL
)


class Leaf(NamedTuple):
    """A token and its position in the text."""

    text: str
    position: int


class List(NamedTuple):
    """A list in parentheses, with its position."""

    items: list[Leaf | List]
    position: int


Node: TypeAlias = Leaf | List


class ScriptRefused(Exception):
    """An error, with its position in the text."""

    def __init__(self, what: str, position: int) -> None:
        super().__init__(what)
        self.position = position


def commands(text: str) -> Iterator[List]:
    """Yield the top-level commands of a script, in time linear in the text."""
    open_lists: list[List] = []
    for leaf in _tokens(text):
        if leaf.text == "(":
            if len(open_lists) == DEPTH:
                raise refusal(f"nesting deeper than {DEPTH}", leaf)
            open_lists.append(List([], leaf.position))
        elif not open_lists:
            raise refusal(f"{shown(leaf)} outside a command", leaf)
        elif leaf.text == ")":
            closed = open_lists.pop()
            if open_lists:
                open_lists[-1].items.append(closed)
            else:
                yield closed
        else:
            open_lists[-1].items.append(leaf)
    if open_lists:
        raise refusal("a parenthesis that is never closed", open_lists[-1])


def _tokens(text: str) -> Iterator[Leaf]:
    for match in _TOKEN.finditer(text):
        if match[2] is not None:
            raise ScriptRefused("a quotation that is never closed, or a stray sign", match.start(2))
        if match[1] is not None:  # None at the end of the text
            yield Leaf(match[1], match.start(1))


def integer(node: Leaf) -> int:
    """Return the number that the token denotes, of at most `BITS` bits."""
    value = 0
    if not re.fullmatch(r"0|[1-9][0-9]*", node.text):
        raise refusal(shown(node), node)
    if len(node.text) > BITS // 4:
        raise refusal(f"a number of more than {BITS // 4} digits", node)
    for start in range(0, len(node.text), CHUNK):
        chunk = node.text[start : start + CHUNK]
        value = value * 10 ** len(chunk) + int(chunk)
    return value


def refusal(what: str, node: Node) -> ScriptRefused:
    """Return the error that something about the node is not understood."""
    return ScriptRefused(f"{what} is not understood", node.position)


def source_text(node: Node) -> str:
    """Return the text of the node, with single spaces."""
    if isinstance(node, Leaf):
        return node.text
    return f"({' '.join(map(source_text, node.items))})"


def shown(node: Node) -> str:
    """Return the node for an error message: short, and in ASCII."""
    return ascii(node.text[:40]) if isinstance(node, Leaf) else "a list"
