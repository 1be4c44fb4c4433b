"""What every question of `petricheck NET …` needs: the net, a form to tell answers, and limits."""

from __future__ import annotations

from contextlib import AbstractContextManager

from petricheck.budget import Budget
from petricheck.cli.forms import Contest, Form, Text, Word
from petricheck.cli.limits import Late, limited
from petricheck.cli.net_files import net_file
from petricheck.cli.request import Request
from petricheck.cli.terminal import warn
from petricheck.explanation.text import Style
from petricheck.formats import NetFile


def read_net_of(request: Request) -> NetFile:
    """The net that is named, with warnings about its file."""
    file = net_file(request.net, request.net_id)
    if not request.quiet:
        warn(file.path, *file.warnings)
    return file


def form_of(request: Request) -> Form:
    """How answers are told."""
    if request.mcc:
        return Contest()
    if request.as_json:
        from petricheck.cli.record import Json  # what most runs print needs none of it

        return Json()
    if request.quiet:
        return Word()
    return Text(Style(request.trace, request.invariant), request.verbose)


def limits_of(
    request: Request, seconds: float | None, patience: float = 0.0, late: Late | None = None
) -> AbstractContextManager[Budget]:
    """A budget of so many seconds, and of the memory that is allowed.

    With something that is told late it counts from the beginning of the command, else from now on.
    """
    # Of the limits that the user set the one that is reached first.
    limits = (request.timeout, request.timeout_all)
    return limited(
        seconds,
        request.memory,
        late,
        limit=min((limit for limit in limits if limit is not None), default=None),
        verbose=request.verbose,
        patience=patience,
        whole=late is not None,
    )
