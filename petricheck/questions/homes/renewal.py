"""Home spaces of unbounded nets that the initial tokens lead to, which are always there again.

That the markings with at least these tokens are a home space is proved by descent. In a bounded net
they are the initial marking alone, which other searches look for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.programs.linear_programs import LinearProgram
from petricheck.evidence.audit.homes.renewal import is_upward_closed
from petricheck.evidence.audit.sequences import holds_at_least
from petricheck.evidence.certificates.renewal import RenewedTokens
from petricheck.evidence.claims import Home
from petricheck.model.net import Net
from petricheck.questions.deciding import tokens_held
from petricheck.questions.homes.descent import descend
from petricheck.questions.homes.onward import traces_into
from petricheck.support.budget import Budget


def home_claims(net: Net, formulas: Sequence[Formula], budget: Budget) -> Iterator[Home]:
    """Yield the upward-closed formulas into which traces lead from the initial tokens."""
    upward = [formula for formula in formulas if is_upward_closed(formula)]
    if not upward or is_bounded(net, budget):
        return
    proof = descend(net, holds_at_least(net, enumerate(net.initial)), budget)
    traces = traces_into(net, upward, budget) if proof else {}
    if traces:
        tokens = tuple(tokens_held(net, net.initial).items())
        renewed = RenewedTokens((tokens,), proof, (tuple(traces.values()),))
        yield Home(tuple(upward[number] for number in traces), renewed)


def is_bounded(net: Net, budget: Budget) -> bool:
    """Return whether firings raise no sum of all places with some positive weights."""
    program = LinearProgram()
    for _ in net.places:
        program.column(cost=1.0, lower=1.0)
    for transition in net.transitions:
        program.row(dict(transition.effect), upper=0.0)
    return program.solve(budget.remaining) is not None
