"""Pieces of SVG that all pictures are made of."""

from __future__ import annotations

from html import escape
from typing import TypeAlias
from zlib import crc32

from petricheck.words import printable

Point: TypeAlias = tuple[float, float]

LETTER, MARGIN = 6.1, 14.0
"""Width of a letter, and room around a picture."""

MIDDLE = 'text-anchor="middle"'
LINE = 'stroke="currentColor" stroke-width="1.3"'


def arrow_of(drawing: object) -> str:
    """Return the id of its arrowhead: ids are shared by all pictures of a page."""
    return f"arrow{crc32(repr(drawing).encode()):08x}"


def framed(width: float, height: float, arrow: str, body: str) -> str:
    """Return the picture, with the head of its arrows."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {round(width)} {round(height)}" '
        f'width="{round(width)}" height="{round(height)}" font-family="sans-serif" '
        'font-size="10.5" fill="currentColor" stroke="none" role="img">'
        f'<defs><marker id="{arrow}" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="7" '
        f'markerHeight="7" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        f'<path d="M0 0.8 8 4 0 7.2z"/></marker></defs>{body}</svg>'
    )


def shortened(text: str, letters: int) -> str:
    """Return the text, cut where it has more letters."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def title(text: str) -> str:
    """Return the text that is shown while the pointer is on the element around it."""
    return f"<title>{escape(printable(text))}</title>"


def text(x: float, y: float, line: str, more: str) -> str:
    """Return a line of text with these attributes besides."""
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(printable(line))}</text>'
