"""Interpolation rules for proofs with functions (McMillan 2004, 2.1 to 2.3).

Of clauses a partial interpolant is what `prover.rules` says. Of lines it depends on where terms
belong: to B where all their symbols occur in B, and otherwise to A alone. With formulas ρ and γ over
common symbols such that B implies ρ, an equation x = y is

- `Own`: both terms are A's alone, and A and ρ imply it (the paper's degenerate case);
- `Bridge`: A and ρ imply x = x′, y = y′ and γ, and B and γ imply x′ = y′. Where B knows x, x′ is x;
  otherwise x′ is over common symbols. Likewise y′.

An inequality t ≤ 0 is a `Share`: A and ρ imply t′ ≤ 0 and γ, B and γ imply t - t′ ≤ 0, t′ is over
symbols of A, and t - t′ over symbols of B.

Deviations from the paper: x′ is x wherever B knows x, not only where A does not, so that a
congruence may put x′ in the place of x whatever stands beside it: that settles functions of any
arity, which the paper leaves out. Its Trans puts y′ = y″ into ρ where γ is meant. In EqLeq ρ is
guarded by γ, without which B need not imply it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.interpolation.functions.checker import Bound, Conclusion, Equation, conclusions
from petricheck.interpolation.functions.formulas import (
    TRUE,
    Formula,
    at_most,
    below,
    conjunction,
    different,
    disjunction,
    equal,
    implication,
    negate,
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
    Symmetric,
    Transitive,
)
from petricheck.interpolation.functions.terms import ZERO, Symbol, Term, apply, symbols
from petricheck.interpolation.prover.proofs import Hypothesis, Literal, Resolution


@dataclass(frozen=True, slots=True)
class Own:
    """An equation between terms of A alone that A proves where the condition holds."""

    condition: Formula


@dataclass(frozen=True, slots=True)
class Bridge:
    """An equation by way of terms that B knows.

    Attributes:
        left: x′.
        right: y′.
        condition: ρ.
        fact: γ.
    """

    left: Term
    right: Term
    condition: Formula
    fact: Formula


@dataclass(frozen=True, slots=True)
class Share:
    """What A contributes to an inequality.

    Attributes:
        term: t′.
        strict: whether A implies t′ < 0.
        condition: ρ.
        fact: γ.
    """

    term: Term
    strict: bool
    condition: Formula
    fact: Formula


Partial: TypeAlias = Own | Bridge | Share


def interpolant(proof: Proof, inside: frozenset[int]) -> Formula:
    """The interpolant of A, the parts with these numbers, and B, the other parts.

    The proof must be one that `checker.check` accepts.
    """
    return _Side(proof, inside).interpolant()


class _Side:
    """One proof, looked at from A."""

    def __init__(self, proof: Proof, inside: frozenset[int]) -> None:
        self._proof = proof
        self._inside = inside
        self._known: frozenset[Symbol] = frozenset().union(
            *(vocabulary(part) for n, part in enumerate(proof.parts) if n not in inside)
        )

    def interpolant(self) -> Formula:
        """That of the last clause."""
        found: list[Formula] = []
        for step in self._proof.steps:
            match step:
                case Hypothesis(part, clause):
                    found.append(self._hypothesis(part, clause))
                case Contra(refutation):
                    found.append(self._contra(refutation))
                case Resolution(pivot, positive, negative):
                    join = conjunction if self._of_b(pivot) else disjunction
                    found.append(join((found[positive], found[negative])))
        return found[-1]

    def _hypothesis(self, part: int, clause: tuple[Literal, ...]) -> Formula:
        """HypC-A: what B knows of the clause. HypC-B: true."""
        if part not in self._inside:
            return TRUE
        return disjunction(self._said(literal) for literal in clause if self._of_b(literal))

    def _said(self, literal: Literal) -> Formula:
        atom = self._proof.atoms[abs(literal) - 1]
        assert not isinstance(atom, Gate)
        return atom if literal > 0 else negate(atom)

    def _of_b(self, literal: Literal) -> bool:
        match self._proof.atoms[abs(literal) - 1]:
            case Gate(part):
                return part not in self._inside
            case atom:
                return all(map(self._knows, terms(atom)))

    def _knows(self, term: Term) -> bool:
        return self._known.issuperset(symbols(term))

    def _contra(self, refutation: Refutation) -> Formula:
        """Contra on EqNeq, and on a false inequality."""
        said = conclusions(self._proof, refutation)
        partials: list[Partial] = []
        for line, conclusion in zip(refutation.lines, said, strict=True):
            partials.append(self._partial(line, conclusion, said, partials))
        match refutation.end, partials[-1]:
            case Absurd(), Share(term, strict, condition, fact):
                contribution = below(term, ZERO) if strict else at_most(term, ZERO)
                return implication(condition, conjunction((fact, contribution)))
            case Clash(literal), Bridge(left, right, condition, fact):
                denial = TRUE if self._of_b(literal) else different(left, right)
                return implication(condition, conjunction((fact, denial)))
            case Clash(), Own(condition):
                return negate(condition)
            case _:
                raise AssertionError("not a contradiction")

    def _partial(
        self, line: Line, conclusion: Conclusion, said: Sequence[Conclusion], known: list[Partial]
    ) -> Partial:
        match line, conclusion:
            case Assumed(literal), Equation(left, right):
                if self._of_b(literal):
                    return Bridge(left, right, TRUE, TRUE)
                return self._proved(left, right, TRUE)
            case Assumed(literal), Bound(term, strict):
                if self._of_b(literal):
                    return Share(ZERO, False, TRUE, TRUE)
                return Share(term, strict, TRUE, TRUE)
            case Reflexive(term), _:
                return self._proved(term, term, TRUE)
            case Symmetric(number), _:
                return _turned(known[number])
            case Transitive(first, second), Equation(left, right):
                return self._joined(known[first], known[second], left, right)
            case Congruent(function, lines), Equation(left, right):
                return self._congruent(function, [known[each] for each in lines], left, right)
            case Difference(number), _:
                return _difference(known[number], said[number])
            case Antisymmetric(upper, lower), Equation(left, right):
                return self._squeezed(known[upper], known[lower], left, right)
            case Combination(summands), _:
                return _sum([(known[number], times) for number, times in summands])
            case _:
                raise AssertionError("a line that says something else")

    def _proved(self, left: Term, right: Term, condition: Formula) -> Own | Bridge:
        """HypEq-A: A and the condition imply left = right, both terms of A."""
        match self._knows(left), self._knows(right):
            case True, True:
                return Bridge(left, right, condition, equal(left, right))
            case True, False:
                return Bridge(left, left, condition, TRUE)
            case False, True:
                return Bridge(right, right, condition, TRUE)
            case _:
                return Own(condition)

    def _joined(self, first: Partial, second: Partial, left: Term, right: Term) -> Partial:
        """Trans: both have the term between them in common."""
        match first, second:
            case Own(one), Own(other):
                return Own(conjunction((one, other)))
            case Own(one), Bridge(start, end, other, fact):
                return Bridge(start, end, conjunction((one, other)), fact)
            case Bridge(start, end, one, fact), Own(other):
                return Bridge(start, end, conjunction((one, other)), fact)
            case Bridge(start, before, one, fact), Bridge(after, end, other, more):
                condition = conjunction((one, other))
                return Bridge(
                    start, end, condition, conjunction((fact, more, equal(before, after)))
                )
            case _:
                raise AssertionError("not equations")

    def _congruent(
        self, function: str, arguments: Sequence[Partial], left: Term, right: Term
    ) -> Partial:
        """Cong: where A proves some of the equations alone it proves all, as B's are given."""
        bridges = [each for each in arguments if isinstance(each, Bridge)]
        known = (function, len(arguments)) in self._known
        if len(bridges) < len(arguments) or not known:
            return Own(conjunction(map(_lifted, arguments)))
        return Bridge(
            apply(function, *(each.left for each in bridges)),
            apply(function, *(each.right for each in bridges)),
            conjunction(each.condition for each in bridges),
            conjunction(each.fact for each in bridges),
        )

    def _squeezed(self, upper: Partial, lower: Partial, left: Term, right: Term) -> Partial:
        """EqLeq: left - right ≤ 0 and right - left ≤ 0, in the paper's three cases."""
        assert isinstance(upper, Share) and isinstance(lower, Share)
        condition = conjunction((upper.condition, lower.condition))
        fact = conjunction((upper.fact, lower.fact))
        match self._knows(left), self._knows(right):
            case True, True:
                shares = [at_most(each.term, ZERO) for each in (upper, lower)]
                return Bridge(left, right, condition, conjunction((fact, *shares)))
            case False, True:
                return _between(left, right, upper, lower)
            case True, False:
                return _turned(_between(right, left, lower, upper))
            case _:
                rests = (
                    implication(upper.fact, at_most(left - right, upper.term)),
                    implication(lower.fact, at_most(right - left, lower.term)),
                )
                return Own(conjunction((condition, *rests)))


