"""Tables, paragraphs and lists as values, and how they look as text, Markdown and CSV.

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

from petricheck.support.words import printable

Style: TypeAlias = Literal["text", "markdown"]


class Strong(str):
    """The text of a cell that stands out."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table; each row has one text for each of the heads.

    The first columns, `texts` of them, hold texts, the others numbers. The first `groups` of them
    name a group of rows; where people read, a name that is repeated is left out.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    texts: int = 1
    groups: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Points below a title."""

    title: str
    points: tuple[str, ...]


_FORMULA = re.compile(r"[=+@\t\r\n-]")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")
"""The beginning of a cell that spreadsheets take for a formula, and what they take for a number."""

Block: TypeAlias = ReportTable | Listing | str
"""A text is a paragraph; line breaks are kept where they can be."""


def render(blocks: Iterable[Block], style: Style) -> str:
    """Return the blocks one below the other; ends with a newline, unless there are none."""
    text = "\n\n".join(_block_text(block, style) for block in blocks)
    return f"{text}\n" if text else ""


def to_csv(table: ReportTable) -> str:
    """Return heads and rows, without the title; all of them quoted.

    An apostrophe stands before what a spreadsheet would compute as a formula.
    """
    file = io.StringIO()
    # A carriage return alone would else not be quoted.
    writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows(map(_inert, row) for row in (table.heads, *table.rows))
    return file.getvalue()


def _inert(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def escape_markdown(text: str) -> str:
    """Return the text as inline Markdown that shows it, also in a table; on one line."""
    escaped = re.sub(r"[\\|*<>\[\]`~&$]", r"\\\g<0>", printable(text))
    return re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", escaped)


def _block_text(block: Block, style: Style) -> str:
    line, heading = (printable, "") if style == "text" else (_markdown_line, "### ")
    match block:
        case str():
            return "\n".join(map(line, block.splitlines()))
        case Listing(title, points):
            body: Iterable[str] = (f"- {line(point)}" for point in points)
        case ReportTable(title):
            body = _aligned(block) if style == "text" else _piped(block)
    return "\n".join((f"{heading}{line(title)}", "", *body))


def _aligned(table: ReportTable) -> Iterator[str]:
    rows = [[*map(printable, row)] for row in (table.heads, *_rows(table))]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    forms = [f"{'<' if n < table.texts else '>'}{width}" for n, width in enumerate(widths)]
    for row in rows:
        yield "  ".join(map(format, row, forms)).rstrip()


def _piped(table: ReportTable) -> Iterator[str]:
    heads, *rows = ([*map(_cell, row)] for row in (table.heads, *_rows(table)))
    rule = [":---" if n < table.texts else "---:" for n in range(len(heads))]
    for row in (heads, rule, *rows):
        yield f"| {' | '.join(row)} |"


def _cell(text: str) -> str:
    return f"**{escape_markdown(text)}**" if isinstance(text, Strong) else escape_markdown(text)


def _markdown_line(text: str) -> str:
    """Return a line of Markdown, at whose beginning more has a meaning."""
    return re.sub(r"^(\d*)([-+#=.)])", r"\1\\\2", escape_markdown(text.strip()))


def _rows(table: ReportTable) -> Iterator[Sequence[str]]:
    """Yield the rows; a group that the row before names is not named again."""
    before: tuple[str, ...] = ()
    for row in table.rows:
        same = 0
        while same < len(before) and row[same] == before[same]:
            same += 1
        yield ("",) * same + row[same:]
        before = row[: table.groups]
