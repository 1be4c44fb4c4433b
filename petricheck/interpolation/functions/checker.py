"""Whether a proof with functions is one, line by line: borrows nothing from the search.

A hypothesis holds in every model of its part, once gates mean their formulas; every other step
keeps that; and the last, the empty clause, holds in none. Atoms and equal terms are checked to
belong to one part each, without which the interpolation rules would say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.errors import EvidenceError
from petricheck.interpolation.functions.formulas import (
    Atom,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    terms,
    vocabulary,
)
from petricheck.interpolation.functions.proofs import (
    Absurd,
    Antisymmetric,
    Assumed,
    Clash,
    Combination,
    Congruent,
    Contra,
    Difference,
    Gate,
    Line,
    Proof,
    Refutation,
    Reflexive,
    Step,
    Symmetric,
    Transitive,
)
from petricheck.interpolation.functions.terms import ZERO, Symbol, Term, apply, symbols
from petricheck.interpolation.prover.proofs import Hypothesis, Literal, Resolution


@dataclass(frozen=True, slots=True)
class Equation:
    """What a line may say: left = right."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Bound:
    """What a line may say: term ≤ 0, or < 0 where strict."""

    term: Term
    strict: bool


Conclusion: TypeAlias = Equation | Bound


def check(proof: Proof) -> None:
    """Accept a refutation of the proof's parts.

    Raises:
        EvidenceError: it is none; the text says which step is wrong, and why.
    """
    vocabularies = [vocabulary(part) for part in proof.parts]
    for number, atom in enumerate(proof.atoms, start=1):
        if not _is_pure(atom, vocabularies):
            raise EvidenceError(f"atom {number} does not belong to one part")
    clauses: list[frozenset[Literal]] = []
    for number, step in enumerate(proof.steps):
        try:
            clauses.append(_derived(proof, step, clauses, vocabularies))
        except EvidenceError as error:
            raise EvidenceError(f"step {number} of the proof: {error}") from None
    if not clauses or clauses[-1]:
        raise EvidenceError("the proof does not end with the empty clause")


def conclusions(proof: Proof, refutation: Refutation) -> tuple[Conclusion, ...]:
    """What the lines say.

    Raises:
        EvidenceError: one does not follow; the text says which, and why.
    """
    found: list[Conclusion] = []
    for number, line in enumerate(refutation.lines):
        try:
            found.append(_Reader(proof, found).conclusion(line))
        except EvidenceError as error:
            raise EvidenceError(f"line {number}: {error}") from None
    return tuple(found)


def _is_pure(atom: Gate | Atom, vocabularies: Sequence[frozenset[Symbol]]) -> bool:
    match atom:
        case Gate(part, formula):
            return 0 <= part < len(vocabularies) and vocabulary(formula) <= vocabularies[part]
        case _:
            found = {symbol for term in terms(atom) for symbol in symbols(term)}
            return any(found <= known for known in vocabularies)


def _derived(
    proof: Proof,
    step: Step,
    clauses: list[frozenset[Literal]],
    vocabularies: Sequence[frozenset[Symbol]],
) -> frozenset[Literal]:
    match step:
        case Hypothesis(part, clause):
            _check_hypothesis(proof, part, clause)
            return frozenset(clause)
        case Contra(refutation):
            _check_refutation(proof, refutation, vocabularies)
            return frozenset(-literal for literal in refutation.literals)
        case Resolution(pivot, positive, negative):
            if not (0 <= positive < len(clauses) and 0 <= negative < len(clauses)):
                raise EvidenceError("it rests on what is not before it")
            if pivot <= 0 or pivot not in clauses[positive] or -pivot not in clauses[negative]:
                raise EvidenceError(f"atom {pivot} is not what its clauses have and deny")
            return (clauses[positive] - {pivot}) | (clauses[negative] - {-pivot})


def _atom(proof: Proof, literal: Literal) -> Gate | Atom:
    if not 0 < abs(literal) <= len(proof.atoms):
        raise EvidenceError(f"there is no atom {abs(literal)}")
    return proof.atoms[abs(literal) - 1]


def _check_hypothesis(proof: Proof, part: int, clause: tuple[Literal, ...]) -> None:
    """Whether the part, or what a denied gate stands for, makes some literal true."""
    if not 0 <= part < len(proof.parts):
        raise EvidenceError(f"there is no part {part}")
    roots = [proof.parts[part]]
    known: set[tuple[Formula, bool]] = set()
    for literal in clause:
        match _atom(proof, literal):
            case Gate(owner, formula):
                if owner != part:
                    raise EvidenceError(f"gate {abs(literal)} is of another part")
                if literal > 0:
                    known.add((formula, True))
                else:
                    roots.append(formula)
            case atom:
                known.add((atom, literal > 0))
    if not any(_follows(root, True, known) for root in roots):
        raise EvidenceError(f"the clause does not follow from part {part}")


