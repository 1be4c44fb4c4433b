"""HTML for notebooks: what is text stays text, it brings its style along and has no script."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def heading(text: str) -> str:
    """What heads a thing."""
    return f'<div style="font-weight:600">{escape(text)}</div>'


def note(text: str) -> str:
    """What is said less loudly."""
    return f'<div style="opacity:.7">{escape(text)}</div>'


def lines(texts: Iterable[str]) -> str:
    """Lines that keep their layout; long ones break."""
    text = "\n".join(texts)
    style = "white-space:pre-wrap;overflow-wrap:anywhere;margin:.3em 0"
    return f'<pre style="{style}">{escape(text)}</pre>'


class Shown:
    """What has a text for people; a notebook shows its first line as a heading."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        first, *rest = str(self).split("\n")
        return heading(first) + (lines(rest) if rest else "")
