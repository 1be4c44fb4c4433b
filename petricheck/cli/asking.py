"""What every question of `petricheck NET …` needs: the net, limits, an engine, words for people."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from petricheck.answer import Unknown
from petricheck.budget import Budget
from petricheck.check import Checker, prepare
from petricheck.cli.findings import Findings, verdict
from petricheck.cli.limits import Late, limited
from petricheck.cli.net_files import net_file
from petricheck.cli.outcomes import Status
from petricheck.cli.prose import prose
from petricheck.cli.record import unknown_record
from petricheck.cli.request import Request
from petricheck.cli.terminal import complain, say, say_verdict
from petricheck.formats import NetFile
from petricheck.problem import Problem


def read_net_of(request: Request) -> NetFile:
    """The net that is named, with warnings about its file."""
    file = net_file(request.net, request.net_id)
    for warning in () if request.quiet else file.warnings:
        complain(f"{file.path}: warning: {warning}")
    return file


def limits_of(
    request: Request, seconds: float | None, late: Late | None = None, patience: float = 0.0
) -> AbstractContextManager[Budget]:
    """A budget of so many seconds from now on, and of the memory that is allowed."""
    return limited(
        seconds,
        request.memory,
        late,
        limit=_limit(request),
        verbose=request.verbose,
        patience=patience,
        whole=False,
    )


def limits_on_all(
    request: Request, seconds: float | None, late: Late
) -> AbstractContextManager[Budget]:
    """The same from the beginning of the command on."""
    return limited(seconds, request.memory, late, limit=_limit(request), verbose=request.verbose)


def _limit(request: Request) -> float | None:
    """The limit in seconds that the user set; of two the one that is reached first."""
    limits = (request.timeout, request.timeout_all)
    return min((limit for limit in limits if limit is not None), default=None)


def prepared(
    request: Request, options: dict[str, str], problems: Sequence[Problem], budget: Budget
) -> Checker:
    """What the questions have in common, within the limits of one of them."""
    return prepare(
        problems,
        engine=request.engine,
        options=options,
        budget=budget,
        second_solver=request.second_solver,
    )


def tell_late(request: Request, answer: Unknown) -> Status:
    """Tell of a question whose time was over before it was even read, or looked at again."""
    if request.as_json:
        say(unknown_record(answer))
    elif request.quiet:
        say_verdict(verdict(answer))
    else:
        hint = f"\nHint: {answer.hint}." if answer.hint else ""
        say_verdict(verdict(answer), f": {answer.reason}{hint}")
    return Status.UNKNOWN


def prose_of(request: Request, findings: Findings) -> str:
    """What was found, told as the options ask for."""
    return prose(
        findings,
        whole_trace=request.trace,
        invariant=request.invariant,
        verbose=request.verbose,
    )
