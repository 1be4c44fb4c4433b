"""The question itself: `petricheck NET --target …`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from petricheck import analyses, plugins
from petricheck.analyses import Study
from petricheck.answer import Answer, Unknown
from petricheck.budget import Budget, Shares
from petricheck.check import DEFAULT_ENGINE, Checker, prepare
from petricheck.cli.backstop import TellLate, limited
from petricheck.cli.completion import complete_members
from petricheck.cli.findings import INTERRUPTED, Findings, decided, keep_evidence, verdict
from petricheck.cli.net_files import net_file
from petricheck.cli.options import (
    Seconds,
    analysis_options,
    given,
    json_option,
    net_options,
    properties_options,
    question_options,
    read_question,
    second_solver_option,
    timeout_option,
)
from petricheck.cli.outcomes import Status, complain_of, leave
from petricheck.cli.prose import prose
from petricheck.cli.record import record, unknown_record
from petricheck.cli.request import (
    SHORTHANDS,
    Request,
    check_outputs,
    check_outputs_apart,
    check_question,
    engine_options,
)
from petricheck.cli.terminal import complain, say, say_verdict
from petricheck.errors import QueryError
from petricheck.formats import NetFile
from petricheck.problem import Problem
from petricheck.queries import kinds, question_text

if TYPE_CHECKING:
    from petricheck.cli import named
    from petricheck.cli.properties import Tell
    from petricheck.cli.telling import Told
    from petricheck.properties import Property

SHORTEST = "shortest"
"""The engine whose traces have least length."""


@click.command()
@net_options
@question_options
@analysis_options
@properties_options
@click.option(
    "--engine",
    metavar="NAME",
    shell_complete=complete_members("engines"),
    help="What searches; `petricheck engines` lists them with their options. By default "
    f"{DEFAULT_ENGINE}, or cegar where one of its options is given.",
)
@click.option(
    "--shortest", is_flag=True, help="A trace of least length; short for --engine shortest."
)
@click.option(
    "-o", "option", metavar="FIELD=VALUE", multiple=True, help="Set an option of the engine."
)
@click.option("--heuristics", metavar="A,B", help="Short for -o heuristics=A,B.")
@click.option(
    "--guide",
    metavar="NAME",
    shell_complete=complete_members("guides"),
    help="Short for -o guide=NAME.",
)
@click.option("--predicates", metavar="FILE", help="Short for -o predicates=FILE.")
@click.option("--graph", metavar="FILE", help="Short for -o graph=FILE, .dot or .json.")
@click.option("--log", metavar="FILE", help="Short for -o log=FILE.")
@click.option(
    "--no-reductions",
    is_flag=True,
    help="Let engines race on the net as it is; short for -o reductions=false.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    help="How many engines the portfolio runs at a time, or properties of a file with one engine "
    "each; short for -o jobs=N.",
)
@timeout_option
@click.option(
    "--timeout-all",
    metavar="S",
    type=Seconds(),
    help="Limit in seconds on all properties of a file together.",
)
@click.option(
    "--memory",
    metavar="MIB",
    type=click.IntRange(min=1),
    help="Limit on resident memory, that of all processes together.",
)
@click.option(
    "--seed",
    metavar="N",
    type=int,
    help="For engines that draw random numbers. A named engine repeats exactly, seeded or not.",
)
@second_solver_option
@click.option(
    "--expect",
    type=click.Choice(["reachable", "unreachable"]),
    help="Exit with status 5 where the verdict is the other one.",
)
@click.option(
    "--evidence",
    metavar="FILE",
    help="Write the evidence, to a .json file, or a certificate to an .smt2 file; for several "
    "properties {id} in its name stands for theirs.",
)
@click.option(
    "--html",
    metavar="FILE",
    help="Write a page about the answer to one question: the evidence explained, the net drawn.",
)
@click.option("--trace", is_flag=True, help="Show a trace whole, however long it is.")
@click.option(
    "--invariant",
    is_flag=False,
    flag_value="text",
    type=click.Choice(["text", "latex", "smt"]),
    help="Show an invariant whole; as text, unless another form is named.",
)
@json_option
@click.option("--quiet", is_flag=True, help="Print the word of the verdict, and no warnings.")
@click.option("-v", "--verbose", is_flag=True, help="Print progress, and details of failures.")
def command(**words: Any) -> None:
    """Decide whether a marking of a place/transition net is reachable, and prove the answer.

    One option asks a question, such as --target, --cover or --formula; --properties asks many.
    """
    words["engine"] = _engine(words, words.pop("shortest"))
    questions = {kind: words.pop(kind) for kind in kinds()}
    analysed = {kind: words.pop(kind) for kind in analyses.kinds()}
    _run(Request(questions=questions, analyses=analysed, **words))


def _engine(words: Mapping[str, Any], shortest: bool) -> str:
    """The engine that is named, or that other options are short for."""
    of_cegar = [name for name in SHORTHANDS if words[name] is not None]
    named = words["engine"]
    if not shortest:
        return str(named or ("cegar" if of_cegar else DEFAULT_ENGINE))
    if named not in (None, SHORTEST) or of_cegar:
        other = f"--{of_cegar[0]}" if of_cegar else f"--engine {named}"
        raise click.UsageError(f"--shortest names an engine of its own, and {other} another one")
    return SHORTEST


def _run(request: Request) -> None:
    check_question(request)
    options = engine_options(request)
    plugins.build("engines", request.engine, options)
    check_outputs(request, options)
    if request.properties is not None:
        leave(_decide_properties(request, request.properties, options))
    for kind, text in given(request.analyses):
        leave(_analyse(request, kind, text, options))
    with _limited(request, request.timeout, partial(_tell_late, request)) as budget:
        file = _read(request)
        question = read_question(file.net, request.questions)
        assert question is not None
        checker = _prepare(request, options, [question.problem], budget)
        result = decided(checker, question.problem, budget)
    findings, failure = keep_evidence(Findings(file, question, result), request.evidence)
    if request.html is not None:
        from petricheck.cli.page import keep_page  # most runs write none

        findings, unwritten = keep_page(findings, request.html, request)
        failure = failure or unwritten
    _tell_findings(request, findings)
    leave(_status(request, result.answer) if failure is None else complain_of(failure))


def _analyse(request: Request, kind: str, text: str, options: dict[str, str]) -> Status:
    # Not at the top: other questions need none of it.
    from petricheck.cli import analysing

    _check_analysing(request, options)
    inquiry = analysing.Inquiry(request, kind, options)
    with _limited(request, request.timeout, inquiry.tell_late) as budget:
        file = _read(request)
        found = inquiry.search(file, question_text(text), budget)
    return inquiry.tell(file, found)


def _check_analysing(request: Request, options: dict[str, str]) -> None:
    """Refuse what goes with questions after reachability only."""
    for name in ("graph", "log"):
        if name in options:
            raise QueryError(f"--{name} goes with questions after reachability")
    if request.engine == SHORTEST:
        raise QueryError("--shortest goes with questions after reachability")


def _read(request: Request) -> NetFile:
    file = net_file(request.net, request.net_id)
    for warning in () if request.quiet else file.warnings:
        complain(f"{file.path}: warning: {warning}")
    return file


def _limited(
    request: Request, seconds: float | None, tell: TellLate, patience: float = 0.0
) -> AbstractContextManager[Budget]:
    return limited(seconds, request.memory, tell, verbose=request.verbose, patience=patience)


def _tell_late(request: Request, answer: Unknown) -> None:
    """Tell of a question whose time was over before it was even read, or looked at again."""
    if request.as_json:
        say(unknown_record(answer))
    elif request.quiet:
        say_verdict(verdict(answer))
    else:
        say_verdict(verdict(answer), f": {answer.reason}\nHint: {answer.hint}.")


def _decide_properties(request: Request, path: str, options: dict[str, str]) -> Status:
    # Not at the top: single questions need none of it.
    from petricheck.cli import properties, telling
    from petricheck.properties import read_properties

    limits = partial(_limited, request)
    times = Shares(request.timeout, 1, request.timeout_all)
    with limits(times.own(1), partial(_tell_unread, request)):
        file = _read(request)
        found = read_properties(path, file.net)
        asked = properties.select(found, request.selected)
    for warning in () if request.quiet else found[0].warnings:
        complain(f"{path}: warning: {warning}")
    properties.check_evidence(request.evidence, asked)
    check_outputs_apart(request, options, properties.evidence_files(request.evidence, asked))
    for name in ("graph", "log") if len(asked) > 1 else ():
        if name in options:
            raise QueryError(f"--{name} would be written anew for each property; use --property")
    reached, maxima = properties.split(asked)
    if maxima:
        _check_analysing(request, options)
    words = Counter[str]()
    status = properties.decide_properties(
        file,
        properties.questions(file, reached),
        partial(_prepare, request, options),
        limits,
        replace(times, count=len(reached)),
        _tell(request, words),
        request.evidence,
    )
    if maxima and status is not Status.INTERRUPTED:
        status = max(status, _decide_maxima(request, file, maxima, options, times, words))
    if words.total() > 1:
        say(telling.summary(words))
    return status


def _decide_maxima(
    request: Request,
    file: NetFile,
    maxima: Sequence[Property],
    options: dict[str, str],
    times: Shares,
    words: Counter[str],
) -> Status:
    """Answer the properties that ask for a maximum, in the time that they have together."""
    from petricheck.cli import named, properties

    files = properties.evidence_files(request.evidence, maxima) or (None,) * len(maxima)
    asked = [named.maximum(each, path) for each, path in zip(maxima, files, strict=True)]
    whole = None if times.whole is None else max(0.0, times.whole - times.elapsed)
    inquiry = named.Inquiry(file, "bound", asked, _tell_named(request, words))
    return inquiry.decide(
        lambda budget: Study(
            file.net, request.engine, options, budget, request.second_solver, brief=True
        ),
        partial(_limited, request),
        Shares(request.timeout, len(maxima), whole).left(),
    )


def _tell_named(request: Request, words: Counter[str]) -> Callable[[named.Told], None]:
    """How to tell of a maximum; what is told to people is counted."""
    from petricheck.cli import named

    if request.mcc:
        return named.tell_contest
    if request.as_json:
        return named.tell_json
    if request.quiet:
        return named.tell_briefly

    def tell(told: named.Told) -> None:
        words["answered" if told.found.finding.complete else "unknown"] += 1
        named.tell_fully(told, request)

    return tell


def _tell_unread(request: Request, answer: Unknown) -> None:
    """Tell that the time was over before it was known which properties there are."""
    if request.mcc:
        say("CANNOT_COMPUTE")
        complain(answer.reason)
    else:
        _tell_late(request, answer)


def _tell(request: Request, words: Counter[str]) -> Tell:
    """How to tell of a property; what is told to people is counted by its word."""
    from petricheck.cli import telling

    if request.mcc:
        return telling.tell_contest
    if request.as_json:
        return telling.tell_json
    if request.quiet:
        return telling.tell_briefly

    def tell(told: Told) -> None:
        words[telling.word(told.holds)] += 1
        telling.tell_fully(told, partial(_prose, request))

    return tell


def _prepare(
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


def _tell_findings(request: Request, findings: Findings) -> None:
    word = verdict(findings.result.answer)
    if request.as_json:
        say(record(findings))
    elif request.quiet:
        say_verdict(word)
    else:
        say_verdict(word, _prose(request, findings).removeprefix(word))


def _prose(request: Request, findings: Findings) -> str:
    return prose(
        findings,
        whole_trace=request.trace,
        invariant=request.invariant,
        verbose=request.verbose,
    )


def _status(request: Request, answer: Answer) -> Status:
    if answer is INTERRUPTED:
        return Status.INTERRUPTED
    if isinstance(answer, Unknown):
        return Status.UNKNOWN
    if request.expect not in (None, verdict(answer)):
        complain(f"{request.expect} was expected")
        return Status.CONTRADICTED
    return Status.DECIDED
