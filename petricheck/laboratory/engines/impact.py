"""Lazy abstraction with guided interpolants.

McMillan: Lazy abstraction with interpolants (2006). The net is unwound into a tree whose labels are
strengthened by interpolants of the path at hand, and a vertex is not expanded where an earlier one
covers it. Interpolants come from the guides of `cegar`. Deviations: edges that a label disables
are left out, interpolants of a path are made of predicates (`unwinding.replay`), and those that are
known are tried before new ones are asked for (`reuse`).

Limits, the weightiest first: convergence is never guaranteed; a net has one location, so that every
vertex has an edge for each transition that its label does not disable; what a step or a covering
needs must follow from single bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.abstraction.guided import Guided, no_progress, noting_refinements
from petricheck.abstraction.refine import Genuine
from petricheck.abstraction.targets import target_test
from petricheck.answer import Answer, Reachable, Unreachable, measure
from petricheck.budget import Budget
from petricheck.facts.semiflows import control_groups
from petricheck.laboratory.unwinding.control import Control
from petricheck.laboratory.unwinding.covering import ByBounds, BySolver, Forcing
from petricheck.laboratory.unwinding.drawing import drawing, statistics
from petricheck.laboratory.unwinding.languages import Languages
from petricheck.laboratory.unwinding.measures import Measures
from petricheck.laboratory.unwinding.proof import certificate
from petricheck.laboratory.unwinding.refinement import Refiner
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.laboratory.unwinding.unwind import Course, Outcome, Strategy, unwind
from petricheck.plugins import option
from petricheck.problem import Problem


@dataclass(frozen=True)
class Impact(Guided):
    """Unwind the net, and strengthen labels by guided interpolants until all leaves are covered."""

    unit: ClassVar[str] = "refinement"
    paper: ClassVar[str] = "McMillan 2006"

    strategy: str = option("dfs", "dfs or bfs: which vertex comes next", ("dfs", "bfs"))
    forced: int = option(4, "how many vertices are tried to cover one by force")
    forcing: str = option(
        "known",
        "cover by force with known half-spaces, or with new ones where needed",
        ("known", "new"),
    )
    reuse: bool = option(True, "try known predicates before asking the guide")
    entailment: str = option(
        "bounds", "of labels: bounds, or solver where bounds do not do", ("bounds", "solver")
    )
    slicing: bool = option(False, "ask the guide about sliced paths first")
    language: int = option(-1, "k of the language that interpolants are first taken from")
    control: int = option(0, "how many control groups become locations")
    graph: str = option("", "file for the unwinding, .dot or .json")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Unwind until a path is a trace, or all leaves are covered."""
        statistics, measures = measure("impact"), Measures()
        course = self._course(problem, budget, measures)
        tree = Unwinding(problem.net, Control(control_groups(problem.net, self.control)))
        with drawing(tree, measures, self.graph, budget.report):
            try:
                with noting_refinements(lambda: measures.refinements):
                    outcome = unwind(tree, course, budget)
            finally:
                budget.report(_told(tree, measures))
        counts = statistics(measures.refinements, len(tree.vertices))
        match outcome:
            case Genuine(trace):
                return Reachable(trace, counts)
            case Outcome.STUCK:
                return no_progress(counts)
            case Outcome.COMPLETE:
                return Unreachable(certificate(tree, course.refiner.test), counts)

    def _course(self, problem: Problem, budget: Budget, measures: Measures) -> Course:
        heuristics, guide = self.advice()
        refiner = Refiner(
            problem,
            target_test(problem, budget),
            guide,
            heuristics,
            self.reuse,
            self.slicing,
            Languages(problem, self.language),
            measures,
        )
        entailment = BySolver(problem.net.places) if self.entailment == "solver" else ByBounds()
        forcing = Forcing(self.forced, learning=self.forcing == "new")
        return Course(Strategy(self.strategy), forcing, entailment, refiner, measures)


def _told(tree: Unwinding, measures: Measures) -> str:
    """The statistics on one line."""
    numbers = statistics(tree, measures)
    counts = ", ".join(f"{numbers[name]} {name}" for name in ("vertices", "covered", "predicates"))
    times = f"{measures.interpolation:.2f} s interpolation, {measures.covering:.2f} s covering"
    return f"unwinding: {counts}, {times}"
