"""Backward coverability: which markings can cover the target, by their minimal elements.

Abdulla, Čerāns, Jonsson, Tsay: General decidability theorems for infinite-state systems (1996),
on Petri nets: the least marking from which t covers b is u_t + max(0, b − v_t). Minimal elements
that inductive facts exclude are left out (`covering.exclusions`), as in QCover and ICover. Ends, by
Dickson's lemma.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petricheck.evidence.answer import Trace, trace_of
from petricheck.evidence.audit.invariants.table import matrix
from petricheck.evidence.audit.invariants.upward import Row
from petricheck.explicit.covering.antichain import covers, minimal
from petricheck.explicit.covering.exclusions import Exclusions, above
from petricheck.explicit.kernel.arrays import Integers, Rows
from petricheck.model.net import Marking, Net
from petricheck.model.weights import weights_of
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.words import counted

CELLS = 1 << 20
"""Matrix entries of one batch of predecessors."""

BATCH = 16
"""How many rows are expanded before the next are chosen."""

_SMALL = 1 << 40
_LARGEST = 1 << 61


@dataclass(frozen=True, slots=True)
class BackwardStep:
    """A marking is least for covering the marking number `after` by firing `transition`.

    For a minimal marking of the target both are -1.
    """

    transition: int
    after: int


@dataclass(frozen=True, slots=True)
class CoverabilityProof:
    """The reason why no marking of the target is reachable.

    Every minimal marking of the target, and every least marking from which an unblocked transition
    covers one of the basis, is above one of the basis, or excluded.

    Attributes:
        basis: markings that cannot be covered.
        exclusions: numbers of those that are needed.
    """

    basis: tuple[Marking, ...]
    exclusions: tuple[int, ...]


class Backward:
    """The search; rows are numbered in the order of their discovery.

    Attributes:
        numbers: of the minimal rows, increasing.
        steps: how each row came about.
        rounds: how often predecessors were taken.
        kind: of the rows' entries.
    """

    def __init__(
        self, net: Net, target: Sequence[Row], exclusions: Exclusions, whole: bool = False
    ) -> None:
        """Prepare a search for these minimal markings.

        With `whole`, it goes on where the initial marking is in the target or covers a row.
        """
        numbers = [w for t in net.transitions for _, w in (*t.pre, *t.post)]
        numbers += [*net.initial, *(tokens for row in target for tokens in row.values())]
        self.kind: type = np.int64 if max(numbers, default=0) < _SMALL else object
        self._net, self.exclusions, self._whole = net, exclusions, whole
        self._pre = weights_of(net).inputs
        self._post = weights_of(net).outputs
        self._initial = np.array(net.initial, dtype=self.kind)
        self._target = matrix(target, range(len(net.places)), self.kind)
        self._producers = self._of_places()
        self._rows: Rows = np.zeros((0, len(net.places)), dtype=self.kind)
        self.numbers: Integers = np.zeros(0, dtype=np.int64)
        self._expanded: set[int] = set()
        self.steps: list[BackwardStep] = []
        self.rounds = 0

    @property
    def basis(self) -> Rows:
        """The minimal rows now."""
        return self._rows[self.numbers]

    @property
    def ended(self) -> bool:
        """Return whether predecessors of all minimal rows were taken."""
        return self._expanded.issuperset(self.numbers.tolist())

    def start(self, budget: Budget) -> Trace | None:
        """Add the target's rows; a trace where the initial marking is in the target."""
        none = np.full(len(self._target), -1, dtype=np.int64)
        return self._add(self._target, none, none, budget)

    def advance(self, budget: Budget) -> Trace | None:
        """Take predecessors of some rows; a trace where the initial marking covers one."""
        frontier = self._frontier()
        self.rounds += 1
        self._expanded.update(frontier.tolist())
        for rows, actions, after in self._predecessors(frontier):
            budget.check()
            if (trace := self._add(rows, actions, after, budget)) is not None:
                return trace
        budget.report(
            f"round {self.rounds}: {counted(len(self.numbers), 'minimal marking')},"
            f" {counted(len(self.exclusions.entries), 'fact')}"
        )
        return None

    def adopt(self, rows: Rows) -> None:
        """Take these rows for the basis, since none can be covered; all predecessors are above one.

        Every row of the target must be above one as well. The search has then ended.
        """
        start = len(self._rows)
        self._rows = np.concatenate((self._rows, rows))
        self.numbers = np.arange(start, start + len(rows), dtype=np.int64)
        self._expanded.update(self.numbers.tolist())

    def row(self, number: int) -> dict[int, int]:
        """Return a row, by place, without zeros."""
        return {place: int(n) for place, n in enumerate(self._rows[number]) if n}

    def onward(self, number: int) -> list[int]:
        """Return the transitions that lead from any marking above this row into the target."""
        actions = []
        step = self.steps[number]
        while step.transition >= 0:
            actions.append(step.transition)
            step = self.steps[step.after]
        return actions

    def proof(self) -> CoverabilityProof:
        """Return what suffices of a search without a trace, from the target backwards."""
        needed: set[int] = set()
        excluding: set[int] = set()
        pending = self._settle(self._target, excluding)
        while pending:
            additions = np.array(sorted(pending - needed), dtype=np.int64)
            needed |= pending
            pending = set()
            for rows, _, _ in self._predecessors(additions):
                pending |= self._settle(rows, excluding) - needed
        basis = tuple(tuple(map(int, self._rows[number])) for number in sorted(needed))
        return CoverabilityProof(basis, tuple(sorted(excluding)))

    def _frontier(self) -> Integers:
        """Return the next rows to expand: those for which fewest tokens are missing."""
        waiting = np.array([n for n in self.numbers.tolist() if n not in self._expanded], np.int64)
        lacking = np.maximum(self._rows[waiting] - self._initial, 0).sum(axis=1)
        return np.sort(waiting[np.argsort(lacking, kind="stable")[:BATCH]])

    def _of_places(self) -> list[list[int]]:
        """Return for each place the unblocked transitions that increase its tokens."""
        numbers: list[list[int]] = [[] for _ in self._net.places]
        for number in self.exclusions.unblocked:
            for place, change in self._net.transitions[number].effect:
                if change > 0:
                    numbers[place].append(number)
        return numbers

    def _predecessors(self, frontier: Integers) -> Iterator[tuple[Rows, Integers, Integers]]:
        """Yield (rows, transition, number of the row covered next) in batches.

        Other transitions than those that add tokens where they are needed lead to nothing new.
        """
        pairs: list[tuple[int, int]] = []
        for number in frontier.tolist():
            places = np.flatnonzero(self._rows[number]).tolist()
            useful = {action for place in places for action in self._producers[place]}
            pairs.extend((number, action) for action in sorted(useful))
        size = max(1, CELLS // (1 + len(self._net.places)))
        for start in range(0, len(pairs), size):
            chosen = np.array(pairs[start : start + size], dtype=np.int64)
            after, actions = chosen[:, 0], chosen[:, 1]
            rows = self._predecessor_rows(after, actions)
            # Cheap, and true of most: what lies above the row it leads to is nothing new.
            new = ~np.asarray((rows >= self._rows[after]).all(axis=1), dtype=bool)
            yield rows[new], actions[new], after[new]

    def _predecessor_rows(self, after: Integers, actions: Integers) -> Rows:
        """Return u_t + max(0, b − v_t)."""
        rows = self._rows[after]
        positions, entries = self._post.entries(actions)
        places = self._post.indices[entries]
        remaining = rows[positions, places] - self._post.values[entries]
        rows[positions, places] = np.maximum(remaining, 0)
        positions, entries = self._pre.entries(actions)
        rows[positions, self._pre.indices[entries]] += self._pre.values[entries]
        if self.kind is np.int64 and len(rows) and int(rows.max(initial=0)) > _LARGEST:
            raise BudgetExhausted("token counts exceed what 64 bits hold")
        return rows

    def _add(self, rows: Rows, actions: Integers, after: Integers, budget: Budget) -> Trace | None:
        """Add what is new and not excluded; a trace where the initial marking covers a row."""
        candidates = np.flatnonzero(covers(self.basis, rows) < 0)
        candidates = candidates[minimal(rows[candidates])]
        for number in candidates.tolist():
            if not self._whole and bool((self._initial >= rows[number]).all()):
                action_number, successor = int(actions[number]), int(after[number])
                onward = [] if action_number < 0 else [action_number, *self.onward(successor)]
                return trace_of(onward, self._net.actions)
        allowed = candidates[self._allowed(rows[candidates], budget)]
        new = rows[allowed]
        beaten = covers(new, self.basis) >= 0
        start = len(self._rows)
        self._rows = np.concatenate((self._rows, new))
        self.steps.extend(BackwardStep(int(actions[k]), int(after[k])) for k in allowed)
        numbers = np.arange(start, start + len(new), dtype=np.int64)
        self.numbers = np.concatenate((self.numbers[~beaten], numbers))
        return None

    def _allowed(self, rows: Rows, budget: Budget) -> NDArray[np.bool_]:
        """Mark the rows that no exclusion excludes, after a search for new exclusions."""
        allowed: NDArray[np.bool_] = self.exclusions.excluding(rows) < 0
        for number in range(len(rows)):
            budget.check()
            if allowed[number] and (new := self.exclusions.exclude(rows[number])) is not None:
                allowed[number:] &= ~above(new, rows[number:])
        return allowed

    def _settle(self, rows: Rows, excluding: set[int]) -> set[int]:
        """Return rows of the basis below these; for the others, note what excludes them."""
        below = covers(self.basis, rows)
        excluding.update(self.exclusions.excluding(rows[below < 0]).tolist())
        return set(self.numbers[below[below >= 0]].tolist())
