"""Quick proofs and refutations of the completion of workflow nets, whatever their size.

A theorem proves free-choice nets. Walks end in a marking without enabled transitions, or pass a
marking with more tokens than a final one; they refute most nets that are wrong in one place within
milliseconds. The state equation often proves that no marking has more tokens.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from petricheck.arithmetic.formulas.formulas import Formula, conjunction, negate
from petricheck.engines.state_equation import StateEquation
from petricheck.evidence.answer import Trace, Unreachable, trace_of
from petricheck.evidence.claims import Claim, ExcludedAfter, reached
from petricheck.explicit.kernel.tour import LONGEST, Tour
from petricheck.formats.language.model import deadlocked
from petricheck.model.problem import Problem, make_problem
from petricheck.questions.deciding import deciding
from petricheck.questions.homes import home_spaces, short_circuit
from petricheck.questions.study import Study
from petricheck.support.errors import BudgetExhausted

_WALKS = 16
"""The number of walks, each of some hundredths of a second."""


def try_quickly(study: Study, final: Formula, improper: Formula) -> None:
    """Prove or refute the option to complete and proper completion, where that is quick."""
    study.prove_all(short_circuit.home_claims(study.net, (final,), study.budget))
    if not home_spaces((final,), study.claims).homes:
        study.prove_all(_walks(study, final, improper))
    if deciding(improper, study.claims) is None:
        study.decide(improper, study.budget, "state_equation")


def _walks(study: Study, final: Formula, improper: Formula) -> Iterator[Claim]:
    """Yield claims of traces to a marking with more tokens than a final one, or to a deadlock."""
    net = study.net
    stuck = make_problem(net, conjunction((deadlocked(net), negate(final)))).target
    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        tour = Tour(net, (improper, stuck))
        for _ in range(_WALKS):
            if tour.stuck or not tour.open:
                return
            study.budget.check()
            if (passage := tour.wander(tour.pace, LONGEST)) is None:
                continue
            for fired, target in passage.stops:
                trace = trace_of(passage.trace[:fired], net.actions)
                yield from (_losses(study, trace, final) if target else (reached(improper, trace),))


def _losses(study: Study, trace: Trace, final: Formula) -> Iterator[Claim]:
    """Yield the claim that no final marking is reached from the deadlock where the trace ends."""
    later = study.net.beginning(study.net.after(trace.steps))
    match StateEquation().solve(Problem(later, final), study.budget):
        case Unreachable(certificate):
            yield ExcludedAfter(trace, final, certificate)
