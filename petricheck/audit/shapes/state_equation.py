"""The state equation m = m0 + D·x with marked traps, an empty siphon, and unmarked sets.

That each trap and the siphon are such, marked and empty initially, is checked place by place, in
exact arithmetic. Then (1) holds with x = 0, and (2) with x_t + 1: a transition that takes from the
empty siphon is disabled, and every other one puts nothing on it, for it would take from it. The
first firing that puts on an unmarked set, which is empty initially, takes nothing from it; so what
takes from the set has not fired before a transition that *fills* it, which puts on it and takes
nothing from it. So (3) is left to a solver: no x ≥ 0 for which this holds makes m0 + D·x a marking
in the target that marks every trap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from petricheck.audit.limits import checked
from petricheck.audit.obligation import Obligation, countermodel, refuse, refute_cvc5
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.presburger.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    at_least,
    at_most,
    substitute,
)
from petricheck.presburger.terms import Term, linear
from petricheck.problem import Net, Problem, Transition


@dataclass(frozen=True)
class StateEquation:
    """No solution of the state equation is in the target."""

    of: ClassVar[type] = StateEquationCertificate

    def discharge(
        self,
        problem: Problem,
        certificate: StateEquationCertificate,
        budget: Budget,
        second_solver: bool,
    ) -> str:
        """Check traps and siphon, and let a solver refute the equation."""
        problem = Problem(problem.net, checked("the target", problem.net, problem.target, budget))
        obligation = state_equation_obligation(problem, certificate)
        refuse(obligation, solution(obligation, budget))
        if second_solver:
            refute_cvc5(obligation, budget)
        return f"discharged by {'z3 and cvc5' if second_solver else 'z3'}"


def state_equation_obligation(
    problem: Problem, certificate: StateEquationCertificate
) -> Obligation:
    """What is left to a solver of the certificate.

    The variables are `firings(net, number)`: with unmarked sets of each unblocked transition, else
    of the first one of each effect, for all of them. With Σ x_t·δ = (Σ x_t)·δ no more is needed.

    Raises:
        EvidenceError: what the certificate lists is no marked trap, no empty siphon, or no unmarked
            set.
    """
    net = problem.net
    siphon = _numbers(net, certificate.siphon)
    unblocked = [n for n, t in enumerate(net.transitions) if siphon.isdisjoint(p for p, _ in t.pre)]
    _check_siphon(net, siphon)
    counted = unblocked
    if not certificate.unmarked:  # Which of two transitions takes from a set, effects do not say.
        first = {net.transitions[number].effect: number for number in reversed(unblocked)}
        counted = sorted(first.values())
    marking = _state_equation(net, counted)
    marked = []
    for names in certificate.traps:
        _check_trap(net, _numbers(net, names), [net.transitions[number] for number in unblocked])
        marked.append(at_least(linear((name, 1) for name in set(names)), 1))
    fed = [_filled_first(net, _numbers(net, names), unblocked) for names in certificate.unmarked]
    natural = [at_least(term, 0) for term in marking.values() if term.coefficients]
    claim = substitute(Conjunction((problem.target, *marked)), marking)
    whole = Conjunction((*natural, *fed, claim))
    return Obligation("the state equation meets the target", whole)


def solution(obligation: Obligation, budget: Budget) -> Mapping[str, int] | None:
    """A solution of such an obligation; what z3 has refuted within a budget stays refuted.

    Raises:
        BudgetExhausted: z3 does not tell.
    """
    if budget.known.get(obligation.name) == obligation:
        return None
    model = countermodel(obligation, budget, equations=True)
    if model is None:
        budget.known[obligation.name] = obligation
    return model


def firings(net: Net, number: int) -> str:
    """The variable for how often a transition fires; its number keeps it apart from all others."""
    return f"{net.transitions[number].name}#{number}"


def _state_equation(net: Net, counted: list[int]) -> dict[str, Term]:
    """m0 + D·x by place, with x of these transitions."""
    sums: list[list[tuple[str, int]]] = [[] for _ in net.places]
    for number in counted:
        for place, change in net.transitions[number].effect:
            sums[place].append((firings(net, number), change))
    rows = zip(net.places, sums, net.initial, strict=True)
    return {place: linear(row, tokens) for place, row, tokens in rows}


def _numbers(net: Net, names: tuple[str, ...]) -> frozenset[int]:
    for name in names:
        if name not in net.place_numbers:
            raise EvidenceError(f"a trap or siphon names {name!r}, which is no place of the net")
    return frozenset(net.place_numbers[name] for name in names)


def _filled_first(net: Net, places: frozenset[int], unblocked: list[int]) -> Formula:
    """That nothing takes from an unmarked set, or a transition fills it."""
    for place in sorted(places):
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
    for place in sorted(siphon):
        if net.initial[place]:
            raise EvidenceError(f"the siphon is marked initially, on {net.places[place]!r}")
    for transition in net.transitions:
        puts = any(place in siphon for place, _ in transition.post)
        if puts and siphon.isdisjoint(place for place, _ in transition.pre):
            raise EvidenceError(f"transition {transition.name!r} marks the siphon")


def _check_trap(net: Net, trap: frozenset[int], unblocked: list[Transition]) -> None:
    if not any(net.initial[place] for place in trap):
        raise EvidenceError("a trap is empty initially")
    for transition in unblocked:
        takes = any(place in trap for place, _ in transition.pre)
        if takes and trap.isdisjoint(place for place, _ in transition.post):
            raise EvidenceError(f"transition {transition.name!r} may empty a trap")
