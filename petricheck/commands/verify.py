"""`petricheck verify NET EVIDENCE`: check what the evidence proves about the net.

`questions.verification` audits every claim of the file and concludes from them again. Without a
question on the command line, the question of the file is answered. So it is printed: the reader
has to check that it is the intended one.

`--print-checker` prints `petricheck.evidence.standalone`, an independent program that does the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from typing import Any, TypeAlias

import click

from petricheck.arithmetic.formulas.shown import shown_formula
from petricheck.commands.answers.json_answer import (
    conclusion_fields,
    json_lines,
    net_fields,
    target_text,
)
from petricheck.commands.answers.reports import check_expected, expected_answer
from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.files import net_file
from petricheck.commands.shell.limits import answer_with, limited
from petricheck.commands.shell.options import (
    given_question,
    initial_option,
    json_option,
    limit_options,
    net_options,
    question_options,
    second_solver_option,
)
from petricheck.commands.shell.terminal import say, say_verdict
from petricheck.evidence.files import Evidence, read_evidence
from petricheck.formats.nets import NetFile
from petricheck.model.node_names import with_names
from petricheck.questions import UNKNOWN, Finding, make_question
from petricheck.questions.colours import variants
from petricheck.questions.question import question_text
from petricheck.questions.verification import started, verify
from petricheck.reports.explanation.claims import explain as explain_claim
from petricheck.reports.explanation.text import explained_lines, plain
from petricheck.reports.report import initial_lines
from petricheck.support.errors import BudgetExhausted, EvidenceError, QueryError
from petricheck.support.plugins import as_option
from petricheck.support.words import counted, printable

_Verified: TypeAlias = tuple[NetFile, Evidence, Finding]


def _printing(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """Return a callback that prints a file of the package; `name` may contain {} for the value."""

    def show(context: click.Context, _: click.Parameter, value: Any) -> None:
        if value and not context.resilient_parsing:
            say(files("petricheck").joinpath(name.format(value)).read_text("utf-8").rstrip("\n"))
            context.exit()

    return show


@click.command()
@net_options
@click.argument("path", metavar="EVIDENCE")
@initial_option
@question_options()
@second_solver_option
@limit_options
@click.option("--expect", metavar="ANSWER", help="Exit with status 5 if another answer is proved.")
@click.option("--explain", is_flag=True, help="Explain part by part why the evidence is accepted.")
@json_option
@click.option("--quiet", is_flag=True, help="Print the result and the answer only.")
@click.option(
    "--print-checker",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_printing("evidence/standalone.py"),
    help="Print an independent checker, a Python program in one file, and exit.",
)
@click.option(
    "--print-schema",
    type=click.Choice(["evidence", "answer"]),
    is_eager=True,
    expose_value=False,
    callback=_printing("evidence/schemas/{}.json"),
    metavar="NAME",
    help="Print the JSON Schema of evidence files (evidence) or --json (answer), and exit.",
)
def command(
    net: str,
    net_id: str | None,
    path: str,
    initial: str | None,
    second_solver: bool,
    timeout: float | None,
    memory: int | None,
    expect: str | None,
    explain: bool,
    as_json: bool,
    quiet: bool,
    **texts: str | bool | None,
) -> None:
    """Check evidence against a net, trusting nothing else.

    Prints the question that the evidence answers; a question on the command line has to be the
    same. Exit status: 0 accepted, 1 not decided within the limits, or no claim answers the
    question, 4 rejected, 5 accepted with another answer than --expect.
    """
    unknown = partial(_print_refusal, UNKNOWN, as_json)
    with limited(timeout, memory, lambda answer: unknown(None, answer.reason)) as budget:
        words = given_question(texts)

        def verified(file: NetFile) -> _Verified:
            question = None if words is None else make_question(file.net, *words)
            evidence = read_evidence(path, None if question is None else question.target)
            if words is None and file.initial is None:
                file = started(file, evidence)
            finding = verify(file, evidence, question, budget=budget, second_solver=second_solver)
            return file, evidence, finding

        file = net_file(net, net_id)
        file = file if initial is None else file.starting(question_text(initial))
        try:
            file, evidence, finding = _first_accepted(verified, file)
        except (EvidenceError, BudgetExhausted) as error:
            undecided = any(isinstance(e, BudgetExhausted) for e in (error, error.__cause__))
            refuse = unknown if undecided else partial(_print_refusal, "rejected", as_json)
            status = answer_with(partial(refuse, file, str(error)))
        else:
            expected = expected_answer(finding.question, expect)
            answer_with(partial(_print_finding, file, evidence, finding, explain, as_json, quiet))
            accepted = _result(finding) != UNKNOWN
            status = check_expected(finding, expected) if accepted else Status.UNKNOWN
    exit_with(status)


def _first_accepted(verified: Callable[[NetFile], _Verified], file: NetFile) -> _Verified:
    """Return the first finding that is proved: without colours, with merged ones, or with all.

    EvidenceError where it is accepted for no variant, or that was not decided within the limits.
    BudgetExhausted where the unfolding is too large, and no other variant was rejected.
    """
    refusals: list[QueryError | EvidenceError] = []
    for variant in variants(file):
        try:
            _ = variant.net
        except BudgetExhausted:
            if not any(isinstance(refusal, EvidenceError) for refusal in refusals):
                raise
            break
        try:
            return verified(variant)
        except (QueryError, EvidenceError) as error:
            if isinstance(error.__cause__, BudgetExhausted):
                raise
            refusals.append(error)
    refused = dict.fromkeys(str(error) for error in refusals if isinstance(error, EvidenceError))
    if not refused or isinstance(refusals[-1], QueryError):
        raise refusals[-1]
    raise EvidenceError("; ".join(refused))


def _print_finding(
    file: NetFile, evidence: Evidence, finding: Finding, explain: bool, as_json: bool, quiet: bool
) -> None:
    net, target = finding.question.net, finding.question.subject is not None
    explained = [
        explain_claim(net, claim, target=target, ids=as_json) for claim in finding.claims if explain
    ]
    if as_json:
        fields = {
            "result": _result(finding),
            "reason": None if finding.unknown is None else finding.unknown.reason,
            **conclusion_fields(finding),
            "target": target_text(finding),
            "audits": list(finding.audits),
            "net": net_fields(file),
        }
        fields |= {"explanation": list(map(plain, explained))} if explain else {}
        say(json_lines(with_names(net.shown, fields)))
        return
    result, *report = _report(file, evidence, finding)
    report = [] if quiet else report
    lines = (line for tree in explained for line in explained_lines(tree))
    say_verdict(_result(finding), "\n".join((f": {result}", *report, *lines)))


def _result(finding: Finding) -> str:
    """Return "accepted", also for a part of the answer; or unknown where nothing is proved."""
    conclusion = finding.conclusion
    return "accepted" if conclusion.complete or conclusion.partial else UNKNOWN


def _print_refusal(result: str, as_json: bool, file: NetFile | None, reason: str) -> Status:
    """Print that evidence is rejected, or that a limit was reached before."""
    if as_json:
        net = None if file is None else net_fields(file)
        say(json_lines({"result": result, "reason": reason, "net": net}))
    else:
        say_verdict(result, f": {printable(reason)}")
    return Status.UNKNOWN if result == UNKNOWN else Status.REJECTED


def _report(file: NetFile, evidence: Evidence, finding: Finding) -> Iterator[str]:
    """Yield the proved statement or the reason for none, the subject, and the audits."""
    question, several = finding.question, ""
    unknown = finding.unknown if _result(finding) == UNKNOWN else None
    yield finding.headline if unknown is None else unknown.reason
    target = question.shown_target if question.reached else None
    if target is None:
        text = f" {printable(question.text)}" if question.text else ""
        yield f"The question: {as_option(question.kind)}{text}"
        several = f" of {counted(len(finding.claims), 'claim')}"
    else:
        proved = "" if finding.value is None else f" that is proved {finding.headline}"
        yield f"The target{proved}:"
        yield f"  {shown_formula(target)}"
    yield from initial_lines(question.net)
    yield from finding.conclusion.details
    if finding.audits:
        yield f"Audit{several}: {printable(finding.audit)}."
    unsaid = ", which the evidence does not mention" if evidence.sha256 is None else ""
    yield f"The net: {printable(file.path)}, SHA-256 {file.sha256}{unsaid}."
