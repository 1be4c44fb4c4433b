"""The state equation m = m0 + D·x with marked traps, an empty siphon, and unmarked sets.

The certificate lists traps that are marked initially, a siphon that is empty initially, and sets of
places that are empty initially. These properties are checked in exact arithmetic. The invariant
says of a marking m that for some x ≥ 0, the numbers of firings:

- m = m0 + D·x, and x_t = 0 for transitions that take from the siphon;
- m marks every trap;
- if x_t > 0 for a transition that takes from an unmarked set, then x_t > 0 for one that *fills* it,
  that is, puts on it and takes nothing from it.

(1) holds with x = 0. (2) holds with x_t + 1. The siphon stays empty: a transition that puts on it
takes from it, so it never fires. Marked traps stay marked. The first firing that puts on an
unmarked set takes nothing from it; so it fills it, before any firing that takes from it. (3) is
left to a solver: no such x makes m0 + D·x a marking of the target.

Of several initial markings the solver chooses one, with the tokens of place number k as the
variable `place@k`. It has to leave the siphon empty; it may leave traps empty and mark unmarked
sets, about which nothing follows then.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
    negate,
    substitute,
    tighten,
)
from petricheck.arithmetic.formulas.terms import Term, constant, linear, variable
from petricheck.evidence.audit.invariants.obligation import (
    AuditObligation,
    countermodel,
    refuse,
    refute_cvc5,
)
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.certificates.state_equation import StateEquationCertificate
from petricheck.model.net import Net, Transition
from petricheck.model.parametric import initially
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


class StateEquation:
    """The state equation has no solution in the target."""

    of = StateEquationCertificate

    def discharge(
        self,
        problem: Problem,
        certificate: StateEquationCertificate,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check the traps, the siphon and the sets, and let a solver refute the equation."""
        problem = Problem(problem.net, checked("the target", problem.net, problem.target, budget))
        obligation = state_equation_obligation(problem, certificate)
        refuse(obligation, solution(obligation, budget))
        if second_solver:
            refute_cvc5(obligation, budget)
        return f"discharged by {'z3 and cvc5' if second_solver else 'z3'}"


def state_equation_obligation(
    problem: Problem, certificate: StateEquationCertificate
) -> AuditObligation:
    """Return the obligation (3) of the certificate.

    Its variables are `firings(net, number)`. With unmarked sets there is one for each transition
    that takes nothing from the siphon. Otherwise one for each effect suffices:
    Σ x_t·δ = (Σ x_t)·δ.

    Raises:
        EvidenceError: the certificate lists something else than marked traps, an empty siphon, and
            unmarked sets.
    """
    net = problem.net
    siphon = _numbers(net, certificate.siphon)
    unblocked = [n for n, t in enumerate(net.transitions) if siphon.isdisjoint(p for p, _ in t.pre)]
    _check_siphon(net, siphon)
    counted = unblocked
    if not certificate.unmarked:  # Unmarked sets distinguish transitions with equal effects.
        first = {net.transitions[number].effect: number for number in reversed(unblocked)}
        counted = sorted(first.values())
    start = _initial_tokens(net)
    marking = _state_equation(net, counted, start)
    marked = []
    for names in certificate.traps:
        trap = _numbers(net, names)
        _check_trap(net, trap, [net.transitions[number] for number in unblocked])
        marked.append(disjunction((_empty(trap, start), negate(_empty(trap, [*marking.values()])))))
    fed = [
        disjunction((negate(_empty(places, start)), _filled_first(net, places, unblocked)))
        for places in (_numbers(net, names) for names in certificate.unmarked)
    ]
    natural = [at_least(term, 0) for term in marking.values() if term.coefficients]
    claim = substitute(problem.target, marking)
    obligation: Formula = Conjunction((*natural, *fed, *marked, claim))
    if net.initials is not None:
        initial = substitute(initially(net), dict(zip(net.places, start, strict=True)))
        false = negate(_empty(siphon, start))
        obligation = conjunction((initial, disjunction((false, obligation))))
    return AuditObligation("the state equation meets the target", obligation)


def solution(obligation: AuditObligation, budget: Budget) -> Mapping[str, int] | None:
    """Return a solution of the obligation, or None; `budget.lemmas` records that there is none."""
    if budget.lemmas.get(obligation.name) == obligation:
        return None
    model = countermodel(obligation, budget, equations=True)
    if model is None:
        budget.lemmas[obligation.name] = obligation
    return model


def firings(net: Net, number: int) -> str:
    """Return the variable for the firings of a transition; its number makes it unique."""
    return f"{net.transitions[number].name}#{number}"


def _initial_tokens(net: Net) -> list[Term]:
    """Return m0 by place number: its tokens, or variables where there are several such markings."""
    if net.initials is None:
        return [constant(tokens) for tokens in net.initial]
    return [variable(f"{place}@{number}") for number, place in enumerate(net.places)]


def _empty(places: Iterable[int], marking: Sequence[Term]) -> Formula:
    """Return the formula that the places have no tokens in the marking."""
    terms = [marking[place] for place in places]
    coefficients = chain.from_iterable(term.coefficients for term in terms)
    return tighten(at_most(linear(coefficients, sum(term.constant for term in terms)), 0))


def _state_equation(net: Net, counted: list[int], start: Sequence[Term]) -> dict[str, Term]:
    """Return m0 + D·x by place, with x for these transitions."""
    sums: list[list[tuple[str, int]]] = [[] for _ in net.places]
    for number in counted:
        for place, change in net.transitions[number].effect:
            sums[place].append((firings(net, number), change))
    rows = zip(net.places, sums, start, strict=True)
    return {place: linear(row) + tokens for place, row, tokens in rows}


def _numbers(net: Net, names: tuple[str, ...]) -> frozenset[int]:
    for name in names:
        if name not in net.place_numbers:
            raise EvidenceError(f"a trap or siphon names {name!r}, which is no place of the net")
    return frozenset(net.place_numbers[name] for name in names)


def _filled_first(net: Net, places: frozenset[int], unblocked: list[int]) -> Formula:
    """Return the formula that no transition takes from the unmarked set, or one fills it."""
    for place in sorted(places) if net.initials is None else ():
        if net.initial[place]:
            raise EvidenceError(f"an unmarked set is marked initially, on {net.places[place]!r}")
    taking, filling = [], []
    for number in unblocked:
        transition = net.transitions[number]
        if not places.isdisjoint(place for place, _ in transition.pre):
            taking.append((firings(net, number), 1))
        elif not places.isdisjoint(place for place, _ in transition.post):
            filling.append((firings(net, number), 1))
    return Disjunction((at_most(linear(taking), 0), at_least(linear(filling), 1)))


def _check_siphon(net: Net, siphon: frozenset[int]) -> None:
    for place in sorted(siphon) if net.initials is None else ():
        if net.initial[place]:
            raise EvidenceError(f"the siphon is marked initially, on {net.places[place]!r}")
    for transition in net.transitions:
        puts = any(place in siphon for place, _ in transition.post)
        if puts and siphon.isdisjoint(place for place, _ in transition.pre):
            raise EvidenceError(f"transition {transition.name!r} marks the siphon")


def _check_trap(net: Net, trap: frozenset[int], unblocked: list[Transition]) -> None:
    if net.initials is None and not any(net.initial[place] for place in trap):
        raise EvidenceError("a trap is empty initially")
    for transition in unblocked:
        takes = any(place in trap for place, _ in transition.pre)
        if takes and trap.isdisjoint(place for place, _ in transition.post):
            raise EvidenceError(f"transition {transition.name!r} may empty a trap")
