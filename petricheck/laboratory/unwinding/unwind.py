"""Unwind: expand, refine and cover until no leaf is uncovered, or a trace is found (Fig. 5)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum

from petricheck.abstraction.refine import Genuine
from petricheck.budget import Budget
from petricheck.laboratory.unwinding.covering import Entailment, Forcing, close, force
from petricheck.laboratory.unwinding.measures import Measures
from petricheck.laboratory.unwinding.refinement import Excluded, Refiner
from petricheck.laboratory.unwinding.tree import Unwinding


class Strategy(Enum):
    """Which of the vertices that were added comes next."""

    DFS = "dfs"
    BFS = "bfs"


class Outcome(Enum):
    """How an unwinding ends, if not with a trace."""

    COMPLETE = "every leaf is covered, and every label excludes the target"
    STUCK = "no refinement excludes the error path"


@dataclass(frozen=True, slots=True)
class Course:
    """How to unwind.

    Attributes:
        strategy: in which order.
        forcing: how vertices are covered by force.
        entailment: when a label entails another.
        refiner: what refines.
        measures: are kept up to date.
    """

    strategy: Strategy
    forcing: Forcing
    entailment: Entailment
    refiner: Refiner
    measures: Measures


def unwind(tree: Unwinding, course: Course, budget: Budget) -> Genuine | Outcome:
    """Go on until the unwinding is complete, or a trace is found.

    Raises:
        BudgetExhausted: the budget ran out on the way.
    """
    while (leaf := _uncovered_leaf(tree)) is not None:
        for ancestor in tree.path(leaf)[:-1]:
            close(tree, ancestor, course.entailment, course.measures, budget)
        ended = _from(tree, leaf, course, budget)
        if ended is not None:
            return ended
    return Outcome.COMPLETE


def _uncovered_leaf(tree: Unwinding) -> int | None:
    leaves = (number for number in tree.uncovered() if tree.vertices[number].children is None)
    return min(leaves, default=None)


def _from(tree: Unwinding, leaf: int, course: Course, budget: Budget) -> Genuine | Outcome | None:
    """The local search from a leaf: DFS, or the same breadth-first."""
    pending = deque([leaf])
    while pending:
        budget.check()
        vertex = pending.pop() if course.strategy is Strategy.DFS else pending.popleft()
        close(tree, vertex, course.entailment, course.measures, budget)
        if not tree.covered(vertex):
            force(tree, vertex, course.forcing, course.entailment, course.measures, budget)
        ended = _make_safe(tree, vertex, course, budget)
        if ended is not None:
            return ended
        if not tree.covered(vertex):
            children = tree.expand(vertex)
            pending.extend(reversed(children) if course.strategy is Strategy.DFS else children)
    return None


def _make_safe(
    tree: Unwinding, vertex: int, course: Course, budget: Budget
) -> Genuine | Outcome | None:
    """Refine the vertex until its label excludes every cube of the target."""
    while not tree.covered(vertex):
        met = course.refiner.meets(tree, vertex)
        if met is None:
            return None
        budget.report(
            f"refinement {course.measures.refinements + 1}: path of {len(tree.path(vertex)) - 1},"
            f" {len(tree.vertices)} vertices, {len(tree.precision.thresholds)} directions"
        )
        match course.refiner.refine(tree, vertex, met, budget):
            case Excluded(strengthened):
                for number in strengthened:
                    close(tree, number, course.entailment, course.measures, budget)
            case None:
                return Outcome.STUCK
            case trace:
                return trace
    return None
