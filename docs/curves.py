"""Draws how many answers `petricheck mcc` has after how many seconds; prints the table.

    python docs/curves.py FOLDER MODEL… [--verdicts FILE] > table.md

FOLDER holds folders of the contest's models, at any depth. Each examination runs once, `--together`
so many at a time, and nothing else should run meanwhile; curves.svg, or the file that `--picture`
names, is written anew after each. FILE is what the contest's tools answered, as JSON: by model and
examination the formulas, each with its value and the names of the tools that had it.
"""

from __future__ import annotations

import argparse
import io
import json
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from answers import COMMAND, EXAMINATIONS, Examination, examinations, run, write_row
from matplotlib.axes import Axes
from matplotlib.figure import Figure

FIRST = 1.0
"""The axes begin with this second."""

COLUMNS = 3
SECONDS = (10.0, 60.0, 600.0, 3600.0)
"""The table counts answers within these times."""

CURVE, INK, FAINT = "#0072b2", "#555555", "#dddddd"
STYLE: Any = {"font.size": 8, "svg.fonttype": "path", "svg.hashsalt": "curves", "axes.grid": True}
MARKS = ("s", "^", "D", "v")


@dataclass(frozen=True, slots=True)
class Curve:
    """When the answers of an examination came, and how many the contest's tools had in the end.

    Attributes:
        title: the model and the examination.
        seconds: of each answer after the begin, growing.
        tools: how many formulas each tool answered.
        formulas: how many somebody answered, this program or a tool.
    """

    title: str
    seconds: Sequence[float]
    tools: Mapping[str, int]
    formulas: int

    def within(self, seconds: float) -> int:
        """How many answers came within these seconds."""
        return sum(second <= seconds for second in self.seconds)


def draw(curves: Sequence[Curve], limit: float) -> str:
    """Return an SVG with axes for each curve; the seconds are logarithmic."""
    rows = -(-len(curves) // COLUMNS)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.0, 2.4 * rows + 0.3), layout="constrained")
        panels = figure.subplots(rows, min(COLUMNS, len(curves)), squeeze=False).ravel()
        for axes in panels:
            axes.set_axis_off()
        for axes, curve in zip(panels, curves, strict=False):
            axes.set_axis_on()
            paint(axes, curve, limit)
        figure.supxlabel("seconds; marks: the contest's tools after an hour", fontsize=9)
        figure.supylabel("answers", fontsize=9)
        picture = io.StringIO()
        figure.savefig(picture, format="svg", metadata={"Date": None, "Creator": None})
    return picture.getvalue()


def paint(axes: Axes, curve: Curve, limit: float) -> None:
    """Draw one curve, and a mark for each tool beside its end."""
    across = [FIRST, *(max(FIRST, second) for second in curve.seconds), limit]
    up = [0, *range(1, len(curve.seconds) + 1), len(curve.seconds)]
    axes.plot(across, up, drawstyle="steps-post", color=CURVE, linewidth=1.6, clip_on=False)
    for number, (mark, (tool, count)) in enumerate(zip(MARKS, curve.tools.items(), strict=False)):
        place = limit * 1.35 ** (number + 1)
        axes.plot([place], [count], mark, color=INK, markersize=4, clip_on=False, label=tool)
    axes.set(xscale="log", xlim=(FIRST, limit * 4), ylim=(0, curve.formulas + 1))
    axes.set_title(curve.title, fontsize=8, loc="left")
    axes.locator_params(axis="y", integer=True, nbins=6)
    axes.grid(color=FAINT, linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)
    if curve.tools:
        axes.legend(loc="lower right", fontsize=6, frameon=False, handletextpad=0.1)


def tools_of(answers: Mapping[str, tuple[object, Iterable[str]]]) -> dict[str, int]:
    """How many formulas each tool answered; the names in alphabetical order."""
    return dict(sorted(Counter(tool for _, tools in answers.values() for tool in tools).items()))


def main() -> None:
    """Run all; write the picture and a row after each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--examinations", default=EXAMINATIONS)
    parser.add_argument("--seconds", type=float, default=SECONDS[-1])
    parser.add_argument("--together", type=int, default=1)
    parser.add_argument("--command", default=COMMAND)
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    options = parser.parse_args()
    verdicts = json.loads(options.verdicts.read_text("utf-8")) if options.verdicts else {}
    limits = [*(seconds for seconds in SECONDS if seconds < options.seconds), options.seconds]
    curves: list[Curve] = []
    write_row(["model and examination", *(f"{limit:g} s" for limit in limits), "in the contest"])
    write_row(["---", *("---:" for _ in limits), "---"])
    chosen = list(examinations(options.folder, options.models, options.examinations.split(",")))

    def answers_of(examined: Examination) -> Sequence[tuple[float, str, str]]:
        words = {name: shlex.quote(word) for name, word in examined.words.items()}
        command = options.command.format(**words, seconds=f"{options.seconds:g}")
        return run(command, options.seconds, 0)

    with ThreadPoolExecutor(options.together) as threads:
        for examined, answers in zip(chosen, threads.map(answers_of, chosen), strict=True):
            known = verdicts.get(examined.folder.name, {}).get(examined.name, {})
            title = f"{examined.folder.name}, {examined.name.removeprefix('Reachability')}"
            formulas = len({name for _, name, _ in answers} | set(known))
            seconds = sorted(moment for moment, _, _ in answers)
            curve = Curve(title, seconds, tools_of(known), formulas)
            contest = ", ".join(f"{tool} {count}" for tool, count in curve.tools.items())
            write_row([title, *map(curve.within, limits), contest])
            curves.append(curve)
            options.picture.write_text(draw(curves, options.seconds), encoding="utf-8")


if __name__ == "__main__":
    main()
