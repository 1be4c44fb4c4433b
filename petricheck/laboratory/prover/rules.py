"""Interpolation rules: partial interpolants of a proof's nodes (McMillan 2004, 2.1).

For a clause Θ that is derived from A and B together, the partial interpolant φ is a formula over
the variables of both sides such that A implies φ or some literal of Θ that B does not know, and B
and φ imply some other literal of Θ (Def. 2). That of the empty clause is an interpolant. A literal
is known to B where all its variables occur in B's parts, or its gate is of one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Equality,
    Formula,
    Inequality,
    Negation,
    tighten,
)
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.laboratory.prover.circuits import GateCircuit, Node
from petricheck.laboratory.prover.conclusions import conclusions
from petricheck.laboratory.prover.partials import LineRules
from petricheck.laboratory.prover.proofs import (
    Atom,
    Contra,
    Derivation,
    Gate,
    Hypothesis,
    Literal,
    Proof,
    Residue,
    Resolution,
    Sum,
)
from petricheck.laboratory.prover.terms import Symbol, is_known, primitive, vocabulary
from petricheck.support.budget import Budget


def interpolant(proof: Proof, inside: Collection[int], budget: Budget) -> Formula:
    """Return the interpolant of A, the parts with these numbers, and B, the other parts.

    The proof must be one that `checker.check` accepts.

    Raises:
        BudgetExhausted: a limit is reached, or the interpolant is too large to be written.
    """
    return _ProofSide(proof, frozenset(inside)).interpolant(budget)


class _ProofSide:
    """One proof, looked at from A."""

    def __init__(self, proof: Proof, inside: frozenset[int]) -> None:
        self._proof = proof
        self._inside = inside
        self._circuit = GateCircuit(proof.integral)
        self._terms: dict[Literal, Term] = {}
        outside = (part for number, part in enumerate(proof.parts) if number not in inside)
        names: frozenset[Symbol] = frozenset().union(*map(vocabulary, outside))
        names |= {name for name, quotient in proof.quotients.items() if quotient.part not in inside}
        inner = [n for n, atom in enumerate(proof.atoms, 1) if not self._is_outside(atom, names)]
        self._inner = frozenset((*inner, *(-number for number in inner)))
        self._lines = LineRules(names, self._inner)

    def interpolant(self, budget: Budget) -> Formula:
        """Return the interpolant of the last clause."""
        nodes: list[Node] = []
        for step in self._proof.steps:
            if isinstance(step, Resolution):
                join = self._circuit.both if self._known(step.pivot) else self._circuit.either
                nodes.append(join(nodes[step.positive], nodes[step.negative]))
            else:
                nodes.append(self._leaf(step))
        return self._circuit.formula(nodes[-1], budget)

    def _leaf(self, step: Hypothesis | Contra) -> Node:
        """Return the partial interpolant of a clause that is not resolved."""
        if isinstance(step, Hypothesis):
            return self._hypothesis(step.part, step.clause)
        match step.refutation:
            case Sum(summands):
                return self._circuit.leaf(self._sum(summands))
            case Residue() as residue:
                return self._circuit.leaf(self._residue(residue))
            case Derivation() as derivation:
                lines = conclusions(self._proof, derivation)
                return self._circuit.node(self._lines.contradiction(derivation, lines))

    def _hypothesis(self, part: int, clause: tuple[Literal, ...]) -> Node:
        """Apply HypC-A: the literals of the clause that B knows; or HypC-B: true."""
        if part not in self._inside:
            return self._circuit.true
        node = self._circuit.false
        for literal in clause:
            if self._known(literal):
                formula = self._proof.statement(literal)
                node = self._circuit.either(node, self._circuit.leaf(self._simplified(formula)))
        return node

    def _sum(self, summands: tuple[tuple[Literal, int], ...]) -> Formula:
        """Apply Contra to HypLeq and Comb: return A's share, where only common variables remain."""
        share = [summand for summand in summands if summand[0] in self._inner]
        if len(share) in (0, len(summands)):
            return FALSE if share else TRUE
        total = _total((self._term(literal), times) for literal, times in share)
        if not self._proof.integral and any(literal < 0 for literal, _ in share):
            return self._simplified(Negation(Inequality(-total)))
        return self._simplified(Inequality(total))

    def _residue(self, residue: Residue) -> Formula:
        """Return the share of A in a sum of equations, up to multiples of the modulus."""
        share = _total(
            (self._term(equation.upper), times)
            for equation, times in residue.summands
            if not self._known(equation.upper)
        )
        return tighten(Congruence(share, residue.modulus))

    def _term(self, literal: Literal) -> Term:
        """Return the term that is at most 0, or below 0, by the literal."""
        if literal not in self._terms:
            match self._proof.statement(literal):
                case Inequality(term):
                    self._terms[literal] = term
                case Negation(Inequality(term)):
                    self._terms[literal] = -term
                case _:
                    raise AssertionError("not an inequality")
        return self._terms[literal]

    def _known(self, literal: Literal) -> bool:
        """Return whether the literal belongs to B."""
        return literal not in self._inner

    def _is_outside(self, atom: Atom, names: frozenset[Symbol]) -> bool:
        if isinstance(atom, Gate):
            return atom.part not in self._inside
        return is_known(atom.term, names)

    def _simplified(self, literal: Formula) -> Formula:
        """Return the literal in its shortest form, a truth value where it has no variables."""
        if self._proof.integral:
            return tighten(literal)
        match literal:
            case Inequality(term) | Negation(Inequality(term)) if not term.coefficients:
                return TRUE if (term.constant <= 0) == isinstance(literal, Inequality) else FALSE
            case Inequality(term):
                return Inequality(primitive(term))
            case Negation(Inequality(term)):
                return Negation(Inequality(primitive(term)))
            case Equality() | Negation(Equality()):
                return literal
            case _:
                raise AssertionError("not a literal")


def _total(summands: Iterable[tuple[Term, int]]) -> Term:
    scaled = [term * times for term, times in summands]
    pairs = (pair for term in scaled for pair in term.coefficients)
    return linear(pairs, sum(term.constant for term in scaled))
