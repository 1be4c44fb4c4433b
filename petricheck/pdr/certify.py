"""From the last frame to a certificate: its facts and its clauses."""

from __future__ import annotations

from petricheck.answer import Certificate, CoverHints
from petricheck.audit.basis import left_open
from petricheck.budget import Budget
from petricheck.pdr.polyhedra import Polyhedron
from petricheck.pdr.search import Proof
from petricheck.presburger.formulas import Conjunction, Disjunction, Equality, Formula, Inequality
from petricheck.problem import Net, Problem


def certificate(problem: Problem, proof: Proof, budget: Budget) -> Certificate:
    """The invariant, with hints where the audit then needs no solver.

    It then has half-spaces for equalities, which solvers have more trouble with.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    clauses = [_clause(problem.net, forbidden) for forbidden in proof.forbidden]
    halves = [half for fact in proof.facts for half in _halves(fact)]
    split = Conjunction(tuple(dict.fromkeys((*halves, *clauses))))
    if all(map(_plain, split.operands)):
        hints = CoverHints(())
        if not any(left_open(problem, split, hints, budget)):
            return Certificate(split, hints)
    return Certificate(Conjunction(tuple(dict.fromkeys((*proof.facts, *clauses)))))


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
