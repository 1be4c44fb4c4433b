"""Interpolation rules for the lines of a derivation (McMillan 2004, 2.1 to 2.3).

What a partial interpolant is depends on where terms belong: to B where all their symbols occur in
B, and otherwise to A alone. It has two formulas over common symbols: γ, which A implies, and ρ,
which B and γ imply. An equation x = y is

- `Own`: both terms are A's alone, and A and ρ imply it (the paper's degenerate case);
- `Bridge`: A and ρ imply x = x′ and y = y′, and B and γ imply x′ = y′. Where B knows x, x′ is x;
  otherwise x′ is over common symbols. Likewise y′.

An inequality t ≤ 0 is a `Share`: A and ρ imply t′ ≤ 0, B and γ imply t - t′ ≤ 0, t′ is over symbols
of A, and t - t′ over symbols of B.

One derivation may be interpolated for several A. Where P moves from B to A, the larger A has more
in its γ and ρ, and P takes one x′ to the other: by induction over the lines P, its γ imply the new
γ; these and the new ρ imply the old ρ, that x′ is the new x′ unless both sides became A's alone
(then x′ = y′), and that the new t′ is at most the old one. So interpolants of the cuts of a
sequence fit together. Where each of several parts is A in turn, the common literals and all γ
imply all ρ, line by line, and that the terms x′ of the parts of x and y are equal. So together the
interpolants contradict.

Deviations from the paper: γ follows from A without ρ, since what a line adds to it is guarded by
the ρ of the lines that it rests on; with ρ before all of γ, two parts may wait for each other. x′
is x wherever B knows x, not only where A does not, so that a congruence may put x′ in the place of
x whatever stands beside it: that settles functions of any arity, which the paper leaves out. Its
Trans puts y′ = y″ into ρ where γ is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Disjunction,
    Formula,
    Negation,
    conjunction,
)
from petricheck.laboratory.prover.conclusions import BoundConclusion, Conclusion, EquationConclusion
from petricheck.laboratory.prover.proofs import (
    Antisymmetric,
    Assumed,
    Combination,
    Congruent,
    Derivation,
    Difference,
    Line,
    Literal,
    Reflexive,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.prover.terms import (
    ZERO,
    Ratio,
    Symbol,
    apply,
    at_most,
    equal,
    is_known,
)


@dataclass(frozen=True, slots=True)
class Own:
    """An equation between terms of A alone that A proves where ρ holds.

    Attributes:
        condition: ρ.
        fact: γ.
    """

    condition: Formula
    fact: Formula


@dataclass(frozen=True, slots=True)
class Bridge:
    """An equation by way of terms that B knows.

    Attributes:
        left: x′.
        right: y′.
        condition: ρ.
        fact: γ.
    """

    left: Ratio
    right: Ratio
    condition: Formula
    fact: Formula


@dataclass(frozen=True, slots=True)
class Share:
    """The part of A in an inequality.

    Attributes:
        term: t′.
        strict: whether A implies t′ < 0.
        condition: ρ.
        fact: γ.
    """

    term: Ratio
    strict: bool
    condition: Formula
    fact: Formula


Partial: TypeAlias = Own | Bridge | Share


@dataclass(frozen=True, slots=True)
class LineRules:
    """The rules, where so much is of B.

    Attributes:
        symbols: those that occur in B.
        inner: the literals that B does not know, of either sign.
    """

    symbols: frozenset[Symbol]
    inner: frozenset[Literal]

    def contradiction(self, derivation: Derivation, conclusions: Sequence[Conclusion]) -> Formula:
        """Apply Contra to EqNeq, or to a false inequality: return the part of A."""
        partials: list[Partial] = []
        for line, conclusion in zip(derivation.lines, conclusions, strict=True):
            partials.append(self._partial(line, conclusion, conclusions, partials))
        match derivation.denied, partials[-1]:
            case None, Share(term, strict, condition, fact):
                share = Negation(at_most(ZERO, term)) if strict else at_most(term, ZERO)
                return conjunction((fact, _implication(condition, share)))
            case int() as literal, Bridge(left, right, condition, fact):
                denial = Negation(equal(left, right)) if literal in self.inner else TRUE
                return conjunction((fact, _implication(condition, denial)))
            case int(), Own(condition, fact):
                return conjunction((fact, Negation(condition)))
            case _:
                raise AssertionError("not a contradiction")

    def _partial(
        self,
        line: Line,
        conclusion: Conclusion,
        conclusions: Sequence[Conclusion],
        partials: list[Partial],
    ) -> Partial:
        """Return the partial interpolant of a line, from conclusions and partials before it."""
        match line, conclusion:
            case Assumed(literal), EquationConclusion(left, right):
                if literal in self.inner:
                    return self._proved(left, right)
                return Bridge(left, right, TRUE, TRUE)
            case Assumed(literal), BoundConclusion(term, strict):
                if literal in self.inner:
                    return Share(term, strict, TRUE, TRUE)
                return Share(ZERO, False, TRUE, TRUE)
            case Reflexive(term), _:
                return self._proved(term, term)
            case Symmetric(number), _:
                return _apply_symm(partials[number])
            case Transitive(first, second), _:
                return _apply_trans(partials[first], partials[second])
            case Congruent(function, lines), _:
                return self._congruent(function, [partials[number] for number in lines])
            case Difference(number), _:
                return _apply_leqeq(partials[number], conclusions[number])
            case Antisymmetric(upper, lower), EquationConclusion(left, right):
                return self._squeezed(partials[upper], partials[lower], left, right)
            case Combination(summands), _:
                return _apply_comb([(partials[number], times) for number, times in summands])
            case _:
                raise AssertionError("a line that says something else")

    def _proved(self, left: Ratio, right: Ratio) -> Own | Bridge:
        """Apply HypEq-A or Refl: A implies left = right."""
        match self.knows(left), self.knows(right):
            case True, True:
                return Bridge(left, right, TRUE, equal(left, right))
            case True, False:
                return Bridge(left, left, TRUE, TRUE)
            case False, True:
                return Bridge(right, right, TRUE, TRUE)
            case _:
                return Own(TRUE, TRUE)

    def _congruent(self, function: str, arguments: Sequence[Partial]) -> Partial:
        """Apply Cong: if A proves some of the equations alone it proves all, as B's are given."""
        bridges = [part for part in arguments if isinstance(part, Bridge)]
        is_common = (function, len(arguments)) in self.symbols
        condition, fact = _joined(*arguments)
        if len(bridges) < len(arguments) or not is_common:
            equations = (equal(bridge.left, bridge.right) for bridge in bridges)
            return Own(conjunction((condition, *equations)), fact)
        left = Ratio(apply(function, *(bridge.left for bridge in bridges)))
        right = Ratio(apply(function, *(bridge.right for bridge in bridges)))
        return Bridge(left, right, condition, fact)

    def _squeezed(self, upper: Partial, lower: Partial, left: Ratio, right: Ratio) -> Partial:
        """Apply EqLeq to left - right ≤ 0 and right - left ≤ 0, in the paper's three cases."""
        assert isinstance(upper, Share) and isinstance(lower, Share)
        condition, fact = _joined(upper, lower)
        match self.knows(left), self.knows(right):
            case True, True:
                shares = conjunction(at_most(share.term, ZERO) for share in (upper, lower))
                return Bridge(left, right, condition, _guarded(fact, condition, shares))
            case False, True:
                return _apply_eqleq(left, right, upper, lower)
            case True, False:
                return _apply_symm(_apply_eqleq(right, left, lower, upper))
            case _:
                rests = at_most(left - right, upper.term), at_most(right - left, lower.term)
                return Own(conjunction((condition, *rests)), fact)

    def knows(self, term: Ratio) -> bool:
        """Return whether all symbols of the term occur in B."""
        return is_known(term.term, self.symbols)


