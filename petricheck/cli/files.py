"""The net that a command is about: a file, or the standard input."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from petricheck.cli.terminal import warn
from petricheck.errors import InputError, QueryError
from petricheck.formats import NetFile, read_net, recognized_net
from petricheck.problem import Net

Result = TypeVar("Result")

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


def with_question(
    file: NetFile,
    ask: Callable[[Net], Result],
    is_refused: Callable[[Result], bool] = lambda _: False,
) -> tuple[NetFile, Result]:
    """What is asked about a net; colours of a large one are merged, unless that names some.

    Args:
        file: the net.
        ask: makes a question of words about a net.
        is_refused: whether that is none.

    Returns:
        The file, whose net is the one that is asked about, and the question.

    Raises:
        QueryError: the words are no question.
    """
    *merged, whole = variants(file)
    for variant in merged:
        with suppress(QueryError):
            if not is_refused(question := ask(variant.net)):
                return variant, question
    return whole, ask(whole.net)


def variants(file: NetFile) -> list[NetFile]:
    """The net with merged colours, where it is large and has some, and as it is."""
    merging = replace(file, merges=True)
    origin = merging.net.origin
    return [merging] if origin is None or origin.merging is None else [merging, file]
