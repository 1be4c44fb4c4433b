"""What was found, told to people: the verdict first, then why, how it was audited, how long."""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.answer import Answer, Reachable, Unknown
from petricheck.claims import claim_of
from petricheck.cli.findings import Findings, verdict
from petricheck.engines import decided_by, promise, unit
from petricheck.explanation.claims import explain
from petricheck.explanation.text import Style, claim_lines
from petricheck.presburger.formulas import Formula
from petricheck.presburger.shown import shown_formula
from petricheck.result import Result
from petricheck.words import counted, printable

LETTERS = 2_000
"""Longer targets are cut."""


def prose(findings: Findings, *, whole_trace: bool, invariant: str | None, verbose: bool) -> str:
    """The report.

    Args:
        findings: what was found.
        whole_trace: whether a long trace is shown whole.
        invariant: how to show an invariant whole: text, latex or smt; None abbreviates it.
        verbose: whether to tell the target and the number of states too.
    """
    answer = findings.result.answer
    match answer:
        case Unknown(hint=hint):
            evidence = f"Hint: {printable(hint)}." if hint else ""
        case _:
            claim = claim_of(findings.question.problem.target, answer)
            unnamed = findings.question.unnamed
            net = findings.question.problem.net
            told = explain(
                net, claim, target=True, unnamed=unnamed, reasons=False, whole=whole_trace
            )
            evidence = _lines(*claim_lines(told, Style(whole_trace, invariant)))
    asked = _target(findings.question.problem.target) if verbose else ""
    lines = [_headline(answer), asked, evidence, *_remarks(findings)]
    lines.append(_cost(findings.result, verbose))
    return _lines(*lines)


def _headline(answer: Answer) -> str:
    if isinstance(answer, Unknown):
        # A portfolio gives the reason of each engine on a line of its own.
        return f"{verdict(answer)}: " + "\n  ".join(map(printable, answer.reason.split("\n")))
    return verdict(answer)


def _target(target: Formula) -> str:
    shown = shown_formula(target)
    return f"Target: {shown if len(shown) <= LETTERS else f'{shown[:LETTERS]} …'}"


def _remarks(findings: Findings) -> Iterator[str]:
    answer = findings.result.answer
    if isinstance(answer, Reachable) and answer.trace.steps:
        yield promise(answer.statistics.engine)
    unnamed = len(findings.question.unnamed)
    if unnamed:
        which = "1 place is" if unnamed == 1 else f"{unnamed} places are"
        yield f"{which} not named by the target and taken as empty."
    if findings.result.audit:
        yield f"Audit: {printable(findings.result.audit)}."
    if findings.evidence is not None:
        yield f"The evidence is in {printable(findings.evidence)}."
    if findings.page is not None:
        yield f"The page is {printable(findings.page)}."


def _cost(result: Result, verbose: bool) -> str:
    statistics = result.answer.statistics
    parts = [f"{result.seconds:.3f} s"]
    if statistics.iterations and (noun := unit(result.decider)):
        parts.append(counted(statistics.iterations, noun))
    if verbose and statistics.states:
        parts.append(counted(statistics.states, "state"))
    return f"{', '.join(parts)} ({decided_by(result.decider)})."


def _lines(*lines: str) -> str:
    """The lines that say anything."""
    return "\n".join(filter(None, lines))
