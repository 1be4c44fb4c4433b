"""What was found, told to people: the answer first, then why, how it was audited, how long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.claims import Excluded, Pumped, Reached
from petricheck.cli.findings import Told
from petricheck.engines import decided_by, promise, unit
from petricheck.explanation.claims import explain
from petricheck.explanation.text import Style, claim_lines
from petricheck.presburger.formulas import Formula
from petricheck.presburger.shown import shown_formula
from petricheck.questions import UNKNOWN, Finding
from petricheck.words import counted, printable

FEW = 3
"""So many claims are shown with their evidence; more are counted."""

LETTERS = 2_000
"""Longer targets are cut."""


@dataclass(frozen=True, slots=True)
class View:
    """What of a report is shown.

    Attributes:
        whole_traces: whether long traces are shown whole.
        invariant: how invariants are shown whole: text, latex or smt; None abbreviates them.
        verbose: whether the target and the number of states are told too.
    """

    whole_traces: bool = False
    invariant: str | None = None
    verbose: bool = False


def answer_lines(told: Told, finding: Finding, view: View, *, claims: bool = True) -> Iterator[str]:
    """The report; where `claims` is false nothing of the evidence is shown."""
    target = finding.question.target
    yield _headline(finding)
    if target is not None and view.verbose:
        yield _target(target)
    yield from finding.conclusion.details
    if target is None and finding.unknown is not None:
        yield f"The search ended: {printable(finding.unknown.reason)}."
    if target is not None and finding.unknown is not None and finding.unknown.hint:
        yield f"Hint: {printable(finding.unknown.hint)}."
    if claims:
        yield from _evidence(told, finding, view)
    yield from _remarks(told, finding)
    if finding.seconds:
        yield _cost(finding, view)


def _headline(finding: Finding) -> str:
    if finding.question.target is None or finding.unknown is None:
        return finding.headline
    # A portfolio gives the reason of each engine on a line of its own.
    reasons = map(printable, finding.unknown.reason.split("\n"))
    return f"{UNKNOWN}: " + "\n  ".join(reasons)


def _target(target: Formula) -> str:
    shown = shown_formula(target)
    return f"Target: {shown if len(shown) <= LETTERS else f'{shown[:LETTERS]} …'}"


def _evidence(told: Told, finding: Finding, view: View) -> Iterator[str]:
    """Each claim with its evidence, or how many there are."""
    claims, question, net = finding.claims, finding.question, told.file.net
    whole = view.whole_traces or view.invariant is not None
    if len(claims) > FEW and not whole:
        kinds = ((Reached, "trace"), (Pumped, "repetition"), (Excluded, "invariant"))
        sizes = ((sum(isinstance(c, kind) for c in claims), noun) for kind, noun in kinds)
        listed = ", ".join(counted(size, noun) for size, noun in sizes if size)
        yield f"Evidence: {listed} (--trace and --invariant show it)."
        return
    target, style = question.target is not None, Style(view.whole_traces, view.invariant)
    for claim in claims:
        unnamed, whole = question.unnamed, view.whole_traces
        explained = explain(net, claim, target=target, unnamed=unnamed, reasons=False, whole=whole)
        yield from claim_lines(explained, style)


def _remarks(told: Told, finding: Finding) -> Iterator[str]:
    question, claims = finding.question, finding.claims
    fired = any(isinstance(claim, Reached) and claim.trace.steps for claim in claims)
    if fired and (said := promise(finding.statistics.engine)):
        yield said
    if unnamed := len(question.unnamed):
        which = "1 place is" if unnamed == 1 else f"{unnamed} places are"
        yield f"{which} not named by the target and taken as empty."
    if finding.audits:
        several = "" if question.target is not None else f" of {counted(len(claims), 'claim')}"
        yield f"Audit{several}: {'; '.join(map(printable, dict.fromkeys(finding.audits)))}."
    if told.evidence is not None:
        yield f"The evidence is in {printable(told.evidence)}."
    if told.page is not None:
        yield f"The page is {printable(told.page)}."


def _cost(finding: Finding, view: View) -> str:
    statistics = finding.statistics
    parts = [f"{finding.seconds:.3f} s"]
    if statistics.iterations and (noun := unit(finding.decider)):
        parts.append(counted(statistics.iterations, noun))
    if view.verbose and statistics.states:
        parts.append(counted(statistics.states, "state"))
    decider = f" ({decided_by(finding.decider)})" if finding.decider else ""
    return f"{', '.join(parts)}{decider}."
