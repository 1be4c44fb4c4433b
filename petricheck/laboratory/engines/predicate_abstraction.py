"""Predicate abstraction, refined by interpolants along spurious paths.

The abstract graph of Leroux, Rümmer and Subotić (2016, section 9.2), and one of the algorithms that
Beyer, Lee and Wendler (2022) compare with `imc`. Abstract states are cubes over predicates; their
images are computed by a solver (`approximation.cartesian`). The predicates come from the same
proposals as those of `cegar`, so that the two differ in the abstract domain alone.

Limits: those of `cegar`; and a solver is queried for the literals of each image.
"""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.engines.abstraction.graph import STRATEGIES
from petricheck.engines.abstraction.guided import (
    Guided,
    no_progress,
    noting_refinements,
    too_many_cubes,
)
from petricheck.engines.abstraction.refine import Genuine, refine, refined
from petricheck.engines.abstraction.restating import with_hints
from petricheck.evidence.answer import Answer, Reachable, Statistics, Unreachable, measure
from petricheck.laboratory.approximation.cartesian import IMAGES, CartesianGraph
from petricheck.laboratory.approximation.program import AbstractProgram
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.plugins import option
from petricheck.support.stopwatch import Stopwatch


@dataclass(frozen=True)
class PredicateAbstraction(Guided):
    """Explore cubes over predicates, and add interpolants of spurious paths to these."""

    unit = "refinement"
    paper = "Beyer, Lee, Wendler 2022"

    images: str = option("cartesian", "of a state: a cube (cartesian), or valuations", IMAGES)
    strategy: str = option("bfs", "bfs or dfs: which abstract state comes next", STRATEGIES)
    states: int = option(2_000, "most cubes that a proof may consist of")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore and refine until a path is genuine, or no path is left."""
        heuristics, guide = self.advice()
        counts, refinements = measure("predicate_abstraction"), 0
        interpolation = Stopwatch()

        def statistics() -> Statistics:
            size = len(program.predicates)
            return counts(refinements, len(graph.states), size, interpolation.seconds)

        program = AbstractProgram(problem, "preconditions", (), budget)
        with program, noting_refinements(lambda: refinements):
            graph = CartesianGraph(program, self.images, self.strategy)
            while (path := graph.explore()) is not None:
                refinements += 1
                budget.report(f"refinement {refinements}: path of {len(path.transitions)}")
                proposals = refine(problem, path, heuristics, guide, budget)
                with interpolation:
                    refinement = refined(graph, path, proposals)
                match refinement:
                    case Genuine(trace):
                        return Reachable(trace, statistics())
                    case None:
                        return no_progress(statistics())
            if len(graph.states) > self.states:
                return too_many_cubes(len(graph.states), statistics())
            return Unreachable(with_hints(problem, graph.invariant, budget), statistics())
