"""Lazy abstraction with interpolants.

McMillan: Lazy abstraction with interpolants (2006). The net is unwound into a tree whose labels are
strengthened by interpolants of its paths. A vertex is not expanded where an earlier one covers it.
Interpolants come from the guides of `cegar`, from proofs, as in the paper, or from restriction
languages. The search is depth first, towards the target (`unwinding.descent`). With
`interpolants=prover`, `heuristics=` and `strategy=dfs` it is that of the paper; without the second,
actions of error paths may stand for any number of their firings.

Deviations: edges that a label disables are left out; forced covering tries ancestors first, not the
latest vertices; interpolants of a guide are made of predicates (`unwinding.guided`), and those of
earlier refinements are tried first (`reuse`).

Limits, the most important first. Convergence is promised with restriction languages only, and for
conjunctive invariants. A net has one location, so that every vertex has an edge for each transition
that its label does not disable. With a guide, each step and each covering must follow from single
bounds. Traces that the state equation does not lead to are found late, since each vertex is refined
before it is expanded.
"""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.engines.abstraction.guided import Guided, no_progress, noting_refinements
from petricheck.engines.abstraction.refine import Genuine
from petricheck.engines.abstraction.targets import TargetTest, target_test
from petricheck.evidence.answer import Answer, Reachable, Unreachable, measure
from petricheck.laboratory.unwinding.covering import Entailment
from petricheck.laboratory.unwinding.descent import Distances
from petricheck.laboratory.unwinding.drawing import drawing, statistics
from petricheck.laboratory.unwinding.guided import ByGuide
from petricheck.laboratory.unwinding.languages import Languages, largest_number
from petricheck.laboratory.unwinding.proof import certificate
from petricheck.laboratory.unwinding.proved import ByProver
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.laboratory.unwinding.unwind import (
    Interpolation,
    Measures,
    Settings,
    Strategy,
    UnwindingOutcome,
    unwind,
)
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.plugins import option
from petricheck.symbolic.facts.semiflows import control_groups


@dataclass(frozen=True)
class Impact(Guided):
    """Unwind the net, and strengthen labels by interpolants until all leaves are covered."""

    unit = "refinement"
    paper = "McMillan 2006"

    interpolants: str = option(
        "guide",
        "where interpolants come from: a guide, or proofs (of the paper's U(π) with heuristics=)",
        ("guide", "prover"),
    )
    language: int = option(
        -1, "k of the language that interpolants are searched in first; -1: in none"
    )
    sliced: bool = option(False, "leave out of error paths what neither guards nor the target read")
    strategy: str = option(
        "nearest",
        "which vertex comes next: dfs, bfs, or dfs towards the target by the state equation",
        ("nearest", "dfs", "bfs"),
    )
    forced: int = option(4, "how many vertices are tried to cover one by force")
    reuse: bool = option(True, "try predicates of earlier refinements before calling the guide")
    entailment: str = option(
        "bounds", "of labels: bounds, or solver where bounds do not do", ("bounds", "solver")
    )
    control: int = option(0, "how many control groups become locations")
    graph: str = option("", "file for the unwinding, .dot or .json")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Unwind until a path is a trace, or all leaves are covered."""
        counts, measures = measure("impact"), Measures()
        test = target_test(problem, budget)
        settings = self.settings(problem, test, measures, budget)
        tree = Unwinding(problem.net, control_groups(problem.net, self.control))
        with drawing(tree, measures, self.graph, budget.report):
            try:
                with noting_refinements(lambda: measures.refinements):
                    outcome = unwind(tree, settings, budget)
            finally:
                budget.report(_summary(tree, measures))
        numbers = statistics(tree, measures)
        names = ("refinements", "vertices", "predicates", "interpolation")
        cost = counts(*(numbers[name] for name in names))
        match outcome:
            case Genuine(trace):
                return Reachable(trace, cost)
            case UnwindingOutcome.STUCK:
                return no_progress(cost)
            case UnwindingOutcome.COMPLETE:
                return Unreachable(certificate(tree, test), cost)

    def settings(
        self, problem: Problem, test: TargetTest, measures: Measures, budget: Budget
    ) -> Settings:
        """Return the settings of these options; the test is that of the problem's target."""
        guided = self.interpolants == "guide" and self.language < 0
        entailment = Entailment(problem.net, self.entailment == "solver" or not guided)
        interpolation: Interpolation
        if guided:
            heuristics, guide = self.advice()
            interpolation = ByGuide(problem, test, guide, heuristics, self.reuse)
        else:
            accelerating = "accelerated_actions" in self.heuristics
            restricted = Languages(largest_number(problem), self.language)
            languages = None if self.language < 0 else restricted
            interpolation = ByProver(problem, accelerating, entailment, languages, self.sliced)
        strategy = Strategy(self.strategy)
        distances = Distances(problem, budget) if strategy is Strategy.NEAREST else None
        return Settings(strategy, distances, self.forced, entailment, interpolation, measures)


def _summary(tree: Unwinding, measures: Measures) -> str:
    """Return the statistics on one line."""
    numbers = statistics(tree, measures)
    counts = ", ".join(f"{numbers[name]} {name}" for name in ("vertices", "covered", "predicates"))
    times = ", ".join(f"{numbers[name]:.2f} s {name}" for name in ("interpolation", "covering"))
    return f"unwinding: {counts}, {times}"
