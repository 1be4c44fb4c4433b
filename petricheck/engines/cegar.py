"""Counterexample-guided abstraction refinement with guided interpolants.

Leroux, Rümmer, Subotić: Guiding Craig interpolation with domain-specific abstractions (2016),
section 9, with two deviations. The abstract graph is explored in a min-plus domain over the
interpolants' directions (`abstraction.domain`) instead of a Cartesian predicate abstraction by a
solver, and interpolants are Farkas sequences found by linear programs (`interpolation.path`).

Limits, the weightiest first: convergence is never guaranteed; long traces need long abstract
paths, which breadth-first exploration finds late; disjunctive separators are never proposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines.abstraction.certify import certificate
from petricheck.engines.abstraction.domain import Precision
from petricheck.engines.abstraction.drawing import drawing
from petricheck.engines.abstraction.graph import AbstractGraph
from petricheck.engines.abstraction.guided import Guided, no_progress, noting_refinements
from petricheck.engines.abstraction.journal import Log, journal
from petricheck.engines.abstraction.origins import Origins, learnt, starting, stated
from petricheck.engines.abstraction.predicates import locations, read_predicates, seeds
from petricheck.engines.abstraction.refine import Genuine, refine, refined
from petricheck.engines.guides import Guide
from petricheck.engines.heuristics import Heuristic
from petricheck.evidence.answer import Answer, Reachable, Unreachable, measure
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.plugins import option
from petricheck.support.words import counted


@dataclass(frozen=True)
class Cegar(Guided):
    """Explore an abstract graph and refine it with guided interpolants until it decides."""

    unit: ClassVar[str] = "refinement"
    paper: ClassVar[str] = "Leroux, Rümmer, Subotić 2016"
    rank: ClassVar[int] = 12

    control: int = option(0, "how many control groups are told apart from the start")
    predicates: str = option("", "file of predicates to start from, one formula a line")
    graph: str = option("", "file for the last abstract graph, .dot or .json")
    log: str = option("", "file for one JSON line per refinement")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore and refine until a path is genuine, or none is left."""
        return self.solve_informed(problem, budget, ())

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """Do the same as `solve`, with the facts among the predicates from the start."""
        heuristics, guide = self.advice()
        read = read_predicates(problem.net, self.predicates) if self.predicates else ()
        shared = seeds(problem.net, facts)
        located = locations(problem.net, self.control)
        precision = Precision().refine((*read, *shared, *located))
        graph = AbstractGraph(problem, precision, budget)
        with (
            journal(problem.net, self.log, self.heuristics, budget.report) as log,
            drawing(graph, self.graph, budget.report),
        ):
            return _loop(graph, heuristics, guide, log, starting(read, shared), budget)


def _loop(
    graph: AbstractGraph,
    heuristics: Sequence[Heuristic],
    guide: Guide,
    log: Log,
    origins: Origins,
    budget: Budget,
) -> Answer:
    """Explore and refine until one of them decides: the CEGAR loop."""
    statistics, refinements = measure("cegar"), 0
    with noting_refinements(lambda: refinements):
        while (path := graph.explore(budget)) is not None:
            refinements += 1
            budget.report(
                f"refinement {refinements}: path of {len(path.transitions)},"
                f" {counted(graph.explored, 'state')},"
                f" {counted(len(graph.precision.thresholds), 'direction')}"
            )
            proposals = refine(graph.problem, path, heuristics, guide, budget)
            refinement = refined(graph, path, proposals)
            log(refinements, path, refinement)
            match refinement:
                case Genuine(trace):
                    return Reachable(trace, statistics(refinements, graph.explored))
                case None:
                    return no_progress(statistics(refinements, graph.explored))
                case spurious:
                    origins = learnt(origins, spurious)
        proof = certificate(graph)
        proof = replace(proof, origins=stated(graph.problem.net, origins, proof))
        return Unreachable(proof, statistics(refinements, graph.explored))
