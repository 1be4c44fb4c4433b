"""HTML for notebooks: what is text stays text, it brings its style along and has no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TypeAlias

_CELL = "text-align:right;padding:.1em .6em"
_HEAD = f"{_CELL};border-bottom:1px solid rgba(128,128,128,.35)"
_CHANGED = f"{_CELL};background:rgba(220,130,40,.22)"


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


def folded(title: str, inside: str) -> str:
    """HTML that is shown when its title is clicked."""
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


Cell: TypeAlias = tuple[str, bool]
"""Text, and whether it is marked as changed."""


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A table with what heads its columns."""
    cells = "".join(f'<th style="{_HEAD}">{escape(text)}</th>' for text in head)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse">'
        f"<thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    text, changed = cell
    return f'<td style="{_CHANGED if changed else _CELL}">{escape(text)}</td>'


class Shown:
    """What has a text for people; a notebook shows its first line as a heading."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        first, *rest = str(self).split("\n")
        return heading(first) + (lines(rest) if rest else "")
