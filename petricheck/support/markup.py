"""HTML for notebooks, without scripts; text is escaped, and styles are inline."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from petricheck.support.words import printable


def heading(text: str) -> str:
    """Return a heading."""
    return f'<div style="font-weight:600">{escape(printable(text))}</div>'


def note(text: str) -> str:
    """Return a less prominent line."""
    return f'<div style="opacity:.7">{escape(printable(text))}</div>'


def lines(texts: Iterable[str]) -> str:
    """Return lines that preserve their layout; long ones break."""
    text = "\n".join(map(printable, texts))
    style = "white-space:pre-wrap;overflow-wrap:anywhere;margin:.3em 0"
    return f'<pre style="{style}">{escape(text)}</pre>'


class Shown:
    """A value with a text for people; a notebook shows its first line as a heading."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        first, *rest = str(self).split("\n")
        return heading(first) + (lines(rest) if rest else "")
