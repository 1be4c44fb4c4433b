"""Upward-closed home spaces, by the least markings from which they can be reached.

All markings that can reach one are those above finitely many (`explicit.covering.backward`). If
some reachable marking is above none of these, the formula is lost there for ever; otherwise it is a
home space. Engines decide which: one question about reachability. A formula that is not
upward-closed is lost where all that is above its markings is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.arithmetic.formulas.formulas import Formula, disjunction
from petricheck.engines.coverability import Coverability
from petricheck.evidence.answer import Reachable, Unreachable, trace_of
from petricheck.evidence.audit.homes import renewal
from petricheck.evidence.audit.homes.descent import stuck
from petricheck.evidence.audit.invariants.upward import Row
from petricheck.evidence.audit.sequences import holds_at_least
from petricheck.evidence.certificates.descent import LoweringWords
from petricheck.evidence.certificates.renewal import RenewedTokens
from petricheck.evidence.claims import Claim, Home
from petricheck.explicit.covering.backward import Backward
from petricheck.explicit.covering.exclusions import Exclusions
from petricheck.explicit.covering.targets import is_upward_closed, minimal_markings
from petricheck.model.net import Net
from petricheck.model.problem import make_problem
from petricheck.questions.deciding import tokens_held
from petricheck.questions.homes.blocked import excluded_after
from petricheck.questions.study import Study
from petricheck.support.budget import Budget

_MOST = 200
"""More least markings are not asked about."""


def home_claims(study: Study, formulas: Sequence[Formula], budget: Budget) -> Iterator[Claim]:
    """Yield claims which upward-closed formulas are home spaces, and which formulas are not."""
    for number, formula in enumerate(formulas):
        with budget.tolerate_overruns():
            yield from _claims(study, formula, budget.part(len(formulas) - number))


def _claims(study: Study, formula: Formula, budget: Budget) -> Iterator[Claim]:
    net, rows = study.net, minimal_markings(study.net, formula, budget)
    search = None if rows is None else _searched(net, rows, budget)
    if rows is None or search is None:
        return
    markings = [tuple(map(int, row)) for row in search.basis]
    space = renewal.above(net, markings)
    match study.examine(make_problem(net, stuck(net, (space,), ())), budget):
        case Reachable(trace):
            later = net.beginning(net.after(trace.steps))
            target = disjunction(holds_at_least(net, row.items()) for row in rows)
            answer = Coverability().solve(make_problem(later, target), budget)
            if isinstance(answer, Unreachable):
                yield excluded_after(trace, formula, answer.certificate)
        case Unreachable(certificate) if is_upward_closed(formula):
            least = tuple(tuple(tokens_held(net, marking).items()) for marking in markings)
            onward = (trace_of(search.onward(n), net.actions) for n in search.numbers.tolist())
            proof = LoweringWords((), (), certificate)
            yield Home((formula,), RenewedTokens(least, proof, tuple((t,) for t in onward)))


def _searched(net: Net, rows: Sequence[Row], budget: Budget) -> Backward | None:
    """Return the least markings that can reach one above these rows; None if they are many."""
    search = Backward(net, rows, Exclusions(net, budget), whole=True)
    search.start(budget)
    while not search.ended:
        if len(search.numbers) > _MOST:
            return None
        search.advance(budget)
    return search
