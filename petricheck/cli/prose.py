"""What was found, told to people: the verdict first, then why, how it was audited, how long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from petricheck.answer import Answer, Reachable, Trace, Unknown, Unreachable
from petricheck.cli.findings import Findings, verdict
from petricheck.cli.legend import legend
from petricheck.cli.reached import reached
from petricheck.engines import decided_by, promise, unit
from petricheck.notations import notation_of
from petricheck.presburger.formulas import Formula
from petricheck.presburger.shown import shown_formula, shown_name
from petricheck.problem import Net
from petricheck.result import Result
from petricheck.words import counted, number_text, printable

CHARACTERS = 400
"""Longer evidence is abbreviated."""

LETTERS = 2_000
"""Longer targets are cut."""

HEAD, TAIL = 10, 5
"""Steps shown of a long trace, at its beginning and end."""

Steps: TypeAlias = tuple[tuple[str, int], ...]


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
        case Reachable(trace):
            evidence = _trace(findings, trace, whole_trace)
        case Unreachable(certificate):
            evidence = certificate_text(certificate, invariant, findings.file.net)
        case Unknown(hint=hint):
            evidence = f"Hint: {printable(hint)}." if hint else ""
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


def _trace(findings: Findings, trace: Trace, whole: bool) -> str:
    end = reached(findings.question, trace, whole=whole)
    if not trace.steps:
        first = "The initial marking is in the target; nothing has to fire:"
        return _lines(first, f"  {end.text}", legend(findings.file.net, end.places, whole=whole))
    told = trace.steps if whole or not _is_long(trace.steps) else _ends(trace.steps)
    length = number_text(trace.length)
    plural = "" if trace.length == 1 else "s"
    return _lines(
        f"A trace of {length} firing{plural} leads into the target:",
        f"  {steps_text(trace.steps, whole)}",
        "" if told == trace.steps else "(--trace shows it whole)",
        "It ends in:",
        f"  {end.text}",
        legend(findings.file.net, (*(name for name, _ in told), *end.places), whole=whole),
    )


def steps_text(steps: Steps, whole: bool) -> str:
    """The steps on one line; of many the first and the last, unless they are shown whole."""
    if whole or not _is_long(steps):
        return _steps(steps)
    return f"{_steps(steps[:HEAD])} … {_steps(steps[-TAIL:])}"


def _is_long(steps: Steps) -> bool:
    return len(steps) > HEAD + TAIL and len(_steps(steps)) > CHARACTERS


def _ends(steps: Steps) -> Steps:
    return (*steps[:HEAD], *steps[-TAIL:])


def _steps(steps: Steps) -> str:
    return " ".join(
        shown_name(name) + (f"^{number_text(times)}" if times > 1 else "") for name, times in steps
    )


def certificate_text(certificate: object, form: str | None, net: Net) -> str:
    """What a certificate says, whole in this form; None abbreviates it."""
    told = notation_of(certificate).told(certificate, form or "text")
    if form is None and len(told.body.strip()) > CHARACTERS:
        return told.summary
    return _lines(told.headline, told.body, legend(net, told.places, whole=form is not None))


def _lines(*lines: str) -> str:
    """The lines that say anything."""
    return "\n".join(filter(None, lines))
