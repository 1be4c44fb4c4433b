"""Explained claims as HTML; many claims are folded, and beyond a limit only counted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from petricheck.arithmetic.formulas.formulas import Formula, evaluate
from petricheck.evidence.audit import prove
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.audit.participation import participation
from petricheck.evidence.audit.shapes.state_equation import state_equation_obligation
from petricheck.evidence.audit.traces import marking_after
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    ExcludedAfter,
    ExcludedWith,
    Home,
    ReachabilitySet,
)
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.reports.explanation.claims import ENDS, explain
from petricheck.reports.explanation.html import claim_html, nodes_html, words_html
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError
from petricheck.support.words import counted, printable

CLAIMS, CHARACTERS = 200, 10 << 20
"""Claims of one page, and their characters; the claims beyond are counted."""

OPEN = 3
"""Claims up to which none is folded."""


def claims_html(
    net: Net, claims: Sequence[Claim], *, target: bool = False, ends: int = ENDS
) -> str:
    """Return the claims with their explanations, up to the limits above.

    Args:
        net: the net.
        claims: accepted by the audit.
        target: whether the claims are about the target of the question.
        ends: steps that are shown at each end of a longer trace.

    Raises:
        QueryError: no notation describes certificates of some type.
    """
    shown: list[str] = []
    characters = CHARACTERS
    for claim in claims[:CLAIMS]:
        inside = _section(net, claim, target=target, ends=ends, folded=len(claims) > OPEN)
        characters -= len(inside)
        if characters < 0:
            break
        shown.append(inside)
    omitted = len(claims) - len(shown)
    more = (
        f'<p class="note">{counted(omitted, "more claim")} not shown here.</p>' if omitted else ""
    )
    return "".join(shown) + more


def _section(net: Net, claim: Claim, *, target: bool, ends: int, folded: bool) -> str:
    try:
        _check_quickly(net, claim)
    except EvidenceError as error:
        return missing(str(error))
    explained = explain(net, claim, target=target, ends=ends)
    if not folded:
        return claim_html(explained)
    inside = nodes_html((*explained.evidence, *explained.reasons))
    head = f"<summary>{words_html(explained.says)}</summary>"
    return f'<details>{head}<div class="claim">{inside}</div></details>'


def _check_quickly(net: Net, claim: Claim) -> None:
    """Check the evidence as far as no solver is needed.

    Raises:
        EvidenceError: a trace does not fire; or the evidence is wrong about the initial marking, a
            trap or a siphon.
    """

    def valid_formula(what: str, formula: Formula) -> Formula:
        return checked(what, net, formula, Budget())

    match claim:
        case Excluded(formula, Certificate(invariant)):
            valid_formula("the target", formula)
            if not evaluate(valid_formula("the invariant", invariant), net.values(net.initial)):
                raise EvidenceError("the invariant does not hold initially")
        case Excluded(formula, StateEquationCertificate() as certificate):
            problem = Problem(net, valid_formula("the target", formula))
            state_equation_obligation(problem, certificate)
        case Excluded(formula):
            valid_formula("the target", formula)
        case ExcludedAfter(trace, formula, certificate):
            later = net.beginning(marking_after(net, trace, Budget()))
            _check_quickly(later, Excluded(formula, certificate))
        case ExcludedWith(transitions, formula, certificate):
            marked = participation(net, transitions, valid_formula("what is excluded", formula))
            _check_quickly(marked.net, Excluded(marked.target, certificate))
        case Home(formulas):
            for formula in formulas:
                valid_formula("a home space", formula)
        case ReachabilitySet():
            pass  # Not even the initial marking is shown.
        case _:
            prove(net, claim)


def missing(reason: str) -> str:
    """Return the sentence in place of evidence that is not shown."""
    return f"<p>The evidence is not shown: {escape(printable(reason))}.</p>"
