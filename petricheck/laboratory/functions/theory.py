"""Literals together: a contradiction between them, or what the symbols may mean.

Congruence closure and linear arithmetic tell each other which terms are equal (Nelson, Oppen).
Both theories are convex: where some of several equations between terms follows, one of them does,
so that no cases have to be told apart. What does not follow is false in some solution; one in which
all of that is false at once lies between the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from petricheck.laboratory.functions.bounds import Bounds, Solution, Values
from petricheck.laboratory.functions.closure import Closure
from petricheck.laboratory.functions.formulas import Atom, Equality, Inequality, terms
from petricheck.laboratory.functions.lines import (
    Multipliers,
    Origin,
    Reason,
    Side,
    Squeezed,
    absurd,
    clash,
)
from petricheck.laboratory.functions.models import Interpretation, interpretation, linear_value
from petricheck.laboratory.functions.proofs import Gate, Refutation
from petricheck.laboratory.functions.terms import Term, single, subterms
from petricheck.laboratory.prover.proofs import Literal

_Pair: TypeAlias = tuple[Term, Term]

_OPPOSITE = Side(Term((), Fraction(0)), Term((), Fraction(0)))
"""The origin of what is assumed in order to refute it."""


def decide(
    atoms: Sequence[Gate | Atom], literals: Sequence[Literal]
) -> Refutation | Interpretation:
    """A refutation of the literals, or an interpretation that satisfies them."""
    return _Decision(atoms, literals).run()


class _Decision:
    """One set of literals."""

    def __init__(self, atoms: Sequence[Gate | Atom], literals: Sequence[Literal]) -> None:
        self._said = [
            (each, atom) for each in literals if not isinstance(atom := atoms[abs(each) - 1], Gate)
        ]
        said = (term for _, atom in self._said for term in terms(atom))
        known = tuple(dict.fromkeys(each for term in said for each in subterms(term)))
        self._units = tuple(dict.fromkeys(unit for term in known for unit, _ in term.coefficients))
        self._closure: Closure[Reason] = Closure(known)
        self._bounds: Bounds[Origin] = Bounds()
        self._told: set[Side] = set()
        inequalities = any(isinstance(atom, Inequality) for _, atom in self._said)
        self._linear = inequalities or not {*known} <= {*map(single, self._units)}

    def run(self) -> Refutation | Interpretation:
        for literal, atom in self._said:
            match atom:
                case Inequality(term):
                    self._bounds.assume(term if literal > 0 else -term, literal < 0, literal)
                case Equality(left, right) if literal > 0:
                    self._closure.merge(left, right, literal)
        while True:
            self._closure.close()
            refutation = self._contradiction()
            if refutation is not None:
                return refutation
            found = self._learnt()
            if found is not None:
                return interpretation(found)

    def _contradiction(self) -> Refutation | None:
        for edge in self._closure.edges() if self._linear else ():
            for side in (Side(edge.left, edge.right), Side(edge.right, edge.left)):
                if side not in self._told and not isinstance(edge.reason, Squeezed):
                    self._told.add(side)
                    self._bounds.assume(side.left - side.right, False, side)
        conflict = self._bounds.conflict()
        if conflict is not None:
            return absurd(self._closure, conflict)
        for literal, left, right in self._denied():
            if self._closure.same(left, right):
                return clash(self._closure, left, right, literal)
        return None

    def _learnt(self) -> Values | None:
        """Merge what linear arithmetic makes equal; values where that is nothing new."""
        if not self._linear:
            return self._numbered()
        values = self._complete(self._bounds.values())
        merged = False
        for left, right in self._pairs():
            if not self._closure.same(left, right) and not _differ((left, right), values):
                found = self._squeezed(left, right)
                if isinstance(found, Squeezed):
                    self._closure.merge(left, right, found)
                    merged = True
                else:
                    values = self._between(values, self._complete(found))
        return None if merged else values

    def _squeezed(self, left: Term, right: Term) -> Squeezed | Values:
        """Why the terms are equal, or values under which they are not."""
        sums: list[Multipliers] = []
        for term in (left - right, right - left):
            found = self._bounds.conflict_with(-term, _OPPOSITE)
            if isinstance(found, Solution):
                return found.values
            multipliers = dict(found)
            whole = multipliers.pop(_OPPOSITE)
            sums.append(tuple((origin, times / whole) for origin, times in multipliers.items()))
        return Squeezed(*sums)

    def _between(self, values: Values, others: Values) -> Values:
        """Values between these, under which terms differ that differ under either of them."""
        apart = [pair for pair in self._pairs() if _differ(pair, values)]
        share = Fraction(1)
        while True:
            share /= 2
            mixed = {unit: v + (others[unit] - v) * share for unit, v in values.items()}
            if all(_differ(pair, mixed) for pair in apart):
                return mixed

    def _numbered(self) -> Values:
        """One value for each class, where there is nothing but equations between units."""
        numbers: dict[Term, Fraction] = {}
        return {
            unit: numbers.setdefault(self._closure.class_of(single(unit)), Fraction(len(numbers)))
            for unit in self._units
        }

    def _complete(self, values: Values) -> Values:
        """The values, and some for units that may have any."""
        return {unit: values.get(unit, Fraction(0)) for unit in self._units}

    def _pairs(self) -> tuple[_Pair, ...]:
        """Terms for which it matters whether they are equal: every two classes once."""
        pairs: dict[frozenset[Term], _Pair] = {}
        for pair in self._compared():
            left, right = map(self._closure.class_of, pair)
            if left != right:
                pairs.setdefault(frozenset((left, right)), (left, right))
        return tuple(pairs.values())

    def _compared(self) -> Iterator[_Pair]:
        for _, left, right in self._denied():
            yield left, right
        for one, other in combinations(self._closure.applications, 2):
            if one.function == other.function and len(one.arguments) == len(other.arguments):
                yield from zip(one.arguments, other.arguments, strict=True)

    def _denied(self) -> Iterator[tuple[Literal, Term, Term]]:
        for literal, atom in self._said:
            match atom:
                case Equality(left, right) if literal < 0:
                    yield literal, left, right


def _differ(pair: _Pair, values: Values) -> bool:
    return linear_value(pair[0], values) != linear_value(pair[1], values)
