"""Conclusions of the lines of a derivation, recomputed from the literals that they rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Equality, Inequality
from petricheck.laboratory.prover.proofs import (
    Antisymmetric,
    Assumed,
    Atom,
    Combination,
    Congruent,
    Derivation,
    Difference,
    Line,
    Literal,
    Proof,
    Reflexive,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.prover.terms import ZERO, Ratio, apply, sides
from petricheck.support.errors import EvidenceError


@dataclass(frozen=True, slots=True)
class EquationConclusion:
    """The conclusion left = right."""

    left: Ratio
    right: Ratio


@dataclass(frozen=True, slots=True)
class BoundConclusion:
    """The conclusion term ≤ 0, or < 0 where strict."""

    term: Ratio
    strict: bool


Conclusion: TypeAlias = EquationConclusion | BoundConclusion


def conclusions(proof: Proof, derivation: Derivation) -> tuple[Conclusion, ...]:
    """Return the conclusion of each line.

    Raises:
        EvidenceError: one does not follow; the text says which, and why.
    """
    lines: list[Conclusion] = []
    for number, line in enumerate(derivation.lines):
        try:
            lines.append(_ConclusionReader(proof, lines).conclusion(line))
        except EvidenceError as error:
            raise EvidenceError(f"line {number}: {error}") from None
    return tuple(lines)


def atom_of(proof: Proof, literal: Literal) -> Atom:
    """Return the atom of the literal; EvidenceError where there is no such atom."""
    if not 0 < abs(literal) <= len(proof.atoms):
        raise EvidenceError(f"there is no atom {abs(literal)}")
    return proof.atoms[abs(literal) - 1]


@dataclass(frozen=True, slots=True)
class _ConclusionReader:
    """A reader that derives the conclusions of lines from those before them."""

    proof: Proof
    before: list[Conclusion]

    def conclusion(self, line: Line) -> Conclusion:
        match line:
            case Assumed(literal):
                return self._assumed(literal)
            case Reflexive(term):
                return EquationConclusion(term, term)
            case Symmetric(number):
                equation = self._equation(number)
                return EquationConclusion(equation.right, equation.left)
            case Transitive(first, second):
                return self._transitive(self._equation(first), self._equation(second))
            case Congruent(function, lines):
                return self._congruent(function, [self._equation(number) for number in lines])
            case Difference(number):
                equation = self._equation(number)
                return BoundConclusion(equation.left - equation.right, False)
            case Antisymmetric(upper, lower, left, right):
                bounds = (self._bound(upper).term, self._bound(lower).term)
                if bounds != (left - right, right - left):
                    raise EvidenceError("the inequalities do not bound the difference")
                return EquationConclusion(left, right)
            case Combination(summands):
                return self._sum(summands)

    def _assumed(self, literal: Literal) -> Conclusion:
        match atom_of(self.proof, literal):
            case Equality() as atom if literal > 0:
                return EquationConclusion(*sides(atom))
            case Inequality(term):
                return (
                    BoundConclusion(Ratio(term), False)
                    if literal > 0
                    else BoundConclusion(Ratio(-term), True)
                )
            case _:
                raise EvidenceError(f"literal {literal} is no equation or inequality")

    def _transitive(
        self, first: EquationConclusion, second: EquationConclusion
    ) -> EquationConclusion:
        if first.right != second.left:
            raise EvidenceError("the equations do not meet")
        return EquationConclusion(first.left, second.right)

    def _congruent(self, function: str, equations: list[EquationConclusion]) -> EquationConclusion:
        if not equations:
            raise EvidenceError("a function has arguments")
        return EquationConclusion(
            Ratio(apply(function, *(equation.left for equation in equations))),
            Ratio(apply(function, *(equation.right for equation in equations))),
        )

    def _sum(self, summands: Iterable[tuple[int, Fraction]]) -> BoundConclusion:
        total, strict = ZERO, False
        for number, times in summands:
            if times <= 0:
                raise EvidenceError("a multiplier is not positive")
            bound = self._bound(number)
            total, strict = total + bound.term * times, strict or bound.strict
        return BoundConclusion(total, strict)

    def _equation(self, number: int) -> EquationConclusion:
        line = self._line(number)
        if not isinstance(line, EquationConclusion):
            raise EvidenceError(f"line {number} is no equation")
        return line

    def _bound(self, number: int) -> BoundConclusion:
        line = self._line(number)
        if not isinstance(line, BoundConclusion):
            raise EvidenceError(f"line {number} is no inequality")
        return line

    def _line(self, number: int) -> Conclusion:
        if not 0 <= number < len(self.before):
            raise EvidenceError("it rests on what is not before it")
        return self.before[number]