def _apply_trans(first: Partial, second: Partial) -> Partial:
    """Apply Trans: both have the term between them in common."""
    condition, fact = _joined(first, second)
    match first, second:
        case Own(), Own():
            return Own(condition, fact)
        case (Own(), Bridge(left, right)) | (Bridge(left, right), Own()):
            return Bridge(left, right, condition, fact)
        case Bridge(left, before), Bridge(after, right):
            return Bridge(left, right, condition, _guarded(fact, condition, equal(before, after)))
        case _:
            raise AssertionError("not equations")


def _apply_eqleq(local: Ratio, other: Ratio, upper: Share, lower: Share) -> Bridge:
    """Apply EqLeq-AB: A bounds the local term by two common ones, B the other one in reverse."""
    least, most = local + lower.term, local - upper.term
    condition, fact = _joined(upper, lower)
    return Bridge(
        most,
        other,
        conjunction((condition, at_most(most, least))),
        _guarded(fact, condition, at_most(least, most)),
    )


def _apply_symm(partial: Partial) -> Partial:
    """Apply Symm."""
    match partial:
        case Bridge(left, right, condition, fact):
            return Bridge(right, left, condition, fact)
        case _:
            return partial


def _apply_leqeq(partial: Partial, conclusion: Conclusion) -> Share:
    """Apply LeqEq: x - y ≤ 0."""
    assert isinstance(conclusion, EquationConclusion)
    term = conclusion.left - conclusion.right
    if isinstance(partial, Bridge):
        term = term - (partial.left - partial.right)
    return Share(term, False, partial.condition, partial.fact)


def _apply_comb(summands: Sequence[tuple[Partial, Fraction]]) -> Share:
    """Apply Comb."""
    total, strict = ZERO, False
    for partial, times in summands:
        assert isinstance(partial, Share)
        total, strict = total + partial.term * times, strict or partial.strict
    return Share(total, strict, *_joined(*(partial for partial, _ in summands)))


def _joined(*partials: Partial) -> tuple[Formula, Formula]:
    """Return ρ and γ of all of them."""
    condition = conjunction(partial.condition for partial in partials)
    return condition, conjunction(partial.fact for partial in partials)


def _guarded(fact: Formula, condition: Formula, new: Formula) -> Formula:
    """Return γ together with what A and ρ imply besides."""
    return conjunction((fact, _implication(condition, new)))


def _implication(premise: Formula, conclusion: Formula) -> Formula:
    return conclusion if premise == TRUE else Disjunction((Negation(premise), conclusion))
