"""The command itself: `petricheck NET …` asks a question, or many."""

from __future__ import annotations

from typing import Any

import click

from petricheck import __version__
from petricheck.cli.command_group import COMMANDS, Program
from petricheck.cli.engine_options import NAMES as engine_names
from petricheck.cli.engine_options import engine_options, engine_setting
from petricheck.cli.options import (
    json_option,
    memory_option,
    net_options,
    properties_options,
    question_options,
    second_solver_option,
    seconds_option,
    verbose_option,
)
from petricheck.cli.outcomes import leave
from petricheck.cli.request import Request, check_kind, check_outputs, check_question
from petricheck.questions import kind_names


@click.version_option(__version__, prog_name="petricheck", message="%(prog)s %(version)s")
@click.command(
    name="petricheck",
    cls=Program,
    modules={name: f"petricheck.cli.{name}" for name in COMMANDS},
    family="commands",
)
@net_options
@question_options
@properties_options
@engine_options
@seconds_option("--timeout", "Limit in seconds, on each of several properties.")
@seconds_option("--timeout-all", "Limit on all properties together.")
@memory_option()
@second_solver_option
@click.option(
    "--expect",
    metavar="ANSWER",
    help="Exit with status 5 where the answer is another one.",
)
@click.option(
    "--evidence",
    metavar="FILE",
    help="Write the evidence, .json or .smt2.",
)
@click.option("--html", metavar="FILE", help="Write a page that explains the answer.")
@click.option("--trace", is_flag=True, help="Show a trace whole.")
@click.option(
    "--invariant",
    is_flag=False,
    flag_value="text",
    metavar="[FORM]",
    type=click.Choice(["text", "latex", "smt"]),
    help="Show an invariant whole: text, latex or smt.",
)
@json_option
@click.option("--quiet", is_flag=True, help="Print the answer alone, and no warnings.")
@verbose_option
def command(**words: Any) -> None:
    """Decide a question about a place/transition net, and prove the answer.

    The first options ask, one at a time. For TEXT there may be @FILE.
    """
    engine = {name: words.pop(name) for name in engine_names}
    second_solver = words.pop("second_solver")
    request = Request(questions={kind: words.pop(kind) for kind in kind_names()}, **words)
    question = check_question(request)
    setting = engine_setting(engine, second_solver)
    check_outputs(request, setting.options)
    # Each is imported where it is meant, since it takes time.
    if question is None:
        from petricheck.cli.property_file import decide_file

        leave(decide_file(request, str(request.properties), setting))
    kind, text = question
    check_kind(kind, setting)
    from petricheck.cli.one_question import decide_question

    leave(decide_question(request, kind, text, setting))
