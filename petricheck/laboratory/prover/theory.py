"""Literals of rationals with functions: a contradiction between them, or values that they have.

Congruence closure and linear arithmetic tell each other which terms are equal (Nelson, Oppen).
Both theories are convex: where some of several equations between terms follows, one of them does,
so that no cases have to be told apart. What does not follow is false in some solution; one in which
all of that is false at once lies between the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Equality, Inequality
from petricheck.laboratory.prover.arithmetic import Arithmetic
from petricheck.laboratory.prover.atoms import Atoms
from petricheck.laboratory.prover.closure import (
    Closure,
    Edge,
    EquationSide,
    Multipliers,
    Origin,
    Squeezed,
)
from petricheck.laboratory.prover.proofs import Atom, Derivation, Gate, Literal
from petricheck.laboratory.prover.simplex import Explanation
from petricheck.laboratory.prover.terms import ZERO, Application, Ratio, sides, single, subterms

Values: TypeAlias = Mapping[str, Fraction]
"""Of variables and applications; others may be anything."""
Model: TypeAlias = Mapping[str, int | Fraction]

_Pair: TypeAlias = tuple[Ratio, Ratio]

_OPPOSITE = EquationSide(ZERO, ZERO)
"""The origin of what is assumed in order to refute it."""


def decide(atoms: Sequence[Atom], literals: Sequence[Literal]) -> Derivation | Values:
    """Return a refutation of the literals, or values for which they hold."""
    return _Decision(atoms, literals).run()


class _Decision:
    """One set of literals."""

    def __init__(self, atoms: Sequence[Atom], literals: Sequence[Literal]) -> None:
        self._bounds = _Bounds()
        equations: list[tuple[Literal, Ratio, Ratio]] = []
        terms: list[Ratio] = []
        self._linear = False
        for literal in literals:
            match atoms[abs(literal) - 1]:
                case Inequality(term):
                    terms.append(Ratio(term))
                    self._linear = True
                    self._bounds.assume(Ratio(term if literal > 0 else -term), literal < 0, literal)
                case Equality() as atom:
                    left, right = sides(atom)
                    terms += [left, right]
                    equations.append((literal, left, right))
                case Gate():
                    pass
        terms_of_all = dict.fromkeys(term for whole in terms for term in subterms(whole))
        self._units = tuple(dict.fromkeys(unit for term in terms_of_all for unit in term.units))
        self._linear |= not terms_of_all.keys() <= {*map(single, self._units)}
        self._closure = Closure(terms_of_all)
        for literal, left, right in equations:
            if literal > 0:
                self._closure.merge(Edge(left, right, literal))
        self._denied = [equation for equation in equations if equation[0] < 0]
        self._halves: set[EquationSide] = set()

    def run(self) -> Derivation | Values:
        while True:
            self._closure.close()
            refutation = self._contradiction()
            if refutation is not None:
                return refutation
            values = self._learnt()
            if values is not None:
                return values

    def _contradiction(self) -> Derivation | None:
        for edge in self._closure.edges() if self._linear else ():
            for side in (EquationSide(edge.left, edge.right), EquationSide(edge.right, edge.left)):
                if side not in self._halves and not isinstance(edge.reason, Squeezed):
                    self._halves.add(side)
                    self._bounds.assume(side.left - side.right, False, side)
        conflict = self._bounds.conflict()
        if conflict is not None:
            return self._closure.absurd(tuple(conflict.items()))
        for literal, left, right in self._denied:
            if self._closure.same(left, right):
                return self._closure.clash(left, right, literal)
        return None

    def _learnt(self) -> Values | None:
        """Merge what linear arithmetic makes equal; values where that is nothing new."""
        if not self._linear:
            return self._numbered()
        values = self._complete(self._bounds.values())
        merged = False
        for left, right in self._pairs():
            if not self._closure.same(left, right) and not _differ((left, right), values):
                squeezed = self._squeezed(left, right)
                if isinstance(squeezed, Squeezed):
                    self._closure.merge(Edge(left, right, squeezed))
                    merged = True
                else:
                    values = self._between(values, self._complete(squeezed))
        return None if merged else values

    def _squeezed(self, left: Ratio, right: Ratio) -> Squeezed | Values:
        """Return the reason why the terms are equal, or values for which they are not."""
        sums: list[Multipliers] = []
        for term in (left - right, right - left):
            multipliers = self._bounds.conflict_with(-term)
            if multipliers is None:
                return self._bounds.solution
            whole = multipliers.pop(_OPPOSITE)
            sums.append(tuple((origin, times / whole) for origin, times in multipliers.items()))
        return Squeezed(*sums)

    def _between(self, values: Values, others: Values) -> Values:
        """Return values between these, under which terms differ that differ under either."""
        apart = [pair for pair in self._pairs() if _differ(pair, values)]
        share = Fraction(1)
        while True:
            share /= 2
            mixed = {unit: v + (others[unit] - v) * share for unit, v in values.items()}
            if all(_differ(pair, mixed) for pair in apart):
                return mixed

    def _numbered(self) -> Values:
        """Return a value for each class, for equations between units only."""
        numbers: dict[Ratio, Fraction] = {}
        return {
            unit: numbers.setdefault(self._closure.class_of(single(unit)), Fraction(len(numbers)))
            for unit in self._units
        }

    def _complete(self, values: Values) -> Values:
        """Return the values, and arbitrary ones for the remaining units."""
        return {unit: values.get(unit, Fraction(0)) for unit in self._units}

    def _pairs(self) -> tuple[_Pair, ...]:
        """Return pairs of terms whose equality matters, one pair for every two classes."""
        pairs: dict[frozenset[Ratio], _Pair] = {}
        for pair in self._compared():
            left, right = map(self._closure.class_of, pair)
            if left != right:
                pairs.setdefault(frozenset((left, right)), (left, right))
        return tuple(pairs.values())

    def _compared(self) -> Iterator[_Pair]:
        for _, left, right in self._denied:
            yield left, right
        for one, other in combinations(self._closure.applications, 2):
            if one.function == other.function and len(one.arguments) == len(other.arguments):
                yield from zip(one.arguments, other.arguments, strict=True)


class _Bounds:
    """Inequalities, each with its origin, decided by the simplex method.

    An application is a variable there: what functions mean is not known here.
    """

    def __init__(self) -> None:
        self._atoms = Atoms(integral=False)
        self._arithmetic = Arithmetic(self._atoms)
        self._origins: dict[Literal, tuple[Origin, Fraction]] = {}
        self._conflict: dict[Origin, Fraction] | None = None
        self.solution: Values = {}

    def assume(self, term: Ratio, strict: bool, origin: Origin) -> None:
        """Add term ≤ 0, or < 0 where strict."""
        whole = term.term
        if self._conflict is not None:
            return
        if not whole.coefficients:
            if whole.constant > 0 or (strict and whole.constant == 0):
                self._conflict = {origin: Fraction(1)}
            return
        literal = self._atoms.below(whole) if strict else self._atoms.at_most(whole)
        atom = self._atoms.table[abs(literal) - 1]
        assert isinstance(atom, Inequality)
        scale = Fraction(term.divisor * atom.term.content, whole.content)
        self._origins.setdefault(literal, (origin, scale))
        self._arithmetic.extend()
        self._note(self._arithmetic.assume(literal))

    def conflict(self) -> dict[Origin, Fraction] | None:
        """Return multipliers > 0 whose sum of the inequalities is a contradiction, if any exist."""
        if self._conflict is None:
            self._note(self._arithmetic.check())
        return self._conflict

    def conflict_with(self, term: Ratio) -> dict[Origin, Fraction] | None:
        """Return a conflict under the temporary assumption term < 0, whose origin is `_OPPOSITE`.

        There is no conflict without it. Where there is none with it, `solution` has values.
        """
        depth, origins = self._arithmetic.depth, dict(self._origins)
        self.assume(term, True, _OPPOSITE)
        conflict = self.conflict()
        if conflict is None:
            self.solution = self.values()
        self._arithmetic.restore(depth)
        self._origins, self._conflict = origins, None
        return conflict

    def values(self) -> Values:
        """Return a solution, after `conflict` returned none."""
        return {name: Fraction(value) for name, value in self._arithmetic.model().items()}

    def _note(self, explanation: Explanation | None) -> None:
        if explanation is None:
            return
        total: dict[Origin, Fraction] = {}
        for literal, times in self._arithmetic.sum_of(explanation).summands:
            origin, scale = self._origins[literal]
            total[origin] = total.get(origin, Fraction(0)) + times * scale
        self._conflict = total


def _differ(pair: _Pair, values: Values) -> bool:
    left, right = pair
    difference = left - right
    products = (values.get(unit, Fraction(0)) * factor
                for unit, factor in difference.term.coefficients)  # fmt: skip
    return sum(products, Fraction(difference.term.constant)) != 0


def completed(units: Iterable[str], values: Model) -> dict[str, int | Fraction]:
    """Return values of all variables and applications, at any depth, from those given.

    Applications of a function to arguments of the same values have the same value.
    """
    terms = {part for unit in units for part in subterms(single(unit))}
    names = sorted({unit for part in terms for unit in part.units})
    model: dict[str, int | Fraction] = {}
    tables: dict[tuple[str, tuple[Fraction, ...]], int | Fraction] = {}

    def value(unit: str) -> int | Fraction:
        if unit not in model:
            number = values.get(unit, 0)
            if isinstance(unit, Application):
                arguments = tuple(map(ratio_value, unit.arguments))
                number = tables.setdefault((unit.function, arguments), number)
            model[unit] = number
        return model[unit]

    def ratio_value(argument: Ratio) -> Fraction:
        products = (value(unit) * factor for unit, factor in argument.term.coefficients)
        return Fraction(sum(products, argument.term.constant), argument.divisor)

    for unit in sorted(names, key=lambda unit: unit not in values):
        value(unit)
    return {unit: model[unit] for unit in names}
