"""Pieces of SVG for all pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias
from zlib import crc32

from petricheck.support.words import printable

Point: TypeAlias = tuple[float, float]

Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

LETTER, MARGIN = 6.1, 14.0
"""Width of a letter and of the border of a picture, in pixels."""

MIDDLE = 'text-anchor="middle"'
LINE = 'stroke="currentColor" stroke-width="1.3"'


def arrow_of(drawing: object) -> str:
    """Return the id of a drawing's arrowhead, unique among the pictures of a page."""
    return f"arrow{crc32(repr(drawing).encode()):08x}"


def framed(width: float, height: float, arrow: str, body: str) -> str:
    """Return a picture with this body, and with the arrowhead that the body refers to."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {round(width)} {round(height)}" '
        f'width="{round(width)}" height="{round(height)}" font-family="sans-serif" '
        'font-size="10.5" fill="currentColor" stroke="none" role="img">'
        f'<defs><marker id="{arrow}" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="7" '
        f'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        f'<path d="M0 0.8 8 4 0 7.2z"/></marker></defs>{body}</svg>'
    )


def shortened(text: str, letters: int) -> str:
    """Return the text, cut in the middle if it has more letters."""
    if len(text) <= letters:
        return text
    end = (letters - 1) // 2
    return f"{text[: letters - 1 - end]}…{text[-end:]}"


def overlap(area: Area, others: Iterable[Area]) -> float:
    """Return how much of the area the others cover."""
    left, top, right, bottom = area
    return sum(
        max(0.0, min(right, c) - max(left, a)) * max(0.0, min(bottom, d) - max(top, b))
        for a, b, c, d in others
    )


def freest(areas: Sequence[Area], others: Sequence[Area]) -> int:
    """Return the number of the first area of those that the others cover least."""
    return min(range(len(areas)), key=lambda number: overlap(areas[number], others))


def title(text: str) -> str:
    """Return an element that shows a text while the pointer is on its parent element."""
    return f"<title>{escape(printable(text))}</title>"


def text(x: float, y: float, line: str, more: str) -> str:
    """Return an element for a line of text, with further attributes."""
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(printable(line))}</text>'
