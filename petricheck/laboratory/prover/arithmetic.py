"""The literals' arithmetic: which bounds they are, whether they fit together, what they imply."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import gcd, lcm
from typing import NamedTuple

from petricheck.arithmetic.formulas.formulas import Formula, Inequality
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.programs.algebra import congruence_separator, is_separable
from petricheck.laboratory.prover.atoms import Atoms
from petricheck.laboratory.prover.proofs import Equation, Literal, Residue, Sum
from petricheck.laboratory.prover.propagation import Implied, Propagation
from petricheck.laboratory.prover.simplex import Explanation, Near, Number, Simplex, SimplexBound

_Form = tuple[tuple[str, int], ...]

_ROOM = 32
"""Bounds of a variable from one side, beyond which no others are made: propagation has to end."""


class _Limit(NamedTuple):
    """The bound of a literal: scale·column ≤ or ≥ scale·value."""

    column: int
    above: bool
    value: Number
    scale: int


class Arithmetic:
    """The bounds of the literals that are assumed.

    Args:
        atoms: what literals stand for; `extend` after others were added to them.
    """

    def __init__(self, atoms: Atoms) -> None:
        self._atoms = atoms
        self._zero: Number = 0 if atoms.integral else Near(0, 0)
        self._simplex = Simplex(self._zero)
        self._propagation = Propagation(self._simplex)
        self._columns: dict[_Form, int] = {}
        self._names: dict[int, str] = {}
        self._limits: dict[Literal, _Limit] = {}
        self._terms: dict[Literal, Term] = {}
        self._similar: dict[tuple[int, bool], list[Literal]] = {}
        self._atom_count = 0
        self.extend()

    def extend(self) -> None:
        """Take in the atoms that are new."""
        for number, atom in enumerate(
            self._atoms.table[self._atom_count :], start=self._atom_count + 1
        ):
            if isinstance(atom, Inequality):
                for literal in (number, -number):
                    self._terms[literal] = atom.term if literal > 0 else 1 - atom.term
                    limit = self._limits[literal] = self._limit(literal, atom.term)
                    similar = self._similar.setdefault((limit.column, limit.above), [])
                    insort(similar, literal, key=self._looseness)
        self._atom_count = len(self._atoms.table)

    @property
    def depth(self) -> int:
        """A mark to go back to."""
        return self._simplex.depth

    def restore(self, depth: int) -> None:
        """Remove the assumptions since the mark."""
        self._simplex.restore(depth)
        self._propagation.forget()

    def assume(self, literal: Literal) -> Explanation | None:
        """Assume a literal; why that contradicts another of the same form, where it does."""
        limit = self._limits.get(literal)
        if limit is None:
            return None
        bound = SimplexBound(limit.value, literal)
        take = self._simplex.limit_above if limit.above else self._simplex.limit_below
        before = self._simplex.depth
        explanation = take(limit.column, bound)
        if self._simplex.depth > before:
            self._propagation.touch(limit.column)
        return explanation

    def implied(self, literal: Literal) -> Iterator[Literal]:
        """Yield weaker literals of the same form, the strongest first."""
        limit = self._limits.get(literal)
        if limit is not None:
            similar = self._similar[limit.column, limit.above]
            yield from similar[similar.index(literal) + 1 :]

    def propagated(self) -> list[tuple[Literal, Explanation]]:
        """Return literals that follow from bounds of others, with what their opposites contradict.

        Where there are none, nothing is left that could be found so.
        """
        while implied := self._propagation.implied():
            pairs = [(self._saying(implication), implication) for implication in implied]
            literals = [
                (literal, implication) for literal, implication in pairs if literal is not None
            ]
            if literals:
                return [
                    (lit, (*implication.because, (-lit, implication.times)))
                    for lit, implication in literals
                ]
        return []

    def check(self) -> Explanation | None:
        """Return the reason why the assumed literals have no rational solution, or None."""
        return self._simplex.check()

    def sum_of(self, explanation: Explanation) -> Sum:
        """Return the explanation as a sum of the literals' inequalities."""
        scales = [(times, self._limits[literal].scale) for literal, times in explanation]
        factors = [times if scale == 1 else Fraction(times) / scale for times, scale in scales]
        scale = lcm(*(factor.denominator for factor in factors))
        integers = [int(factor * scale) for factor in factors]
        divisor = gcd(*integers)
        literals = (literal for literal, _ in explanation)
        return Sum(tuple(zip(literals, (value // divisor for value in integers), strict=True)))

    def weakened(
        self, explanation: Explanation, is_true: Callable[[Literal], bool | None]
    ) -> Explanation:
        """Return the explanation with weaker true literals, where it remains a contradiction.

        The less a clause says of its literals, the more often it comes into play.
        """
        slack = sum((self._share(*summand) for summand in explanation), self._zero)
        weaker: list[tuple[Literal, int | Fraction]] = []
        for literal, times in explanation:
            share = self._share(literal, times)
            others = [summand for summand in self.implied(literal) if is_true(summand)]
            losses = [(share - self._share(other, times), other) for other in others]
            loss, chosen = max(
                (summand for summand in losses if summand[0] < slack), default=(self._zero, literal)
            )
            slack = slack - loss
            weaker.append((chosen, times))
        return tuple(weaker)

    def _share(self, literal: Literal, times: int | Fraction) -> Number:
        """Return the literal's part in a sum that contradicts by being more than zero."""
        limit = self._limits[literal]
        return limit.value * (-times if limit.above else times)

    def residue(self) -> Residue | None:
        """Return why the assumed equations have no integer solution, if that takes little time.

        None where `is_integral`.
        """
        equations = [] if self.is_integral() else list(self._equations())
        if not equations:
            return None
        names = sorted({name for form, _, _ in equations for name, _ in form})
        columns = [tuple(dict(form).get(name, 0) for form, _, _ in equations) for name in names]
        if not is_separable(columns, len(equations)):
            return None
        separator = congruence_separator(columns, [value for _, value, _ in equations])
        if separator is None:
            return None
        weights, modulus = separator
        used = zip((equation for _, _, equation in equations), weights, strict=True)
        return Residue(tuple((literal, w) for literal, w in used if w % modulus), modulus)

    def is_integral(self) -> bool:
        """Return whether the solution of `check` is of integers, where integers are required."""
        if not self._atoms.integral:
            return True
        return all(value.denominator == 1 for _, value in self._values())

    def statements(self, literals: Iterable[Literal]) -> dict[Literal, Formula]:
        """Return the statements about integers of the literals that are no gates."""
        return {
            literal: Inequality(self._terms[literal])
            for literal in literals
            if literal in self._limits
        }

    def tight(self, literals: Iterable[Literal]) -> Term | None:
        """Return the term of a literal t ≤ 0 whose t is 0 in the solution, and may be below 0."""
        simplex = self._simplex
        for literal in literals:
            column, above, value, _ = self._limits[literal]
            opposite = simplex.lower[column] if above else simplex.upper[column]
            fixed = opposite is not None and opposite.value == value
            if simplex.values[column] == value and not fixed:
                return self._terms[literal]
        return None

    def cut(self, literals: Iterable[Literal]) -> Term:
        """Return the term of x ≤ k, which cuts the solution off; x occurs in one of the literals.

        One of their variables has a value that is no integer.
        """
        names = {name for literal in literals for name in self._terms[literal].variables}
        for name, value in self._values():
            if name in names and value.denominator != 1:
                return variable(name) - int(value // 1)
        raise AssertionError("the literals have an integer solution")

    def model(self) -> dict[str, int | Fraction]:
        """Return the solution of the last `check`."""
        if self._atoms.integral:
            return {name: int(value) for name, value in self._values()}
        distance = self._distance()
        return {name: value.standard + value.beside * distance for name, value in self._values()}

    def _values(self) -> Iterator[tuple[str, Number]]:
        for form, column in self._columns.items():
            match form:
                case ((name, 1),):
                    yield name, self._simplex.values[column]

    def _saying(self, implied: Implied) -> Literal | None:
        """Return the strongest literal implied that is not yet known, made where there is none."""
        column, above, value = implied[:3]
        similar = self._similar.get((column, above), [])
        start = bisect_left(similar, value if above else -value, key=self._looseness)
        best = similar[start] if start < len(similar) else None
        name = self._names.get(column)
        is_exact = best is not None and self._limits[best].value == value
        if is_exact or name is None or len(similar) >= _ROOM:
            return best
        literal = self._atoms.at_most(variable(name) - (value if above else value - 1))
        self.extend()
        return literal if above else -literal

    def _looseness(self, literal: Literal) -> Number:
        """Return the weakness of a literal, compared with others of the same form and side."""
        limit = self._limits[literal]
        return limit.value if limit.above else limit.value * -1

    def _distance(self) -> Fraction:
        """Return the largest value that an infinitesimal may have."""
        distance = Fraction(1)
        simplex = self._simplex
        for lower, value, upper in zip(simplex.lower, simplex.values, simplex.upper, strict=True):
            for small, large in ((lower and lower.value, value), (value, upper and upper.value)):
                if small is not None and large is not None and small.beside > large.beside:
                    slack = Fraction(large.standard - small.standard)
                    distance = min(distance, slack / (small.beside - large.beside))
        return distance

    def _equations(self) -> Iterator[tuple[_Form, int, Equation]]:
        simplex = self._simplex
        for form, column in self._columns.items():
            lower, upper = simplex.lower[column], simplex.upper[column]
            if lower is not None and upper is not None and lower.value == upper.value:
                yield form, upper.value, Equation(upper.literal, lower.literal)

    def _limit(self, literal: Literal, term: Term) -> _Limit:
        """Return the bound of the literal for the column of its form."""
        scale = term.content
        sign = 1 if term.coefficients[0][1] > 0 else -1
        column = self._column(tuple((n, v // (sign * scale)) for n, v in term.coefficients))
        above = (sign > 0) == (literal > 0)
        if self._atoms.integral:
            value = -term.constant if literal > 0 else 1 - term.constant
            return _Limit(column, above, value, scale)
        beside = 0 if literal > 0 else 1 if sign > 0 else -1
        return _Limit(column, above, Near(Fraction(-term.constant, sign * scale), beside), scale)

    def _column(self, form: _Form) -> int:
        if form not in self._columns:
            parts = None
            if len(form) > 1 or form[0][1] != 1:
                parts = {self._column(((name, 1),)): value for name, value in form}
            column = self._columns[form] = self._simplex.column(parts)
            if parts is None:
                self._names[column] = form[0][0]
            elif self._atoms.integral:
                self._propagation.equate(column, parts)
        return self._columns[form]
