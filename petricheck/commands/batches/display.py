"""The display of a running batch: a board on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from petricheck.commands.shell.live_lines import Board, board
from petricheck.commands.shell.terminal import complain
from petricheck.support.words import printable

if TYPE_CHECKING:
    from petricheck.batch.cells import Cell, CellRecord, Key

FEW = 200
"""Batches of at most this number of cells have a plain line for each cell."""

REFRESH = 0.25
"""Seconds between two drawings of the board."""

PERIOD = 5.0
"""Seconds between two plain lines of a large batch."""


@contextlib.contextmanager
def overview(total: int, done: Iterable[CellRecord]) -> Iterator[ProgressTable | Lines]:
    """Yield the display that fits the standard error, for so many cells, these done already."""
    with board() as drawn:
        if drawn is None:
            yield Lines(total, done)
            return
        table = ProgressTable(total, done)
        ended = threading.Event()
        thread = threading.Thread(target=_show, args=(drawn, table, ended), daemon=True)
        thread.start()
        try:
            yield table
        finally:
            ended.set()
            thread.join()


def _show(drawn: Board, table: ProgressTable, ended: threading.Event) -> None:
    """Draw the table again and again: its clocks go on between two cells."""
    while not ended.wait(REFRESH):
        drawn.show(table.lines)


class Progress:
    """Progress of a batch: the running cells, and the outcomes of recorded ones."""

    def __init__(self, total: int, done: Iterable[CellRecord]) -> None:
        self._total, self._started = total, time.monotonic()
        self._running: dict[Key, float] = {}
        self._states = Counter(record.state for record in done)
        self._resumed = self._done

    @property
    def _done(self) -> int:
        return self._states.total()

    def begin(self, cell: Cell) -> None:
        """Record that a cell begins."""
        self._running[cell.key] = time.monotonic()

    def end(self, record: CellRecord) -> None:
        """Record that a cell has its outcome."""
        self._running.pop(record.cell.key, None)
        self._states[record.state] += 1

    def _fraction(self) -> str:
        return f"{self._done}/{self._total}"

    def _counts(self) -> str:
        right, wrong = self._states["solved"] + self._states["correct"], self._states["wrong"]
        return f"{right} solved, {wrong} wrong, {self._done - right - wrong} without a verdict"

    def _times(self) -> str:
        elapsed, finished = time.monotonic() - self._started, self._done - self._resumed
        remaining = elapsed / finished * (self._total - self._done) if finished else 0.0
        return (
            f"{_clock(elapsed)}, about {_clock(remaining)} left" if remaining else _clock(elapsed)
        )


class ProgressTable(Progress):
    """A table of progress, outcomes, times and running cells."""

    def lines(self) -> list[str]:
        """Return the table as of now; called from the thread that draws."""
        now, running = time.monotonic(), self._running.copy()
        if not running and not self._done:
            return ["reading"]
        return [
            f"{self._fraction()} cells, {self._counts()}, {len(running)} running; {self._times()}",
            *(f"  {cell_name(key)}  {_clock(now - began)}" for key, began in running.items()),
        ]


class Lines(Progress):
    """A line for each cell of a small batch; for a large one regularly, and for errors."""

    _next = 0.0

    def begin(self, cell: Cell) -> None:
        """Note that a cell begins; before the first, report how many were done before."""
        if self._resumed == self._done and not self._running and self._resumed:
            complain(f"{self._resumed} of {self._total} cells are done already")
        super().begin(cell)

    def end(self, record: CellRecord) -> None:
        """Note that a cell is recorded."""
        from petricheck.batch.reports.tables import outcome_text

        super().end(record)
        if record.wrong or record.outcome.status == "error" or self._total <= FEW:
            complain(f"{self._fraction()} {cell_name(record.cell.key)}: {outcome_text(record)}")
        elif time.monotonic() >= self._next or self._done == self._total:
            self._next = time.monotonic() + PERIOD
            complain(f"{self._fraction()} cells: {self._counts()}; {self._times()}")


def cell_name(key: Key) -> str:
    """Return the cell's folder, question and configuration, for people."""
    collection, question, configuration = key
    return printable(f"{collection}/{question} {configuration}".removeprefix("/"))


def _clock(seconds: float) -> str:
    minutes, remainder = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{remainder:02}" if hours else f"{minutes}:{remainder:02}"
