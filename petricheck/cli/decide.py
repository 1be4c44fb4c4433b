"""The command itself: `petricheck NET …` asks a question, or many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from petricheck import plugins
from petricheck.cli.completion import complete_members
from petricheck.cli.options import (
    Seconds,
    json_option,
    memory_option,
    net_options,
    properties_options,
    question_options,
    second_solver_option,
    timeout_option,
)
from petricheck.cli.outcomes import leave
from petricheck.cli.request import (
    SHORTEST,
    SHORTHANDS,
    Request,
    check_kind,
    check_outputs,
    check_question,
    engine_options,
)
from petricheck.questions import DEFAULT_ENGINE, Setting, kind_names


@click.command()
@net_options
@question_options
@properties_options
@click.option(
    "--engine",
    metavar="NAME",
    shell_complete=complete_members("engines"),
    help="What searches; see 'petricheck engines'.",
)
@click.option(
    "-o", "option", metavar="FIELD=VALUE", multiple=True, help="Set an option of the engine."
)
@click.option("--shortest", is_flag=True, help="A trace of least length (engine shortest).")
@click.option("--heuristics", hidden=True)
@click.option("--guide", shell_complete=complete_members("guides"), hidden=True)
@click.option("--predicates", hidden=True)
@click.option("--graph", hidden=True)
@click.option("--log", hidden=True)
@click.option("--no-reductions", is_flag=True, hidden=True)
@click.option("--seed", type=int, hidden=True)
@click.option(
    "--jobs", metavar="N", type=click.IntRange(min=1), help="How many searches run at a time."
)
@timeout_option
@click.option(
    "--timeout-all",
    metavar="S",
    type=Seconds(),
    help="Limit on all properties together.",
)
@memory_option
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
@click.option("-v", "--verbose", is_flag=True, help="Print progress, and details of failures.")
def command(**words: Any) -> None:
    """Decide a question about a place/transition net, and prove the answer.

    The first options ask, one question at a time or --properties. @FILE is the TEXT in a file.
    """
    engine = plugins.read_part(_engine(words, words.pop("shortest")))
    words["engine"] = engine.name
    words["option"] = (*map("=".join, engine.options), *words["option"])
    questions = {kind: words.pop(kind) for kind in kind_names()}
    _run(Request(questions=questions, **words))


def _engine(words: Mapping[str, Any], shortest: bool) -> str:
    """The engine that is named, or that other options are short for."""
    of_cegar = [name for name in SHORTHANDS if words[name] is not None]
    named: str | None = words["engine"]
    if not shortest:
        return named or ("cegar" if of_cegar else DEFAULT_ENGINE)
    if (named or SHORTEST).partition(":")[0] != SHORTEST or of_cegar:
        other = f"--{of_cegar[0]}" if of_cegar else f"--engine {named}"
        raise click.UsageError(f"--shortest names an engine of its own, and {other} another one")
    return named or SHORTEST


def _run(request: Request) -> None:
    question = check_question(request)
    setting = Setting(request.engine, engine_options(request), request.second_solver)
    plugins.build("engines", setting.engine, setting.options)
    check_outputs(request, setting.options)
    # Each is imported where it is meant, since it takes time.
    if question is None:
        from petricheck.cli.property_file import decide_file

        leave(decide_file(request, str(request.properties), setting))
    kind, text = question
    check_kind(kind, setting)
    from petricheck.cli.one_question import decide_question

    leave(decide_question(request, kind, text, setting))
