"""The report of a finding: the answer, why it holds, how that was audited, and the cost.

Commands print it as lines; Python and notebooks show it. The pages of `page.answer` consist of the
same parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.shown import shown_formula
from petricheck.engines import decided_by, promise, unit
from petricheck.evidence.claims import Claim, ExcludedAfter, Reached, presentation_of
from petricheck.model.net import Marking, Net
from petricheck.questions.kind import UNKNOWN
from petricheck.reports.explanation.claims import explain
from petricheck.reports.explanation.text import BRIEF, Style, claim_lines
from petricheck.support.errors import Ending
from petricheck.support.words import counted, printable

if TYPE_CHECKING:
    from petricheck.questions.finding import Finding

FEW = 3
"""The most claims that are shown with their evidence; more are counted."""

LETTERS = 2_000
"""The most characters of a target that are printed."""

"""The question of a target."""


class Report:
    """A finding as lines of text."""

    def lines(self, finding: Finding) -> Iterator[str]:
        """Return the lines, the headline first."""
        return report_lines(finding)


def report_lines(
    finding: Finding,
    style: Style = BRIEF,
    *,
    verbose: bool = False,
    claims: bool = True,
    files: Sequence[str] = (),
) -> Iterator[str]:
    """Yield the lines of the report, its headline first.

    Args:
        finding: the finding.
        style: which parts of the evidence are shown whole.
        verbose: whether the target and the number of states are printed too.
        claims: whether anything of the evidence is shown.
        files: sentences about files that were written.
    """
    target, unknown = finding.question.shown_target, finding.unknown
    yield _headline(finding)
    if target is not None and verbose:
        yield _target(target)
    yield from initial_lines(finding.question.net)
    yield from finding.conclusion.details
    if target is None and unknown is not None:
        yield f"The search ended: {printable(unknown.reason)}."
    if target is not None and unknown is not None and unknown.hint:
        yield f"Hint: {printable(unknown.hint)}."
    if claims:
        yield from _evidence(finding, style)
    yield from remarks(finding)
    if finding.audits:
        several = "" if target is not None else f" of {counted(len(finding.audits), 'claim')}"
        yield f"Audit{several}: {printable(finding.audit)}."
    yield from files
    if finding.seconds and (cost := _cost(finding, verbose)):
        yield cost


def initial_lines(net: Net) -> Iterator[str]:
    """Yield the initial markings that the question has, where it has several."""
    if net.initials is not None and net.initials.asked:
        formula = shown_formula(net.shown.formula(net.initials.formula))
        yield f"The initial marking is any with {formula}; other places are as in the file."


def remarks(finding: Finding) -> Iterator[str]:
    """Yield remarks on the question and its answer."""
    claims = finding.claims
    for failure in finding.failures if finding.unknown is None else ():
        yield f"Others went on after an internal error, please report it: {printable(failure)}."
    fired = any(isinstance(claim, Reached) and claim.trace.steps for claim in claims)
    if fired and (sentence := promise(finding.statistics.engine)):
        yield sentence
    if finding.reused is not None:
        yield _reused(finding)
    for number in finding.question.numbers_like_places:
        yield f'{number} is read as a number; the place of this name is written "{number}".'
    if unnamed := len(finding.question.unnamed):
        of = " of the unfolding" if finding.question.net.is_unfolded else ""
        which = f"1 place{of} is" if unnamed == 1 else f"{unnamed} places{of} are"
        yield f"{which} not named by the target and taken as empty."


def _reused(finding: Finding) -> str:
    """Return what the answer owes to earlier evidence."""
    match finding.reused, len(finding.claims):
        case 0, _:
            return "No claim of the earlier evidence holds for this net and question."
        case all_, claims if all_ == claims and finding.unknown is None:
            return "It follows from the earlier evidence."
        case some, claims:
            return f"From the earlier evidence: {some} of {counted(claims, 'claim')}."


def last_marking(finding: Finding) -> Marking | None:
    """Return the marking that the only trace ends in, or from which something is out of reach."""
    net = finding.question.net
    match finding.claims:
        case (Reached(trace),):
            return net.after(trace.steps)
    lost = (claim.trace for claim in finding.claims if isinstance(claim, ExcludedAfter))
    return next((net.after(trace.steps) for trace in lost), None)


def work(finding: Finding) -> str:
    """Return the amount of work in the engine's own unit; empty where it has none."""
    iterations, noun = finding.statistics.iterations, unit(finding.decider)
    return counted(iterations, noun) if iterations and noun else ""


def _headline(finding: Finding) -> str:
    if finding.question.target is None or finding.unknown is None:
        return finding.headline
    # A portfolio gives the reason of each engine on a line of its own.
    reasons = map(printable, finding.unknown.reason.split("\n"))
    return f"{UNKNOWN}: " + "\n  ".join(reasons)


def _target(target: Formula) -> str:
    shown = shown_formula(target)
    return f"Target: {shown if len(shown) <= LETTERS else f'{shown[:LETTERS]} …'}"


def _evidence(finding: Finding, style: Style) -> Iterator[str]:
    """Yield the claims with their evidence, or one line with their numbers."""
    claims, question = finding.claims, finding.question
    if len(claims) > FEW and not style.traces and style.form is None:
        listed = ", ".join(counted_claims(claims))
        hint = " (--trace and --invariant show it)" if style.hints else ""
        yield f"Evidence: {listed}{hint}."
        return
    for claim in claims:
        explained = explain(
            question.net,
            claim,
            target=question.subject is not None,
            unnamed=question.unnamed,
            reasons=False,
            whole=style.traces,
        )
        yield from claim_lines(explained, style)


def counted_claims(claims: Sequence[Claim]) -> Iterator[str]:
    """Yield the numbers of claims, by their nouns."""
    ranked = sorted(map(presentation_of, claims), key=lambda each: each.rank)
    return (counted(n, noun) for noun, n in Counter(each.noun for each in ranked).items())


def _cost(finding: Finding, verbose: bool) -> str:
    """Return what the answer took; no seconds beside a limit on time, which began before them."""
    states = finding.statistics.states if verbose else 0
    is_limited = finding.unknown is not None and finding.unknown.ending is Ending.TIME
    seconds = "" if is_limited else f"{finding.seconds:.3f} s"
    parts = (seconds, work(finding), counted(states, "state") if states else "")
    decider = f" ({decided_by(finding.decider)})" if finding.decider else ""
    cost = ", ".join(filter(None, parts))
    return f"{cost}{decider}." if cost else ""
