"""The last lines of a terminal, drawn again and again while something runs."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO

from petricheck.support.processes import supervision
from petricheck.support.words import printable

QUIET_SECONDS = 0.5
"""Shorter runs show no progress."""

PERIOD = 0.1
"""Seconds between two drawings."""


class Board:
    """Lines that change, below all other output."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = time.monotonic() + QUIET_SECONDS
        self._drawn = 0

    def show(self, lines: Callable[[], Iterable[str]]) -> None:
        """Draw these lines, as many as fit, unless the last drawing is less than `PERIOD` ago."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PERIOD
            size = shutil.get_terminal_size()
            self._put(fit([printable(line) for line in lines()], size.columns, size.lines))

    def erase(self) -> None:
        """Remove all lines from the terminal."""
        if self._drawn:
            self._put([])

    def _put(self, lines: Sequence[str]) -> None:
        """Replace what is drawn; the cursor stays on the last line."""
        up = f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else ""
        encoding = getattr(self._stream, "encoding", None) or "utf-8"
        text = "\n".join(lines).encode(encoding, "backslashreplace").decode(encoding)
        # Whoever ends the command in the midst of this removes all lines that may be there.
        self._note(max(self._drawn, len(lines)))
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(f"\r{up}\x1b[J{text}")
            self._stream.flush()
        self._note(len(lines))

    def _note(self, lines: int) -> None:
        if self._drawn != lines:
            self._drawn = lines
            supervision.note_drawing(lines)


@contextlib.contextmanager
def board() -> Iterator[Board | None]:
    """Yield a board on the standard error during the block; None where that is no terminal."""
    global _current
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    _current = drawn = Board(sys.stderr)
    try:
        yield drawn
    finally:
        _current = None
        drawn.erase()


_current: Board | None = None
"""Global, since all that writes to the terminal has to know what is drawn on it."""


def erase_board() -> None:
    """Remove the lines of the current board, before other output is written."""
    if _current is not None:
        _current.erase()


def fit(lines: Sequence[str], columns: int, rows: int) -> list[str]:
    """Return the lines that fit the terminal, cut; the last one counts the omitted lines."""
    height = max(1, rows - 1)
    if len(lines) > height:
        shown = height - 1
        lines = [*lines[:shown], f"and {len(lines) - shown} more"]
    return [line[: columns - 1] for line in lines]
