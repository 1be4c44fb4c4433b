"""From the last frame to a certificate: its facts and clauses, as far as the proof needs them."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.audit.basis import open_obligations
from petricheck.budget import Budget
from petricheck.evidence.invariant import Certificate, CoverHints
from petricheck.laboratory.pdr.polyhedra import Polyhedron
from petricheck.laboratory.pdr.search import Proof
from petricheck.presburger.formulas import Conjunction, Disjunction, Equality, Formula, Inequality
from petricheck.problem import Net, Problem

_LARGEST = 100_000
"""Proofs of more parts squared, times transitions, keep what they may not need."""


def certificate(problem: Problem, proof: Proof, budget: Budget) -> Certificate:
    """The invariant, with hints where the audit then needs no solver, and no more than it needs.

    It then has half-spaces for equalities, which solvers have more trouble with.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    clauses = (_clause(problem.net, forbidden) for forbidden in proof.forbidden)
    parts = tuple(dict.fromkeys((*proof.facts, *clauses)))
    if all(map(_plain, _halves(parts))) and _proves(problem, parts, budget):
        needed = _needed(problem, parts, budget)
        return Certificate(Conjunction(_halves(needed)), CoverHints(()))
    return Certificate(Conjunction(parts))


def _needed(problem: Problem, parts: Sequence[Formula], budget: Budget) -> Sequence[Formula]:
    """Parts that still prove it; all of them where they are many.

    What was learnt last goes first, since it may be all that needed the others.
    """
    if len(parts) ** 2 * len(problem.net.transitions) > _LARGEST:
        return parts
    needed = parts
    for part in reversed(parts):
        fewer = tuple(other for other in needed if other is not part)
        if _proves(problem, fewer, budget):
            needed = fewer
    return needed


def _proves(problem: Problem, parts: Sequence[Formula], budget: Budget) -> bool:
    return not any(open_obligations(problem, Conjunction(_halves(parts)), CoverHints(()), budget))


def _halves(parts: Sequence[Formula]) -> tuple[Formula, ...]:
    """The parts, with both sides of an equality in its place."""
    halves: dict[Formula, None] = {}
    for part in parts:
        match part:
            case Equality(term):
                halves |= {Inequality(term): None, Inequality(-term): None}
            case _:
                halves[part] = None
    return tuple(halves)


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
