"""Home markings of nets that are completed there, such as workflow nets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.audit.homes.short_circuit import (
    exceeded,
    only_marking,
    restarted,
)
from petricheck.evidence.audit.sequences import holds_at_least
from petricheck.evidence.certificates.short_circuit import Restarted
from petricheck.evidence.claims import Home
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions.homes import free_choice
from petricheck.support.budget import Budget


def home_claims(net: Net, formulas: Sequence[Formula], budget: Budget) -> Iterator[Home]:
    """Yield final markings where the net is free-choice when it restarts from there."""
    for formula in formulas:
        final = only_marking(net, formula)
        if final is None:
            continue
        circuit = restarted(net, final)
        for home in free_choice.home_claims(
            circuit, (holds_at_least(net, enumerate(final)),), budget
        ):
            match StateEquation().solve(Problem(circuit, exceeded(net, final)), budget):
                case Unreachable(certificate):
                    yield Home((formula,), Restarted(home.proof, certificate))
