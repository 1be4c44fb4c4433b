"""Claims about an earlier version of a net, proved again of the net as it is now.

Nobody trusts them: each counts once the audit has accepted it. What no longer holds is weakened
until it may: traces are fired as far as they fire, and of the formulas of invariants those remain
that are still inductive together. All of these, and the atoms of the others, are facts for engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    conjuncts,
    disjunction,
    disjuncts,
    distinct_atoms,
    evaluate,
    variables,
)
from petricheck.arithmetic.solvers.solver import find_model
from petricheck.engines import isolated
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates.invariant import Certificate, Hints
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.evidence.claims import Claim, Excluded, Reached
from petricheck.model.net import Marking, Net
from petricheck.questions.question import Question
from petricheck.questions.shortening import shortened
from petricheck.questions.study import Study
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, EvidenceError, InputError, QueryError
from petricheck.symbolic.facts.inductive import inductive_part
from petricheck.symbolic.facts.siphons import greatest_siphon, greatest_trap, unblocked_transitions

_PART, _SECONDS = 4, 20.0
"""Earlier evidence has at most one part in so many of the time, and at most so many seconds."""


def prove_again(question: Question, study: Study) -> None:
    """Prove the earlier claims, as they are or weakened, and give the study facts for engines.

    Of a question about one target, until one claim decides it.
    """
    limits, net, failed = study.budget.part(_PART, _SECONDS), study.net, list[Claim]()
    with suppress(BudgetExhausted), isolated("", study.budget.watch):
        for claim in _restated(question.earlier or (), question.target):
            if not _is_proved(study, claim, limits):
                failed.append(claim)
            elif question.target is not None:
                return
        if net.origin is not None:  # Engines may see other places, and traces have other names.
            return
        for claim in failed:
            if isinstance(claim, Reached) and (fired := followed(net, claim, limits)) is not None:
                _is_proved(study, fired, limits)
        excluded = [claim for claim in failed if isinstance(claim, Excluded)]
        certificates = [claim.certificate for claim in excluded]
        invariants = [c.invariant for c in certificates if isinstance(c, Certificate)]
        inductive = inductive_part(net, _parts(invariants), limits)
        study.facts += dict.fromkeys((*inductive, *_atoms(invariants)))
        for claim in excluded:
            certificate, formula = weakened(net, claim.certificate, inductive), claim.formula
            if isinstance(certificate, Certificate) and question.target is None:
                formula = _excluded_part(formula, inductive, limits)
            if certificate is not None and formula != FALSE:
                _is_proved(study, Excluded(formula, certificate), limits)


def _excluded_part(formula: Formula, inductive: Sequence[Formula], budget: Budget) -> Formula:
    """Return the disjuncts of a formula that these formulas exclude."""
    return disjunction(
        part
        for part in disjuncts(formula)
        if find_model(Conjunction((*inductive, part)), budget=budget, natural=True) is None
    )


def _restated(claims: Iterable[Claim], target: Formula | None) -> Iterator[Claim]:
    """Yield the claims; those of a question about one target are claims about this target."""
    for claim in claims:
        match claim:
            case Reached(trace) if target is not None:
                yield Reached(trace, ((len(trace.steps), target),))
            case Excluded(_, certificate) if target is not None:
                yield Excluded(target, certificate)
            case _:
                yield claim


def _is_proved(study: Study, claim: Claim, limits: Budget) -> bool:
    """Return whether the audit accepts the claim, which the study then stores."""
    limits.check()
    with isolated("", study.budget.watch), suppress(EvidenceError, QueryError, InputError):
        study.reuse(claim, limits)
        return True
    return False


def followed(net: Net, claim: Reached, budget: Budget) -> Reached | None:
    """Return what is reached by the steps of a trace that can fire; None where that is nothing."""
    sought = dict.fromkeys(formula for _, formula in claim.stops)
    if not net.place_numbers.keys() >= {name for formula in sought for name in variables(formula)}:
        return None
    fired, stops = list[tuple[str, int]](), list[tuple[int, Formula]]()
    for step, marking in _firings(net, claim.trace.steps, budget):
        fired += [] if step is None else [step]
        values = net.values(marking)
        for formula in [formula for formula in sought if evaluate(formula, values)]:
            del sought[formula]
            stops.append((len(fired), formula))
        if not sought:
            break
    if not stops:
        return None
    reaching = Reached(Trace(tuple(fired[: stops[-1][0]])), tuple(stops))
    restated = shortened(net, reaching, budget)
    return restated if isinstance(restated, Reached) else reaching


def _firings(
    net: Net, steps: Iterable[tuple[str, int]], budget: Budget
) -> Iterator[tuple[tuple[str, int] | None, Marking]]:
    """Yield the initial marking, then steps that fire, as often as they can, and what follows.

    What is left of the steps fires after the others, if it can then.
    """
    marking, left, transitions = net.initial, [*steps], {t.name: t for t in net.transitions}
    yield None, marking
    progress = True
    while progress:
        waiting, left, progress = left, [], False
        for name, times in waiting:
            budget.check()
            transition, fires = transitions.get(name), 0
            if transition is not None and transition.enabled(marking):
                most = transition.most(marking)
                fires = times if most is None else min(times, most)
                marking, progress = transition.fire(marking, fires), True
                yield (name, fires), marking
            left += [(name, times - fires)] if fires < times else []


def weakened(net: Net, certificate: object, inductive: Sequence[Formula]) -> object | None:
    """Return what is left of a certificate; None where nothing is.

    Of an invariant, these formulas, which are inductive together.
    """
    match certificate:
        case Certificate() if inductive:
            if all(isinstance(part, Inequality | Congruence) for part in inductive):
                rows = ((0,) * len(net.transitions),)
                return Certificate(Disjunction((Conjunction(tuple(inductive)),)), Hints(rows, ()))
            return Certificate(Conjunction(tuple(inductive)))
        case StateEquationCertificate(traps, siphon, unmarked):
            empty = greatest_siphon(net.transitions, _unmarked(net, siphon))
            unblocked = unblocked_transitions(net, empty)
            marked = (greatest_trap(unblocked, _numbers(net, trap)) for trap in traps)
            return StateEquationCertificate(
                tuple(_names(net, trap) for trap in marked if any(net.initial[p] for p in trap)),
                _names(net, empty),
                tuple(_names(net, _unmarked(net, places)) for places in unmarked),
            )
    return None


def _parts(invariants: Iterable[Formula]) -> Iterator[Formula]:
    """Yield the formulas whose conjunctions the invariants are."""
    for invariant in invariants:
        cases = disjuncts(invariant)
        yield from conjuncts(cases[0] if len(cases) == 1 else invariant)


def _atoms(invariants: Iterable[Formula]) -> Iterator[Formula]:
    for invariant in invariants:
        yield from distinct_atoms(invariant)


def _numbers(net: Net, places: Iterable[str]) -> list[int]:
    return [net.place_numbers[place] for place in places if place in net.place_numbers]


def _unmarked(net: Net, places: Iterable[str]) -> list[int]:
    return [place for place in _numbers(net, places) if not net.initial[place]]


def _names(net: Net, places: Iterable[int]) -> tuple[str, ...]:
    return tuple(net.places[place] for place in sorted(places))
