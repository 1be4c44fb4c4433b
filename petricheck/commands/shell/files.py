"""The net of a command, from a file or the standard input."""

from __future__ import annotations

import gc
import os
import sys
from typing import TypeVar

from petricheck.commands.shell.terminal import warn
from petricheck.formats.nets import NetFile, read_net, recognized_net
from petricheck.support.errors import InputError

Result = TypeVar("Result")

STANDARD_INPUT = "-"
"""Stands for the standard input; a file of that name is written ./-."""


def net_file(path: str, net_id: str | None, *, quiet: bool = False) -> NetFile:
    """Return the net in a file, or from the standard input, in any format.

    Unless it is quiet, it warns of unusual parts of the file. InputError as by `read_net`.
    """
    if os.path.isdir(path):
        remedy = "name one net, or decide all that are in it with 'petricheck batch'"
        raise InputError(f"is a folder; {remedy}", path=path)
    if path == STANDARD_INPUT:
        file = recognized_net(sys.stdin.buffer, "standard input", net_id)
    else:
        file = read_net(path, net_id)
    # The net is used until the end: the garbage collector need not search it again, and forked
    # processes share its memory.
    gc.freeze()
    if not quiet:
        warn(file.path, *file.warnings)
    return file


def size_text(file: NetFile) -> str:
    """Return a text with the largest size of an unfolding; empty for nets without colours."""
    if file.coloured is None:
        return ""
    from petricheck.reports.survey.coloured import most_text

    return f"which has {most_text(file.coloured)} at most"
