"""Output: answers to the standard output, all else to the standard error."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TextIO, TypeVar

import click

from petricheck.commands.shell.live_lines import Board, board, erase_board
from petricheck.support.budget import Event, Turn, unwatched
from petricheck.support.compilation import progress_line
from petricheck.support.processes import supervision
from petricheck.support.processes.supervisor import Piece
from petricheck.support.words import printable

Result = TypeVar("Result")


@dataclass(slots=True)
class _Record:
    """Output that is recorded instead of written."""

    output: bytearray = field(default_factory=bytearray)
    errors: bytearray = field(default_factory=bytearray)


_record: ContextVar[_Record | None] = ContextVar("_record", default=None)
"""Global, since it redirects all that a block says, as `contextlib.redirect_stdout` does."""


@contextlib.contextmanager
def _recording() -> Iterator[_Record]:
    """Yield a record of the block's output; other threads can still write."""
    record = _Record()
    token = _record.set(record)
    try:
        yield record
    finally:
        _record.reset(token)


def prepared(write: Callable[[], int]) -> Piece:
    """Return the output and the exit status of a function, without writing anything."""
    with _recording() as record:
        status = write()
    return Piece(bytes(record.output), bytes(record.errors), int(status))


def publish(write: Callable[[], Result], after: Callable[[], None]) -> Result:
    """Record the output of `write`, then print it in a turn, which ends with `after`.

    So the command can be ended while it composes the output, and the output is whole. Signals wait:
    otherwise the output could be neither printed nor prepared.
    """
    record = _Record()
    with supervision.undisturbed():
        try:
            with _recording() as record:
                return write()
        finally:
            with supervision.turn():
                try:
                    _write(bytes(record.output))
                finally:
                    after()
            _write_errors(bytes(record.errors))


def _write(data: bytes) -> None:
    if (record := _record.get()) is not None:
        record.output += data
    elif data:
        with supervision.turn():
            _echo(data, sys.stdout)


def _write_errors(data: bytes) -> None:
    if (record := _record.get()) is not None:
        record.errors += data
    elif data:
        with contextlib.suppress(OSError, ValueError):
            _echo(data, sys.stderr)


def _echo(data: bytes, stream: TextIO) -> None:
    """Write all data to the stream, which may accept text only."""
    erase_board()
    if not hasattr(stream, "buffer"):
        click.echo(data.decode(_encoding(stream)), stream, nl=False, color=True)
        return
    stream.flush()
    unwritten = memoryview(data)
    while unwritten:
        # Python without buffers writes a part only where a signal comes in between.
        unwritten = unwritten[stream.buffer.write(unwritten) :]
    stream.buffer.flush()


def say(text: str) -> None:
    """Write the text and a newline to the standard output."""
    _write(_writable(f"{text}\n", sys.stdout))


def say_script(text: str) -> None:
    """Write lines for other programs as they are, in UTF-8; a terminal gets what `say` writes."""
    if sys.stdout.isatty():
        say(text)
    else:
        _write(f"{text}\n".encode())


def say_verdict(word: str, after: str = "", *, before: str = "", tone: str = "") -> None:
    """Write the three texts in a row and a newline; a terminal shows the word in colour.

    The colour is that of the tone, by default of the word: green only for what users hope for.
    """
    after = _folded(f"{after}\n", sys.stdout)
    parts = [_writable(text, sys.stdout) for text in (before, word, after)]
    # See https://no-color.org.
    allowed = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    if allowed and sys.stdout.isatty():
        colour = _COLOURS.get(tone or _TONES.get(word, ""), "cyan")
        text = click.style(printable(word), fg=colour, bold=True)
        parts[1] = text.encode(_encoding(sys.stdout), "backslashreplace")
    _write(b"".join(parts))


_COLOURS = {"good": "green", "bad": "red", "open": "yellow"}

_TONES = {
    "holds": "good",
    "violated": "bad",
    "unknown": "open",
    "refused": "open",
    "accepted": "good",
    "rejected": "bad",
}


def complain(text: str) -> None:
    """Write the text to the standard error, after the program's name; failures are ignored."""
    _write_errors(_writable(_folded(f"petricheck: {text}\n", sys.stderr), sys.stderr))


def warn(path: str, *warnings: str) -> None:
    """Print warnings about a file to the standard error."""
    for warning in warnings:
        complain(f"{path}: warning: {warning}")


def discard_output() -> None:
    """Redirect the standard output to /dev/null, so that closing it does not fail again."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


@contextlib.contextmanager
def progress(*, verbose: bool) -> Iterator[Callable[[Event], None]]:
    """Yield the receiver of events; it draws lines that disappear, and only on a terminal.

    Verbose progress is one line for each event, also where the standard error is no terminal.
    """
    if verbose:
        yield lambda event: complain(str(event))
        return
    with board() as drawn:
        if drawn is None:
            yield unwatched
        else:
            yield _Messages(drawn).receive


class _Messages:
    """The latest message of each running engine on a board, or one line without engines."""

    def __init__(self, drawn: Board) -> None:
        self._board = drawn
        self._messages: dict[str, str] = {}
        self._began: dict[str, float] = {}

    def receive(self, event: Event) -> None:
        """Store the event's message, and show all messages."""
        name = event.engine
        if name:
            self._messages.pop("", None)
        if event.turn in (Turn.WAITS, Turn.GAVE_UP, Turn.FAILED, Turn.ENDS):
            self._messages.pop(name, None)
            self._began.pop(name, None)
        else:
            self._messages[name] = str(replace(event, engine=""))
            self._began.setdefault(name, time.monotonic())
        self._board.show(self._lines)

    def _lines(self) -> list[str]:
        now = time.monotonic()
        lines = (
            f"{name}: {message} ({now - self._began[name]:.0f} s)" if name else message
            for name, message in self._messages.items()
        )
        return [*lines, *filter(None, [progress_line()])]


def _folded(text: str, stream: TextIO) -> str:
    """Return the text with line breaks at blanks where a terminal would break lines anywhere."""
    if not stream.isatty():
        return text
    columns = shutil.get_terminal_size().columns
    return "\n".join(part for line in text.split("\n") for part in _parts(line, columns))


def _parts(line: str, columns: int) -> Iterator[str]:
    """Yield the line in parts that fit, if no word is longer; later ones are indented by more."""
    indent = " " * (len(line) - len(line.lstrip(" ")))
    part, *words = line.split(" ")
    for word in words:
        if part.strip(" ") and len(part) + 1 + len(word) > columns:
            yield part
            part = f"{indent}  {word}"
        else:
            part += f" {word}"
    yield part


def _writable(text: str, stream: TextIO) -> bytes:
    """Return the text without terminal controls and characters that the stream cannot encode.

    Line breaks remain; names do not contain any, since `printable` has replaced them.
    """
    plain = "\n".join(map(printable, text.split("\n")))
    return plain.encode(_encoding(stream), "backslashreplace")


def _encoding(stream: TextIO) -> str:
    return getattr(stream, "encoding", None) or "utf-8"
