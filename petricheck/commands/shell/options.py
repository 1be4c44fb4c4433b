"""Options that several commands share, and their questions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, TypeVar

import click

from petricheck.commands.shell.completion import complete_names, complete_nets
from petricheck.questions.kind import Kind, is_target, kind_names, kind_of
from petricheck.support.budget import is_memory_known
from petricheck.support.extras import is_installed, missing
from petricheck.support.plugins import as_option
from petricheck.support.words import quoted

T = TypeVar("T")
Callback = TypeVar("Callback", bound=Callable[..., Any])


def together(*options: Callable[[Callback], Callback]) -> Callable[[Callback], Callback]:
    """Return several options as one, in the order in which help shows them."""

    def added(command: Callback) -> Callback:
        for option in reversed(options):
            command = option(command)
        return command

    return added


net_id_option = click.option(
    "--net", "net_id", metavar="ID", help="The net to read, if the file holds several."
)

net_options = together(
    click.argument("net", metavar="NET", shell_complete=complete_nets), net_id_option
)
"""NET, and --net where a file holds several."""


def _question_option(name: str, kind: Kind, hidden: bool) -> Callable[[Callback], Callback]:
    option = as_option(name)
    if not kind.example:
        return click.option(option, name, is_flag=True, help=kind.meaning, hidden=hidden)
    text, names = f"{kind.meaning} E.g. {kind.example}", complete_names(kind.names)
    left_out: dict[str, Any] = {"is_flag": False, "flag_value": ""} if kind.optional else {}
    return click.option(
        option,
        name,
        metavar="[TEXT]" if kind.optional else "TEXT",
        help=text,
        shell_complete=names,
        hidden=hidden,
        multiple=True,
        callback=_only,
        **left_out,
    )


def _only(_: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> str | None:
    """Return the text of an option that is given once; click.UsageError where it is repeated."""
    if len(texts) > 1:
        raise click.UsageError(f"{option.opts[0]} is repeated; ask one question at a time")
    return next(iter(texts), None)


def question_options(
    names: Iterable[str] | None = None, *, targets: bool = False
) -> Callable[[Callback], Callback]:
    """Return options for questions of these kinds, of all by default; this imports them.

    With `targets`, help shows only the questions with one target.
    """
    kinds = {name: kind_of(name) for name in (kind_names() if names is None else names)}
    hidden = {name: targets and not is_target(kind) for name, kind in kinds.items()}
    return together(*(_question_option(name, kinds[name], hidden[name]) for name in kinds))


initial_option = click.option(
    "--initial",
    metavar="FORMULA",
    multiple=True,
    callback=_only,
    help="Ask about all initial markings that satisfy it, such as 'idle >= 1, lock = 1'.",
)

properties_options = together(
    click.option(
        "--properties",
        metavar="FILE",
        help="Which properties of FILE (.xml, .formula, .spec) hold?",
    ),
    click.option(
        "--property",
        "selected",
        metavar="ID",
        multiple=True,
        help="Decide only this property of FILE; may be repeated.",
    ),
    click.option("--mcc", is_flag=True, help="Print the lines of the Model Checking Contest."),
)
"""--properties, and the options for properties."""


def _require_cvc5(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
    """Refuse the option, and name the remedy, where cvc5 is missing."""
    if value and not is_installed("cvc5"):
        raise click.BadParameter(missing("cvc5", "second-solver"))
    return value


second_solver_option = click.option(
    "--second-solver",
    is_flag=True,
    callback=_require_cvc5,
    help="Check certificates with cvc5 too.",
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")

verbose_option = click.option("-v", "--verbose", is_flag=True, help="Print progress and details.")


class Seconds(click.types.FloatParamType):
    """A limit on time: a finite number above 0."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number; anything else is wrong usage."""
        if match := re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]+)?) ?(s|sec|m|min|h)", str(value)):
            seconds = float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2][0]]
            self.fail(f"{value!r} has a unit; a limit is a number of seconds: write {seconds:g}.")
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds < math.inf:
            self.fail(f"{quoted(str(value))} is no number of seconds above 0, such as 60 or 0.5.")
        return seconds


class Count(click.types.IntParamType):
    """A whole number that is at least 1, maybe of MiB."""

    def __init__(self, unit: str = "") -> None:
        super().__init__()
        self._unit = unit and f" of {unit}"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; anything else is wrong usage."""
        match = re.fullmatch(r"([0-9]{1,6}) ?([MGmg])(?:i?[Bb])?", str(value))
        if match and self._unit:
            number = int(match[1]) * {"M": 1, "G": 1024}[match[2].upper()]
            self.fail(f"{value!r} has a unit; the limit is a number{self._unit}: write {number}.")
        if not re.fullmatch(r"0*[1-9][0-9]{0,17}", str(value)):
            self.fail(f"{quoted(str(value))} is no whole number{self._unit} above 0.")
        return int(value)


def seconds_option(name: str, text: str, **more: Any) -> Callable[[Callback], Callback]:
    """Return an option for a limit in seconds."""
    return click.option(name, metavar="S", type=Seconds(), help=text, **more)


def count_option(
    name: str, text: str, *, metavar: str = "N", unit: str = "", **more: Any
) -> Callable[[Callback], Callback]:
    """Return an option for a number that is at least 1."""
    return click.option(name, metavar=metavar, type=Count(unit), help=text, **more)


def require_proc(_: click.Context, option: click.Parameter, value: T | None) -> T | None:
    """Return the value; refuse a limit that the system cannot measure."""
    if value is not None and not is_memory_known():
        raise click.UsageError(
            f"{option.opts[0]} cannot be enforced here: this system has no /proc, which measures "
            "processes; omit the option"
        )
    return value


def memory_option(
    text: str = "Memory limit in MiB, for all processes together.", **more: Any
) -> Callable[[Callback], Callback]:
    """Return --memory, which is refused where the limit could not be enforced."""
    return count_option("--memory", text, metavar="MIB", unit="MiB", callback=require_proc, **more)


def jobs_option(**more: Any) -> Callable[[Callback], Callback]:
    """Return --jobs."""
    return count_option("--jobs", "How many searches run at the same time.", **more)


limit_options = together(seconds_option("--timeout", "Time limit in seconds."), memory_option())
"""--timeout and --memory of a command that does one thing."""


Texts: TypeAlias = Mapping[str, str | bool | None]
"""The text of each option of a question, None where it is not given; for a flag, a truth value."""


def given_question(texts: Texts) -> tuple[str, str] | None:
    """Return the kind of the question among the texts, with its words; None where there is none.

    click.UsageError where there are several.
    """
    words = {kind: "" if text is True else text for kind, text in texts.items()}
    given = {kind: text for kind, text in words.items() if isinstance(text, str)}
    if len(given) > 1:
        several = " and ".join(map(as_option, given))
        raise click.UsageError(f"{several} are given; ask one question at a time")
    return next(iter(given.items()), None)
