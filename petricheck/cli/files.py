"""The files of a command: nets to read, and files to write, which are checked before the work."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from petricheck.cli.terminal import warn
from petricheck.errors import InputError, QueryError
from petricheck.formats import NetFile, read_net, recognized_net

STANDARD_INPUT = "-"
"""Stands for the standard input; a file of that name is written ./-."""


def net_file(path: str, net_id: str | None, *, quiet: bool = False) -> NetFile:
    """The net in a file, or the one that comes from the standard input, in whatever format.

    Unless it is to be quiet, it warns of what is odd about the file.

    Raises:
        InputError: it cannot be read, is too large, or was refused.
    """
    if os.path.isdir(path):
        remedy = "name one net, or decide all that are in it with 'petricheck batch'"
        raise InputError(f"is a folder; {remedy}", path=path)
    if path == STANDARD_INPUT:
        file = recognized_net(sys.stdin.buffer, "standard input", net_id)
    else:
        file = read_net(path, net_id)
    if not quiet:
        warn(file.path, *file.warnings)
    return file


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
