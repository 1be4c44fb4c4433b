"""What was found, told to people: the verdict first, then why, how it was audited, how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.answer import Answer, Reachable, Statistics, Trace, Unknown, Unreachable
from petricheck.cli.findings import Findings, verdict
from petricheck.engines import unit
from petricheck.notations import notation_of
from petricheck.presburger.shown import counted, number_text, shown_name
from petricheck.presburger.text import printable

CHARACTERS = 400
"""Longer evidence is abbreviated."""

HEAD, TAIL = 10, 5
"""Steps shown of a long trace, at its beginning and end."""


def prose(findings: Findings, *, whole_trace: bool, invariant: str | None, verbose: bool) -> str:
    """The report.

    Args:
        findings: what was found.
        whole_trace: whether a long trace is shown whole.
        invariant: how to show an invariant whole: text, latex or smt; None abbreviates it.
        verbose: whether to tell the number of states too.
    """
    answer = findings.result.answer
    match answer:
        case Reachable(trace):
            evidence = _trace(trace, whole_trace)
        case Unreachable(certificate):
            evidence = certificate_text(certificate, invariant)
        case Unknown(hint=hint):
            evidence = f"Hint: {printable(hint)}." if hint else ""
    lines = [_headline(answer), evidence, *_remarks(findings)]
    lines.append(_cost(findings.result.seconds, findings.result.engine, answer.statistics, verbose))
    return "\n".join(line for line in lines if line)


def _headline(answer: Answer) -> str:
    if isinstance(answer, Unknown):
        # A portfolio gives the reason of each engine on a line of its own.
        return f"{verdict(answer)}: " + "\n  ".join(map(printable, answer.reason.split("\n")))
    return verdict(answer)


def _remarks(findings: Findings) -> Iterator[str]:
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


def _cost(seconds: float, engine: str, statistics: Statistics, verbose: bool) -> str:
    parts = [f"{seconds:.3f} s"]
    name = statistics.engine or engine
    if statistics.iterations and (noun := unit(name)):
        parts.append(counted(statistics.iterations, noun))
    if verbose and statistics.states:
        parts.append(counted(statistics.states, "state"))
    return f"{', '.join(parts)} (engine {name})."


def _trace(trace: Trace, whole: bool) -> str:
    if not trace.steps:
        return "The initial marking is in the target; nothing has to fire."
    shown = steps_text(trace.steps, whole)
    if shown != steps_text(trace.steps, True):
        shown += "\n(--trace shows it whole)"
    length = number_text(trace.length)
    plural = "" if trace.length == 1 else "s"
    return f"A trace of {length} firing{plural} leads into the target:\n  {shown}"


def steps_text(steps: Sequence[tuple[str, int]], whole: bool) -> str:
    """The steps on one line; of many the first and the last, unless they are shown whole."""
    shown = _steps(steps)
    if not whole and len(shown) > CHARACTERS and len(steps) > HEAD + TAIL:
        return f"{_steps(steps[:HEAD])} … {_steps(steps[-TAIL:])}"
    return shown


def _steps(steps: Sequence[tuple[str, int]]) -> str:
    return " ".join(
        shown_name(name) + (f"^{number_text(times)}" if times > 1 else "") for name, times in steps
    )


def certificate_text(certificate: object, form: str | None) -> str:
    """What a certificate says, whole in this form; None abbreviates it."""
    told = notation_of(certificate).told(certificate, form or "text")
    if form is None and len(told.body.strip()) > CHARACTERS:
        return told.summary
    return "\n".join(filter(None, (told.headline, told.body)))