def _follows(formula: Formula, positive: bool, known: set[tuple[Formula, bool]]) -> bool:
    """Whether one of those known holds wherever the formula does, or does not if not positive."""
    if (formula, positive) in known:
        return True
    if not positive and (Negation(formula), True) in known:
        return True
    match formula:
        case Negation(operand):
            return _follows(operand, not positive, known)
        case Conjunction(operands):
            some = any if positive else all
            return some(_follows(operand, positive, known) for operand in operands)
        case Disjunction(operands):
            some = all if positive else any
            return some(_follows(operand, positive, known) for operand in operands)
        case _:
            return False


def _check_refutation(
    proof: Proof, refutation: Refutation, vocabularies: Sequence[frozenset[Symbol]]
) -> None:
    said = conclusions(proof, refutation)
    for number, conclusion in enumerate(said):
        if isinstance(conclusion, Equation):
            for term in (conclusion.left, conclusion.right):
                if not any(vocabularies_of(term) <= known for known in vocabularies):
                    raise EvidenceError(f"line {number}: {term} does not belong to one part")
    match refutation.end, said[-1] if said else None:
        case Absurd(), Bound(Term((), constant), strict) if constant > 0 or (
            strict and constant == 0
        ):
            return
        case Clash(literal), Equation(left, right) if literal < 0:
            if _atom(proof, literal) in (Equality(left, right), Equality(right, left)):
                return
    raise EvidenceError("the last line is no contradiction")


def vocabularies_of(term: Term) -> frozenset[Symbol]:
    """The symbols of a term."""
    return frozenset(symbols(term))


@dataclass(frozen=True, slots=True)
class _Reader:
    """What lines say, given what those before them do."""

    proof: Proof
    before: list[Conclusion]

    def conclusion(self, line: Line) -> Conclusion:
        match line:
            case Assumed(literal):
                return self._assumed(literal)
            case Reflexive(term):
                return Equation(term, term)
            case Symmetric(number):
                equation = self._equation(number)
                return Equation(equation.right, equation.left)
            case Transitive(first, second):
                return self._transitive(self._equation(first), self._equation(second))
            case Congruent(function, lines):
                return self._congruent(function, [self._equation(each) for each in lines])
            case Difference(number):
                equation = self._equation(number)
                return Bound(equation.left - equation.right, False)
            case Antisymmetric(upper, lower, left, right):
                bounds = (self._bound(upper).term, self._bound(lower).term)
                if bounds != (left - right, right - left):
                    raise EvidenceError("the inequalities do not bound the difference")
                return Equation(left, right)
            case Combination(summands):
                return self._sum(summands)

    def _assumed(self, literal: Literal) -> Conclusion:
        match _atom(self.proof, literal):
            case Equality(left, right) if literal > 0:
                return Equation(left, right)
            case Inequality(term):
                return Bound(term, False) if literal > 0 else Bound(-term, True)
            case _:
                raise EvidenceError(f"literal {literal} is no equation or inequality")

    def _transitive(self, first: Equation, second: Equation) -> Equation:
        if first.right != second.left:
            raise EvidenceError("the equations do not meet")
        return Equation(first.left, second.right)

    def _congruent(self, function: str, equations: list[Equation]) -> Equation:
        if not equations:
            raise EvidenceError("a function has arguments")
        return Equation(
            apply(function, *(each.left for each in equations)),
            apply(function, *(each.right for each in equations)),
        )

    def _sum(self, summands: Iterable[tuple[int, Fraction]]) -> Bound:
        total, strict = ZERO, False
        for number, times in summands:
            if times <= 0:
                raise EvidenceError("a multiplier is not positive")
            bound = self._bound(number)
            total, strict = total + bound.term * times, strict or bound.strict
        return Bound(total, strict)

    def _equation(self, number: int) -> Equation:
        found = self._line(number)
        if not isinstance(found, Equation):
            raise EvidenceError(f"line {number} is no equation")
        return found

    def _bound(self, number: int) -> Bound:
        found = self._line(number)
        if not isinstance(found, Bound):
            raise EvidenceError(f"line {number} is no inequality")
        return found

    def _line(self, number: int) -> Conclusion:
        if not 0 <= number < len(self.before):
            raise EvidenceError("it rests on what is not before it")
        return self.before[number]
