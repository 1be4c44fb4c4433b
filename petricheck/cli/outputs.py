"""Files to write, which are refused before the work where they could not be written after it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from petricheck.errors import InputError, QueryError


def check_output(path: str) -> None:
    """Refuse before the work a file that could not be written after it.

    What is written to a link is written to what the link names.

    Raises:
        QueryError: no file is named.
        InputError: it is a folder, it may not be written, or it is in no folder.
    """
    if not path:
        raise QueryError("the name of a file to write to is empty; name one, or omit the option")
    folder = os.path.dirname(os.path.realpath(path) if os.path.islink(path) else path) or "."
    if not os.path.isdir(folder):
        raise InputError("there is no such folder to write to", path=folder)
    if os.path.isdir(path):
        raise InputError("is a folder; name a file to write to", path=path)
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise InputError("may not be written", path=path)


def check_apart(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse before the work outputs that would replace an input, or each other.

    Files are compared, not names: there are links, and file systems that ignore case.

    Raises:
        QueryError: it names both.
    """
    owners = {_identity(path): path for path in inputs}
    for path in outputs:
        identity = _identity(path)
        if identity in owners:
            raise QueryError(
                f"the output {path} would replace {owners[identity]}; name another file"
            )
        owners[identity] = path


def _identity(path: str) -> object:
    """Equal for two names of one file."""
    try:
        status = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    except ValueError:  # no name of any file; who reads it says so
        return path
    return status.st_dev, status.st_ino
