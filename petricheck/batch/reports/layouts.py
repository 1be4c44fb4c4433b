"""Tables, prose and lists as values, and how they look as text, Markdown and CSV.

What they hold is plain text, and may come from files that were made to deceive: every layout
escapes what means something in it, and shows what cannot be seen.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
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


def columns(
    texts: Iterable[str], numbers: Iterable[str] = (), over: str = ""
) -> tuple[Column, ...]:
    """Columns of texts with these heads, then columns of numbers; `over` is what they belong to."""
    left = (Column(head, over, "left") for head in texts)
    return (*left, *(Column(head, over) for head in numbers))


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
    show = _text if style == "text" else _markdown
    return "".join(f"{text}\n" for text in ["\n\n".join(map(show, blocks))] if text)


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
            return "\n".join(map(printable, text.splitlines()))
        case Listing(title, points):
            return "\n".join([title, "", *(f"- {printable(point)}" for point in points)])
        case Table(title):
            return f"{printable(title)}\n\n" + _aligned(block)


def _aligned(table: Table) -> str:
    plain = [[printable(text) for text in row] for row in _shown(table)]
    widths = [max(map(len, column)) for column in zip(*plain, strict=True)]
    forms = [
        f"{'<' if c.align == 'left' else '>'}{w}"
        for c, w in zip(table.columns, widths, strict=True)
    ]
    return "\n".join("  ".join(map(format, row, forms)).rstrip() for row in plain)


def _markdown(block: Block) -> str:
    match block:
        case Prose(text):
            return "\n".join(map(_opening, text.splitlines()))
        case Listing(title, points):
            return "\n".join([f"### {_opening(title)}", "", *(f"- {_opening(p)}" for p in points)])
        case Table(title, columns):
            heads, *rows = ([_cell(text) for text in row] for row in _shown(block))
            rule = [":---" if column.align == "left" else "---:" for column in columns]
            lines = ("| " + " | ".join(row) + " |" for row in (heads, rule, *rows))
            return "\n".join([f"### {_opening(title)}", "", *lines])


def _opening(text: str) -> str:
    """Markdown at the beginning of a line, where more has a meaning."""
    return re.sub(r"^(\d*)([-+#=.)])", r"\1\\\2", escape_markdown(text.strip()))


def _cell(text: str) -> str:
    return f"**{escape_markdown(text)}**" if isinstance(text, Strong) else escape_markdown(text)


def _shown(table: Table) -> Iterator[Sequence[str]]:
    """Heads and rows; what is named by the column or the row before is not named again."""
    over = ""
    heads = []
    for column in table.columns:
        heads.append(f"{column.over} {column.head}".strip() if column.over != over else column.head)
        over = column.over
    yield heads
    before: tuple[str, ...] = ()
    for row in table.rows:
        same = 0
        while same < len(before) and row[same] == before[same]:
            same += 1
        yield ("",) * same + row[same:]
        before = row[: table.groups]
