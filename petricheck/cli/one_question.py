"""One question after reachability: `petricheck NET --target …`."""

from __future__ import annotations

import json
from functools import partial

from petricheck.answer import Answer, Unknown
from petricheck.budget import Budget
from petricheck.cli.asking import limits_on_all, prepared, prose_of, read_net_of, tell_late
from petricheck.cli.findings import INTERRUPTED, Findings, decided, keep_evidence, verdict
from petricheck.cli.limits import ANSWER, answer_with, keep_late
from petricheck.cli.options import read_question
from petricheck.cli.outcomes import Status, complain_of
from petricheck.cli.record import record
from petricheck.cli.request import Request
from petricheck.cli.terminal import complain, say, say_verdict


def decide_question(request: Request, options: dict[str, str]) -> Status:
    """Decide it with an engine that has these options, and tell what was found."""
    with limits_on_all(request, request.timeout, partial(tell_late, request)) as budget:
        file = read_net_of(request)
        question = read_question(file.net, request.questions)
        assert question is not None
        checker = prepared(request, options, [question.problem], budget)
        result = decided(checker, question.problem, budget)
        return answer_with(lambda: _report(request, Findings(file, question, result), budget))


def _report(request: Request, findings: Findings, budget: Budget) -> Status:
    """Write the evidence and tell of it; how the command ends."""
    # The verdict is not lost where its report takes longer than the limit.
    keep_late(ANSWER, partial(_tell_briefly, request, findings.result.answer), budget)
    findings, failure = keep_evidence(findings, request.evidence)
    if request.html is not None:
        from petricheck.cli.page import keep_page  # most runs write none

        findings, unwritten = keep_page(findings, request.html, request)
        failure = failure or unwritten
    _tell_findings(request, findings)
    if failure is not None:
        return complain_of(failure)
    return _status(request, findings.result.answer)


def _tell_briefly(request: Request, answer: Answer, late: Unknown) -> Status:
    """Tell the verdict where the limit came before the whole report."""
    if isinstance(answer, Unknown):
        return tell_late(request, answer)
    if request.as_json:
        say(json.dumps({"verdict": verdict(answer), "evidence": None, "report": late.reason}))
    elif request.quiet:
        say_verdict(verdict(answer))
    else:
        say_verdict(verdict(answer), f"\nIts evidence passed the audit; {late.reason}: no report.")
    return _status(request, answer)


def _tell_findings(request: Request, findings: Findings) -> None:
    word = verdict(findings.result.answer)
    if request.as_json:
        say(record(findings))
    elif request.quiet:
        say_verdict(word)
    else:
        say_verdict(word, prose_of(request, findings).removeprefix(word))


def _status(request: Request, answer: Answer) -> Status:
    if answer is INTERRUPTED:
        return Status.INTERRUPTED
    if isinstance(answer, Unknown):
        return Status.UNKNOWN
    if request.expect not in (None, verdict(answer)):
        complain(f"{request.expect} was expected")
        return Status.CONTRADICTED
    return Status.DECIDED
