"""From the last frame to a certificate: its facts and its clauses."""

from __future__ import annotations

from petricheck.answer import Certificate, CoverHints
from petricheck.pdr.polyhedra import Polyhedron
from petricheck.pdr.search import Proof
from petricheck.presburger.formulas import Conjunction, Disjunction, Equality, Formula, Inequality
from petricheck.problem import Net


def certificate(net: Net, proof: Proof) -> Certificate:
    """The invariant, with hints where it has the shape that the audit checks without a solver."""
    parts: dict[Formula, None] = {}
    for fact in proof.facts:
        parts.update(dict.fromkeys(_halves(fact)))
    parts.update((_clause(net, forbidden), None) for forbidden in proof.forbidden)
    hints = CoverHints(()) if all(map(_plain, parts)) else None
    return Certificate(Conjunction(tuple(parts)), hints)


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
