"""`petricheck mcc [FOLDER]`: an examination as the Model Checking Contest runs its tools.

The contest's script BenchKit says in the environment what is asked and what may be used, and reads
the answers, one a line, from the standard output; reasons go to the standard error. The limit on
time is one for the examination. A margin of it is kept, so that the last line is out in time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from petricheck.budget import Budget, Shares
from petricheck.cli.limits import Late, answer_with, limited
from petricheck.cli.options import memory_option, seconds_option, verbose_option
from petricheck.cli.outcomes import Status, leave
from petricheck.cli.terminal import complain, say, warn
from petricheck.errors import InputError, NetTypeError
from petricheck.files import GZIP
from petricheck.formats import read_net
from petricheck.problem import Net
from petricheck.processes import supervision
from petricheck.questions import Setting, read_question

if TYPE_CHECKING:
    from petricheck.cli.reports import NamedQuestion

DEADLOCK = "ReachabilityDeadlock"
"""The examination that the help names as an example."""

KINDS = {
    "OneSafe": "safe",
    "QuasiLiveness": "quasi_live",
    "StableMarking": "stable",
    DEADLOCK: "deadlock",
}
"""The examinations that ask one question, with its kind."""

EXAMINATIONS = (
    "ReachabilityCardinality",
    "ReachabilityFireability",
    "UpperBounds",
    *KINDS,
)
"""What petricheck takes part in."""

HOUR = 3600
"""The contest's limit in seconds, where none is given."""

_MARGIN = 2.0
_PART = 4
"""Of the limit so many seconds are kept, or one part in so many where it is short."""

_MODEL = "model.pnml"


@click.command()
@click.argument("folder", metavar="[FOLDER]", default=".")
@click.option(
    "--examination",
    metavar="NAME",
    envvar="BK_EXAMINATION",
    show_envvar=True,
    help=f"What is asked: {', '.join(EXAMINATIONS[:-1])} or {DEADLOCK}.",
)
@seconds_option(
    "--timeout",
    "Limit in seconds on the whole examination, which its formulas share.",
    unlimited=f"where none is given it is {HOUR} s",
    envvar="BK_TIME_CONFINEMENT",
    show_envvar=True,
    default=HOUR,
    show_default=True,
)
@memory_option(
    "Limit on resident memory, that of all processes together.",
    envvar="BK_MEMORY_CONFINEMENT",
    show_envvar=True,
)
@verbose_option
def command(
    folder: str, examination: str | None, timeout: float, memory: int | None, verbose: bool
) -> None:
    """Run an examination of the Model Checking Contest.

    FOLDER, by default the current one, holds model.pnml and the formulas, in a file named after
    the examination with the extension xml; each may be compressed (.gz). Options override the
    variables that the contest sets. Prints a FORMULA line for each as soon as it is decided, or
    where it is not, with CANNOT_COMPUTE; DO_NOT_COMPETE for other examinations and coloured nets.
    """
    if examination is None:
        raise click.UsageError(
            "name an examination, in the environment as the contest does or with an option, e.g. "
            f"BK_EXAMINATION={DEADLOCK} petricheck mcc, or petricheck mcc --examination {DEADLOCK}"
        )
    if examination not in EXAMINATIONS:
        leave(_withdraw(f"{examination} is not among {', '.join(EXAMINATIONS)}"))
    margin = min(_MARGIN, timeout / _PART)
    whole = Budget(timeout - margin, memory, started=supervision.began(), limit=timeout)
    leave(_examine(Path(folder), examination, Clock(whole, verbose)))


@dataclass(frozen=True, slots=True)
class Clock:
    """The limits on an examination.

    Attributes:
        whole: until when everything has to be told, and the memory for it.
        verbose: how progress is shown.
    """

    whole: Budget
    verbose: bool

    def limits(
        self, seconds: float | None, patience: float = 0.0, late: Late | None = None
    ) -> AbstractContextManager[Budget]:
        """A budget of so many seconds; what does not look at it is ended with the examination."""
        given = self.whole.remaining if seconds is None else seconds
        rest = max(patience, self.whole.remaining - given)
        return limited(
            given,
            self.whole.memory,
            late,
            limit=self.whole.limit,
            verbose=self.verbose,
            patience=rest,
            whole=False,
        )


def _withdraw(reason: str) -> Status:
    """Take no part, which is no failure."""
    say("DO_NOT_COMPETE")
    complain(reason)
    return Status.DECIDED


def _examine(folder: Path, examination: str, clock: Clock) -> Status:
    from petricheck.cli.answering import Inquiry
    from petricheck.cli.forms import Contest, tell_unread

    with clock.limits(None, late=partial(tell_unread, Contest())):
        try:
            file = read_net(_find(folder, _MODEL))
            warn(file.path, *file.warnings)
            questions = tuple(_questions(folder, examination, file.net))
        except NetTypeError as error:
            reason = str(error)
            return answer_with(lambda: _withdraw(reason))
        except InputError:
            answer_with(lambda: say("CANNOT_COMPUTE"))
            raise
    times = Shares(None, len(questions), clock.whole.seconds, clock.whole.started)
    return Inquiry(file, questions, Setting(), times, clock.limits, Contest(), brief=True).answer()


def _questions(folder: Path, examination: str, net: Net) -> Iterator[NamedQuestion]:
    """The formulas of the examination, or its only question."""
    from petricheck.cli.ids import check_words
    from petricheck.cli.property_file import named_question
    from petricheck.cli.reports import NamedQuestion
    from petricheck.properties import read_properties

    name = f"{examination}.xml"
    kind = KINDS.get(examination)
    # Files of the other examinations of one question say it in formulas that are not read.
    written = examination == DEADLOCK and any(p.exists() for p in _candidates(folder, name))
    if kind and not written:
        yield NamedQuestion(read_question(net, kind, ""), examination)
        return
    path = _find(folder, name)
    properties = read_properties(path, net)
    check_words(properties, str(path))
    yield from (named_question(net, formula) for formula in properties)


def _find(folder: Path, name: str) -> Path:
    """The file of this name, compressed or not.

    Raises:
        InputError: there is neither.
    """
    for path in _candidates(folder, name):
        if path.exists():
            return path
    raise InputError(f"holds no {name}; name the folder of a model", path=str(folder))


def _candidates(folder: Path, name: str) -> tuple[Path, Path]:
    return folder / name, folder / f"{name}{GZIP}"
