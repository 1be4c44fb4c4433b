"""Interpolation rules for the lines of a derivation (McMillan 2004, 2.1 to 2.3).

What a partial interpolant is depends on where terms belong: to B where all their symbols occur in
B, and otherwise to A alone. With formulas ρ and γ over common symbols such that B implies ρ, an
equation x = y is

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

from petricheck.laboratory.functions.conclusions import Bound, Conclusion, Equation
from petricheck.laboratory.functions.formulas import (
    TRUE,
    Formula,
    at_most,
    conjunction,
    equal,
    implication,
)
from petricheck.laboratory.functions.proofs import (
    Antisymmetric,
    Assumed,
    Combination,
    Congruent,
    Difference,
    Line,
    Reflexive,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.functions.terms import ZERO, Symbol, Term, apply, symbols
from petricheck.laboratory.prover.proofs import Literal


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


@dataclass(frozen=True, slots=True)
class LineRules:
    """The rules, where so much is of B.

    Attributes:
        symbols: those that occur in B.
        literals: those that B knows, of either sign.
    """

    symbols: frozenset[Symbol]
    literals: frozenset[Literal]

    def partial(
        self, line: Line, conclusion: Conclusion, said: Sequence[Conclusion], known: list[Partial]
    ) -> Partial:
        """That of a line which says so, from what lines before it say, and from theirs."""
        match line, conclusion:
            case Assumed(literal), Equation(left, right):
                if literal in self.literals:
                    return Bridge(left, right, TRUE, TRUE)
                return self._proved(left, right)
            case Assumed(literal), Bound(term, strict):
                if literal in self.literals:
                    return Share(ZERO, False, TRUE, TRUE)
                return Share(term, strict, TRUE, TRUE)
            case Reflexive(term), _:
                return self._proved(term, term)
            case Symmetric(number), _:
                return _turned(known[number])
            case Transitive(first, second), _:
                return _joined(known[first], known[second])
            case Congruent(function, lines), _:
                return self._congruent(function, [known[each] for each in lines])
            case Difference(number), _:
                return _difference(known[number], said[number])
            case Antisymmetric(upper, lower), Equation(left, right):
                return self._squeezed(known[upper], known[lower], left, right)
            case Combination(summands), _:
                return _sum([(known[number], times) for number, times in summands])
            case _:
                raise AssertionError("a line that says something else")

    def _proved(self, left: Term, right: Term) -> Own | Bridge:
        """HypEq-A, Refl: A implies left = right."""
        match self.knows(left), self.knows(right):
            case True, True:
                return Bridge(left, right, TRUE, equal(left, right))
            case True, False:
                return Bridge(left, left, TRUE, TRUE)
            case False, True:
                return Bridge(right, right, TRUE, TRUE)
            case _:
                return Own(TRUE)

    def _congruent(self, function: str, arguments: Sequence[Partial]) -> Partial:
        """Cong: where A proves some of the equations alone it proves all, as B's are given."""
        bridges = [each for each in arguments if isinstance(each, Bridge)]
        known = (function, len(arguments)) in self.symbols
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
        match self.knows(left), self.knows(right):
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

    def knows(self, term: Term) -> bool:
        """Whether all symbols of the term occur in B."""
        return self.symbols.issuperset(symbols(term))


def _joined(first: Partial, second: Partial) -> Partial:
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
            return Bridge(start, end, condition, conjunction((fact, more, equal(before, after))))
        case _:
            raise AssertionError("not equations")


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
