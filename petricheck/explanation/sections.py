"""Claims in HTML, each explained; many are folded, and too many only counted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from petricheck.audit import prove
from petricheck.audit.limits import checked
from petricheck.audit.participation import participation
from petricheck.audit.shapes.state_equation import state_equation_obligation
from petricheck.audit.traces import marking_after
from petricheck.budget import Budget
from petricheck.claims import Claim, Excluded, ExcludedAfter, ExcludedWith, Home, ReachabilitySet
from petricheck.errors import EvidenceError
from petricheck.evidence.invariant import Certificate
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.explanation.claims import ENDS, explain
from petricheck.explanation.html import claim_html, nodes_html, words_html
from petricheck.presburger.formulas import Formula, evaluate
from petricheck.problem import Net, Problem
from petricheck.words import counted, printable

CLAIMS, CHARACTERS = 200, 10 << 20
"""Claims of one page, and characters of them; more are counted only."""

OPEN = 3
"""Of more claims each is folded."""


def claims_html(
    net: Net, claims: Sequence[Claim], *, target: bool = False, ends: int = ENDS
) -> str:
    """The claims that the audit has accepted, as far as there is room.

    Args:
        net: the net.
        claims: about it.
        target: whether they are about the target of the question.
        ends: steps that are told from either end of a longer trace.

    Raises:
        QueryError: nothing tells certificates of some type.
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
    """Refuse evidence that is not what it is called, as far as that takes no solver.

    Raises:
        EvidenceError: it does not fire; or what it says of the initial marking, of traps or of
            siphons is not so.
    """

    def known(what: str, formula: Formula) -> Formula:
        return checked(what, net, formula, Budget())

    match claim:
        case Excluded(formula, Certificate(invariant)):
            known("the target", formula)
            if not evaluate(known("the invariant", invariant), net.values(net.initial)):
                raise EvidenceError("the invariant does not hold initially")
        case Excluded(formula, StateEquationCertificate() as certificate):
            problem = Problem(net, known("the target", formula))
            state_equation_obligation(problem, certificate)
        case Excluded(formula):
            known("the target", formula)
        case ExcludedAfter(trace, formula, certificate):
            later = net.beginning(marking_after(net, trace, Budget()))
            _check_quickly(later, Excluded(formula, certificate))
        case ExcludedWith(transitions, formula, certificate):
            marked = participation(net, transitions, known("what is excluded", formula))
            _check_quickly(marked.net, Excluded(marked.target, certificate))
        case Home(formulas):
            for formula in formulas:
                known("a home space", formula)
        case ReachabilitySet():
            pass  # Not even the initial marking is shown.
        case _:
            prove(net, claim)


def missing(why: str) -> str:
    """Said instead of evidence that is not shown."""
    return f"<p>The evidence is not shown: {escape(printable(why))}.</p>"
