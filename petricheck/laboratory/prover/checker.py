"""Whether a proof is one, step by step: borrows nothing from the search.

A gate stands for its formula and a quotient for its number, so both can be added to any model of
the parts. Then a hypothesis holds in the models of its part, every other step keeps that, and the
last, the empty clause, holds in none. Atoms are checked to belong to one part each, without which
the interpolation rules would say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.errors import EvidenceError
from petricheck.laboratory.prover.proofs import (
    Contra,
    Gate,
    Hypothesis,
    Literal,
    Proof,
    Quotient,
    Residue,
    Resolution,
    Step,
    Sum,
)
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    variables,
)
from petricheck.presburger.terms import Term, linear, variable

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
        self._vocabularies = [set(variables(part)) for part in proof.parts]

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
        known = set().union(*self._vocabularies)
        for name, quotient in self._proof.quotients.items():
            names = set(quotient.congruence.term.variables)
            if not self._proof.integral or quotient.congruence.modulus < 1:
                raise EvidenceError(f"{name} is no quotient of integers")
            if name in known or not 0 <= quotient.part < len(self._proof.parts):
                raise EvidenceError(f"{name} is not new, or of no part")
            if not names <= set(variables(self._proof.parts[quotient.part])):
                raise EvidenceError(f"{name} is a quotient of what its part does not know")
        for name, quotient in self._proof.quotients.items():
            self._vocabularies[quotient.part].add(name)

    def _check_atoms(self) -> None:
        for number, atom in enumerate(self._proof.atoms, start=1):
            match atom:
                case Gate(part, formula):
                    known = 0 <= part < len(self._proof.parts)
                    pure = known and set(variables(formula)) <= self._vocabularies[part]
                case Inequality(term):
                    pure = any(names.issuperset(term.variables) for names in self._vocabularies)
            if not pure:
                raise EvidenceError(f"atom {number} does not belong to one part")

    def _derived(self, step: Step, clauses: list[_Clause]) -> _Clause:
        match step:
            case Hypothesis(part, clause):
                self._check_hypothesis(part, clause)
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

    def _said(self, literal: Literal) -> tuple[Term, bool]:
        """The term that a literal says is at most 0, and whether it says below."""
        if not 0 < abs(literal) <= len(self._proof.atoms):
            raise EvidenceError(f"there is no atom {abs(literal)}")
        atom = self._proof.atoms[abs(literal) - 1]
        if isinstance(atom, Gate):
            raise EvidenceError(f"atom {abs(literal)} is no inequality")
        if literal > 0:
            return atom.term, False
        return (1 - atom.term, False) if self._proof.integral else (-atom.term, True)

    def _check_refutation(self, refutation: Sum | Residue) -> None:
        match refutation:
            case Sum(summands):
                self._check_sum(summands)
            case Residue():
                self._check_residue(refutation)

    def _check_sum(self, summands: tuple[tuple[Literal, int], ...]) -> None:
        if any(times <= 0 for _, times in summands):
            raise EvidenceError("a multiplier is not positive")
        said = [self._said(literal) for literal, _ in summands]
        total = _sum((term, times) for (term, _), (_, times) in zip(said, summands, strict=True))
        strict = any(below for _, below in said)
        if total.coefficients or total.constant < 0 or (total.constant == 0 and not strict):
            raise EvidenceError("the sum of the inequalities is no contradiction")

    def _check_residue(self, residue: Residue) -> None:
        if not self._proof.integral or residue.modulus < 2:
            raise EvidenceError(f"{residue.modulus} is no modulus of integers")
        terms: list[tuple[Term, int]] = []
        for equation, times in residue.summands:
            term, opposite = self._said(equation.upper)[0], self._said(equation.lower)[0]
            if -term != opposite:
                raise EvidenceError("two inequalities are no equation")
            terms.append((term, times))
        total = _sum(terms)
        left = [value for _, value in total.coefficients if value % residue.modulus]
        if left or total.constant % residue.modulus == 0:
            raise EvidenceError(f"the sum of the equations is possible modulo {residue.modulus}")

    def _check_hypothesis(self, part: int, clause: tuple[Literal, ...]) -> None:
        if not 0 <= part < len(self._proof.parts):
            raise EvidenceError(f"there is no part {part}")
        reader = _Reader(self._proof, part, frozenset(clause))
        gates = [gate.formula for each in clause if (gate := reader.gate(-each)) is not None]
        if not any(map(reader.follows, (*gates, self._proof.parts[part]))):
            raise EvidenceError(f"the clause does not follow from part {part}")


class _Reader:
    """What follows literally from formulas: a clause of one part."""

    def __init__(self, proof: Proof, part: int, clause: _Clause) -> None:
        self._proof = proof
        self._part = part
        self._clause = clause
        self._gates = [gate.formula for each in clause if (gate := self.gate(each)) is not None]
        self._terms = [each for literal in clause for each in self._inequality(literal)]

    def gate(self, literal: Literal) -> Gate | None:
        """The gate that the literal affirms."""
        if not 0 < abs(literal) <= len(self._proof.atoms):
            raise EvidenceError(f"there is no atom {abs(literal)}")
        atom = self._proof.atoms[abs(literal) - 1]
        if not isinstance(atom, Gate):
            return None
        if atom.part != self._part:
            raise EvidenceError(f"gate {abs(literal)} is of another part")
        return atom if literal > 0 else None

    def _inequality(self, literal: Literal) -> list[tuple[Term, bool]]:
        atom = self._proof.atoms[abs(literal) - 1]
        if isinstance(atom, Gate):
            return []
        if literal > 0:
            return [(atom.term, False)]
        return [(1 - atom.term, False)] if self._proof.integral else [(-atom.term, True)]

    def follows(self, formula: Formula) -> bool:
        """Whether some literal holds wherever the formula does; False where that is not plain."""
        if any(_same(formula, gate) for gate in self._gates):
            return True
        match formula:
            case Conjunction(operands):
                return any(map(self.follows, operands))
            case Disjunction(operands):
                return all(map(self.follows, operands))
            case Inequality(term):
                return self._implied(term, below=False)
            case Equality(term):
                return self._implied(term, below=False) or self._implied(-term, below=False)
            case Congruence(term):
                return any(
                    self.follows(Equality(term - multiple)) for multiple in self._multiples(formula)
                )
            case Negation(operand):
                return self._denial_follows(operand)

    def _denial_follows(self, formula: Formula) -> bool:
        if any(_same(Negation(formula), gate) for gate in self._gates):
            return True
        match formula:
            case Negation(operand):
                return self.follows(operand)
            case Conjunction(operands):
                return all(map(self._denial_follows, operands))
            case Disjunction(operands):
                return any(map(self._denial_follows, operands))
            case Inequality(term):
                return self._implied(-term, below=True)
            case Equality(term):
                return self._implied(-term, below=True) and self._implied(term, below=True)
            case Congruence(term, modulus):
                rests = [term - multiple for multiple in self._multiples(formula)]
                return any(
                    self._implied(1 - rest, below=False)
                    or self._implied(rest - (modulus - 1), below=False)
                    for rest in rests
                )

    def _multiples(self, congruence: Congruence) -> Iterable[Term]:
        """The modulus times each quotient of the congruence that the part has."""
        wanted = Quotient(self._part, congruence)
        for name, quotient in self._proof.quotients.items():
            if quotient == wanted:
                yield variable(name) * congruence.modulus

    def _implied(self, term: Term, *, below: bool) -> bool:
        """Whether term ≤ 0, or < 0, makes one of the literals true."""
        if not term.coefficients:
            return term.constant > 0 or (below and term.constant == 0)
        if below and self._proof.integral:
            term, below = term + 1, False
        return any(self._weaker(term, below, other, strict) for other, strict in self._terms)

    def _weaker(self, term: Term, below: bool, other: Term, strict: bool) -> bool:
        """Whether term ≤ 0 implies other ≤ 0, both scaled to the same coefficients."""
        mine, its = term.content, other.content
        if not its:
            return other.constant < 0 or (other.constant == 0 and not strict)
        if term.coefficients != tuple((n, v // its * mine) for n, v in other.coefficients):
            return False
        if self._proof.integral:  # term/mine is an integer plus constant/mine: round it
            return -(-term.constant // mine) * its >= other.constant
        gap = term.constant * its - other.constant * mine
        return gap > 0 or (gap == 0 and (below or not strict))


def _same(left: Formula, right: Formula) -> bool:
    """Whether the formulas are equal; compound ones have to be one object, since they are deep."""
    match left, right:
        case Negation(one), Negation(other):
            return _same(one, other)
        case (Conjunction() | Disjunction(), _) | (_, Conjunction() | Disjunction()):
            return left is right
        case _:
            return left == right


def _sum(summands: Iterable[tuple[Term, int]]) -> Term:
    scaled = [term * times for term, times in summands]
    pairs = (pair for term in scaled for pair in term.coefficients)
    return linear(pairs, sum(term.constant for term in scaled))
