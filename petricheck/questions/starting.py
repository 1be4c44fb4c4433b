"""Claims about the net that engines take in place of a parametric one, as claims about that one.

In traces the added transitions fire first: so they begin with the choice of the initial marking. An
invariant is taken after the choice of a base, for each set of bases that there is.
"""

from __future__ import annotations

from dataclasses import replace

from petricheck.arithmetic.formulas.formulas import disjunction, substitute
from petricheck.evidence.answer import Trace, joined
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.certificates.stubborn_sets import StubbornTable
from petricheck.evidence.claims import Claim, Excluded, InfiniteRun, Reached, Stage, reached
from petricheck.model.net import Net
from petricheck.model.parametric import after_choice, with_choice
from petricheck.model.problem import Problem
from petricheck.questions.shortening import shortened
from petricheck.support.budget import Budget
from petricheck.support.errors import Refused


def started(net: Net, claim: Claim, budget: Budget) -> Claim:
    """Return the claim about the parametric net; Refused where it has no such form."""
    match claim:
        case Reached(trace, ((position, target),)) if position == len(trace.steps):
            chosen = with_choice(Problem(net, target))
            claim = shortened(chosen.net, reached(chosen.target, trace), budget)
            assert isinstance(claim, Reached)
            return reached(target, _added_first(net, claim.trace))
        case InfiniteRun(stage):
            return InfiniteRun(Stage(_added_first(net, stage.stem), stage.loop))
        case Excluded(certificate=StubbornTable()):  # Initial markings need not be rows.
            raise Refused("its proof is about one of the initial markings")
        case Excluded(certificate=certificate) if net.initials and not net.initials.is_linear:
            return replace(claim, certificate=_after_choice(net, certificate))
    return claim


def _added_first(net: Net, trace: Trace) -> Trace:
    ordered = sorted(trace.steps, key=lambda step: step[0] not in net.added)
    numbered = ((net.transition_numbers[name], times) for name, times in ordered)
    return joined(numbered, net.actions)


def _after_choice(net: Net, certificate: object) -> object:
    match certificate:
        case Certificate(invariant):
            cases = (substitute(invariant, values) for values in after_choice(net))
            return Certificate(disjunction(cases))
        case StateEquationCertificate(traps, siphon, unmarked):
            if {*siphon, *(p for places in (*traps, *unmarked) for p in places)} <= {*net.places}:
                return certificate
    raise Refused("the proof speaks of how the initial marking is chosen")
