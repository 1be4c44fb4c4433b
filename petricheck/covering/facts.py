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

from petricheck.budget import Budget
from petricheck.facts.siphons import empty_siphon, violated_trap
from petricheck.kernel.arrays import Rows
from petricheck.linear import HalfSpace, sparse, value_at
from petricheck.presburger.linear_programs import LinearProgram, integer_ray
from petricheck.problem import Net, Weights

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
class Fact:
    """Excludes what is outside of `implied`, and all above it.

    Attributes:
        implied: l·m ≤ Y·m0 − Σ z_Q, which follows from `kept` where the traps are marked.
        kept: Y·m ≤ Y·m0, inductive.
        traps: the traps Q with z_Q > 0, by number, and z_Q.
    """

    implied: HalfSpace
    kept: HalfSpace
    traps: Weights


class Facts:
    """What is known to hold in every reachable marking.

    Attributes:
        empty: places that are never marked; transitions that need them are dead.
        unblocked: numbers of the transitions that need none of them.
        traps: initially marked traps of the unblocked transitions.
        found: facts of the state equation and the traps, in the order of their discovery.
    """

    def __init__(self, net: Net, budget: Budget) -> None:
        """No facts yet, except the places that stay empty."""
        self._net, self._budget = net, budget
        self.empty = empty_siphon(net)
        self.unblocked = [
            number
            for number, transition in enumerate(net.transitions)
            if self.empty.isdisjoint(place for place, _ in transition.pre)
        ]
        self._transitions = [net.transitions[number] for number in self.unblocked]
        self.traps: list[frozenset[int]] = []
        self._missing: list[int] = []
        self.found: list[Fact] = []
        self._program: LinearProgram | None = None
        self._tried = self._succeeded = self._skipped = 0

    def excluding(self, rows: Rows) -> NDArray[np.int64]:
        """For each row the number of a fact that excludes it, or -1."""
        result = np.full(len(rows), -1, dtype=np.int64)
        for number, fact in enumerate(self.found):
            left = np.flatnonzero(result < 0)
            if not len(left):
                break
            result[left[_above(fact, rows[left])]] = number
        return result

    def excluded_by(self, number: int, rows: Rows) -> NDArray[np.bool_]:
        """Which rows this fact excludes."""
        return _above(self.found[number], rows)

    def exclude(self, row: Sequence[int]) -> bool:
        """Look for a new fact that excludes this marking; not always, where that seldom works."""
        rare = self._tried >= PATIENCE and self._succeeded * RARE < self._tried
        self._skipped += 1
        if rare and self._skipped % RARE:
            return False
        self._tried += 1
        fact = self._search([int(tokens) for tokens in row])
        if fact is None:
            return False
        self._succeeded += 1
        self.found.append(fact)
        return True

    def _search(self, row: list[int]) -> Fact | None:
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
            if not self._grow(optimum.values):
                return None
        return None

    def _build(self) -> LinearProgram:
        """The least lack of tokens: the row of place p is (D·x)_p + s_p."""
        program = LinearProgram()
        # Integers beyond floats are the program's to decline: it then has no optimum.
        rows: list[dict[int, float]] = [{} for _ in self._net.places]
        for transition in self._transitions:
            column = program.column()
            for place, weight in transition.effect:
                rows[place][column] = weight
        for entries in rows:
            program.row(entries | {program.column(cost=1.0): 1.0}, lower=0.0)
        self._program = program
        return program

    def _add_trap(self, places: frozenset[int]) -> None:
        """One more row: Σ_Q (D·x)_p + s_Q."""
        program = self._program or self._build()
        self.traps.append(places)
        self._missing.append(1 - sum(self._net.initial[place] for place in places))
        entries: dict[int, float] = {}
        for column, transition in enumerate(self._transitions):
            change = sum(weight for place, weight in transition.effect if place in places)
            if change:
                entries[column] = change
        program.row(entries | {program.column(cost=1.0): 1.0}, lower=0.0)

    def _lower(self, row: list[int]) -> NDArray[np.float64] | None:
        initial = self._net.initial
        needs = [tokens - start for tokens, start in zip(row, initial, strict=True)]
        needs += self._missing
        if max(map(abs, needs), default=0) > 1 << 50:
            return None
        return np.array(needs, dtype=np.float64)

    def _grow(self, values: Sequence[float]) -> bool:
        """Whether a new trap was found that the solution does not mark."""
        if len(self.traps) >= MOST_TRAPS:
            return False
        try:
            tokens = self._approached(values)
        except OverflowError:
            return False
        unmarked = [place for place, count in enumerate(tokens) if count < _ZERO]
        places = violated_trap(self._transitions, self._net.initial, unmarked)
        if places is None or places in self.traps:
            return False
        self._add_trap(places)
        return True

    def _approached(self, values: Sequence[float]) -> list[float]:
        """The marking that the solution leads to, roughly.

        Raises:
            OverflowError: it is beyond floats.
        """
        tokens = [float(count) for count in self._net.initial]
        for transition, times in zip(self._transitions, values, strict=False):
            for place, weight in transition.effect:
                tokens[place] += weight * float(times)
        return tokens

    def _confirm(self, row: list[int], duals: list[float]) -> Fact | None:
        """The fact with integer multipliers, if it is one and excludes the marking."""
        multipliers = integer_ray(duals)
        if multipliers is None:
            return None
        size = len(self._net.places)
        below, used = sparse(enumerate(multipliers[:size])), sparse(enumerate(multipliers[size:]))
        marked = ((place, z) for number, z in used for place in self.traps[number])
        weights = sparse((*below, *marked))
        kept = HalfSpace(weights, value_at(weights, self._net.initial))
        implied = HalfSpace(below, kept.bound - sum(z for _, z in used))
        if implied.holds(row) or not kept.kept_by(t.effect for t in self._transitions):
            return None
        return Fact(implied, kept, used)


def _above(fact: Fact, rows: Rows) -> NDArray[np.bool_]:
    """Which rows the fact excludes, exactly."""
    bound = fact.implied.bound
    places = [place for place, _ in fact.implied.direction]
    weights = [weight for _, weight in fact.implied.direction]
    part = rows[:, places]
    small = sum(weights) * int(part.max(initial=0)) < _LARGEST and abs(bound) < _LARGEST
    kind: type = np.int64 if small else object
    scores: Any = part.astype(kind) @ np.array(weights, dtype=kind)
    return np.asarray(scores > bound, dtype=bool)
