"""Unwind: expand, refine and cover until each leaf is covered, or a trace is reported (Fig. 5)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain, islice
from typing import Protocol

from petricheck.engines.abstraction.refine import Genuine
from petricheck.engines.abstraction.targets import Goal
from petricheck.laboratory.unwinding.covering import Entailment
from petricheck.laboratory.unwinding.descent import Distances, GreedyDescent
from petricheck.laboratory.unwinding.labels import Interpolants
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.support.budget import Budget
from petricheck.support.stopwatch import Stopwatch
from petricheck.support.words import counted


class Strategy(Enum):
    """The order in which vertices are expanded."""

    NEAREST = "nearest"
    DFS = "dfs"
    BFS = "bfs"


class UnwindingOutcome(Enum):
    """The ending of an unwinding without a trace."""

    COMPLETE = "every leaf is covered, and every label excludes the target"
    STUCK = "no refinement excludes the error path"


class Interpolation(Protocol):
    """Source of interpolants."""

    def meets(self, tree: Unwinding, vertex: int, budget: Budget) -> Goal | None:
        """Return a cube of the target that the label may meet; None if it meets none."""

    def refine(
        self, tree: Unwinding, vertex: int, goal: Goal, budget: Budget
    ) -> Genuine | Interpolants | None:
        """Return a trace into the cube, or interpolants that exclude it; None for neither."""

    def carry(
        self, tree: Unwinding, vertex: int, other: int, budget: Budget
    ) -> Interpolants | None:
        """Return interpolants after which the vertex's label entails the other's, or None.

        They begin with the label of the nearest common ancestor, to which they add nothing.
        """


@dataclass(slots=True)
class Measures:
    """Costs of an unwinding so far, as the paper's tables list them.

    Attributes:
        refinements: number of error paths that were refuted.
        forced: number of vertices that were covered by force.
        interpolation: time in Refine.
        covering: time in Close and ForceCover.
    """

    refinements: int = 0
    forced: int = 0
    interpolation: Stopwatch = field(default_factory=Stopwatch)
    covering: Stopwatch = field(default_factory=Stopwatch)


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of an unwinding.

    Attributes:
        strategy: the order of expansion.
        distances: to the target, for the strategy that needs them.
        forced: number of vertices that are tried to cover one by force.
        entailment: decides when a label entails another.
        interpolation: source of interpolants.
        measures: counted during the search.
    """

    strategy: Strategy
    distances: Distances | None
    forced: int
    entailment: Entailment
    interpolation: Interpolation
    measures: Measures


def unwind(tree: Unwinding, settings: Settings, budget: Budget) -> Genuine | UnwindingOutcome:
    """Expand and refine until the unwinding is complete, a path is a trace, or refinement fails.

    Raises:
        BudgetExhausted: a limit is reached.
    """
    while (leaf := _uncovered_leaf(tree)) is not None:
        _close(tree, tree.path(leaf)[:-1], settings, budget)
        outcome = _search(tree, leaf, settings, budget)
        if outcome is not None:
            return outcome
    return UnwindingOutcome.COMPLETE


def _uncovered_leaf(tree: Unwinding) -> int | None:
    leaves = (number for number in tree.uncovered() if tree.vertices[number].children is None)
    return min(leaves, default=None)


def _search(
    tree: Unwinding, leaf: int, settings: Settings, budget: Budget
) -> Genuine | UnwindingOutcome | None:
    """Search locally from a leaf: DFS, or the same breadth-first.

    Vertices of a descent are expanded before they are closed, and closed after it. Each comes
    nearer to the target, so there are finitely many: Theorem 3 holds as before.
    """
    pending, descent, closed = deque([leaf]), GreedyDescent(tree, leaf, settings.distances), True
    while pending:
        budget.check()
        vertex = pending.popleft() if settings.strategy is Strategy.BFS else pending.pop()
        descends = vertex != leaf and not tree.covered(vertex) and descent.continues(vertex)
        closed = closed and not descends
        if not descends:
            _close(tree, (vertex,) if closed else tree.path(vertex), settings, budget)
            if not tree.covered(vertex):
                with settings.measures.covering:
                    covered = force(tree, vertex, settings.forced, settings.interpolation, budget)
                settings.measures.forced += covered
        outcome = _make_safe(tree, vertex, not descends, settings, budget)
        if outcome is not None:
            return outcome
        if not tree.covered(vertex):
            children = descent.ranked(vertex, tree.expand(vertex))
            pending.extend(children if settings.strategy is Strategy.BFS else reversed(children))
    return None


def _make_safe(
    tree: Unwinding, vertex: int, closing: bool, settings: Settings, budget: Budget
) -> Genuine | UnwindingOutcome | None:
    """Refine the vertex until its label excludes the target; may close what becomes stronger."""
    interpolation, measures = settings.interpolation, settings.measures
    while not tree.covered(vertex):
        goal = interpolation.meets(tree, vertex, budget)
        if goal is None:
            return None
        measures.refinements += 1
        budget.report(
            f"refinement {measures.refinements}: path of {len(tree.path(vertex)) - 1},"
            f" {len(tree.vertices)} vertices,"
            f" {counted(len(tree.precision.thresholds), 'direction')}"
        )
        with measures.interpolation:
            refined = interpolation.refine(tree, vertex, goal, budget)
        if refined is None:
            return UnwindingOutcome.STUCK
        if isinstance(refined, Genuine):
            return refined
        strengthened = tree.strengthen(refined)
        if closing:
            _close(tree, strengthened, settings, budget)
    return None


def _close(tree: Unwinding, vertices: Iterable[int], settings: Settings, budget: Budget) -> None:
    with settings.measures.covering:
        for vertex in vertices:
            close(tree, vertex, settings.entailment, budget)


def close(tree: Unwinding, vertex: int, entailment: Entailment, budget: Budget) -> None:
    """Cover the vertex by an earlier one where that is possible (Close)."""
    if not tree.covered(vertex):
        coverer = next(entailment.covering(tree, vertex, budget), None)
        if coverer is not None:
            tree.cover(vertex, coverer)


def force(
    tree: Unwinding, vertex: int, limit: int, interpolation: Interpolation, budget: Budget
) -> bool:
    """Strengthen labels so that one of a few expanded vertices covers this one (ForceCover).

    The ancestors are tried first, the nearest before the others, then other vertices, the latest
    first.

    Args:
        tree: the unwinding.
        vertex: a vertex that is not covered.
        limit: number of vertices that are tried.
        interpolation: source of interpolants.
        budget: limits.

    Returns:
        Whether one of them covers the vertex now.
    """
    for other in islice(_candidates(tree, vertex), limit):
        interpolants = interpolation.carry(tree, vertex, other, budget)
        if interpolants is not None:
            tree.strengthen(interpolants)
            if not tree.covered(vertex) and not tree.covered(other):
                tree.cover(vertex, other)
                return True
            if tree.covered(vertex):
                return False
    return False


def _candidates(tree: Unwinding, vertex: int) -> Iterator[int]:
    ancestors = tree.path(vertex)[-2::-1]
    others = (number for number in range(vertex - 1, -1, -1) if number not in ancestors)
    for number in chain(ancestors, others):
        expanded = tree.vertices[number].children is not None
        if expanded and tree.same_location(vertex, number) and not tree.covered(number):
            yield number
