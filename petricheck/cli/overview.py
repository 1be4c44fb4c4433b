"""What is seen of a batch while it runs: a board on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from petricheck.cli.board import Board, board
from petricheck.cli.terminal import complain
from petricheck.words import printable

if TYPE_CHECKING:
    from petricheck.batch.cells import Key, Record
    from petricheck.batch.run import Progress

FEW = 200
"""Batches of so many cells have a plain line for each; larger ones one now and then."""

REFRESH = 0.25
"""Seconds between two drawings of the board."""

PERIOD = 5.0
"""Seconds between two plain lines of a large batch."""


@contextlib.contextmanager
def overview() -> Iterator[Table | Lines]:
    """What suits the standard error."""
    with board() as drawn:
        if drawn is None:
            yield Lines()
            return
        table = Table()
        done = threading.Event()
        thread = threading.Thread(target=_show, args=(drawn, table, done), daemon=True)
        thread.start()
        try:
            yield table
        finally:
            done.set()
            thread.join()


def _show(drawn: Board, table: Table, done: threading.Event) -> None:
    """Draw the table again and again: its clocks run on between two cells."""
    while not done.wait(REFRESH):
        drawn.show(table.lines)


class Table:
    """How far, how good, how long, and what runs."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._since = time.monotonic()
        self._began: dict[Key, float] = {}

    def tell(self, progress: Progress) -> None:
        """A cell has begun or ended."""
        now = time.monotonic()
        self._progress, self._since = progress, now
        self._began = {key: self._began.get(key, now) for key in progress.running}

    def note(self, record: Record) -> None:
        """A cell is recorded, which the progress tells."""

    def lines(self) -> list[str]:
        """The table as of now; called from the thread that draws."""
        progress, began = self._progress, self._began
        if progress is None:
            return ["reading"]
        now = time.monotonic()
        return [
            f"{progress.done}/{progress.total} cells, {_counts(progress)},"
            f" {len(progress.running)} running; {_times(progress, now - self._since)}",
            *(f"  {_name(key)}  {_clock(now - moment)}" for key, moment in began.items()),
        ]


class Lines:
    """A line for each cell of a small batch; of a large one now and then, and for what is odd."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._next = 0.0

    def tell(self, progress: Progress) -> None:
        """A cell has begun or ended."""
        first = self._progress is None
        self._progress = progress
        if first and progress.resumed:
            complain(f"{progress.resumed} of {progress.total} cells are done already")

    def note(self, record: Record) -> None:
        """A cell is recorded."""
        from petricheck.batch.reports.tables import outcome_text

        progress = self._progress
        assert progress is not None
        odd = record.wrong or record.outcome.status == "error"
        if odd or progress.total <= FEW:
            outcome = outcome_text(record)
            complain(f"{progress.done}/{progress.total} {_name(record.cell.key)}: {outcome}")
        elif time.monotonic() >= self._next or progress.done == progress.total:
            self._next = time.monotonic() + PERIOD
            so_far = f"{progress.done}/{progress.total} cells: {_counts(progress)}"
            complain(f"{so_far}; {_times(progress, 0.0)}")


def _counts(progress: Progress) -> str:
    others = progress.done - progress.right - progress.wrong
    return f"{progress.right} solved, {progress.wrong} wrong, {others} without a verdict"


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
