"""Quick proofs and refutations of the completion of workflow nets, whatever their size.

Free-choice nets are proved by a theorem. Walks end where nothing is enabled, or pass a marking with
more tokens than a final one; most nets that are broken in one place show it within milliseconds.
The state equation often proves that there is no marking with more tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from petricheck.answer import Trace, Unreachable, joined
from petricheck.claims import Claim, ExcludedAfter, reached
from petricheck.engines.state_equation import StateEquation
from petricheck.errors import BudgetExhausted
from petricheck.kernel.tour import LONGEST, Tour
from petricheck.language.model import deadlocked
from petricheck.presburger.formulas import Formula, conjunction, negate
from petricheck.problem import Problem, make_problem
from petricheck.questions.deciding import deciding
from petricheck.questions.homes import settled, short_circuit
from petricheck.questions.study import Study

_WALKS = 16
"""Walks, each of some hundredths of a second."""


def begin(study: Study, final: Formula, improper: Formula) -> None:
    """Prove what is soon proved: the option to complete, proper completion, or their opposites.

    Raises:
        InternalError: evidence is refused.
        BudgetExhausted: time or memory ran out.
    """
    study.prove_all(short_circuit.prove(study.net, (final,), study.budget))
    if not settled((final,), study.claims).homes:
        study.prove_all(_walks(study, final, improper))
    if deciding(improper, study.claims) is None:
        study.decide(improper, study.budget, "state_equation")


def _walks(study: Study, final: Formula, improper: Formula) -> Iterator[Claim]:
    """Traces to a marking with more tokens than a final one, and to where the net is stuck."""
    net = study.net
    stuck = make_problem(net, conjunction((deadlocked(net), negate(final)))).target
    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        tour = Tour(net, (improper, stuck))
        for _ in range(_WALKS):
            if tour.stuck or not tour.open:
                return
            study.budget.check()
            if (passed := tour.wander(tour.pace, LONGEST)) is None:
                continue
            for fired, target in passed.stops:
                trace = joined(((number, 1) for number in passed.trace[:fired]), net.actions)
                yield from (_lost(study, trace, final) if target else (reached(improper, trace),))


def _lost(study: Study, trace: Trace, final: Formula) -> Iterator[Claim]:
    """That no final marking is reached from where nothing is enabled."""
    later = study.net.beginning(study.net.after(trace.steps))
    match StateEquation().solve(Problem(later, final), study.budget):
        case Unreachable(certificate):
            yield ExcludedAfter(trace, final, certificate)
