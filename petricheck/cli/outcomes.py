"""How a command ends: its exit status, and what is said where it failed."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType

import click

from petricheck.cli.terminal import complain, discard_output, reason
from petricheck.errors import EvidenceError, InputError, InternalError, PetricheckError, QueryError


class Status(IntEnum):
    """Exit statuses."""

    DECIDED = 0
    UNKNOWN = 1
    USAGE = 2
    REFUSED = 3
    REJECTED = 4
    CONTRADICTED = 5
    INTERRUPTED = 130
    UNREAD = 141


HELP = """\
Exit status: 0 a verdict, audited, either way; 1 unknown; 2 wrong usage, or a question that makes
no sense; 3 a file was refused; 4 evidence was rejected, or an internal error; 5 another verdict
than --expect says; 130 interrupted."""


def outcome(command: Callable[[], None]) -> Status:
    """Run the command and say how it ended; whatever went wrong has been reported.

    Raises:
        click.ClickException: wrong usage, which click reports.
        click.exceptions.Exit: the command chose its exit status.
    """
    try:
        with _terminable():
            command()
        return Status.DECIDED
    except (click.ClickException, click.exceptions.Exit):
        raise
    except (KeyboardInterrupt, click.Abort):
        complain("unknown: interrupted")
        return Status.INTERRUPTED
    except MemoryError:
        complain("unknown: memory ran out; use a machine with more, or a smaller net")
        return Status.UNKNOWN
    except OSError as error:
        return _system_failure(error)
    except PetricheckError as error:
        return _failure(error)
    except Exception as error:
        complain(f"internal error: {type(error).__name__}: {error}")
        return _internal()


def _failure(error: PetricheckError) -> Status:
    match error:
        case InternalError():
            complain(f"internal error: {error}")
            return _internal()
        case InputError():
            status = Status.REFUSED
        case EvidenceError():
            status = Status.REJECTED
        case QueryError() | _:
            status = Status.USAGE
    complain(str(error))
    return status


def _system_failure(error: OSError) -> Status:
    if error.errno == errno.EPIPE:
        discard_output()
        return Status.UNREAD
    complain(f"{error.filename}: {reason(error)}" if error.filename else reason(error))
    return Status.REFUSED


def _internal() -> Status:
    context = click.get_current_context(silent=True)
    verbose = context is not None and context.params.get("verbose", False)
    if verbose or os.environ.get("PETRICHECK_DEBUG"):
        import traceback

        complain(traceback.format_exc())
    else:
        complain("please report it; PETRICHECK_DEBUG=1 in the environment shows where it happened")
    return Status.REJECTED


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM interrupts like SIGINT."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def leave(status: Status) -> None:
    """End the command with this exit status."""
    sys.stdout.flush()
    raise click.exceptions.Exit(status)
