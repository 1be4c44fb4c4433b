"""Draws the rooms of petricheck and the imports between them, of several checkouts side by side.

    python docs/structure.py TITLE=CHECKOUT ... > docs/structure.svg
    python docs/structure.py --table TITLE=CHECKOUT ...

The second prints the lines of each room as a table in Markdown.

A room is a folder or a module of `petricheck/`. It stands one row above the highest room that it
imports; rooms in one row know nothing of each other. Below its name stands how many lines it has.
An import is drawn unless others, one after the other, imply it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

PACKAGE = "petricheck"
ROW, GAP, MARGIN, BOX = 66.0, 10.0, 24.0, 34.0
"""Height of a row, space between boxes, at the edges, and the height of a box."""


@dataclass(frozen=True)
class Plan:
    """The rooms of a checkout.

    Attributes:
        lines: of Python, by room.
        uses: the rooms that a room imports.
    """

    lines: Mapping[str, int]
    uses: Mapping[str, frozenset[str]]

    def rows(self) -> list[list[str]]:
        """The rooms by height above those that import nothing, the lowest first."""

        @cache
        def height(room: str) -> int:
            return 1 + max(map(height, self.uses[room]), default=-1)

        found: list[list[str]] = [[] for _ in range(1 + max(map(height, self.lines)))]
        for room in sorted(self.lines, key=lambda r: -self.lines[r]):
            found[height(room)].append(room)
        return found

    def arrows(self) -> Iterator[tuple[str, str]]:
        """The imports that no others imply."""

        @cache
        def below(room: str) -> frozenset[str]:
            return self.uses[room].union(*map(below, self.uses[room]))

        for room, used in self.uses.items():
            yield from (
                (room, u) for u in sorted(used) if not any(u in below(v) for v in used - {u})
            )


def plan(checkout: Path) -> Plan:
    """What stands in a checkout."""
    lines: dict[str, int] = {}
    uses: dict[str, set[str]] = {}
    for path in sorted((checkout / PACKAGE).rglob("*.py")):
        parts = path.relative_to(checkout / PACKAGE).with_suffix("").parts
        if parts[0].startswith("__"):
            continue
        text = path.read_text(encoding="utf-8")
        lines[parts[0]] = lines.get(parts[0], 0) + len(text.splitlines())
        uses.setdefault(parts[0], set()).update(_imported(ast.parse(text)))
    return Plan(lines, {r: frozenset(u & lines.keys()) - {r} for r, u in uses.items()})


def _imported(module: ast.Module) -> Iterator[str]:
    """The rooms that a module imports when it is loaded; later imports are for speed."""
    for node in module.body:
        match node:
            case ast.ImportFrom(module=str(name), names=names) if name == PACKAGE:
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(name)) if name.startswith(f"{PACKAGE}."):
                yield name.split(".")[1]


def picture(plans: Mapping[str, Plan]) -> str:
    """The plans as an SVG document."""
    height = max(len(p.rows()) for p in plans.values()) * ROW + 2 * MARGIN
    parts, left = [], 0.0
    for title, each in plans.items():
        width = max(sum(map(_width, row)) + GAP * len(row) for row in each.rows()) + 2 * MARGIN
        parts += _panel(title, each, (left, width), height)
        left += width
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left:.0f} {height:.0f}" '
        'font-family="sans-serif" font-size="11" text-anchor="middle">'
    )
    background = f'<rect width="{left:.0f}" height="{height:.0f}" fill="white"/>'
    return "\n".join([head, background, *parts, "</svg>"]) + "\n"


def _panel(title: str, drawn: Plan, across: tuple[float, float], height: float) -> Iterator[str]:
    left, width = across
    said = f"{title}: {len(drawn.lines)} rooms, {sum(drawn.lines.values()):,} lines"
    yield f'<text x="{left + width / 2:.0f}" y="{MARGIN}" font-size="14">{escape(said)}</text>'
    centres = dict(_centres(drawn, left + width / 2, height - MARGIN - BOX / 2))
    for room, used in drawn.arrows():
        (x, y), (u, v) = centres[room], centres[used]
        yield (
            f'<line x1="{x:.1f}" y1="{y + BOX / 2:.1f}" x2="{u:.1f}" y2="{v - BOX / 2:.1f}" '
            'stroke="#5b7aa5" stroke-opacity="0.45"/>'
        )
    for room, (x, y) in centres.items():
        wide = _width(room)
        yield (
            f'<rect x="{x - wide / 2:.1f}" y="{y - BOX / 2:.1f}" width="{wide:.1f}" '
            f'height="{BOX}" rx="3" fill="#eef3fa" stroke="#33527d"/>'
            f'<text x="{x:.1f}" y="{y - 2:.1f}">{escape(room)}</text>'
            f'<text x="{x:.1f}" y="{y + 11:.1f}" fill="#555">{drawn.lines[room]:,}</text>'
        )


def _centres(
    drawn: Plan, middle: float, lowest: float
) -> Iterator[tuple[str, tuple[float, float]]]:
    """The middle of each room's box, the rows one above the other."""
    for number, row in enumerate(drawn.rows()):
        x = middle - (sum(map(_width, row)) + GAP * (len(row) - 1)) / 2
        for room in row:
            yield room, (x + _width(room) / 2, lowest - number * ROW)
            x += _width(room) + GAP


def _width(room: str) -> float:
    return max(44.0, len(room) * 6.6 + 10)


def table(plans: Mapping[str, Plan]) -> str:
    """The lines of each room as a table in Markdown, and of all rooms together."""
    rooms = sorted({room for drawn in plans.values() for room in drawn.lines})
    rows = [
        [room, *(f"{drawn.lines.get(room, 0):,}" for drawn in plans.values())] for room in rooms
    ]
    rows.append(["all", *(f"{sum(drawn.lines.values()):,}" for drawn in plans.values())])
    head = [["room", *plans], ["---", *("--:" for _ in plans)]]
    return "".join(f"| {' | '.join(row)} |\n" for row in (*head, *rows))


def main() -> None:
    """Draw the checkouts that the command line names, or list their rooms."""
    listed = sys.argv[1:2] == ["--table"]
    named = (argument.partition("=") for argument in sys.argv[1 + listed :])
    plans = {title: plan(Path(folder)) for title, _, folder in named}
    sys.stdout.write(table(plans) if listed else picture(plans))


if __name__ == "__main__":
    main()
