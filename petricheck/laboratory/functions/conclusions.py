"""What the lines of a derivation say: recomputed from the literals that they rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.errors import EvidenceError
from petricheck.laboratory.functions.formulas import Atom, Equality, Inequality
from petricheck.laboratory.functions.proofs import (
    Antisymmetric,
    Assumed,
    Combination,
    Congruent,
    Difference,
    Gate,
    Line,
    Proof,
    Reflexive,
    Refutation,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.functions.terms import ZERO, Term, apply
from petricheck.laboratory.prover.proofs import Literal


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


def atom_of(proof: Proof, literal: Literal) -> Gate | Atom:
    """What the literal affirms or denies; EvidenceError where there is no such atom."""
    if not 0 < abs(literal) <= len(proof.atoms):
        raise EvidenceError(f"there is no atom {abs(literal)}")
    return proof.atoms[abs(literal) - 1]


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
        match atom_of(self.proof, literal):
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
