"""The nets on which a question about a coloured net is asked.

A huge net is first asked about without its colours, and what stays open of its unfolding. A large
net has colours that behave alike merged, unless the question names some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from petricheck.formats.nets import NetFile
from petricheck.model.net import Net
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError

Result = TypeVar("Result")


def with_question(
    file: NetFile,
    make: Callable[[Net], Result],
    is_refused: Callable[[Result], bool] = lambda _: False,
    *,
    merge: bool = False,
) -> tuple[NetFile, Result]:
    """Return the file and the question about its net; a large net's colours are merged if they may.

    They may where the question names none: there `make` raises no QueryError, and makes no question
    that `is_refused`. With `merge`, those of any net are merged then; the file stays as it is.
    """
    merged = replace(file, colours="merged")
    if not merge and not _is_merged(merged):
        return merged, make(merged.net)
    with suppress(QueryError):
        if not is_refused(question := make(file.merged if merge else merged.net)):
            return file if merge else merged, question
    return file, make(file.net)


def questions_by_net(
    file: NetFile,
    make: Callable[[Net], Result],
    is_refused: Callable[[Result], bool] = lambda _: False,
    *,
    merge: bool = False,
) -> Generator[tuple[NetFile, Result], Budget | None, None]:
    """Yield the question about a huge net without its colours, then that of `with_question`.

    After the first, the limits on the unfolding may be sent.
    """
    if skeleton := file.counted:
        with suppress(QueryError):
            limits = yield skeleton, make(skeleton.net)
            file = replace(file, limits=limits or Budget())
    yield with_question(file, make, is_refused, merge=merge)


def variants(file: NetFile) -> Iterator[NetFile]:
    """Yield the nets that evidence may be about: without colours, with merged ones, as it is."""
    if skeleton := file.counted:
        yield skeleton
    yield (merged := replace(file, colours="merged"))
    if _is_merged(merged):
        yield file


def _is_merged(file: NetFile) -> bool:
    return file.net.origin is not None and file.net.origin.merging is not None
