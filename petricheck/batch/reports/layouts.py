"""Tables, prose and lists as values, and how they look as text, Markdown and CSV.

What they hold is plain text, and may come from files that were made to deceive: every layout
escapes what means something in it, and shows what cannot be seen.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from petricheck.words import printable

Style: TypeAlias = Literal["text", "markdown"]


class Strong(str):
    """The text of a cell that stands out."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        head: its name.
        over: what it belongs to, with its neighbours of the same; or "".
        align: which side its texts are flush with.
    """

    head: str
    over: str = ""
    align: Literal["left", "right"] = "right"


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        title: one line.
        columns: at least one.
        rows: one text for each column.
        groups: how many of the first columns name a group of rows; where people read, a name that
            is repeated is left out.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    groups: int = 0


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; line breaks are kept where they can be."""

    text: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Points below a title."""

    title: str
    points: tuple[str, ...]


Block: TypeAlias = Table | Prose | Listing


def render(blocks: Iterable[Block], style: Style) -> str:
    """The blocks one below the other; ends with a newline, unless there are none."""
    shown = _LAYOUTS[style]
    return "".join(f"{text}\n" for text in ["\n\n".join(map(shown, blocks))] if text)


def to_csv(table: Table) -> str:
    """Head and rows, as RFC 4180 has it; without the title."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([f"{c.over} {c.head}".strip() for c in table.columns])
    writer.writerows(table.rows)
    return file.getvalue()


def escape_markdown(text: str) -> str:
    """The text as inline Markdown that shows it, also in a table; on one line."""
    escaped = re.sub(r"[\\|*<>\[\]`~&$]", r"\\\g<0>", printable(text))
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", escaped)


def _text(block: Block) -> str:
    match block:
        case Prose(text):
            return _lines(text, printable)
        case Listing(title, points):
            return "\n".join([title, "", *(f"- {printable(point)}" for point in points)])
        case Table(title, columns):
            rows = [_heads(columns), *_shown_rows(block)]
            return f"{printable(title)}\n\n" + _aligned(rows, columns)


def _aligned(rows: Sequence[Sequence[str]], columns: Sequence[Column]) -> str:
    plain = [[printable(text) for text in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    return "\n".join(
        "  ".join(
            text.ljust(width) if column.align == "left" else text.rjust(width)
            for text, width, column in zip(row, widths, columns, strict=True)
        ).rstrip()
        for row in plain
    )


def _markdown(block: Block) -> str:
    match block:
        case Prose(text):
            return _lines(text, _opening)
        case Listing(title, points):
            return "\n".join([f"### {_opening(title)}", "", *(f"- {_opening(p)}" for p in points)])
        case Table(title, columns):
            rule = [":---" if column.align == "left" else "---:" for column in columns]
            heads = [escape_markdown(head) for head in _heads(columns)]
            rows = [[_strong(text) for text in row] for row in _shown_rows(block)]
            lines = ("| " + " | ".join(row) + " |" for row in (heads, rule, *rows))
            return "\n".join([f"### {_opening(title)}", "", *lines])


def _opening(text: str) -> str:
    """Markdown at the beginning of a line, where more has a meaning."""
    escaped = escape_markdown(text.strip())
    return re.sub(r"^(\d*)([-+#=.)])", r"\1\\\2", escaped)


def _strong(text: str) -> str:
    return f"**{escape_markdown(text)}**" if isinstance(text, Strong) else escape_markdown(text)


def _lines(text: str, shown: Callable[[str], str]) -> str:
    return "\n".join(map(shown, text.splitlines()))


def _heads(columns: Sequence[Column]) -> list[str]:
    """What belongs together is named once, in front of the first head."""
    before = ["", *(column.over for column in columns)]
    return [
        f"{column.over} {column.head}".strip() if column.over != previous else column.head
        for column, previous in zip(columns, before, strict=False)
    ]


def _shown_rows(table: Table) -> Iterable[tuple[str, ...]]:
    """The rows, without the names of a group where they are those of the row before."""
    before: tuple[str, ...] = ()
    for row in table.rows:
        names = row[: table.groups]
        same = 0
        while same < min(len(names), len(before)) and names[same] == before[same]:
            same += 1
        yield ("",) * same + row[same:]
        before = names


_LAYOUTS: Mapping[Style, Callable[[Block], str]] = {
    "text": _text,
    "markdown": _markdown,
}
