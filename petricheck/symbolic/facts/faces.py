"""Residues that contradict a cube on the face where it meets the state equation.

A cube may meet the state equation only on a face, where residues exclude it. The bounds of the
program's rows, of the cube's literals, m ≥ 0 and marked traps, are *sides*: g_s(m) = a_s·m − k_s
≥ 0. Let y_s ≥ 0, c = Σ y_s·a_s with c·δ_t ≤ 0 for every transition, and Σ y_s·g_s(m0) = 0. For m
reachable Σ y_s·g_s(m) ≤ Σ y_s·g_s(m0) = 0 follows, so that g_s(m) = 0 in the cube wherever y_s > 0:
*implicit equalities* (Schrijver: Theory of linear and integer programming, 1986, section 8.2).
Where m0 + D·x meets these equalities for rational x only, there are integers u and a modulus q such
that e = Σ u_s·a_s has e·δ_t ≡ 0 (mod q) for every transition, and Σ u_s·g_s(m0) ≢ 0 (the same,
corollary 4.1a). So c·m ≤ c·m0 and e·m ≡ e·m0 (mod q), both inductive, contradict the cube.

A side that is positive in one solution is no implicit equality. So the sum of those that are 0 in
all solutions so far is made as large as possible, again and again, from one solution to the next;
if it stays 0, all of them are implicit equalities, and the dual gives the multipliers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.formulas import Congruence, Inequality
from petricheck.arithmetic.programs.linear_programs import integer_ray
from petricheck.arithmetic.programs.residues import sparse_congruence_separator
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.equation import Clash, EquationProgram, Side
from petricheck.symbolic.facts.separation import Separation
from petricheck.symbolic.linear import HalfSpace, combination, sparse, term_of, value_at

Array: TypeAlias = NDArray[Any]

_CLOSE = 1e-6
"""Distances from a bound that count as none."""

_ZERO = 1e-9
"""Multipliers that count as none."""


def separating_face(program: EquationProgram, tokens: Array, budget: Budget) -> Clash | None:
    """Return a residue that contradicts the literals, given a half-space; None without one.

    The tokens are those of a solution of the program as it is.
    """
    lower, upper = program.bounds()
    values = program.values(tokens)
    fixed = np.flatnonzero((values - lower <= _CLOSE) & (upper - values <= _CLOSE)).tolist()
    shares = _implicit_equalities(program, tokens, budget)
    c = combination((y * sign, program.form(row)) for (row, sign), y in shares.items())
    gap = sum(y * sign * program.excess((row, sign)) for (row, sign), y in shares.items())
    if gap or (program.changes(c) > 0).any():
        return None
    sides: dict[int, Side] = {row: (row, sign) for row, sign in shares}
    sides |= {row: (row, 1) for row in fixed}
    separated = _residues(program, [*sides.values()])
    if separated is None:
        return None
    weights, modulus = separated
    total = combination((u, program.form(row)) for (row, _), u in weights.items())
    e = sparse((place, weight % modulus) for place, weight in total)
    net = program.net
    atom = Congruence(term_of(net, e) - value_at(e, net.initial) % modulus, modulus)
    # Both bounds of a row that is fixed are needed; together they add nothing to c.
    for row in sorted({row for row, _ in weights} & set(fixed)):
        for side in ((row, 1), (row, -1)):
            shares[side] = shares.get(side, 0) + 1
    border = HalfSpace(c, value_at(c, net.initial)).inequality(net)
    premise = {(row, sign): -y * sign for (row, sign), y in shares.items()}
    return _clash(program, atom, weights, border, premise)


def _implicit_equalities(
    program: EquationProgram, tokens: Array, budget: Budget
) -> dict[Side, int]:
    """Return multipliers y of sides, rounded, not confirmed, of as many as there can be."""
    lower, upper = program.bounds()
    size, trial = len(lower), program.with_costs()

    def tight(values: Array) -> Array:
        """Return whether each lower side, then each upper one, is 0."""
        return np.concatenate((values - lower, upper - values)) <= _CLOSE

    open_ = tight(program.values(tokens))
    open_[np.tile(open_[:size] & open_[size:], 2)] = False  # They are equalities already.
    # As soon as one is positive, it is enough: sums are to stay finite.
    bottom = np.where(open_[size:], np.maximum(lower, upper - 1.0), lower)
    top = np.where(open_[:size], np.minimum(upper, lower + 1.0), upper)
    trial.bound_rows(np.arange(size), bottom, top)
    while open_.any():
        weights = open_[:size].astype(np.float64) - open_[size:]
        optimum = trial.optimum(-program.costs(weights), budget.remaining)
        budget.check()
        if optimum is None:
            return {}
        values, duals = optimum
        still = open_ & tight(values)
        if (still == open_).all():
            multipliers = open_ + np.concatenate((np.maximum(duals, 0.0), np.maximum(-duals, 0.0)))
            support = np.flatnonzero(multipliers > _ZERO)
            integers = integer_ray(multipliers[support].tolist()) or ()
            pairs = zip(support.tolist(), integers, strict=False)
            return {(n % size, 1 if n < size else -1): y for n, y in pairs if y}
        open_ = still
    return {}


def _residues(program: EquationProgram, sides: list[Side]) -> tuple[Mapping[Side, int], int] | None:
    """Return integers u of the sides and the modulus q."""
    columns: dict[int, dict[int, int]] = {}
    for position, (row, _) in enumerate(sides):
        changes = program.changes(program.form(row))
        for column in np.flatnonzero(changes).tolist():
            columns.setdefault(column, {})[position] = int(changes[column])
    generators = {tuple(entries.items()): entries for entries in columns.values()}
    separated = sparse_congruence_separator([*generators.values()], [*map(program.excess, sides)])
    if separated is None:
        return None
    weights, modulus = separated
    return {sides[position]: u for position, u in weights.items()}, modulus


def _clash(
    program: EquationProgram,
    atom: Congruence,
    residues: Mapping[Side, int],
    border: Inequality,
    shares: Mapping[Side, int],
) -> Clash:
    """Return the residue with the half-space, each with the multipliers of its sides."""
    (u, traps), (y, more_traps) = program.sources(residues), program.sources(shares)
    literals = tuple(sorted({*u, *y}))
    premise = Separation(border, tuple(y.get(number, 0) for number in literals), more_traps)
    multipliers = tuple(u.get(number, 0) for number in literals)
    return Clash(literals, Separation(atom, multipliers, traps, premise))
