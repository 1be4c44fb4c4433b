"""The state equation of a net as one linear program, for all targets, and why a cube misses it.

Its columns are the firings x ≥ 0, its rows the places, m0 + D·x ≥ 0. A literal on one place is a
bound on its row; one on several places gets a row of its own, once. So a target, a cube of it, or
what a branching search has chosen so far is no more than bounds, and the program goes on from its
last solution.

By the lemma of Farkas a ray of the dual gives each row a multiplier y. Let c be the sum of y times
what the rows are about, in the places; c·δ_t ≤ 0 for every transition, so that c·m ≤ c·m0 is
inductive, and the literals whose bounds count contradict it. All of this is confirmed in integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.formulas import Atom, Congruence, Cube, Equality
from petricheck.arithmetic.formulas.formulas import evaluate as holds
from petricheck.arithmetic.programs.linear_programs import HUGE, INFINITY, as_float, integer_ray
from petricheck.arithmetic.programs.warm_programs import (
    CongruentRow,
    PrimalPoint,
    Ray,
    WarmProgram,
)
from petricheck.model.net import Marking, Net, Transition, Weights
from petricheck.model.weights import transposed, weights_of
from petricheck.symbolic.facts.changes import changes
from petricheck.symbolic.facts.separation import Separation
from petricheck.symbolic.linear import HalfSpace, combination, direction_of, scaled, value_at

Array: TypeAlias = Any

_CLOSE = 1e-6
"""Differences of numbers of firings that count as none."""

_ZERO = 1e-9
"""Multipliers of a ray that count as none, beside the largest."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Numbers of literals that exclude each other, and the inductive fact that contradicts them."""

    literals: tuple[int, ...]
    fact: Separation

    def about(self, size: int) -> Separation:
        """Return the fact, with a multiplier for each of so many literals."""
        weights = dict(zip(self.literals, self.fact.multipliers, strict=True))
        multipliers = tuple(weights.get(number, 0) for number in range(size))
        return replace(self.fact, multipliers=multipliers)


@dataclass(frozen=True, slots=True)
class RowBound:
    """A bound of a row and where it comes from.

    Attributes:
        value: what is added up in the row is to be at least or at most this.
        literal: number of the literal that says so; None where a trap, m ≥ 0 or nothing does.
        factor: the literal's term is so many times what the row is about, 1 or -1.
        trap: number of the trap that says so.
    """

    value: float
    literal: int | None = None
    factor: int = 0
    trap: int | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """A solution of the rational program that is in the target.

    Attributes:
        counts: firings, a numpy array with an entry for each transition with an effect.
        tokens: where they lead, by place.
        cube: all literals that are asserted.
    """

    counts: Any
    tokens: Any
    cube: Cube


Side: TypeAlias = tuple[int, int]
"""The number of a row; 1 for its lower bound, -1 for its upper one."""

_NONE_BELOW, _NONE_ABOVE = RowBound(-INFINITY), RowBound(INFINITY)


