"""`petricheck mcc [FOLDER]`: an examination as the Model Checking Contest runs its tools.

The contest's script BenchKit sets the examination and the limits in the environment. It reads the
answers from the standard output, one a line; reasons go to the standard error. The limit on time
is for the whole examination. A margin of it is reserved, so that the last line is out in time.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.files import net_file
from petricheck.commands.shell.limits import ANSWER, AtCutoff, answer_with, limited, prepare_cutoff
from petricheck.commands.shell.options import memory_option, seconds_option, verbose_option
from petricheck.commands.shell.terminal import complain, say
from petricheck.model.net import Net
from petricheck.questions import Setting, read_question
from petricheck.questions.colours import questions_by_net
from petricheck.support.budget import Budget, Shares
from petricheck.support.errors import InputError, NetTypeError, QueryError
from petricheck.support.files import GZIP
from petricheck.support.processes import supervision

if TYPE_CHECKING:
    from petricheck.commands.answers.reports import NamedQuestion

DEADLOCK = "ReachabilityDeadlock"
"""The examination that the help names as an example."""

KINDS = {
    "OneSafe": "safe",
    "QuasiLiveness": "quasi_live",
    "Liveness": "live",
    "StableMarking": "stable",
    "StateSpace": "state_space",
    DEADLOCK: "deadlock",
}
"""The examinations that ask one question, with its kind."""

EXAMINATIONS = ("ReachabilityCardinality", "ReachabilityFireability", "UpperBounds", *KINDS)
"""The examinations that petricheck takes part in."""

HOUR = 3600
"""The contest's limit in seconds, where none is given."""

_MARGIN = 2.0
_MARGIN_PART = 4
"""The margin in seconds; and, if this is less, the margin as one part in so many of the limit."""


@click.command()
@click.argument("folder", metavar="[FOLDER]", default=".")
@click.option(
    "--examination",
    metavar="NAME",
    envvar="BK_EXAMINATION",
    show_envvar=True,
    help=f"The question: {', '.join(EXAMINATIONS[:-1])} or {DEADLOCK}.",
)
@seconds_option(
    "--timeout",
    "Time limit in seconds, for all formulas of the examination together.",
    envvar="BK_TIME_CONFINEMENT",
    show_envvar=True,
    default=HOUR,
    show_default=True,
)
@memory_option(
    "Memory limit in MiB, for all processes together.",
    envvar="BK_MEMORY_CONFINEMENT",
    show_envvar=True,
)
@verbose_option
def command(
    folder: str, examination: str | None, timeout: float, memory: int | None, verbose: bool
) -> None:
    """Run an examination of the Model Checking Contest.

    FOLDER, by default the current one, holds model.pnml and EXAMINATION.xml with the formulas; each
    may be compressed (.gz). Options override the variables that the contest sets. Prints a FORMULA
    line for each formula as soon as it is decided, with CANNOT_COMPUTE if it is not; for StateSpace
    four lines of numbers; DO_NOT_COMPETE for other examinations and types of nets.
    """
    if examination is None:
        raise click.UsageError(
            "name an examination, in the environment as the contest does or with an option, e.g. "
            f"BK_EXAMINATION={DEADLOCK} petricheck mcc, or petricheck mcc --examination {DEADLOCK}"
        )
    if examination not in EXAMINATIONS:
        exit_with(_withdraw(f"{examination} is not among {', '.join(EXAMINATIONS)}"))
    margin = min(_MARGIN, timeout / _MARGIN_PART)
    whole = Budget(timeout - margin, memory, started=supervision.began(), limit=timeout)
    exit_with(_examine(Path(folder), examination, whole, verbose))


def limits_within(
    whole: Budget, verbose: bool, at_cutoff: AtCutoff | None = None
) -> AbstractContextManager[Budget]:
    """Return a budget of the seconds that remain for the examination."""
    return limited(
        whole.remaining, whole.memory, at_cutoff, limit=whole.limit, verbose=verbose, whole=False
    )


def _withdraw(reason: str) -> Status:
    """Print that petricheck does not take part, which is no failure."""
    say("DO_NOT_COMPETE")
    complain(reason)
    return Status.DECIDED


def _examine(folder: Path, examination: str, whole: Budget, verbose: bool) -> Status:
    from petricheck.commands.answers.answering import Answering, Asked
    from petricheck.commands.answers.output_forms import Contest, write_unread
    from petricheck.commands.answers.property_file import is_refused

    limits, form = partial(limits_within, whole, verbose), Contest()
    with limits(at_cutoff=partial(write_unread, form)) as budget:
        try:
            file = net_file(_file(folder, "model.pnml"), None)
            prepare_cutoff(ANSWER, partial(write_unread, form, file=file), budget)
            ask = partial(_questions, folder, examination)
            asked = Asked(questions_by_net(file, ask, is_refused, merge=True))
        except NetTypeError as error:
            return answer_with(partial(_withdraw, str(error)))
        except (InputError, QueryError):
            answer_with(lambda: say("CANNOT_COMPUTE"))
            raise
    times = Shares(None, len(asked.questions), whole.seconds, whole.started)
    with limits() as budget:
        return Answering(asked, Setting(), times, budget, form, brief=True).run()


def _questions(folder: Path, examination: str, net: Net) -> tuple[NamedQuestion, ...]:
    """Return the formulas of the examination, or its only question."""
    from petricheck.commands.answers.property_file import read_named_questions
    from petricheck.commands.answers.reports import NamedQuestion

    name, kind = f"{examination}.xml", KINDS.get(examination)
    # Other examinations of one question have files whose formulas are not read.
    if kind and not (examination == DEADLOCK and _files(folder, name)):
        return (NamedQuestion(read_question(net, kind, ""), examination),)
    return read_named_questions(_file(folder, name), net, words=True)


def _file(folder: Path, name: str) -> str:
    """Return the file of this name, compressed or not; InputError where there is neither."""
    for path in _files(folder, name):
        return str(path)
    raise InputError(f"holds no {name}; name the folder of a model", path=str(folder))


def _files(folder: Path, name: str) -> list[Path]:
    return [path for path in (folder / name, folder / f"{name}{GZIP}") if path.exists()]
