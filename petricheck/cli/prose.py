"""What was found, told to people: the verdict first, then why, how it was audited, how long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.answer import Answer, Reachable, Statistics, Trace, Unknown, Unreachable
from petricheck.cli.findings import Findings, verdict
from petricheck.cli.legend import legend
from petricheck.cli.reached import reached
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
            evidence = _trace(findings, trace, whole_trace)
        case Unreachable(certificate):
            evidence = _certificate(findings, certificate, invariant)
        case Unknown(hint=hint):
            evidence = f"Hint: {printable(hint)}." if hint else ""
    lines = [_headline(answer), evidence, *_remarks(findings)]
    lines.append(_cost(findings.result.seconds, findings.result.engine, answer.statistics, verbose))
    return _lines(*lines)


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


def _cost(seconds: float, engine: str, statistics: Statistics, verbose: bool) -> str:
    parts = [f"{seconds:.3f} s"]
    name = statistics.engine or engine
    if statistics.iterations and (noun := unit(name)):
        parts.append(counted(statistics.iterations, noun))
    if verbose and statistics.states:
        parts.append(counted(statistics.states, "state"))
    return f"{', '.join(parts)} (engine {name})."


def _trace(findings: Findings, trace: Trace, whole: bool) -> str:
    end = reached(findings.question, trace, whole=whole)
    if not trace.steps:
        names = legend(findings.file.net, end.places, whole=whole)
        first = "The initial marking is in the target; nothing has to fire:"
        return _lines(first, f"  {end.text}", names)
    steps, cut = _abbreviated(trace.steps, whole)
    length = number_text(trace.length)
    plural = "" if trace.length == 1 else "s"
    ids = (*(name for name, _ in steps), *end.places)
    return _lines(
        f"A trace of {length} firing{plural} leads into the target:",
        f"  {cut or _steps(steps)}",
        "(--trace shows it whole)" if cut else "",
        "It ends in:",
        f"  {end.text}",
        legend(findings.file.net, ids, whole=whole),
    )


def _abbreviated(
    steps: Sequence[tuple[str, int]], whole: bool
) -> tuple[Sequence[tuple[str, int]], str]:
    """The steps that are shown, and how, where these are not all of them."""
    if whole or len(steps) <= HEAD + TAIL or len(_steps(steps)) <= CHARACTERS:
        return steps, ""
    head, tail = steps[:HEAD], steps[-TAIL:]
    return (*head, *tail), f"{_steps(head)} … {_steps(tail)}"


def _steps(steps: Sequence[tuple[str, int]]) -> str:
    return " ".join(
        shown_name(name) + (f"^{number_text(times)}" if times > 1 else "") for name, times in steps
    )


def _certificate(findings: Findings, certificate: object, form: str | None) -> str:
    told = notation_of(certificate).told(certificate, form or "text")
    if form is None and len(told.body.strip()) > CHARACTERS:
        return told.summary
    names = legend(findings.file.net, told.places, whole=form is not None)
    return _lines(told.headline, told.body, names)


def _lines(*lines: str) -> str:
    """The lines that say anything."""
    return "\n".join(filter(None, lines))
