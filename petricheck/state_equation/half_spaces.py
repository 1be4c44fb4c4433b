"""Inductive half-spaces from the dual of the state equation, by the lemma of Farkas.

m = m0 + D·x with x ≥ 0, m ≥ 0, the literals of a target cube and Σ m(p) ≥ 1 for some traps have no
rational solution iff there are c, and multipliers w of the literals and μ ≥ 0 of the traps, with
c·δ_t ≤ 0 for every transition, Σ w·a + c − Σ μ·1_trap ≥ 0 in every place, and
Σ w·k + Σ μ > c·m0, where the literals read a·m + k ≤ 0 (w ≥ 0) or = 0 (w free). Then c·m ≤ c·m0
holds initially, is kept by every transition, and contradicts the cube, given the traps. One sparse
linear program finds c, on small nets the one of least Σ|c(p)|; its floats are rounded, and
confirmed exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.linear import HalfSpace, sparse, value_at
from petricheck.presburger.formulas import Atom, Congruence, Cube, Equality, Inequality
from petricheck.presburger.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.problem import Net, Transition, Weights

_SHORT = 2_000
"""Places and literals up to which the least Σ|c(p)| is looked for, which large programs would pay
dearly for: without it, presolving alone decides long chains."""


@dataclass(frozen=True, slots=True)
class KeptHalfSpace:
    """c·m ≤ c·m0, confirmed to be inductive and to contradict a cube.

    Attributes:
        half_space: c and c·m0.
        multipliers: w, one for each literal of the cube.
        traps: numbers of the traps that the contradiction needs.
    """

    half_space: HalfSpace
    multipliers: tuple[int, ...]
    traps: tuple[int, ...]


def separating_half_space(
    net: Net,
    transitions: Sequence[Transition],
    cube: Cube,
    traps: Sequence[frozenset[int]],
    seconds: float = INFINITY,
) -> KeptHalfSpace | None:
    """A half-space that the transitions keep and the cube contradicts; None where none is found.

    Args:
        net: the net.
        transitions: those that count; the others are taken to be dead.
        cube: literals over place ids; congruences are not used.
        traps: sets of places that are marked in every reachable marking.
        seconds: limit for the linear program.
    """
    values = _Dual(net, transitions, cube, traps).solve(seconds)
    integers = None if values is None else integer_ray(values)
    if integers is None:
        return None
    return _confirmed(net, transitions, cube, traps, integers)


class _Dual:
    """The program over c (on small nets as plus − minus, to minimise Σ|c|), w and μ."""

    def __init__(
        self,
        net: Net,
        transitions: Sequence[Transition],
        cube: Cube,
        traps: Sequence[frozenset[int]],
    ) -> None:
        self._program = program = LinearProgram()
        rows = _rows(net, cube, traps)
        short = len(net.places) + len(cube) <= _SHORT
        # A place that no literal or trap speaks of has c(p) ≥ 0.
        self._plus = [
            program.column(float(short), -INFINITY if place in rows and not short else 0.0)
            for place in range(len(net.places))
        ]
        self._minus = {place: program.column(1.0) for place in rows} if short else {}
        self._others = [_weight_column(program, literal) for literal in cube]
        self._others += [program.column() for _ in traps]
        for effect in dict.fromkeys(t.effect for t in transitions):
            program.row(self._direction(effect), upper=0.0)
        pinned = _pinned(net, cube)
        for place, row in rows.items():
            entries = {self._others[number]: float(value) for number, value in row.items()}
            upper = 0.0 if place in pinned else INFINITY
            program.row({**self._direction(((place, 1),)), **entries}, 0.0, upper)
        self._gap(net, cube)

    def solve(self, seconds: float) -> list[float] | None:
        """c, w and μ, one after the other."""
        values = self._program.solve(seconds)
        if values is None:
            return None
        c = [values[column] for column in self._plus]
        for place, column in self._minus.items():
            c[place] -= values[column]
        return [*c, *(values[column] for column in self._others)]

    def _direction(self, vector: Weights) -> dict[int, float]:
        """The entries of c·vector."""
        entries = {self._plus[place]: float(value) for place, value in vector}
        for place, value in vector:
            if place in self._minus:
                entries[self._minus[place]] = -float(value)
        return entries

    def _gap(self, net: Net, cube: Cube) -> None:
        """Σ w·k + Σ μ − c·m0, which is to be positive, in units of the largest number in it."""
        constants = [literal.term.constant for literal in cube]
        constants += [1] * (len(self._others) - len(cube))
        largest = max(1, *net.initial, *map(abs, constants))
        start = tuple((place, -tokens) for place, tokens in enumerate(net.initial) if tokens)
        entries = {column: value / largest for column, value in self._direction(start).items()}
        for column, constant in zip(self._others, constants, strict=True):
            entries[column] = constant / largest
        self._program.row(entries, lower=1.0)


def _weight_column(program: LinearProgram, literal: Atom) -> int:
    match literal:
        case Equality():
            return program.column(lower=-INFINITY)
        case Inequality():
            return program.column()
        case Congruence():
            return program.column(upper=0.0)


def _rows(net: Net, cube: Cube, traps: Sequence[frozenset[int]]) -> dict[int, dict[int, int]]:
    """By place that a literal or a trap speaks of: its coefficient in each of them."""
    rows: dict[int, dict[int, int]] = defaultdict(dict)
    for number, literal in enumerate(cube):
        if not isinstance(literal, Congruence):
            for name, value in literal.term.coefficients:
                rows[net.place_numbers[name]][number] = value
    for number, trap in enumerate(traps, start=len(cube)):
        for place in sorted(trap):
            rows[place][number] = -1
    return rows


def _pinned(net: Net, cube: Cube) -> set[int]:
    """Places to which a literal gives a value ≥ 0: slack in their rows would only cost."""
    terms = [literal.term for literal in cube if isinstance(literal, Equality)]
    single = [term for term in terms if len(term.coefficients) == 1]
    return {
        net.place_numbers[term.variables[0]]
        for term in single
        if term.coefficients[0][1] * term.constant <= 0
    }


def _confirmed(
    net: Net,
    transitions: Sequence[Transition],
    cube: Cube,
    traps: Sequence[frozenset[int]],
    integers: Sequence[int],
) -> KeptHalfSpace | None:
    """The half-space in exact arithmetic, or None where the rounding has spoilt it."""
    sums, others = list(integers[: len(net.places)]), integers[len(net.places) :]
    c = sparse(enumerate(sums))
    kept = HalfSpace(c, value_at(c, net.initial))
    weights, shares = others[: len(cube)], others[len(cube) :]
    allowed = min(shares, default=0) >= 0 and all(map(_allowed, cube, weights))
    for place, row in _rows(net, cube, traps).items():
        sums[place] += sum(others[number] * entry for number, entry in row.items())
    gap = sum(w * literal.term.constant for w, literal in zip(weights, cube, strict=True))
    gap += sum(shares) - kept.bound
    if not (allowed and min(sums, default=0) >= 0 and gap > 0):
        return None
    if not kept.kept_by(t.effect for t in transitions):
        return None
    needed = tuple(number for number, share in enumerate(shares) if share)
    return KeptHalfSpace(kept, tuple(weights), needed)


def _allowed(literal: Atom, weight: int) -> bool:
    match literal:
        case Equality():
            return True
        case Inequality():
            return weight >= 0
        case Congruence():
            return weight == 0
