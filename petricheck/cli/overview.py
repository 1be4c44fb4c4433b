"""What is seen of a batch while it runs: a board on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

from petricheck.cli.terminal import complain
from petricheck.words import printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from petricheck.batch.cells import Key, Record
    from petricheck.batch.run import Progress

FEW = 200
"""Batches of so many cells have a plain line for each; larger ones one now and then."""

PERIOD = 5.0
"""Seconds between two plain lines of a large batch."""


class Overview(Protocol):
    """Whom a run tells."""

    def tell(self, progress: Progress) -> None:
        """A cell has begun or ended."""

    def note(self, record: Record) -> None:
        """A cell is recorded."""


@contextlib.contextmanager
def overview() -> Iterator[Overview]:
    """What suits the standard error."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        from rich.console import Console
        from rich.live import Live

        console = Console(file=sys.stderr)
        board = _Board(console)
        with Live(
            get_renderable=board.drawn,
            console=console,
            transient=True,
            refresh_per_second=4,
            redirect_stdout=False,
            redirect_stderr=False,
        ):
            yield board
    else:
        yield _Lines()


class _Board:
    """The last lines of a terminal: how far, how good, how long, and what runs."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._progress: Progress | None = None
        self._told = time.monotonic()
        self._began: dict[Key, float] = {}

    def tell(self, progress: Progress) -> None:
        now = time.monotonic()
        self._progress, self._told = progress, now
        self._began = {key: self._began.get(key, now) for key in progress.running}

    def note(self, record: Record) -> None:
        """What is recorded is counted in the progress."""

    def drawn(self) -> RenderableType:
        """The lines as of now; called from the thread that draws."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        progress, began = self._progress, self._began
        if progress is None:
            return Text("reading")
        now = time.monotonic()
        head = Table.grid(padding=(0, 2))
        bar = ProgressBar(
            max(1, progress.total),
            progress.done,
            width=24,
            complete_style="cyan",
            finished_style="green",
        )
        times = _times(progress, now - self._told)
        short = Text(times, no_wrap=True, overflow="ellipsis")
        head.add_row(Text(f"{progress.done}/{progress.total} cells", no_wrap=True), bar, short)
        rows = [head, _counted(progress)]
        room = max(1, self._console.height - 4)
        for key, moment in list(began.items())[:room]:
            rows.append(Text(f"  {_name(key)}  {_clock(now - moment)}"))
        if len(began) > room:
            rows.append(Text(f"  and {len(began) - room} more"))
        for row in rows:
            if isinstance(row, Text):
                row.no_wrap, row.overflow = True, "ellipsis"
        return Group(*rows)


def _counted(progress: Progress) -> RenderableType:
    from rich.text import Text

    text = Text("  ")
    text.append(f"{progress.right} solved", style="green")
    text.append(", ")
    text.append(f"{progress.wrong} wrong", style="bold red" if progress.wrong else "")
    text.append(f", {_open(progress)} without a verdict, {len(progress.running)} running")
    return text


class _Lines:
    """A line for each cell of a small batch; of a large one now and then, and for what is odd."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._next = 0.0

    def tell(self, progress: Progress) -> None:
        first = self._progress is None
        self._progress = progress
        if first and progress.resumed:
            complain(f"{progress.resumed} of {progress.total} cells are done already")

    def note(self, record: Record) -> None:
        from petricheck.batch.reports.tables import told

        progress = self._progress
        assert progress is not None
        odd = record.wrong or record.outcome.status == "error"
        if odd or progress.total <= FEW:
            said = " ".join(told(record).split())
            complain(f"{progress.done}/{progress.total} {_name(record.cell.key)}: {said}")
        elif time.monotonic() >= self._next or progress.done == progress.total:
            self._next = time.monotonic() + PERIOD
            complain(
                f"{progress.done}/{progress.total} cells: {progress.right} solved,"
                f" {progress.wrong} wrong, {_open(progress)} without a verdict;"
                f" {_times(progress, 0.0)}"
            )


def _open(progress: Progress) -> int:
    return progress.done - progress.right - progress.wrong


def _times(progress: Progress, since: float) -> str:
    """Elapsed and left; `since` the progress was told, so many seconds have gone."""
    left = progress.seconds_left
    elapsed = _clock(progress.seconds + since)
    return f"{elapsed}, about {_clock(max(0.0, left - since))} left" if left else elapsed


def _name(key: Key) -> str:
    collection, question, configuration = key
    return printable(f"{collection}/{question} {configuration}".removeprefix("/"))


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
