"""The abstract domain: bounds on linear functions of the marking, and residues of others.

A *precision* is a set of directions c ∈ ℤ^P, each with thresholds, and of modular directions
(c, q). An abstract state is a row of integers: for each direction an upper bound U of c·m
(`Domain.infinity` where there is none), then for each modular direction the residue r of c·m and
its negation −r, so that one state covers another exactly where its row is componentwise ≥.

Firing t from m leaves the rest m − u_t ≥ 0, for which c_i·(m − u_t) ≤ U_i − c_i·u_t. Since the
rest is not negative, that bound also holds for every c_j ≤ c_i; hence the *pair rule*

    U'_j = c_j·v_t + min { U_i − c_i·u_t : c_i ≥ c_j },  with 0·m ≤ 0 among the sources,

and t is disabled where the minimum for c_j = 0 is negative. The result is rounded up to the next
threshold. All of it is exact: 64-bit where no overflow can happen, Python integers elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from petricheck.arithmetic.formulas.terms import Term
from petricheck.engines.abstraction.antichain import Words, words
from petricheck.model.net import Net, Weights
from petricheck.symbolic.linear import HalfSpace, ModularDirection, dense, term_of, value_at

States: TypeAlias = npt.NDArray[Any]
"""One row a state (see the module's docstring); int64, or object where numbers are too large."""


Predicate: TypeAlias = HalfSpace | ModularDirection
"""A bound of a direction; or, of a modular direction, the residues r for every r."""


@dataclass(frozen=True)
class Precision:
    """The predicates that abstract states can express.

    Attributes:
        thresholds: by direction, the bounds in ascending order.
        residues: the modular directions.
    """

    thresholds: dict[Weights, tuple[int, ...]] = field(default_factory=dict)
    residues: tuple[ModularDirection, ...] = ()

    @property
    def size(self) -> int:
        """The number of thresholds and modular directions."""
        return sum(map(len, self.thresholds.values())) + len(self.residues)

    def refine(self, predicates: Iterable[Predicate]) -> Precision:
        """Return this precision with the predicates added."""
        thresholds = dict(self.thresholds)
        residues = dict.fromkeys(self.residues)
        for predicate in predicates:
            match predicate:
                case HalfSpace(direction, bound):
                    bounds = thresholds.get(direction, ())
                    if bound not in bounds:
                        thresholds[direction] = tuple(sorted((*bounds, bound)))
                case ModularDirection():
                    residues[predicate] = None
        return Precision(thresholds, tuple(residues))


class Domain:
    """The operations of the abstract domain for one net and one precision.

    Attributes:
        directions: K directions, in a fixed order.
        residues: Q modular directions.
        positions: the number j of a direction, or K + r of a modular one.
        infinity: the bound that says nothing.
        width: length of a state's row, K + 2·Q.
    """

    def __init__(self, net: Net, precision: Precision) -> None:
        self.directions = tuple(precision.thresholds)
        self.residues = precision.residues
        self.width = len(self.directions) + 2 * len(self.residues)
        self.positions = {c: number for number, c in enumerate((*self.directions, *self.residues))}
        levels = tuple(precision.thresholds.values())
        self.infinity, dtype = _infinity(net, self.directions, levels, self.residues)
        self._net = net
        self._levels: list[States] = [
            np.array([*level, self.infinity], dtype=dtype) for level in levels
        ]
        # Row i holds the i-th largest threshold of every direction, -infinity where it has fewer.
        steps = range(1, max(map(len, levels), default=0) + 1)
        self._ladder: list[States] = [
            np.array([x[-i] if i <= len(x) else -self.infinity for x in levels], dtype=dtype)
            for i in steps
        ]
        self._compile_bounds(dtype)
        self._compile_residues(dtype)
        self._compile_features(dtype)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Terms over place ids: direction j is at position j, residue r at K + r."""
        directions = (*self.directions, *(residue.direction for residue in self.residues))
        return tuple(term_of(self._net, direction) for direction in directions)

    def _compile_bounds(self, dtype: type) -> None:
        """Store sources i and targets j of the pair rule, by target, and products with u and v."""
        # Two zero directions are appended: source K is 0·m ≤ 0, target K is 0 ≤ rest.
        matrix = _matrix([*self.directions, ()], self._net, dtype)
        pairs = [
            (i, j)
            for j in range(len(matrix))
            for i in np.flatnonzero((matrix >= matrix[j]).all(axis=1))
        ]
        targets = np.array([j for _, j in pairs])
        self._sources = np.array([i for i, _ in pairs])
        self._starts = np.flatnonzero(np.diff(targets, prepend=-1))
        self._consumption = _products(matrix, [t.pre for t in self._net.transitions])
        self._production = _products(matrix, [t.post for t in self._net.transitions])
        self._zero: States = np.zeros(1, dtype=dtype)

    def _compile_residues(self, dtype: type) -> None:
        matrix = _matrix([r.direction for r in self.residues], self._net, dtype)
        self._moduli: States = np.array([r.modulus for r in self.residues], dtype=dtype)
        self._turns = _products(matrix, [t.effect for t in self._net.transitions])

    def _compile_features(self, dtype: type) -> None:
        levels = [level[:-1] for level in self._levels]
        self._thresholds: States = np.concatenate((np.zeros(0, dtype), *levels))
        self._threshold_columns = np.repeat(np.arange(len(levels)), [len(x) for x in levels])
        lengths = [r.modulus.bit_length() for r in self.residues]
        self._digit_columns = np.repeat(len(levels) + np.arange(len(lengths)), lengths)
        digits = [k for length in lengths for k in range(length)]
        self._digits: States = np.array(digits, dtype=dtype)
        self._room = -(-(2 + len(self._thresholds) + 2 * len(digits)) // 64) * 64

    @cached_property
    def unbounded(self) -> States:
        """The state of all markings; not to be changed."""
        return np.full(self.width, self.infinity, dtype=self._zero.dtype)

    def initial(self) -> States:
        """Return the state of the initial marking, rounded."""
        marking = self._net.initial
        values = [value_at(direction, marking) for direction in self.directions]
        residues = [value_at(r.direction, marking) % r.modulus for r in self.residues]
        row = np.array([*values, *residues, *(-r for r in residues)], dtype=self._zero.dtype)
        return self.rounded(row)

    def post(self, state: States) -> tuple[npt.NDArray[np.bool_], States]:
        """Return which transitions the state enables (T), and the state after each (T × width)."""
        count = len(self.directions)
        slack = np.concatenate((state[:count], self._zero)) - self._consumption
        least = np.minimum.reduceat(slack[:, self._sources], self._starts, axis=1)
        bounds = least[:, :count] + self._production[:, :count]
        bounds = self._round(bounds)
        if not self.residues:
            return least[:, count] >= 0, bounds
        residues = state[count : count + len(self.residues)]
        turned = (residues + self._turns) % self._moduli
        return least[:, count] >= 0, np.concatenate((bounds, turned, -turned), axis=1)

    def fire(self, state: States, transition: int) -> States | None:
        """Return the strongest state after one firing, not rounded; None where it is disabled.

        Unlike `post` it knows what to do where a residue is not known.
        """
        count = len(self.directions)
        slack = np.concatenate((state[:count], self._zero)) - self._consumption[transition]
        least = np.minimum.reduceat(slack[self._sources], self._starts)
        if least[count] < 0:
            return None
        bounds = self._finite(least[:count] + self._production[transition, :count])
        residues = state[count : count + len(self.residues)]
        turned = (residues + self._turns[transition]) % self._moduli
        is_finite = residues != self.infinity
        signed = [np.where(is_finite, sign * turned, self.infinity) for sign in (1, -1)]
        return np.concatenate((bounds, *signed))

    def rounded(self, state: States) -> States:
        """Return the state with each bound raised to the next threshold of its direction."""
        count = len(self.directions)
        return np.concatenate((self._round(state[np.newaxis, :count])[0], state[count:]))

    def saturated(self, state: States) -> States:
        """Return the state with bounds lowered by the others: U_j = min { U_i : c_i ≥ c_j }."""
        count = len(self.directions)
        bounds = np.concatenate((state[:count], self._zero))
        least = np.minimum.reduceat(bounds[self._sources], self._starts)
        return np.concatenate((self._finite(least[:count]), state[count:]))

    def _finite(self, bounds: States) -> States:
        """Restore infinity where the input was infinite; weaken bounds that are very low."""
        bounds = np.where(bounds >= self.infinity // 2, self.infinity, bounds)
        return np.maximum(bounds, -self.infinity)

    def _round(self, bounds: States) -> States:
        """Return each bound (T × K) raised to the next threshold of its direction."""
        if len(self._ladder) > len(self._levels):
            for number, level in enumerate(self._levels):
                bounds[:, number] = level[level[:-1].searchsorted(bounds[:, number])]
            return bounds
        rounded = np.full_like(bounds, self.infinity)
        for thresholds in self._ladder:
            rounded = np.where(bounds <= thresholds, thresholds, rounded)
        return rounded

    def disabling(self, state: States, transition: int, preferred: set[int]) -> int | None:
        """Return a direction by which the state disables the transition, as `source` chooses it."""
        return self._pair(state, transition, len(self.directions), -1, preferred)

    def source(
        self, state: States, transition: int, target: int, limit: int, preferred: set[int]
    ) -> int | None:
        """Return the atom of `state` that implies the atom `target` of its successor.

        Atoms are numbers of directions, or K + r for residue r; None where nothing is needed. The
        `limit` is the bound to be reached, for a direction; `preferred` atoms are chosen first
        where they do.
        """
        count = len(self.directions)
        if target >= count:
            return target
        limit -= int(self._production[transition, target])
        return self._pair(state, transition, target, limit, preferred)

    def _pair(
        self, state: States, transition: int, target: int, limit: int, preferred: set[int]
    ) -> int | None:
        count = len(self.directions)
        begin = self._starts[target]
        end = self._starts[target + 1] if target < count else len(self._sources)
        slack = np.concatenate((state[:count], self._zero)) - self._consumption[transition]
        sources = [int(i) for i in self._sources[begin:end] if slack[i] <= limit]
        if count in sources:
            return None
        return next((i for i in (*preferred, target) if i in sources), sources[0])

    def features(self, states: States) -> Words:
        """Return features of states (n × width): one covers another if its set includes the other.

        Of a bound, which thresholds it lies above; of a residue, its binary digits and what they
        are not, so that no residue includes another. Feature 0 is common to all, 1 is in none.
        """
        digits_of = np.zeros((len(states), self._room), dtype=bool)
        digits_of[:, 0] = True
        digits = 2 + len(self._thresholds)
        digits_of[:, 2:digits] = states[:, self._threshold_columns] > self._thresholds
        if self.residues:
            ends = digits + len(self._digits)
            digits_of[:, digits:ends] = states[:, self._digit_columns] >> self._digits & 1
            digits_of[:, ends : ends + len(self._digits)] = ~digits_of[:, digits:ends]
        return words(digits_of)

    def columns(self, atom: int) -> list[int]:
        """Return the columns of a row that hold a direction, or residue r for K + r."""
        return [atom] if atom < len(self.directions) else [atom, atom + len(self.residues)]

    def bounds(self, state: States) -> tuple[int | None, ...]:
        """Return U for each direction, None where the state does not bound it."""
        numbers = (int(bound) for bound in state[: len(self.directions)])
        return tuple(None if bound == self.infinity else bound for bound in numbers)

    def residues_of(self, state: States) -> tuple[int | None, ...]:
        """Return the residue for each modular direction, None where any is allowed."""
        start = len(self.directions)
        numbers = (int(residue) for residue in state[start : start + len(self.residues)])
        return tuple(None if r == self.infinity else r for r in numbers)


def _infinity(
    net: Net,
    directions: Sequence[Weights],
    levels: Sequence[Sequence[int]],
    residues: Sequence[ModularDirection],
) -> tuple[int, type]:
    """Return a bound above all that thresholds can yield, and a number type that holds it."""
    largest = max((abs(x) for level in levels for x in level), default=0)
    largest = max([largest, *(r.modulus for r in residues)])
    steepest = max((abs(x) for c in directions for _, x in c), default=1)
    steepest = max([steepest, *(abs(x) for r in residues for _, x in r.direction)])
    heaviest = max(
        (sum(w for _, w in t.pre) + sum(w for _, w in t.post) for t in net.transitions), default=0
    )
    reach = max(largest, steepest * sum(net.initial)) + 4 * (steepest + 1) * (heaviest + 1)
    infinity = 4 * reach
    return infinity, (np.int64 if 4 * infinity < 2**63 else object)


def _matrix(directions: Sequence[Weights], net: Net, dtype: type) -> States:
    rows = [dense(direction, range(len(net.places))) for direction in directions]
    return np.array(rows, dtype=dtype).reshape(len(rows), len(net.places))


def _products(matrix: States, vectors: Sequence[Sequence[tuple[int, int]]]) -> States:
    """-"""
    result = np.zeros((len(vectors), len(matrix)), dtype=matrix.dtype)
    for number, vector in enumerate(vectors):
        for place, weight in vector:
            result[number] += matrix[:, place] * weight
    return result
