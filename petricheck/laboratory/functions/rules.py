"""Interpolation rules for proofs with functions: of clauses, as in `prover.rules`.

`partials` has those for the lines that Contra rests on.
"""

from __future__ import annotations

from petricheck.laboratory.functions.circuits import Circuit, Node
from petricheck.laboratory.functions.conclusions import conclusions
from petricheck.laboratory.functions.formulas import (
    TRUE,
    Atom,
    Formula,
    at_most,
    below,
    conjunction,
    different,
    disjunction,
    implication,
    negate,
    terms,
    vocabulary,
)
from petricheck.laboratory.functions.partials import Bridge, LineRules, Own, Partial, Share
from petricheck.laboratory.functions.proofs import (
    Absurd,
    Clash,
    Contra,
    Gate,
    Proof,
    Refutation,
)
from petricheck.laboratory.functions.terms import ZERO, Symbol, symbols
from petricheck.laboratory.prover.proofs import Hypothesis, Literal, Resolution


def interpolant(proof: Proof, inside: frozenset[int]) -> Formula:
    """The interpolant of A, the parts with these numbers, and B, the other parts.

    The proof must be one that `checker.check` accepts.

    Raises:
        BudgetExhausted: the interpolant is too large to be written.
    """
    return _Side(proof, inside).interpolant()


class _Side:
    """One proof, looked at from A."""

    def __init__(self, proof: Proof, inside: frozenset[int]) -> None:
        self._proof = proof
        self._inside = inside
        outside = [part for number, part in enumerate(proof.parts) if number not in inside]
        known: frozenset[Symbol] = frozenset().union(*map(vocabulary, outside))
        numbers = (n for n, atom in enumerate(proof.atoms, 1) if self._is_outside(atom, known))
        literals = frozenset(literal for n in numbers for literal in (n, -n))
        self._rules = LineRules(known, literals)

    def interpolant(self) -> Formula:
        """That of the last clause."""
        circuit = Circuit()
        nodes: list[Node] = []
        for step in self._proof.steps:
            match step:
                case Hypothesis(part, clause):
                    nodes.append(circuit.node(self._hypothesis(part, clause)))
                case Contra(refutation):
                    nodes.append(circuit.node(self._contra(refutation)))
                case Resolution(pivot, positive, negative):
                    known = pivot in self._rules.literals
                    nodes.append(circuit.join(known, (nodes[positive], nodes[negative])))
        return circuit.formula(nodes[-1])

    def _hypothesis(self, part: int, clause: tuple[Literal, ...]) -> Formula:
        """HypC-A: what B knows of the clause. HypC-B: true."""
        if part not in self._inside:
            return TRUE
        known = (literal for literal in clause if literal in self._rules.literals)
        return disjunction(map(self._said, known))

    def _said(self, literal: Literal) -> Formula:
        atom = self._proof.atoms[abs(literal) - 1]
        assert not isinstance(atom, Gate)
        return atom if literal > 0 else negate(atom)

    def _is_outside(self, atom: Gate | Atom, known: frozenset[Symbol]) -> bool:
        match atom:
            case Gate(part):
                return part not in self._inside
            case _:
                return all(known.issuperset(symbols(term)) for term in terms(atom))

    def _contra(self, refutation: Refutation) -> Formula:
        """Contra on EqNeq, and on a false inequality."""
        said = conclusions(self._proof, refutation)
        partials: list[Partial] = []
        for number, line in enumerate(refutation.lines):
            partials.append(self._rules.partial(line, said[number], said, partials))
        match refutation.end, partials[-1]:
            case Absurd(), Share(term, strict, condition, fact):
                contribution = below(term, ZERO) if strict else at_most(term, ZERO)
                return implication(condition, conjunction((fact, contribution)))
            case Clash(literal), Bridge(left, right, condition, fact):
                denied = literal in self._rules.literals
                denial = TRUE if denied else different(left, right)
                return implication(condition, conjunction((fact, denial)))
            case Clash(), Own(condition):
                return negate(condition)
            case _:
                raise AssertionError("not a contradiction")
