"""Inductive facts that exclude markings and all above them: the state equation and traps.

Blondin, Finkel, Haase, Haddad: Approaching the coverability problem continuously (2016), with the
rational state equation in the place of continuous reachability, and traps added lazily. Of a
marking b the program asks for x ≥ 0 with m = m0 + D·x ≥ b and every known trap Q marked at m. Where
there is none, Farkas' lemma gives l ≥ 0 and z ≥ 0 such that Y = l + Σ z_Q·1_Q has Y·δ ≤ 0 for every
transition, so that Y·m ≤ Y·m0 is inductive, and l·b + Σ z_Q > Y·m0, so that it excludes all m ≥ b
that mark the traps. The multipliers are floats at first; they are made integers, and both
conditions are checked exactly, before anything is excluded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.programs.linear_programs import LinearProgram, integer_ray
from petricheck.explicit.kernel.arrays import Rows
from petricheck.model.net import Net, Weights
from petricheck.support.budget import Budget
from petricheck.symbolic.facts.proved import Facts
from petricheck.symbolic.linear import HalfSpace, products, sparse, value_at

TRAPS = 8
"""How many new traps one marking may be answered with."""

PATIENCE = 64
"""Programs solved before rare success makes the next ones rarer."""

RARE = 32
"""Success is rare where fewer than one program in so many excludes a marking."""

MOST_TRAPS = 64
"""No more traps are looked for once there are so many."""

_ZERO = 1e-6
_LARGEST = 1 << 62


@dataclass(frozen=True, slots=True)
class TrapExclusion:
    """Excludes what is outside of `implied`, and all above it.

    Attributes:
        implied: l·m ≤ Y·m0 − Σ z_Q, which follows from `invariant` where the traps are marked.
        invariant: Y·m ≤ Y·m0, inductive.
        traps: the traps Q with z_Q > 0, by number, and z_Q.
    """

    implied: HalfSpace
    invariant: HalfSpace
    traps: Weights = ()


class Exclusions:
    """Exclusions of markings by facts about all reachable ones.

    Attributes:
        facts: the empty siphon, and the traps.
        unblocked: numbers of the transitions that take nothing from the siphon.
        entries: in the order of discovery; the first one is the siphon's, where there is one.
    """

    def __init__(self, net: Net, budget: Budget) -> None:
        self._net, self._budget = net, budget
        self.facts = Facts(net)
        siphon = self.facts.siphon
        numbered = enumerate(net.transitions)
        self.unblocked = [n for n, t in numbered if siphon.isdisjoint(p for p, _ in t.pre)]
        empty = HalfSpace(tuple((place, 1) for place in sorted(siphon)), 0)
        self.entries = [TrapExclusion(empty, empty)] if siphon else []
        self._program: LinearProgram | None = None
        self._tried = self._succeeded = self._skipped = 0

    def excluding(self, rows: Rows) -> NDArray[np.int64]:
        """Return for each row the number of what excludes it, or -1."""
        result = np.full(len(rows), -1, dtype=np.int64)
        for number, exclusion in enumerate(self.entries):
            left = np.flatnonzero(result < 0)
            if not len(left):
                break
            result[left[above(exclusion, rows[left])]] = number
        return result

    def exclude(self, row: Sequence[int]) -> TrapExclusion | None:
        """Return a new exclusion of this marking, or None; often skipped if that seldom works."""
        rare = self._tried >= PATIENCE and self._succeeded * RARE < self._tried
        self._skipped += 1
        if rare and self._skipped % RARE:
            return None
        self._tried += 1
        exclusion = self._search([int(tokens) for tokens in row])
        if exclusion is not None:
            self._succeeded += 1
            self.entries.append(exclusion)
        return exclusion

    def _search(self, row: list[int]) -> TrapExclusion | None:
        for _ in range(TRAPS):
            self._budget.check()
            program = self._program or self._build()
            lower = self._lower(row)
            if lower is None:
                return None
            program.bound_rows(lower, np.full(len(lower), np.inf))
            optimum = program.optimum(self._budget.remaining)
            if optimum is None or not isfinite(optimum.cost):
                return None
            if optimum.cost > _ZERO:
                return self._confirm(row, [max(0.0, float(dual)) for dual in optimum.duals])
            if not self._grow(program, optimum.values):
                return None
        return None

    def _build(self) -> LinearProgram:
        """Return the least lack of tokens: the row of place p is (D·x)_p + s_p."""
        program = LinearProgram()
        # Numbers beyond floats are the program's to decline: it then has no optimum.
        rows: list[dict[int, float]] = [{} for _ in self._net.places]
        for transition in self.facts.unblocked:
            column = program.column()
            for place, weight in transition.effect:
                rows[place][column] = weight
        for entries in rows:
            program.row(entries | {program.column(cost=1.0): 1.0}, lower=0.0)
        self._program = program
        return program

    def _lower(self, row: list[int]) -> NDArray[np.float64] | None:
        initial = self._net.initial
        needs = [tokens - start for tokens, start in zip(row, initial, strict=True)]
        needs += [1 - sum(initial[place] for place in trap) for trap in self.facts.traps]
        if max(map(abs, needs), default=0) > 1 << 50:
            return None
        return np.array(needs, dtype=np.float64)

    def _grow(self, program: LinearProgram, values: Sequence[float]) -> bool:
        """Add a row for a trap that the solution leaves unmarked; return whether one exists."""
        transitions = self.facts.unblocked
        if len(self.facts.traps) >= MOST_TRAPS:
            return False
        try:
            tokens = [float(count) for count in self._net.initial]
            for transition, times in zip(transitions, values, strict=False):
                for place, weight in transition.effect:
                    tokens[place] += weight * float(times)
        except OverflowError:
            return False
        trap = self.facts.violated_trap([p for p, count in enumerate(tokens) if count < _ZERO])
        if trap is None:
            return False
        self.facts.add_trap(trap)
        ones = tuple((place, 1) for place in sorted(trap))
        changes = enumerate(products(ones, (t.effect for t in transitions)))
        program.row(dict(changes) | {program.column(cost=1.0): 1.0}, lower=0.0)
        return True

    def _confirm(self, row: list[int], duals: list[float]) -> TrapExclusion | None:
        """Return the exclusion with integer multipliers, or None where these do not prove it."""
        multipliers = integer_ray(duals)
        if multipliers is None:
            return None
        size = len(self._net.places)
        below, used = sparse(enumerate(multipliers[:size])), sparse(enumerate(multipliers[size:]))
        marked = ((place, z) for number, z in used for place in self.facts.traps[number])
        weights = sparse((*below, *marked))
        invariant = HalfSpace(weights, value_at(weights, self._net.initial))
        implied = HalfSpace(below, invariant.bound - sum(z for _, z in used))
        if implied.holds(row) or not invariant.preserved_by(t.effect for t in self.facts.unblocked):
            return None
        return TrapExclusion(implied, invariant, used)


def above(exclusion: TrapExclusion, rows: Rows) -> NDArray[np.bool_]:
    """Mark the rows that are excluded, exactly."""
    bound = exclusion.implied.bound
    places = [place for place, _ in exclusion.implied.direction]
    weights = [weight for _, weight in exclusion.implied.direction]
    part = rows[:, places]
    small = sum(weights) * int(part.max(initial=0)) < _LARGEST and abs(bound) < _LARGEST
    kind: type = np.int64 if small else object
    scores: Any = part.astype(kind) @ np.array(weights, dtype=kind)
    return np.asarray(scores > bound, dtype=bool)
