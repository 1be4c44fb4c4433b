"""Counts what `petricheck mcc` answers within several limits; fails where something is lost.

    python docs/answers.py FOLDER [--against COMMAND] > table.md

FOLDER holds folders of the contest's models, at any depth; `docs/answers.txt` names those that are
decided, one after the other, so that nothing else should run meanwhile. It is a loss where more
time answers less, where the other command answers more within the same limit, and where two runs
contradict each other. A difference of one answer counts only if the run that answered less does so
once more. The exit status is 1 if anything is lost, and each loss has a line below the table.

In a command {folder} is the model's folder, {net} and {formulas} are its files, {examination} is
the name of the examination, and {seconds} the limit. A command without a limit, such as

    old/petricheck {net} --properties {formulas} --timeout 3 --mcc

runs once and is ended at the longest limit; its answers count by when they came.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

COMMAND = "petricheck mcc {folder} --examination {examination} --timeout {seconds}"
EXAMINATIONS = "ReachabilityCardinality,ReachabilityFireability"
LIMITS = "15,30,60"
GRACE = 1.0
"""Seconds after the limit in which answers count, and a program may end."""

Answers: TypeAlias = Mapping[str, str]
"""Truth values or numbers by the ids of formulas."""


@dataclass(frozen=True, slots=True)
class Examination:
    """An examination of a model."""

    folder: Path
    name: str

    @property
    def words(self) -> dict[str, str]:
        """What the fields of a command stand for; empty where a file is missing."""
        files = {"net": self.file("model.pnml"), "formulas": self.file(f"{self.name}.xml")}
        return {**files, "folder": str(self.folder), "examination": self.name}

    def file(self, name: str) -> str:
        """The path of a file, which may be compressed; empty if there is none."""
        paths = (self.folder / name, self.folder / f"{name}.gz")
        return next((str(path) for path in paths if path.exists()), "")


@cache
def run(command: str, seconds: float, attempt: int) -> Sequence[tuple[float, str, str]]:
    """Run a command up to a limit; return its answers: seconds, id and value.

    Runs that differ in nothing but the attempt are the same run again.
    """
    process = subprocess.Popen(
        shlex.split(command),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    began = time.monotonic()
    answers: list[tuple[float, str, str]] = []
    timer = threading.Timer(seconds + GRACE, end, [process.pid])
    timer.start()
    for line in process.stdout:
        if answer := re.match(r"FORMULA (\S+) (TRUE|FALSE|\d+|\+inf)\b", line):
            answers.append((time.monotonic() - began, answer[1], answer[2]))
    timer.cancel()
    end(process.pid)
    process.wait()
    return answers


def end(process: int) -> None:
    """End a program with all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


@dataclass
class Column:
    """What one command answers of an examination within each limit.

    Attributes:
        title: of the command.
        command: with the limit as its only field.
        limits: in seconds, growing.
        repeated: limits for which it ran twice, so that the better run counts.
    """

    title: str
    command: str
    limits: Sequence[float]
    repeated: set[float] = field(default_factory=set)

    def answers(self, limit: float) -> Answers:
        """The answers within a limit."""
        attempts = range(2 if limit in self.repeated else 1)
        return max((self._attempt(limit, attempt) for attempt in attempts), key=len)

    def _attempt(self, limit: float, attempt: int) -> Answers:
        seconds = limit if "{seconds}" in self.command else self.limits[-1]
        found = run(self.command.format(seconds=f"{seconds:g}"), seconds, attempt)
        return {name: value for moment, name, value in found if moment <= limit + GRACE}

    def has_less(self, limit: float, other: Answers) -> bool:
        """Whether it answers less than this, once more if it is one answer only."""
        if len(other) - len(self.answers(limit)) == 1:
            self.repeated.add(limit)
        return len(self.answers(limit)) < len(other)


def losses(columns: Sequence[Column], limits: Sequence[float]) -> Iterator[str]:
    """What is lost in an examination, by the first command or within a longer limit."""
    first, *others = columns
    for short, long in pairwise(limits):
        if first.has_less(long, first.answers(short)):
            counts = (f"{len(first.answers(s))} in {s:g} s" for s in (short, long))
            yield f"more time answers less: {', '.join(counts)}"
    for other in others:
        for limit in limits:
            if first.has_less(limit, other.answers(limit)):
                counts = (f"{c.title} {len(c.answers(limit))}" for c in columns)
                yield f"less than the other: {', '.join(counts)} in {limit:g} s"
    seen: dict[str, set[str]] = {}
    for column in columns:
        for limit in limits:
            for name, value in column.answers(limit).items():
                seen.setdefault(name, set()).add(value)
    for name, values in seen.items():
        if len(values) > 1:
            yield f"contradiction: {name} is {' and '.join(sorted(values))}"


def write_row(cells: Iterable[object]) -> None:
    """Write a row of Markdown at once."""
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


def examinations(
    folder: Path, models: Iterable[str], names: Sequence[str]
) -> Iterator[Examination]:
    """The examinations whose files are there; a model that is missing ends the program."""
    folders = {path.parent.name: path.parent for path in folder.glob("**/model.pnml*")}
    for model in models:
        if model not in folders:
            sys.exit(f"{folder} holds no model {model}")
        for name in names:
            examination = Examination(folders[model], name)
            if examination.words["formulas"]:
                yield examination


def compare(examined: Examination, options: argparse.Namespace) -> tuple[list[int], list[str]]:
    """Return the numbers of answers of an examination, and what is lost."""
    limits = sorted(map(float, options.seconds.split(",")))
    words = {name: shlex.quote(word) for name, word in examined.words.items()}
    commands = {"new": options.command, "other": options.against}
    columns = [
        Column(title, command.format(**words, seconds="{seconds}"), limits)
        for title, command in commands.items()
        if command
    ]
    lost = list(losses(columns, limits))
    return [len(column.answers(limit)) for column in columns for limit in limits], lost


def main() -> None:
    """Print the table, then what is lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=Path(__file__).with_suffix(".txt"))
    parser.add_argument("--examinations", default=EXAMINATIONS)
    parser.add_argument("--seconds", default=LIMITS)
    parser.add_argument("--command", default=COMMAND)
    parser.add_argument("--against", metavar="COMMAND")
    options = parser.parse_args()
    limits = [f"{float(limit):g} s" for limit in sorted(options.seconds.split(","), key=float)]
    titles = [*limits, *(f"other, {limit}" for limit in limits if options.against)]
    write_row(["model", "examination", *titles])
    write_row(["---", "---", *("---:" for _ in titles)])
    totals, lost = [0] * len(titles), []
    models = options.models.read_text("utf-8").split()
    for examined in examinations(options.folder, models, options.examinations.split(",")):
        counts, losses = compare(examined, options)
        totals = [total + count for total, count in zip(totals, counts, strict=True)]
        lost += [f"{examined.folder.name}, {examined.name}: {loss}\n" for loss in losses]
        write_row([examined.folder.name, examined.name, *counts])
    write_row(["*all*", "", *totals])
    sys.stdout.writelines(["\n", *lost])
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
