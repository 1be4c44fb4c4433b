"""The certificate of a proof: facts and clauses of the last frame, without those not needed."""

from __future__ import annotations

from collections.abc import Sequence

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
)
from petricheck.engines.abstraction.restating import with_hints
from petricheck.evidence.audit.invariants.basis import open_obligations
from petricheck.evidence.certificates.invariant import Certificate, CoverHints
from petricheck.laboratory.pdr.polyhedra import Polyhedron
from petricheck.laboratory.pdr.search import LastFrame
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

_LARGEST = 100_000
"""Limit of parts squared times transitions, above which no part is removed."""


def certificate(problem: Problem, proof: LastFrame, budget: Budget) -> Certificate:
    """Return the needed parts as clauses and half-spaces if they prove it, else restate them.

    Half-spaces then stand for equalities.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    clauses = (_clause(problem.net, forbidden) for forbidden in proof.forbidden)
    parts = tuple(dict.fromkeys((*proof.facts, *clauses)))
    if all(map(_is_simple, _halves(parts))) and _proves(problem, parts, budget):
        needed = _needed_parts(problem, parts, budget)
        return Certificate(Conjunction(_halves(needed)), CoverHints(()))
    return with_hints(problem, Conjunction(parts), budget)


def _needed_parts(problem: Problem, parts: Sequence[Formula], budget: Budget) -> Sequence[Formula]:
    """Return parts that still prove it; all of them where they are many.

    The last ones are tried first, since others may have been needed for them alone.
    """
    if len(parts) ** 2 * len(problem.net.transitions) > _LARGEST:
        return parts
    needed = parts
    for part in reversed(parts):
        remaining = tuple(other for other in needed if other is not part)
        if _proves(problem, remaining, budget):
            needed = remaining
    return needed


def _proves(problem: Problem, parts: Sequence[Formula], budget: Budget) -> bool:
    return not any(open_obligations(problem, Conjunction(_halves(parts)), CoverHints(()), budget))


def _halves(parts: Sequence[Formula]) -> tuple[Formula, ...]:
    """Return the parts, with two half-spaces in place of each equality."""
    halves: dict[Formula, None] = {}
    for part in parts:
        match part:
            case Equality(term):
                halves |= {Inequality(term): None, Inequality(-term): None}
            case _:
                halves[part] = None
    return tuple(halves)


def _clause(net: Net, forbidden: Polyhedron) -> Formula:
    """Return the clause; a half-space for a single atom with some weight that is not positive."""
    clause = forbidden.clause(net)
    assert isinstance(clause, Disjunction)
    if len(clause.operands) == 1 and not _is_positive(clause.operands[0]):
        return clause.operands[0]
    return clause


def _is_simple(part: Formula) -> bool:
    """Return whether the part is a half-space, or a disjunction of c·m ≤ k with c ≥ 0."""
    match part:
        case Disjunction(operands):
            return all(map(_is_positive, operands))
        case _:
            return isinstance(part, Inequality)


def _is_positive(atom: Formula) -> bool:
    return isinstance(atom, Inequality) and all(c > 0 for _, c in atom.term.coefficients)
