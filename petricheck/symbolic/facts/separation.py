"""Inductive half-spaces and residues that contradict a target cube, confirmed exactly.

*Half-spaces*, from the dual of the state equation, by the lemma of Farkas: m = m0 + D·x with x ≥ 0,
m ≥ 0, the literals of the cube and Σ m(p) ≥ 1 for some traps have no rational solution iff there
are c, and multipliers w of the literals and μ ≥ 0 of the traps, with c·δ_t ≤ 0 for every
transition, Σ w·a + c − Σ μ·1_trap ≥ 0 in every place, and Σ w·k + Σ μ > c·m0, where the literals
read a·m + k ≤ 0 (w ≥ 0) or = 0 (w free). Then c·m ≤ c·m0 holds initially, is kept by every
transition, and contradicts the cube, given the traps. One sparse linear program finds c, on small
nets the one of least Σ|c(p)|; its floats are rounded.

*Residues*: where m0 + D·x meets the equalities and congruences of the cube for some rational x, but
for no integral one (negative ones included), there are integers w and a modulus q such that
c = Σ w·a has c·δ_t ≡ 0 (mod q) for every transition and c·m0 ≢ c·m (mod q) for every m in the cube.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Congruence,
    Cube,
    Equality,
    Inequality,
)
from petricheck.arithmetic.programs.algebra import congruence_separator, is_separable
from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.model.net import Net, Transition, Weights
from petricheck.symbolic.linear import (
    HalfSpace,
    combination,
    dense,
    direction_of,
    sparse,
    term_of,
    value_at,
)

_SHORT = 2_000
"""Places, literals and traps up to which the least Σ|c(p)| is looked for, which large programs
would pay dearly for: without it, presolving alone decides long chains."""

_LARGEST = 40_000
"""Entries of the matrix of literals by changes, above which no residue is looked for."""


@dataclass(frozen=True, slots=True)
class Separation:
    """c·m ≤ c·m0 or c·m ≡ c·m0, inductive, and contradicting a cube.

    Attributes:
        atom: what holds.
        multipliers: w, one for each literal of the cube.
        traps: numbers of the traps that the contradiction needs.
        shares: μ, one for each of these, of a half-space.
        premise: a half-space that it needs as well (`facts.faces`).
    """

    atom: Inequality | Congruence
    multipliers: tuple[int, ...]
    traps: tuple[int, ...] = ()
    shares: tuple[int, ...] = ()
    premise: Separation | None = None

    def about(self, literals: Sequence[int]) -> Separation:
        """Return the separator of the larger cube that has these literals, all that it needs."""
        return replace(self, multipliers=tuple(self.multipliers[number] for number in literals))


def separating_half_space(
    net: Net,
    transitions: Sequence[Transition],
    cube: Cube,
    traps: Sequence[frozenset[int]],
    seconds: float = INFINITY,
) -> Separation | None:
    """Return a half-space that transitions preserve and the cube contradicts, or None.

    Other transitions are taken to be dead, and traps to be marked in every reachable marking.
    Congruences are not used. The seconds limit the linear program.
    """
    summands = _summands(net, cube, traps)
    rows = _rows(summands)
    integers = integer_ray(_solution(net, transitions, summands, rows, seconds))
    if not integers:
        return None
    sums, weights = list(integers[: len(net.places)]), integers[len(net.places) :]
    c = sparse(enumerate(sums))
    invariant = HalfSpace(c, value_at(c, net.initial))
    for place, row in rows.items():
        sums[place] += sum(weights[number] * entry for number, entry in row.items())
    pairs = list(zip(summands, weights, strict=True))
    allowed = min(sums, default=0) >= 0 and all(s.lower <= w <= s.upper for s, w in pairs)
    gap = sum(w * s.constant for s, w in pairs) - invariant.bound
    if not (allowed and gap > 0 and invariant.preserved_by(t.effect for t in transitions)):
        return None
    needed = {number: share for number, share in enumerate(weights[len(cube) :]) if share}
    half_space, literals = invariant.inequality(net), weights[: len(cube)]
    return Separation(half_space, literals, tuple(needed), tuple(needed.values()))


@dataclass(frozen=True, slots=True)
class _Summand:
    """weights·m + constant ≤ 0 or = 0, of a literal or trap, and the range of its multiplier."""

    weights: Weights
    constant: int
    lower: float = 0.0
    upper: float = INFINITY


def _summands(net: Net, cube: Cube, traps: Sequence[frozenset[int]]) -> list[_Summand]:
    return [*(_literal(net, literal) for literal in cube), *map(_trap, traps)]


def _literal(net: Net, literal: Atom) -> _Summand:
    if isinstance(literal, Congruence):
        return _Summand((), 0, upper=0.0)
    weights = ((net.place_numbers[name], value) for name, value in literal.term.coefficients)
    lower = -INFINITY if isinstance(literal, Equality) else 0.0
    return _Summand(tuple(weights), literal.term.constant, lower)


def _trap(places: frozenset[int]) -> _Summand:
    return _Summand(tuple((place, -1) for place in sorted(places)), 1)


def _rows(summands: Sequence[_Summand]) -> Mapping[int, Mapping[int, int]]:
    """Return by place its coefficient in each literal or trap that has it."""
    rows: dict[int, dict[int, int]] = defaultdict(dict)
    for number, summand in enumerate(summands):
        for place, value in summand.weights:
            rows[place][number] = value
    return rows


def _solution(
    net: Net,
    transitions: Sequence[Transition],
    summands: Sequence[_Summand],
    rows: Mapping[int, Mapping[int, int]],
    seconds: float,
) -> Sequence[float]:
    """Return c, w and μ, one after the other; empty where there are none.

    On small nets c is plus − minus, to minimise Σ|c|.
    """
    program = LinearProgram()
    short = len(net.places) + len(summands) <= _SHORT
    # A place that no literal or trap speaks of has c(p) ≥ 0.
    plus = [
        program.column(float(short), -INFINITY if place in rows and not short else 0.0)
        for place in range(len(net.places))
    ]
    minus = {place: program.column(1.0) for place in rows} if short else {}
    others = [program.column(0.0, s.lower, s.upper) for s in summands]

    def product(vector: Weights) -> dict[int, float]:
        """Return the entries of c·vector."""
        entries: dict[int, float] = {plus[place]: value for place, value in vector}
        entries |= {minus[place]: -value for place, value in vector if place in minus}
        return entries

    for effect in dict.fromkeys(t.effect for t in transitions):
        program.row(product(effect), upper=0.0)
    # Where a literal gives a place a value ≥ 0, slack in its row would only cost.
    pinned = {s.weights[0][0] for s in summands if _gives_value(s)}
    for place, row in rows.items():
        entries = {others[number]: value for number, value in row.items()}
        upper = 0.0 if place in pinned else INFINITY
        program.row({**product(((place, 1),)), **entries}, 0.0, upper)
    # Σ w·k + Σ μ − c·m0, which is to be positive, in units of the largest number in it.
    constants = [s.constant for s in summands]
    largest = max((1, *net.initial, *map(abs, constants)))
    start = tuple((place, -tokens) for place, tokens in enumerate(net.initial) if tokens)
    gap = {**product(start), **dict(zip(others, constants, strict=True))}
    program.row({column: value / largest for column, value in gap.items()}, lower=1.0)
    values = program.solve(seconds)
    if values is None:
        return ()
    c = [values[column] - values[minus[p]] if p in minus else values[column]
         for p, column in enumerate(plus)]  # fmt: skip
    return [*c, *(values[column] for column in others)]


def _gives_value(summand: _Summand) -> bool:
    single = len(summand.weights) == 1 and summand.lower < 0
    return single and summand.weights[0][1] * summand.constant <= 0


def separating_congruence(net: Net, effects: Iterable[Weights], cube: Cube) -> Separation | None:
    """Return a residue that no effect changes and the cube contradicts.

    None where there is none, or where there are too many effects to look for one.
    """
    literals = [(n, a) for n, a in enumerate(cube) if isinstance(a, Equality | Congruence)]
    size = len(literals)
    if not size:
        return None
    directions = [direction_of(net, literal.term) for _, literal in literals]
    changes = dict.fromkeys(filter(None, _changes(directions, dict.fromkeys(effects))))
    moduli = [(n, a.modulus) for n, (_, a) in enumerate(literals) if isinstance(a, Congruence)]
    if size * len(changes) > _LARGEST:
        return None
    generators = [dense(change, range(size)) for change in (*changes, *((m,) for m in moduli))]
    if not is_separable(generators, size):
        return None
    gaps = [
        -literal.term.constant - value_at(direction, net.initial)
        for direction, (_, literal) in zip(directions, literals, strict=True)
    ]
    separated = congruence_separator(generators, gaps)
    if separated is None:
        return None
    weights, modulus = separated
    multipliers = [0] * len(cube)
    for weight, (number, _) in zip(weights, literals, strict=True):
        multipliers[number] = weight
    total = combination(zip(weights, directions, strict=True))
    direction = sparse((place, weight % modulus) for place, weight in total)
    start = value_at(direction, net.initial) % modulus
    return Separation(Congruence(term_of(net, direction) - start, modulus), tuple(multipliers))


def _changes(directions: Sequence[Weights], effects: Iterable[Weights]) -> Iterator[Weights]:
    """Yield for each effect by how much it changes c·m, for all directions c."""
    uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, direction in enumerate(directions):
        for place, weight in direction:
            uses[place].append((number, weight))
    for effect in effects:
        yield sparse((n, weight * change) for place, change in effect for n, weight in uses[place])
