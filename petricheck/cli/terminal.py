"""What is written where: answers to the standard output, all else to the standard error."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import TextIO

import click

from petricheck.presburger.text import printable

QUIET_SECONDS = 0.5
"""Shorter runs show no progress."""

PERIOD = 0.1
"""Seconds between two drawings of the progress."""


def say(text: str) -> None:
    """Write the text and a newline to the standard output."""
    click.echo(_writable(text, sys.stdout))


def complain(text: str) -> None:
    """Write the text to the standard error, after the program's name; failures are ignored."""
    with contextlib.suppress(OSError, ValueError):
        click.echo(_writable(f"petricheck: {text}", sys.stderr), err=True)


def reason(error: OSError) -> str:
    """What the system says of a failure."""
    return error.strerror or str(error)


def discard_output() -> None:
    """Forget what nobody reads any more, so that closing it does not fail again."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


@contextlib.contextmanager
def progress(*, verbose: bool) -> Iterator[Callable[[str], None]]:
    """A receiver of progress, drawn on one line that disappears, and only on a terminal.

    Verbose progress is one line each, wherever the standard error goes.
    """
    if verbose:
        yield complain
    elif sys.stderr.isatty():
        line = _Line(sys.stderr)
        try:
            yield line.draw
        finally:
            line.clear()
    else:
        yield _ignore


class _Line:
    """The last line of a terminal, drawn over again and again."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = time.monotonic() + QUIET_SECONDS
        self._width = 0

    def draw(self, text: str) -> None:
        """Show the text, unless something was drawn a moment ago."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + PERIOD
            columns = shutil.get_terminal_size().columns
            self._put(_writable(text, self._stream)[: columns - 1])

    def clear(self) -> None:
        """Leave the line empty."""
        if self._width:
            self._put("")
            self._put("")

    def _put(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write("\r" + text.ljust(self._width))
            self._stream.flush()
        self._width = len(text)


def _ignore(_: str) -> None:
    """Progress that nobody watches."""


def _writable(text: str, stream: TextIO) -> str:
    """The text without what could steer a terminal or what the stream cannot encode.

    Line breaks stay; where a name is told, `printable` has seen to them.
    """
    plain = "\n".join(map(printable, text.split("\n")))
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return plain.encode(encoding, "backslashreplace").decode(encoding)
