"""What a certificate has to satisfy, as formulas that must have no solution.

A certificate I is an inductive invariant: with m ≥ 0 understood, (1) m0 ⊨ I,
(2) I ∧ m ≥ u_t ⊨ I[m + δ_t] for every t, (3) I ∧ target is unsatisfiable.

A `StateEquationCertificate` has obligations of its own. That each trap and the siphon are such,
marked and empty initially, is checked place by place, in exact arithmetic. Then (1) holds with
x = 0, and (2) with x_t + 1: a transition that takes from the empty siphon is disabled, and every
other one puts nothing on it, for it would take from it. So (3) is left: no x ≥ 0 makes m0 + D·x a
marking in the target that marks every trap.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.errors import EvidenceError
from petricheck.evidence.state_equation import StateEquationCertificate
from petricheck.presburger.formulas import (
    Conjunction,
    Formula,
    Negation,
    at_least,
    equal,
    substitute,
    variables,
)
from petricheck.presburger.terms import Term, linear, variable
from petricheck.problem import Net, Problem, Transition


@dataclass(frozen=True, slots=True)
class Obligation:
    """A formula that must have no solution in natural numbers, and what a solution would mean."""

    name: str
    formula: Formula


def obligations(problem: Problem, invariant: Formula) -> Iterator[Obligation]:
    """What makes the formula an invariant that excludes the target, in the order (1), (2), (3)."""
    start = problem.net.values(problem.net.initial)
    at_start = [equal(variable(name), start[name]) for name in variables(invariant)]
    failure = Conjunction((*at_start, Negation(invariant)))
    yield Obligation("the invariant does not hold initially", failure)
    for transition in problem.net.transitions:
        yield preservation(problem.net, transition, invariant, invariant)
    yield exclusion(problem, invariant)


def preservation(net: Net, transition: Transition, part: Formula, whole: Formula) -> Obligation:
    """(2): no firing of the transition leads from the part of an invariant out of the whole."""
    guard = [at_least(variable(net.places[place]), weight) for place, weight in transition.pre]
    shift = {net.places[p]: variable(net.places[p]) + change for p, change in transition.effect}
    name = f"transition {transition.name!r} leaves the invariant"
    return Obligation(name, Conjunction((part, *guard, Negation(substitute(whole, shift)))))


def exclusion(problem: Problem, part: Formula) -> Obligation:
    """(3): the part of an invariant misses the target."""
    return Obligation("the invariant meets the target", Conjunction((part, problem.target)))


def state_equation_obligation(
    problem: Problem, certificate: StateEquationCertificate
) -> Obligation:
    """What is left to a solver of the certificate, over one variable for each unblocked transition.

    The variables are `firings(net, number)`.

    Raises:
        EvidenceError: what the certificate lists is no marked trap or no empty siphon.
    """
    net = problem.net
    siphon = _numbers(net, certificate.siphon)
    unblocked = [n for n, t in enumerate(net.transitions) if siphon.isdisjoint(p for p, _ in t.pre)]
    _check_siphon(net, siphon)
    marking = _state_equation(net, unblocked)
    marked = []
    for names in certificate.traps:
        _check_trap(net, _numbers(net, names), [net.transitions[number] for number in unblocked])
        marked.append(at_least(linear((name, 1) for name in set(names)), 1))
    natural = [at_least(term, 0) for term in marking.values() if term.coefficients]
    claim = substitute(Conjunction((problem.target, *marked)), marking)
    return Obligation("the state equation meets the target", Conjunction((*natural, claim)))


def firings(net: Net, number: int) -> str:
    """The variable for how often a transition fires; its number keeps it apart from all others."""
    return f"{net.transitions[number].name}#{number}"


def _state_equation(net: Net, unblocked: list[int]) -> dict[str, Term]:
    """m0 + D·x by place."""
    sums: list[list[tuple[str, int]]] = [[] for _ in net.places]
    for number in unblocked:
        for place, change in net.transitions[number].effect:
            sums[place].append((firings(net, number), change))
    rows = zip(net.places, sums, net.initial, strict=True)
    return {place: linear(row, tokens) for place, row, tokens in rows}


def _numbers(net: Net, names: tuple[str, ...]) -> frozenset[int]:
    for name in names:
        if name not in net.place_numbers:
            raise EvidenceError(f"a trap or siphon names {name!r}, which is no place of the net")
    return frozenset(net.place_numbers[name] for name in names)


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
