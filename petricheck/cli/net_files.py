"""The net that a command is about: in a file, or from the standard input."""

from __future__ import annotations

import os
import sys

from petricheck.errors import InputError
from petricheck.formats import NetFile, read_net, recognized_net

STANDARD_INPUT = "-"
"""Stands for the standard input; a file of that name is written ./-."""


def net_file(path: str, net_id: str | None) -> NetFile:
    """The net in a file, or the one that comes from the standard input, in whatever format.

    Raises:
        InputError: it cannot be read, is too large, or was refused.
    """
    if os.path.isdir(path):
        remedy = "name one net, or decide all that are in it with 'petricheck batch'"
        raise InputError(f"is a folder; {remedy}", path=path)
    if path == STANDARD_INPUT:
        return recognized_net(sys.stdin.buffer, "standard input", net_id)
    return read_net(path, net_id)
