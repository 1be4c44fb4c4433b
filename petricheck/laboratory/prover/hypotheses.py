"""Whether a clause follows literally from the formulas of a part.

Gates mean their formulas here, quotients their numbers; nothing is borrowed from the search.
"""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.laboratory.prover.conclusions import atom_of
from petricheck.laboratory.prover.proofs import Gate, Literal, Proof, QuotientVariable
from petricheck.laboratory.prover.terms import equated
from petricheck.support.errors import EvidenceError


def check_hypothesis(proof: Proof, part: int, clause: tuple[Literal, ...]) -> None:
    """Accept a clause of which some literal is true wherever the part holds.

    Raises:
        EvidenceError: that is not plain.
    """
    if not 0 <= part < len(proof.parts):
        raise EvidenceError(f"there is no part {part}")
    reader = _ClauseReader(proof, part, clause)
    if not any(map(reader.follows, (*reader.denied, proof.parts[part]))):
        raise EvidenceError(f"the clause does not follow from part {part}")


def inequality(atom: Inequality, literal: Literal, integral: bool) -> tuple[Term, bool]:
    """Return the term that is at most 0 by a literal of the atom, and whether it is below 0."""
    if literal > 0:
        return atom.term, False
    return (1 - atom.term, False) if integral else (-atom.term, True)


class _ClauseReader:
    """The literals of a clause of one part.

    Attributes:
        denied: the formulas of gates that the clause denies.
    """

    def __init__(self, proof: Proof, part: int, clause: tuple[Literal, ...]) -> None:
        self._proof = proof
        self._part = part
        self.denied: list[Formula] = []
        self._gates: list[Formula] = []
        self._terms: list[tuple[Term, bool]] = []
        self._equations: set[tuple[Term, bool]] = set()
        for literal in clause:
            match atom_of(proof, literal):
                case Gate(owner, formula):
                    if owner != part:
                        raise EvidenceError(f"gate {abs(literal)} is of another part")
                    (self._gates if literal > 0 else self.denied).append(formula)
                case Inequality() as atom:
                    self._terms.append(inequality(atom, literal, proof.integral))
                case Equality(term):
                    self._equations.add((equated(term), literal > 0))

    def follows(self, formula: Formula, positive: bool = True) -> bool:
        """Return whether a literal plainly follows from the formula, or from its opposite."""
        stated = formula if positive else Negation(formula)
        if any(_same(stated, gate) for gate in self._gates):
            return True
        match formula:
            case Negation(operand):
                return self.follows(operand, not positive)
            case Conjunction(operands) | Disjunction(operands):
                quantifier = any if isinstance(formula, Conjunction) == positive else all
                return quantifier(self.follows(operand, positive) for operand in operands)
            case Inequality(term):
                return self._implied(term if positive else -term, below=not positive)
            case Equality(term):
                quantifier = any if positive else all
                bounds = (self._implied(side, below=not positive) for side in (term, -term))
                return self._equates(term, positive) or quantifier(bounds)
            case Congruence(term, modulus):
                rests = [term - multiple for multiple in self._multiples(formula)]
                if positive:
                    return any(self.follows(Equality(residue)) for residue in rests)
                sides = (
                    side for residue in rests for side in (1 - residue, residue - (modulus - 1))
                )
                return any(self._implied(side, below=False) for side in sides)

    def _equates(self, term: Term, holds: bool) -> bool:
        """Return whether a literal is the equation term = 0, or its negation."""
        return bool(term.coefficients) and (equated(term), holds) in self._equations

    def _multiples(self, congruence: Congruence) -> Iterable[Term]:
        """Yield the modulus times each quotient of the part's congruences."""
        named = QuotientVariable(self._part, congruence)
        for name, quotient in self._proof.quotients.items():
            if quotient == named:
                yield variable(name) * congruence.modulus

    def _implied(self, term: Term, *, below: bool) -> bool:
        """Return whether term ≤ 0, or < 0, makes one of the literals true."""
        if not term.coefficients:
            return term.constant > 0 or (below and term.constant == 0)
        if below and self._proof.integral:
            term, below = term + 1, False
        return any(self._weaker(term, below, other, strict) for other, strict in self._terms)

    def _weaker(self, term: Term, below: bool, other: Term, strict: bool) -> bool:
        """Return whether term ≤ 0 implies other ≤ 0, both scaled to the same coefficients."""
        content, other_content = term.content, other.content
        if not other_content:
            return other.constant < 0 or (other.constant == 0 and not strict)
        if term.coefficients != tuple(
            (n, v // other_content * content) for n, v in other.coefficients
        ):
            return False
        if self._proof.integral:  # term/content is an integer plus constant/content: round it
            return -(-term.constant // content) * other_content >= other.constant
        gap = term.constant * other_content - other.constant * content
        return gap > 0 or (gap == 0 and (below or not strict))


def _same(left: Formula, right: Formula) -> bool:
    """Return whether the formulas are equal; compound ones are deep, so they must be identical."""
    match left, right:
        case Negation(one), Negation(other):
            return _same(one, other)
        case (Conjunction() | Disjunction(), _) | (_, Conjunction() | Disjunction()):
            return left is right
        case _:
            return left == right