class EquationProgram:
    """The program with the literals that are asserted; a literal's number is its position."""

    def __init__(self, net: Net, transitions: Iterable[Transition]) -> None:
        self.net = net
        effects = weights_of(net).effects
        numbers = [net.transition_numbers[transition.name] for transition in transitions]
        selected = np.array(numbers, dtype=np.intp)
        self._numbers = selected[np.diff(effects.starts)[selected] > 0]
        self._effects = effects.select(self._numbers)
        if not self._effects.size:  # HiGHS wants a column: that of an empty effect.
            self._effects = self._effects._replace(starts=np.zeros(2, dtype=np.int64))
        self._floats = _floats(self._effects.values)
        self._by_place = transposed(self._effects, len(net.places))
        self._initial = _floats(net.initial)
        matrix = (self._effects.starts, self._effects.indices, self._floats)
        self._program = WarmProgram(matrix, -self._initial, len(net.places))
        self._forms: list[Weights] = [((place, 1),) for place in range(len(net.places))]
        self._rows: dict[Weights, int] = {}
        self._traps = 0
        self._lower = [[RowBound(-tokens)] for tokens in self._initial.tolist()]
        self._upper = [[_NONE_ABOVE] for _ in net.places]
        self._changed: list[int | None] = []
        self.literals: list[Atom] = []

    def add(self, literal: Atom) -> Clash | None:
        """Assert a literal, except congruences; return why one row has no solution any more."""
        number = len(self.literals)
        self.literals.append(literal)
        if isinstance(literal, Congruence):
            self._changed.append(None)
            return None
        form = direction_of(self.net, literal.term)
        factor = 1 if form[0][1] > 0 else -1
        row = self._row(scaled(form, factor))
        value = as_float(-literal.term.constant * factor) - self._initial_value(self._forms[row])
        bound = RowBound(value, number, factor)
        lower, upper = self._lower[row], self._upper[row]
        is_equality = isinstance(literal, Equality)
        lower.append(
            bound if (is_equality or factor < 0) and value > lower[-1].value else lower[-1]
        )
        upper.append(
            bound if (is_equality or factor > 0) and value < upper[-1].value else upper[-1]
        )
        self._changed.append(row)
        if lower[-1].value <= upper[-1].value:
            self._program.bound(row, lower[-1].value, upper[-1].value)
            return None
        return self._clash([(row, 1, lower[-1]), (row, -1, upper[-1])])

    def add_trap(self, places: frozenset[int]) -> None:
        """Add the row that one of these places has a token, whatever is asserted or taken back."""
        form = tuple((place, 1) for place in sorted(places))
        row = self._new_row(form)
        bound = RowBound(1.0 - self._initial_value(form), trap=self._traps)
        self._lower[row] = [bound]
        self._program.bound(row, bound.value, INFINITY)
        self._traps += 1

    def undo(self, size: int) -> None:
        """Take back all literals but the first `size`."""
        while len(self.literals) > size:
            self.literals.pop()
            row = self._changed.pop()
            if row is not None:
                self._lower[row].pop()
                self._upper[row].pop()
                lower, upper = self._lower[row][-1].value, self._upper[row][-1].value
                self._program.bound(row, lower, upper)

    def _initial_value(self, form: Weights) -> float:
        return sum(as_float(value) * float(self._initial[place]) for place, value in form)

    def _row(self, form: Weights) -> int:
        """Return the row that is about this form, of which the first weight is positive."""
        if len(form) == 1 and form[0][1] == 1:
            return form[0][0]
        if form not in self._rows:
            self._rows[form] = self._new_row(form)
        return self._rows[form]

    def _new_row(self, form: Weights) -> int:
        self._forms.append(form)
        self._lower.append([_NONE_BELOW])
        self._upper.append([_NONE_ABOVE])
        return self._program.row(*self._entries(form))

    def _entries(self, form: Weights) -> tuple[Array, Array]:
        """Return the transitions' columns that change the form, and by how much."""
        places = np.array([place for place, _ in form], dtype=np.int64)
        owners, entries = self._by_place.entries(places)
        changes = _floats([value for _, value in form])[owners] * _floats(
            self._by_place.values[entries]
        )
        columns, positions = np.unique(self._by_place.indices[entries], return_inverse=True)
        sums = np.bincount(positions, changes, len(columns))
        return columns[sums != 0], sums[sums != 0]

    def solve(self, seconds: float) -> PrimalPoint | Ray | None:
        """Return firings that the literals allow, or why there are none; None if that is open."""
        return self._program.solve(seconds)

    def face_duals(self, solution: Solution, seconds: float) -> Array | None:
        """Return the rows' duals that `WarmProgram.face_duals` returns at the last solution."""
        free = solution.counts > _CLOSE
        return self._program.face_duals(free, *self.tight_bounds(solution.tokens), seconds)

    def tight_bounds(self, tokens: Array) -> tuple[Array, Array]:
        """Return by row whether its lower bound is just reached by these tokens, and its upper."""
        places, tokens = len(self._initial), tokens - self._initial
        others = [
            sum(as_float(value) * tokens[place] for place, value in form)
            for form in self._forms[places:]
        ]
        values = np.concatenate((tokens, np.array(others)))
        lower, upper = (
            np.array([bounds[-1].value for bounds in rows]) for rows in (self._lower, self._upper)
        )
        return values - lower <= _CLOSE, upper - values <= _CLOSE

    def form(self, row: int) -> Weights:
        """Return what the row is about."""
        return self._forms[row]

    def changes(self, direction: Weights) -> Array:
        """Return by how much each transition of the program changes a sum, exactly."""
        return changes(self.net, direction)[self._numbers]

    def changed(self, row: int) -> Iterable[tuple[int, int]]:
        """Return the transitions of the program that change the row's sum, and by how much."""
        sums: dict[int, int] = {}
        for place, value in self._forms[row]:
            for column, change in self._by_place.row(place):
                sums[column] = sums.get(column, 0) + value * change
        return [(column, change) for column, change in sums.items() if change]

    def excess(self, side: Side) -> int:
        """Return by how much the row's sum in the initial marking exceeds a bound, exactly."""
        row, _ = side
        bound, value = self._bound(side), value_at(self._forms[row], self.net.initial)
        if bound.literal is not None:
            return value + bound.factor * self.literals[bound.literal].term.constant
        return value if bound.trap is None else value - 1

    def sources(self, sides: Mapping[Side, int]) -> tuple[dict[int, int], tuple[int, ...]]:
        """Return literals with the multipliers that these of their rows give them, and traps."""
        weights: dict[int, int] = {}
        bounds = [(self._bound(side), weight) for side, weight in sides.items()]
        for bound, weight in bounds:
            if bound.literal is not None:
                weights[bound.literal] = weights.get(bound.literal, 0) + weight * bound.factor
        return weights, tuple(bound.trap for bound, _ in bounds if bound.trap is not None)

    def _bound(self, side: Side) -> RowBound:
        row, sign = side
        return (self._lower if sign > 0 else self._upper)[row][-1]

    def require(self, firings: Array) -> None:
        """Require that solutions fire transitions, by their numbers, at least so often."""
        least = np.zeros(self._effects.size)
        least[: len(self._numbers)] = firings[self._numbers]
        self._program.bound_columns(least)

    def firings(self, point: PrimalPoint) -> Array:
        """Return for each transition how often it fires, rounded up."""
        counts = np.zeros(len(self.net.transitions), dtype=np.int64)
        counts[self._numbers] = np.ceil(point.values[: len(self._numbers)] - _CLOSE)
        return counts

    def marking(self, point: PrimalPoint) -> Array:
        """Return the marking that the firings lead to."""
        moved = point.values[self._effects.owners] * self._floats
        return self._initial + np.bincount(self._effects.indices, moved, len(self._initial))

    def integral_marking(self, seconds: float) -> Marking | None:
        """Return a marking with all literals, after whole numbers of firings; None proves nothing.

        HiGHS looks for the numbers. A congruence has a whole number of moduli beside it.
        """
        congruences = [
            CongruentRow(*self._entries(form), as_float(literal.modulus), as_float(value))
            for literal in self.literals
            if isinstance(literal, Congruence)
            for form in [direction_of(self.net, literal.term)]
            for value in [-literal.term.constant - value_at(form, self.net.initial)]
        ]
        counts = self._program.integral_values(congruences, seconds)
        if counts is None:
            return None
        marking = self._after(np.rint(counts))
        tokens = self.net.values(marking)
        natural = min(marking, default=0) >= 0
        return marking if natural and all(holds(atom, tokens) for atom in self.literals) else None

    def round_firings(self, counts: Array) -> Marking | None:
        """Return the marking after the rounded firings; None where they are not nearly whole."""
        rounded = np.rint(counts)
        if np.abs(counts - rounded).max(initial=0.0) > _CLOSE:
            return None
        return self._after(rounded)

    def _after(self, counts: Array) -> Marking:
        tokens = list(self.net.initial)
        for column in np.flatnonzero(counts).tolist():
            for place, change in self._effects.row(column):
                tokens[place] += int(counts[column]) * change
        return tuple(tokens)

    def clash(self, ray: Ray) -> Clash | None:
        """Return the contradiction that the ray proves with rounded multipliers, if it is exact."""
        values = ray.multipliers
        rows = np.flatnonzero(np.abs(values) > _ZERO * np.abs(values).max(initial=0.0))
        integers = integer_ray(values[rows].tolist())
        if integers is None:
            return None
        sides = (self._lower, self._upper)
        pairs = zip(rows.tolist(), integers, strict=True)
        return self._clash([(row, y, sides[y < 0][row][-1]) for row, y in pairs if y])

    def _clash(self, shares: Sequence[tuple[int, int, RowBound]]) -> Clash | None:
        """Return rows with their multipliers and bounds; None where it is no proof."""
        direction = combination((y, self._forms[row]) for row, y, _ in shares)
        weights: dict[int, int] = {}
        traps: dict[int, int] = {}
        for _, y, bound in shares:
            if bound.literal is not None:
                weights[bound.literal] = weights.get(bound.literal, 0) - y * bound.factor
            elif bound.trap is not None:
                traps[bound.trap] = y
            elif bound.value in (-INFINITY, INFINITY):
                return None
        constants = ((w, self.literals[number].term.constant) for number, w in weights.items())
        invariant = HalfSpace(direction, value_at(direction, self.net.initial))
        gap = sum(w * constant for w, constant in constants) + sum(traps.values()) - invariant.bound
        if gap <= 0 or (self.changes(direction) > 0).any():
            return None
        half_space, multipliers = invariant.inequality(self.net), tuple(weights.values())
        fact = Separation(half_space, multipliers, tuple(traps), tuple(traps.values()))
        return Clash(tuple(weights), fact)


def _floats(numbers: Sequence[int] | NDArray[Any]) -> Array:
    """Return what `as_float` returns of each number."""
    exact = np.asarray(numbers)
    if exact.dtype == np.int64:
        return np.clip(exact, -HUGE, HUGE).astype(np.float64)
    return np.array([as_float(number) for number in exact.tolist()], dtype=np.float64)
