"""From the last frame to a certificate: its facts and clauses, as far as the proof needs them."""

from __future__ import annotations

from itertools import chain
from typing import TypeAlias

from petricheck.audit.basis import left_open
from petricheck.budget import Budget
from petricheck.evidence.invariant import Certificate, CoverHints
from petricheck.laboratory.pdr.polyhedra import Polyhedron
from petricheck.laboratory.pdr.search import Proof
from petricheck.presburger.formulas import Conjunction, Disjunction, Equality, Formula, Inequality
from petricheck.problem import Net, Problem

_LARGEST = 100_000
"""Proofs of more units squared, times transitions, keep what they may not need."""

_Unit: TypeAlias = tuple[Formula, ...]
"""What is dropped together: a clause, or both sides of an equality."""


def certificate(problem: Problem, proof: Proof, budget: Budget) -> Certificate:
    """The invariant, with hints where the audit then needs no solver, and no more than it needs.

    It then has half-spaces for equalities, which solvers have more trouble with.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    clauses = tuple(_clause(problem.net, forbidden) for forbidden in proof.forbidden)
    units = (*map(_halves, proof.facts), *((clause,) for clause in clauses))
    if all(map(_plain, chain.from_iterable(units))) and _proves(problem, units, budget):
        needed = _needed(problem, units, budget)
        return Certificate(_together(needed), CoverHints(()))
    return Certificate(Conjunction(tuple(dict.fromkeys((*proof.facts, *clauses)))))


def _needed(problem: Problem, units: tuple[_Unit, ...], budget: Budget) -> tuple[_Unit, ...]:
    """Units that still prove it; all of them where they are many.

    What was learnt last goes first, since it may be all that needed the others.
    """
    if len(units) ** 2 * len(problem.net.transitions) > _LARGEST:
        return units
    needed = units
    for unit in reversed(units):
        fewer = tuple(other for other in needed if other is not unit)
        if _proves(problem, fewer, budget):
            needed = fewer
    return needed


def _proves(problem: Problem, units: tuple[_Unit, ...], budget: Budget) -> bool:
    return not any(left_open(problem, _together(units), CoverHints(()), budget))


def _together(units: tuple[_Unit, ...]) -> Conjunction:
    return Conjunction(tuple(dict.fromkeys(chain.from_iterable(units))))


def _halves(fact: Formula) -> tuple[Formula, ...]:
    match fact:
        case Equality(term):
            return Inequality(term), Inequality(-term)
        case _:
            return (fact,)


def _clause(net: Net, forbidden: Polyhedron) -> Formula:
    """A disjunction also of one atom, unless some weight is negative: that is a half-space."""
    clause = forbidden.clause(net)
    assert isinstance(clause, Disjunction)
    if len(clause.operands) == 1 and not _positive(clause.operands[0]):
        return clause.operands[0]
    return clause


def _plain(part: Formula) -> bool:
    """Whether the part is a half-space, or a disjunction of c·m ≤ k with c ≥ 0."""
    match part:
        case Disjunction(operands):
            return all(map(_positive, operands))
        case _:
            return isinstance(part, Inequality)


def _positive(atom: Formula) -> bool:
    return isinstance(atom, Inequality) and all(c > 0 for _, c in atom.term.coefficients)
