"""Residues that contradict a cube on the face where it meets the state equation.

A cube may meet the state equation only on a face, where residues exclude it. The bounds of the
program's rows, of the cube's literals, m ≥ 0 and marked traps, are *sides*: g_s(m) = a_s·m − k_s
≥ 0. Let y_s ≥ 0, c = Σ y_s·a_s with c·δ_t ≤ 0 for every transition, and Σ y_s·g_s(m0) = 0. For m
reachable Σ y_s·g_s(m) ≤ Σ y_s·g_s(m0) = 0 follows, so that g_s(m) = 0 in the cube wherever y_s > 0:
*implicit equalities* (Schrijver: Theory of linear and integer programming, 1986, section 8.2).
Where m0 + D·x meets these equalities for rational x only, there are integers u and a modulus q such
that e = Σ u_s·a_s has e·δ_t ≡ 0 (mod q) for every transition, and Σ u_s·g_s(m0) ≢ 0 (the same,
corollary 4.1a). So c·m ≤ c·m0 and e·m ≡ e·m0 (mod q), both inductive, contradict the cube.

A side that is positive in some solution is no implicit equality. Let one solution be given. From
there directions lead to others, along which no side that is 0 falls. One linear program makes as
many of these positive as can be; the others are implicit equalities, and have y_s ≥ 1 in its dual.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from petricheck.arithmetic.formulas.formulas import Congruence, Inequality
from petricheck.arithmetic.programs.linear_programs import integer_ray
from petricheck.arithmetic.programs.residues import sparse_congruence_separator
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.equation import Clash, EquationProgram, Side, Solution
from petricheck.symbolic.facts.separation import Separation
from petricheck.symbolic.linear import HalfSpace, combination, sparse, term_of, value_at

_ZERO = 1e-9
"""Multipliers that count as none."""


def separating_face(program: EquationProgram, solution: Solution, budget: Budget) -> Clash | None:
    """Return a residue that contradicts the literals, given a half-space; None without one.

    The solution is one of the program as it is.
    """
    fixed = np.flatnonzero(np.logical_and(*program.tight_bounds(solution.tokens))).tolist()
    shares = _implicit_equalities(program, solution, budget)
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
    program: EquationProgram, solution: Solution, budget: Budget
) -> dict[Side, int]:
    """Return multipliers y of sides, rounded, not confirmed, of as many as there can be."""
    duals = program.face_duals(solution, budget.remaining)
    budget.check()
    if duals is None:
        return {}
    rows = np.flatnonzero(np.abs(duals) > _ZERO)
    integers = integer_ray(duals[rows].tolist()) or ()
    pairs = zip(rows.tolist(), integers, strict=False)
    return {(row, 1 if y > 0 else -1): abs(y) for row, y in pairs if y}


def _residues(program: EquationProgram, sides: list[Side]) -> tuple[Mapping[Side, int], int] | None:
    """Return integers u of the sides and the modulus q."""
    columns: dict[int, dict[int, int]] = {}
    for position, (row, _) in enumerate(sides):
        for transition, change in program.changed(row):
            columns.setdefault(transition, {})[position] = change
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
    return Clash(literals, Separation(atom, multipliers, traps, premise=premise))
