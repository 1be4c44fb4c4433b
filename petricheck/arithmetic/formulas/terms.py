"""Linear integer terms over named variables: immutable, exact, sparse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import gcd
from typing import TypeVar

from petricheck.support.arguments import require_type, shown, whole
from petricheck.support.errors import InputError


class Hashed:
    """A value that caches its hash. The cache is not pickled: hashes differ between processes."""

    __slots__ = ("_hash",)

    _hash: int


Value = TypeVar("Value", bound=type[Hashed])


def hashed_once(kind: Value) -> Value:
    """Return the class with cached hashes, since parts of parts are hashed again and again."""
    compute: Callable[[Hashed], int] = kind.__hash__

    def cached_hash(self: Hashed) -> int:
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", compute(self))
            return self._hash

    type.__setattr__(kind, "__hash__", cached_hash)
    return kind


@hashed_once
@dataclass(frozen=True, slots=True)
class Term(Hashed):
    """The linear term c_1·x_1 + … + c_n·x_n + constant.

    Attributes:
        coefficients: (variable, non-zero coefficient), sorted by variable.
        constant: the constant part.
    """

    coefficients: tuple[tuple[str, int], ...]
    constant: int

    def __add__(self, other: Term | int) -> Term:
        if isinstance(other, int):
            return Term(self.coefficients, self.constant + other)
        if not isinstance(other, Term):
            other = constant(other)
        if not other.coefficients:
            return Term(self.coefficients, self.constant + other.constant)
        return linear((*self.coefficients, *other.coefficients), self.constant + other.constant)

    __radd__ = __add__

    def __neg__(self) -> Term:
        return self * -1

    def __sub__(self, other: Term | int) -> Term:
        return self + -other

    def __rsub__(self, other: int) -> Term:
        return -self + other

    def __mul__(self, factor: int) -> Term:
        if not isinstance(factor, int):
            factor = whole(factor, None, "a factor")
        if factor == 0:
            return Term((), 0)
        scaled = tuple([(name, value * factor) for name, value in self.coefficients])
        return Term(scaled, self.constant * factor)

    __rmul__ = __mul__

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that occur, sorted."""
        return tuple(name for name, _ in self.coefficients)

    @property
    def content(self) -> int:
        """The greatest common divisor of the coefficients; 0 for a constant term."""
        return gcd(*[value for _, value in self.coefficients])

    def evaluate(self, values: Mapping[str, int]) -> int:
        """Return the value under `values`; KeyError where a variable has none."""
        return self.constant + sum(value * values[name] for name, value in self.coefficients)

    def substitute(self, terms: Mapping[str, Term]) -> Term:
        """Return the term with every variable in `terms` replaced by its term."""
        unchanged = [(name, value) for name, value in self.coefficients if name not in terms]
        constant = self.constant
        for name, value in self.coefficients:
            if name in terms:
                replacement = terms[name] * value
                unchanged.extend(replacement.coefficients)
                constant += replacement.constant
        return linear(unchanged, constant)


def linear(coefficients: Iterable[tuple[str, int]], constant: int = 0) -> Term:
    """Return the term with these coefficients; repeated variables are summed, zeros dropped."""
    sums: dict[str, int] = {}
    for name, value in coefficients:
        sums[name] = sums.get(name, 0) + value
    return Term(tuple(sorted((n, v) for n, v in sums.items() if v)), constant)


def variable(name: str) -> Term:
    """Return the variable `name` as a term."""
    require_type(name, str, "the name of a variable is a text")
    return Term(((name, 1),), 0)


def constant(value: int) -> Term:
    """Return the number `value` as a term."""
    if isinstance(value, str):
        raise InputError(f"{shown(value)} is a text; a place is a term as variable('p1')")
    return Term((), whole(value, None, "a constant"))
