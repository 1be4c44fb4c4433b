"""Every error petricheck raises on purpose.

PetricheckError
├── InputError        a net or another file was refused          exit status 3
│   ├── NetTypeError  the net is of another type                 exit status 3
│   └── NoProperties  the file holds something else              exit status 3
├── QueryError        the question was refused                   exit status 2
├── EvidenceError     evidence failed its audit                  exit status 4
├── InternalError     petricheck contradicted itself             exit status 4
├── Refused           evidence that proves nothing               others go on
├── NotLifted         evidence about a smaller net only          others go on
└── BudgetExhausted   time, memory or patience ran out           ends as Unknown
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum

_WIDTH = 72
"""Characters of a question in a message."""


class Ending(Enum):
    """The ending of a search without a verdict; the value is its word for people and programs."""

    TIME = "time"
    MEMORY = "memory"
    INTERRUPTED = "interrupted"
    GAVE_UP = "gave up"
    """A limit of the engine itself, or of a solver, or nothing left to try."""
    NO_PROGRESS = "no progress"
    NOT_APPLICABLE = "not applicable"
    """The engine is for other questions."""
    FAILED = "failed"
    """It crashed, or its evidence was refused."""


class PetricheckError(Exception):
    """The base class of all errors; its text can be shown to a user."""


class InputError(PetricheckError):
    """A file was refused.

    Attributes:
        path: the file, or None where the text did not come from one.
        line: 1-based line in it, or None where no line is to blame.
    """

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.message = message
        self.path = path
        self.line = line
        location = [part for part in (path, None if line is None else f"line {line}") if part]
        super().__init__(": ".join([*location, message]))


class NetTypeError(InputError):
    """The file says that its net is of another type, such as timed nets."""


class NoProperties(InputError):
    """The file has something else than properties."""


class QueryError(PetricheckError):
    """A question was refused.

    Attributes:
        text: the question as given.
        position: 0-based index of the offending character, or None.
    """

    def __init__(self, message: str, *, text: str = "", position: int | None = None) -> None:
        self.message = message
        self.text = text
        self.position = position
        pointed = position is not None and text.strip()
        super().__init__(f"{message}\n{pointer(text, position or 0)}" if pointed else message)


class EvidenceError(PetricheckError):
    """The error that evidence does not prove the verdict it is given for."""


class InternalError(PetricheckError):
    """An engine's own evidence failed the audit, or an invariant of the code broke."""


class Refused(PetricheckError):
    """The error that evidence is not accepted, while that of others may be; its text says why.

    Attributes:
        is_false: whether it failed the audit, so that the program is to blame.
    """

    def __init__(self, message: str = "", *, is_false: bool = False) -> None:
        self.is_false = is_false
        super().__init__(message)


class NotLifted(PetricheckError):
    """The error that evidence about a smaller net cannot become evidence about the larger one."""


class BudgetExhausted(PetricheckError):
    """A limit was reached; the text names the limit and says what to try.

    Attributes:
        ending: which kind of limit.
    """

    def __init__(self, message: str, ending: Ending = Ending.GAVE_UP) -> None:
        self.ending = ending
        super().__init__(message)


def is_fault(error: BaseException) -> bool:
    """Return whether the program is to blame: nobody raises such an error on purpose."""
    if isinstance(error, EvidenceError | InternalError):
        return True
    return not isinstance(error, PetricheckError | MemoryError | OSError | KeyboardInterrupt)


def described(error: Exception) -> str:
    """Return the error as a reason why something failed: with its type unless it is our own."""
    if isinstance(error, PetricheckError):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def is_debugging() -> bool:
    """Return whether the environment asks for tracebacks, with PETRICHECK_DEBUG."""
    return bool(os.environ.get("PETRICHECK_DEBUG"))


def show_traceback(error: Exception) -> None:
    """Write to the standard error where a fault happened, in any process, if that is asked for.

    For faults that end a part of the work and not the command.
    """
    if is_fault(error) and is_debugging():
        with suppress(OSError):
            os.write(2, "".join(traceback.format_exception(error)).encode("utf-8", "replace"))


@contextmanager
def refusing_faults(subject: str) -> Iterator[None]:
    """Turn faults of the program into an `InternalError` about the subject."""
    try:
        yield
    except Exception as error:
        if isinstance(error, InternalError) or not is_fault(error):
            raise
        raise InternalError(f"{subject} failed: {described(error)}") from error


@contextmanager
def noting(progress: Callable[[], str]) -> Iterator[None]:
    """Add a note on progress to a `BudgetExhausted` that ends the work inside."""
    try:
        yield
    except BudgetExhausted as error:
        error.add_note(progress())
        raise


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return `; did you mean …?` with names that resemble an unknown one; "" if none does."""
    import difflib  # for mistakes only

    close = difflib.get_close_matches(name, [*names], n=2, cutoff=0.72)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


def pointer(text: str, position: int) -> str:
    """Return the line of `text` around `position`, with a caret under it."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line = text[start : end if end >= 0 else len(text)]
    column = position - start
    cut = max(0, column - _WIDTH // 2)
    excerpt = line[cut : cut + _WIDTH]
    return f"  {excerpt}\n  {' ' * (column - cut)}^"
