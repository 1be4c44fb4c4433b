"""The end of a command: its exit status, and its message where it failed."""

from __future__ import annotations

import contextlib
import errno
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from typing import NoReturn

import click

from petricheck.commands.shell.terminal import complain, discard_output, prepared, say
from petricheck.support.errors import (
    BudgetExhausted,
    Ending,
    EvidenceError,
    InputError,
    InternalError,
    PetricheckError,
    is_debugging,
    is_fault,
)
from petricheck.support.files import reason
from petricheck.support.processes import interruption, supervision, supervisor


class Status(IntEnum):
    """Exit statuses."""

    DECIDED = 0
    UNKNOWN = supervisor.UNKNOWN
    USAGE = 2
    REFUSED = 3
    REJECTED = 4
    CONTRADICTED = 5
    INTERRUPTED = supervisor.INTERRUPTED
    UNREAD = supervisor.UNREAD


HELP = """\
Exit status: 0 answered, 1 unknown, 2 wrong usage or question, 3 file refused, 4 evidence rejected
or internal error, 5 not as expected, 130 interrupted."""


def outcome(command: Callable[[], None]) -> Status:
    """Run the command and return its exit status; report its failure.

    With --json the standard output also gets an object, on one line, with `error`, `status` (the
    exit status), and `ending` where a search was cut off. Wrong usage is left to click, and so is
    an exit status that the command chose.
    """
    try:
        with interruption.terminable():
            _prepare_fallback()
            command()
        return Status.DECIDED
    except click.exceptions.Exit:
        raise
    except click.ClickException as error:
        _say_as_json(error, error.format_message(), error.exit_code)
        raise
    except BaseException as error:
        message, status = _message_and_status(error)
        if status is Status.UNREAD:
            discard_output()
            return status
        _say_as_json(error, message, status)
        _complain(error, message)
        return status


def _prepare_fallback() -> None:
    """Prepare the supervisor's report for a command that has prepared nothing else."""

    def report(error: BaseException) -> Status:
        message, status = _message_and_status(error)
        _say_as_json(error, message, status)
        complain(message)
        return status

    errors = {Ending.INTERRUPTED: KeyboardInterrupt(), Ending.FAILED: MemoryError()}
    pieces = {ending.value: prepared(partial(report, error)) for ending, error in errors.items()}
    supervision.keep(supervision.FALLBACK, pieces)


def report_misread(error: click.ClickException, words: Sequence[str]) -> None:
    """Report words that are no command as JSON for programs; click reports them to people.

    The words are not parsed yet: --json anywhere before -- requests the object.
    """
    options = words[: words.index("--")] if "--" in words else words
    if "--json" in options:
        _say_object({"error": error.format_message(), "status": error.exit_code})


def report_failure(error: PetricheckError) -> Status:
    """Report a failure after all other output, and return the exit status."""
    message, status = _message_and_status(error)
    _complain(error, message)
    return status


def _message_and_status(error: BaseException) -> tuple[str, Status]:
    match error:
        case KeyboardInterrupt() | click.Abort():
            return "unknown: interrupted", Status.INTERRUPTED
        case MemoryError():
            remedy = "use a machine with more, or a smaller net"
            return f"unknown: memory ran out; {remedy}", Status.UNKNOWN
        case OSError(errno=errno.EPIPE):
            return "the reader closed the output", Status.UNREAD
        case OSError(filename=str(name)):
            return f"{name}: {reason(error)}", Status.REFUSED
        case OSError():
            return reason(error), Status.REFUSED
        case InternalError():
            return f"internal error: {error}", Status.REJECTED
        case InputError():
            return str(error), Status.REFUSED
        case EvidenceError():
            return str(error), Status.REJECTED
        case BudgetExhausted():
            return f"unknown: {error}", Status.UNKNOWN
        case PetricheckError():
            return str(error), Status.USAGE
        case Exception():
            return f"internal error: {type(error).__name__}: {error}", Status.REJECTED
        case _:
            raise error


def _say_as_json(error: BaseException, message: str, status: int) -> None:
    """Print the object for programs, where --json is given."""
    context = click.get_current_context(silent=True)
    if context is not None and context.params.get("as_json", False):
        fields: dict[str, str | int] = {"error": message, "status": int(status)}
        ending = error.ending if isinstance(error, BudgetExhausted) else _ENDINGS.get(type(error))
        if ending is not None:
            fields["ending"] = ending.value
        _say_object(fields)


_ENDINGS = {
    MemoryError: Ending.MEMORY,
    KeyboardInterrupt: Ending.INTERRUPTED,
    click.Abort: Ending.INTERRUPTED,
}


def _say_object(fields: dict[str, str | int]) -> None:
    with contextlib.suppress(OSError, ValueError):
        say(json.dumps(fields))


def _complain(error: BaseException, message: str) -> None:
    complain(message)
    if isinstance(error, EvidenceError | click.Abort) or not is_fault(error):
        return
    context = click.get_current_context(silent=True)
    verbose = context is not None and context.params.get("verbose", False)
    if verbose or is_debugging():
        complain("".join(traceback.format_exception(error)))
    else:
        complain("please report it; PETRICHECK_DEBUG=1 in the environment shows where it happened")


def exit_with(status: Status) -> NoReturn:
    """End the command with this exit status."""
    sys.stdout.flush()
    raise click.exceptions.Exit(status)
