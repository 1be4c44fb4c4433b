"""Cubes that meet the state equation only on a face, where residues exclude them.

A cube, m ≥ 0 and marked traps are rows g_r(m) = a_r·m + k_r ≥ 0, equalities of the cube g_r(m) = 0.
Let y_r ≥ 0 (free on equalities), c = Σ y_r·a_r with c·δ_t ≤ 0 for every transition, and
Σ y_r·g_r(m0) = 0. For m reachable Σ y_r·g_r(m) ≤ Σ y_r·g_r(m0) = 0 follows, so that g_r(m) = 0 in
the cube wherever y_r > 0: *implicit equalities* (Schrijver: Theory of linear and integer
programming, 1986, section 8.2). One linear program finds as many as there are.

Where m0 + D·x meets these equalities for rational x only, there are integers u and a modulus q such
that e = Σ u_r·a_r has e·δ_t ≡ 0 (mod q) for every transition, and Σ u_r·g_r(m0) ≢ 0 (the same,
corollary 4.1a). So c·m ≤ c·m0 and e·m ≡ e·m0 (mod q), both inductive, contradict the cube.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from petricheck.arithmetic.formulas.formulas import Congruence, Cube, Equality, Inequality
from petricheck.arithmetic.programs.linear_programs import INFINITY, LinearProgram, integer_ray
from petricheck.arithmetic.programs.residues import sparse_congruence_separator
from petricheck.model.net import Net, Transition, Weights
from petricheck.symbolic.facts.separation import Separation
from petricheck.symbolic.linear import (
    HalfSpace,
    combination,
    direction_of,
    scaled,
    sparse,
    term_of,
    value_at,
)


@dataclass(frozen=True, slots=True)
class _FaceRow:
    """a·m + k ≥ 0, or = 0.

    Attributes:
        weights: a.
        start: a·m0 + k.
        literal: number of the literal of the cube that says so.
        trap: number of the trap that says so.
        equal: whether it is = 0.
    """

    weights: Weights
    start: int
    literal: int | None = None
    trap: int | None = None
    equal: bool = False


def separating_face(
    net: Net,
    transitions: Sequence[Transition],
    cube: Cube,
    traps: Sequence[frozenset[int]],
    seconds: float = INFINITY,
) -> Separation | None:
    """Return a residue that contradicts the cube, given a half-space; None where none is found.

    The arguments are those of `separation.separating_half_space`.
    """
    rows = tuple(_rows(net, cube, traps))
    effects = tuple(dict.fromkeys(t.effect for t in transitions))
    shares = _implicit_equalities(rows, effects, seconds)
    c = combination((y, rows[number].weights) for number, y in shares.items())
    border = HalfSpace(c, value_at(c, net.initial))
    allowed = all(y > 0 or rows[number].equal for number, y in shares.items())
    gap = sum(y * rows[number].start for number, y in shares.items())
    if gap or not allowed or not border.preserved_by(effects):
        return None
    tight = [number for number, row in enumerate(rows) if row.equal or number in shares]
    columns = _columns([rows[number].weights for number in tight], effects)
    separated = sparse_congruence_separator(columns, [rows[number].start for number in tight])
    if separated is None:
        return None
    weights, modulus = separated
    residues = {tight[position]: u for position, u in weights.items()}
    total = combination((u, rows[number].weights) for number, u in residues.items())
    e = sparse((place, weight % modulus) for place, weight in total)
    atom = Congruence(term_of(net, e) - value_at(e, net.initial) % modulus, modulus)
    premise = _separation(border.inequality(net), rows, shares, len(cube))
    # A row is the negation of its literal.
    multipliers = {number: -u for number, u in residues.items()}
    return replace(_separation(atom, rows, multipliers, len(cube)), premise=premise)


def _rows(net: Net, cube: Cube, traps: Sequence[frozenset[int]]) -> Iterator[_FaceRow]:
    yield from (_FaceRow(((place, 1),), tokens) for place, tokens in enumerate(net.initial))
    for number, literal in enumerate(cube):
        if not isinstance(literal, Congruence):
            weights = scaled(direction_of(net, literal.term), -1)
            start = value_at(weights, net.initial) - literal.term.constant
            yield _FaceRow(weights, start, literal=number, equal=isinstance(literal, Equality))
    for number, places in enumerate(traps):
        weights = tuple((place, 1) for place in sorted(places))
        yield _FaceRow(weights, value_at(weights, net.initial) - 1, trap=number)


def _implicit_equalities(
    rows: Sequence[_FaceRow], effects: Sequence[Weights], seconds: float
) -> Mapping[int, int]:
    """Return y by number of row, rounded, not confirmed, with as many y_r > 0 as there can be."""
    program = LinearProgram()
    # A multiplier y is the sum of both columns, of which the first is rewarded.
    first = [program.column(-1.0 * (not row.equal), upper=1.0) for row in rows]
    more = [program.column(0.0, -INFINITY if row.equal else 0.0) for row in rows]
    for column in _columns([row.weights for row in rows], effects):
        entries = {columns[n]: value for n, value in column.items() for columns in (first, more)}
        program.row(entries, upper=0.0)
    starts = {columns[n]: row.start for columns in (first, more) for n, row in enumerate(rows)}
    program.row(starts, upper=0.0)
    values = program.solve(seconds)
    if values is None:
        return {}
    pairs = zip(first, more, strict=True)
    integers = integer_ray([values[one] + values[other] for one, other in pairs])
    return {number: y for number, y in enumerate(integers or ()) if y}


def _columns(rows: Sequence[Weights], effects: Sequence[Weights]) -> list[Mapping[int, int]]:
    """Return for each effect by how much it changes each of the rows, without zeros."""
    uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, row in enumerate(rows):
        for place, weight in row:
            uses[place].append((number, weight))
    return [
        dict(sparse((n, weight * change) for place, change in effect for n, weight in uses[place]))
        for effect in effects
    ]


def _separation(
    atom: Inequality | Congruence,
    rows: Sequence[_FaceRow],
    shares: Mapping[int, int],
    literals: int,
) -> Separation:
    multipliers, traps = [0] * literals, []
    for number, share in shares.items():
        literal, trap = rows[number].literal, rows[number].trap
        if literal is not None:
            multipliers[literal] = share
        elif trap is not None:
            traps.append(trap)
    return Separation(atom, tuple(multipliers), tuple(traps))
