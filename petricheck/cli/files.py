"""The net that a command is about: a file, or the standard input."""

from __future__ import annotations

import gc
import os
import sys

from petricheck.cli.terminal import warn
from petricheck.errors import InputError
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
    # It stays until the end: the collector of garbage need not look through it again, and processes
    # that are forked share its memory.
    gc.freeze()
    if not quiet:
        warn(file.path, *file.warnings)
    return file