def _between(local: Term, other: Term, upper: Share, lower: Share) -> Bridge:
    """EqLeq-AB: A puts the local term between two common ones, B the other the other way round."""
    least, most = local + lower.term, local - upper.term
    fact = conjunction((upper.fact, lower.fact))
    condition = conjunction(
        (upper.condition, lower.condition, implication(fact, at_most(most, least)))
    )
    return Bridge(most, other, condition, conjunction((fact, at_most(least, most))))


def _turned(partial: Partial) -> Partial:
    """Symm."""
    match partial:
        case Bridge(left, right, condition, fact):
            return Bridge(right, left, condition, fact)
        case _:
            return partial


def _lifted(partial: Partial) -> Formula:
    """The condition under which A proves an equation between terms of its own."""
    match partial:
        case Own(condition):
            return condition
        case Bridge(left, right, condition, fact):
            return conjunction((condition, implication(fact, equal(left, right))))
        case _:
            raise AssertionError("not an equation")


def _difference(partial: Partial, said: Conclusion) -> Share:
    """LeqEq: x - y ≤ 0."""
    assert isinstance(said, Equation)
    match partial:
        case Own(condition):
            return Share(said.left - said.right, False, condition, TRUE)
        case Bridge(left, right, condition, fact):
            term = (said.left - left) - (said.right - right)
            return Share(term, False, condition, fact)
        case _:
            raise AssertionError("not an equation")


def _sum(summands: Sequence[tuple[Partial, Fraction]]) -> Share:
    """Comb."""
    total, strict = ZERO, False
    conditions: list[Formula] = []
    facts: list[Formula] = []
    for partial, times in summands:
        assert isinstance(partial, Share)
        total, strict = total + partial.term * times, strict or partial.strict
        conditions.append(partial.condition)
        facts.append(partial.fact)
    return Share(total, strict, conjunction(conditions), conjunction(facts))
