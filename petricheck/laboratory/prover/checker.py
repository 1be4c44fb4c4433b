"""Whether a proof is one, step by step: borrows nothing from the search.

A gate stands for its formula and a quotient for its number, so both can be added to any model of
the parts. Then a hypothesis holds in the models of its part, every other step keeps that, and the
last, the empty clause, holds in none. Atoms, and terms that derivations say are equal, are checked
to belong to one part each, without which the interpolation rules would say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.arithmetic.formulas.formulas import Equality, Inequality
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.laboratory.prover.conclusions import (
    BoundConclusion,
    EquationConclusion,
    atom_of,
    conclusions,
)
from petricheck.laboratory.prover.hypotheses import check_hypothesis, inequality
from petricheck.laboratory.prover.proofs import (
    Contra,
    Derivation,
    Gate,
    Hypothesis,
    Literal,
    Proof,
    Refutation,
    Residue,
    Resolution,
    Step,
    Sum,
)
from petricheck.laboratory.prover.terms import Symbol, is_known, sides, vocabulary
from petricheck.support.errors import EvidenceError

_Clause = frozenset[Literal]


def check(proof: Proof) -> None:
    """Accept a refutation of the proof's parts.

    Raises:
        EvidenceError: it is none; the text says which step is wrong, and why.
    """
    _Checker(proof).check()


class _Checker:
    def __init__(self, proof: Proof) -> None:
        self._proof = proof
        self._vocabularies = [vocabulary(part) for part in proof.parts]

    def check(self) -> None:
        self._check_quotients()
        self._check_atoms()
        clauses: list[_Clause] = []
        for number, step in enumerate(self._proof.steps):
            try:
                clauses.append(self._derived(step, clauses))
            except EvidenceError as error:
                raise EvidenceError(f"step {number} of the proof: {error}") from None
        if not clauses or clauses[-1]:
            raise EvidenceError("the proof does not end with the empty clause")

    def _check_quotients(self) -> None:
        symbols = frozenset[Symbol]().union(*self._vocabularies)
        for name, quotient in self._proof.quotients.items():
            if not self._proof.integral or quotient.congruence.modulus < 1:
                raise EvidenceError(f"{name} is no quotient of integers")
            if name in symbols or not 0 <= quotient.part < len(self._proof.parts):
                raise EvidenceError(f"{name} is not new, or of no part")
            if not is_known(quotient.congruence.term, vocabulary(self._proof.parts[quotient.part])):
                raise EvidenceError(f"{name} is a quotient of what its part does not know")
        for name, quotient in self._proof.quotients.items():
            self._vocabularies[quotient.part] |= {name}

    def _check_atoms(self) -> None:
        for number, atom in enumerate(self._proof.atoms, start=1):
            match atom:
                case Gate(part, formula):
                    is_part = 0 <= part < len(self._proof.parts)
                    pure = is_part and vocabulary(formula) <= self._vocabularies[part]
                case Equality(term) if self._proof.integral or not term.coefficients:
                    raise EvidenceError(f"atom {number} is an equation, of integers or of numbers")
                case Equality(term) | Inequality(term):
                    pure = self._is_pure(term)
            if not pure:
                raise EvidenceError(f"atom {number} does not belong to one part")

    def _is_pure(self, term: Term) -> bool:
        return any(is_known(term, symbols) for symbols in self._vocabularies)

    def _derived(self, step: Step, clauses: list[_Clause]) -> _Clause:
        match step:
            case Hypothesis(part, clause):
                check_hypothesis(self._proof, part, clause)
                return frozenset(clause)
            case Contra(refutation):
                self._check_refutation(refutation)
                return frozenset(-literal for literal in refutation.literals)
            case Resolution(pivot, positive, negative):
                return self._resolved(pivot, positive, negative, clauses)

    def _resolved(
        self, pivot: int, positive: int, negative: int, clauses: list[_Clause]
    ) -> _Clause:
        if not (0 <= positive < len(clauses) and 0 <= negative < len(clauses)):
            raise EvidenceError("it rests on what is not before it")
        if pivot <= 0 or pivot not in clauses[positive] or -pivot not in clauses[negative]:
            raise EvidenceError(f"atom {pivot} is not what its clauses have and deny")
        return (clauses[positive] - {pivot}) | (clauses[negative] - {-pivot})

    def _statement(self, literal: Literal) -> tuple[Term, bool]:
        """Return the term that is at most 0 by the literal, and whether it is below 0."""
        atom = atom_of(self._proof, literal)
        if not isinstance(atom, Inequality):
            raise EvidenceError(f"atom {abs(literal)} is no inequality")
        return inequality(atom, literal, self._proof.integral)

    def _check_refutation(self, refutation: Refutation) -> None:
        match refutation:
            case Sum(summands):
                self._check_sum(summands)
            case Residue():
                self._check_residue(refutation)
            case Derivation():
                self._check_derivation(refutation)

    def _check_sum(self, summands: tuple[tuple[Literal, int], ...]) -> None:
        if any(times <= 0 for _, times in summands):
            raise EvidenceError("a multiplier is not positive")
        sides = [self._statement(literal) for literal, _ in summands]
        total = _sum((term, times) for (term, _), (_, times) in zip(sides, summands, strict=True))
        strict = any(below for _, below in sides)
        if total.coefficients or total.constant < 0 or (total.constant == 0 and not strict):
            raise EvidenceError("the sum of the inequalities is no contradiction")

    def _check_residue(self, residue: Residue) -> None:
        if not self._proof.integral or residue.modulus < 2:
            raise EvidenceError(f"{residue.modulus} is no modulus of integers")
        terms: list[tuple[Term, int]] = []
        for equation, times in residue.summands:
            term, opposite = self._statement(equation.upper)[0], self._statement(equation.lower)[0]
            if -term != opposite:
                raise EvidenceError("two inequalities are no equation")
            terms.append((term, times))
        total = _sum(terms)
        left = [value for _, value in total.coefficients if value % residue.modulus]
        if left or total.constant % residue.modulus == 0:
            raise EvidenceError(f"the sum of the equations is possible modulo {residue.modulus}")

    def _check_derivation(self, derivation: Derivation) -> None:
        if self._proof.integral:
            raise EvidenceError("a derivation is of rationals")
        lines = conclusions(self._proof, derivation)
        for number, conclusion in enumerate(lines):
            if isinstance(conclusion, EquationConclusion):
                for side in (conclusion.left, conclusion.right):
                    if not self._is_pure(side.term):
                        raise EvidenceError(f"line {number}: a term does not belong to one part")
        match derivation.denied, lines[-1] if lines else None:
            case None, BoundConclusion(total, strict) if not total.term.coefficients:
                if total.term.constant > 0 or (strict and total.term.constant == 0):
                    return
            case int() as literal, EquationConclusion(left, right) if literal < 0:
                atom = atom_of(self._proof, literal)
                if isinstance(atom, Equality) and {left, right} == {*sides(atom)}:
                    return
        raise EvidenceError("the last line is no contradiction")


def _sum(summands: Iterable[tuple[Term, int]]) -> Term:
    scaled = [term * times for term, times in summands]
    pairs = (pair for term in scaled for pair in term.coefficients)
    return linear(pairs, sum(term.constant for term in scaled))
