"""The net of a command, from a file or the standard input."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from petricheck.commands.shell.terminal import warn
from petricheck.formats.nets import NetFile, read_net, recognized_net
from petricheck.model.net import Net
from petricheck.support.errors import InputError, QueryError

Result = TypeVar("Result")

STANDARD_INPUT = "-"
"""Stands for the standard input; a file of that name is written ./-."""


def net_file(path: str, net_id: str | None, *, quiet: bool = False) -> NetFile:
    """Return the net in a file, or from the standard input, in any format.

    Unless it is quiet, it warns of unusual parts of the file.

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
    # The net is used until the end: the garbage collector need not search it again, and forked
    # processes share its memory.
    gc.freeze()
    if not quiet:
        warn(file.path, *file.warnings)
    return file


def with_question(
    file: NetFile,
    make: Callable[[Net], Result],
    is_refused: Callable[[Result], bool] = lambda _: False,
) -> tuple[NetFile, Result]:
    """Return the net and the question; merge a large net's colours unless it names some.

    Args:
        file: the net.
        make: makes the question about a net.
        is_refused: whether a result of `make` is no question.

    Returns:
        The file, with or without merged colours, and the question about its net.

    Raises:
        QueryError: the question cannot be read.
    """
    merged = replace(file, colours="merged")
    if not _is_merged(merged):
        return merged, make(merged.net)
    with suppress(QueryError):
        if not is_refused(question := make(merged.net)):
            return merged, question
    return file, make(file.net)


def questions_by_net(
    file: NetFile,
    make: Callable[[Net], Result],
    is_refused: Callable[[Result], bool] = lambda _: False,
) -> Iterator[tuple[NetFile, Result]]:
    """Yield the question about a huge net without its colours, then that of `with_question`.

    Raises:
        QueryError: the question cannot be read.
    """
    if skeleton := file.counted:
        with suppress(QueryError):
            yield skeleton, make(skeleton.net)
    yield with_question(file, make, is_refused)


def size_text(file: NetFile) -> str:
    """Return a text with the largest size of an unfolding; empty for nets without colours."""
    if isinstance(file.source, Net):
        return ""
    from petricheck.reports.survey.coloured import most_text

    return f"which has {most_text(file.source)} at most"


def variants(file: NetFile) -> Iterator[NetFile]:
    """Yield the nets that evidence may be about: without colours, with merged ones, as it is."""
    if skeleton := file.counted:
        yield skeleton
    yield (merged := replace(file, colours="merged"))
    if _is_merged(merged):
        yield file


def _is_merged(file: NetFile) -> bool:
    return file.net.origin is not None and file.net.origin.merging is not None
