"""The command itself, its options: `petricheck NET …` decides one question, or many.

`petricheck --warm-up`: compile the inner loops now, for example after an installation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from petricheck.commands.answers.request import Request, check_kind, check_outputs, check_question
from petricheck.commands.engines import NAMES as engine_names
from petricheck.commands.engines import engine_options, engine_setting
from petricheck.commands.shell.command_group import COMMANDS, Program
from petricheck.commands.shell.exit_status import Status, exit_with, outcome
from petricheck.commands.shell.options import (
    count_option,
    initial_option,
    json_option,
    memory_option,
    net_options,
    properties_options,
    second_solver_option,
    seconds_option,
    verbose_option,
)
from petricheck.commands.shell.terminal import complain, progress, say
from petricheck.questions.kind import FAMILY, kind_of
from petricheck.support.budget import Event
from petricheck.support.plugins import members
from petricheck.support.version import __version__


def warm_up(context: click.Context, _: click.Parameter, value: bool) -> None:
    """Compile the inner loops, and end the command; the callback of the option."""
    if value:
        context.exit(outcome(_compile))


def _compile() -> None:
    from petricheck.support.compiled import (  # numpy
        compile_all,
        folder,
        is_compiled,
        status,
    )

    with progress(verbose=False) as watch:
        compile_all(lambda: watch(Event("warming up")))
    if not is_compiled():
        complain(status())
        raise click.exceptions.Exit(Status.UNKNOWN)
    say(f"All loops are compiled; they are stored in {folder()}.")


@click.version_option(__version__, prog_name="petricheck", message="%(prog)s %(version)s")
@click.command(
    name="petricheck",
    cls=Program,
    modules={name: f"petricheck.commands.{name}" for name in COMMANDS},
    family="commands",
)
@net_options
@initial_option
@properties_options
@engine_options
@seconds_option("--timeout", "Time limit in seconds, for each question.")
@seconds_option("--timeout-all", "Time limit in seconds, for all properties.")
@memory_option()
@second_solver_option
@click.option(
    "--final",
    "finals",
    metavar="MARKING",
    multiple=True,
    help="With --sound: a final marking; may be repeated.",
)
@click.option("--where", metavar="FORMULA", help="With --state-space: list these markings.")
@count_option("--limit", "With --state-space: list so many markings.")
@click.option("--expect", metavar="ANSWER", help="Exit with status 5 if the answer is another one.")
@click.option("--evidence", metavar="FILE", help="Write the evidence to FILE (.json or .smt2).")
@click.option(
    "--from", "earlier", metavar="FILE", help="First try the evidence in FILE of an earlier net."
)
@click.option("--html", metavar="FILE", help="Write a page that explains the answer to FILE.")
@click.option("--trace", is_flag=True, help="Print traces in full.")
@click.option(
    "--invariant",
    is_flag=False,
    flag_value="text",
    metavar="[FORM]",
    type=click.Choice(["text", "latex", "smt"]),
    help="Print invariants in full, as text, latex or smt.",
)
@json_option
@click.option("--quiet", is_flag=True, help="Print the answer only, without warnings.")
@verbose_option
@click.option(
    "--warm-up",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=warm_up,
    help="Compile the inner loops now, not in the first search.",
)
def command(**words: Any) -> None:
    """Decide a question about a Petri net, and prove the answer.

    QUESTION is an option of the first list, whose TEXT may be @FILE; without one an overview of the
    net is printed: is it bounded, safe, live, and so on?
    """
    engine: dict[str, Any] = {name: words.pop(name) for name in engine_names}
    second_solver = words.pop("second_solver")
    questions = {kind: words.pop(kind) for kind in members(FAMILY) if kind in words}
    questions |= _with_finals(questions, words.pop("finals"))
    questions |= _selection(questions, words.pop("where"), words.pop("limit"))
    asked = [kind for kind, text in questions.items() if text is not None and text is not False]
    # For other questions the engine draws the graph.
    drawn = all(kind_of(kind).drawn for kind in asked) and words["properties"] is None
    graph = engine["graph"] if drawn else None
    engine |= {"graph": None} if drawn else {}
    request = Request(questions=questions, graph=graph, **words)
    question = check_question(request)
    setting = engine_setting(engine, second_solver)
    check_outputs(request, setting.options)
    # The module that answers is imported where it is used, since that takes time.
    if request.properties is not None:
        from petricheck.commands.answers.property_file import decide_file

        exit_with(decide_file(request, request.properties, setting))
    if question is None:
        from petricheck.commands.answers.overview import show_overview

        exit_with(show_overview(request, setting))
    kind, text = question
    check_kind(kind, setting)
    from petricheck.commands.answers.one_question import decide_question

    exit_with(decide_question(request, kind, text, setting))


def _with_finals(questions: Mapping[str, Any], finals: Sequence[str]) -> dict[str, str]:
    """Return the words of --sound with these final markings; none where there are none."""
    if not finals:
        return {}
    if (text := questions.get("sound")) is None:
        raise click.UsageError("--final goes with --sound")
    if not all(map(str.strip, finals)):
        raise click.UsageError("--final is empty; say how many tokens it has, as in 'done=1'")
    between = "; " if "=" in text else ": " if text.strip() else ""
    return {"sound": f"{text}{between}{'; '.join(finals)}"}


def _selection(
    questions: Mapping[str, Any], where: str | None, limit: int | None
) -> dict[str, str]:
    """Return the words of --state-space that list markings; none where no option asks for them."""
    if where is None and limit is None:
        return {}
    if not questions.get("state_space"):
        raise click.UsageError("--where and --limit go with --state-space")
    from petricheck.questions import question_text

    formula = question_text("true" if where is None else where)
    return {"state_space": formula if limit is None else f"first {limit}: {formula}"}
