"""Counterexample-guided abstraction refinement with guided interpolants.

Leroux, Rümmer, Subotić: Guiding Craig interpolation with domain-specific abstractions (2016),
section 9, with two deviations. The abstract graph is explored in a min-plus domain over the
interpolants' directions (`abstraction.domain`) instead of a Cartesian predicate abstraction by a
solver, and interpolants are Farkas sequences found by linear programs (`interpolation.path`).

Limits, the weightiest first: convergence is never guaranteed; long traces need long abstract
paths, which breadth-first exploration finds late; disjunctive separators are never proposed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from petricheck import plugins
from petricheck.abstraction.certify import certificate
from petricheck.abstraction.domain import Precision
from petricheck.abstraction.graph import AbstractGraph
from petricheck.abstraction.journal import Journal, drawing, read_predicates
from petricheck.abstraction.origins import Origins, learnt, starting, stated
from petricheck.abstraction.refine import Genuine, refine, refined
from petricheck.abstraction.seeds import locations, seeds
from petricheck.answer import Answer, Reachable, Statistics, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, Ending
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.presburger.formulas import Formula
from petricheck.problem import Problem


@dataclass(frozen=True)
class Cegar:
    """Explore an abstract graph and refine it with guided interpolants until it decides."""

    unit: ClassVar[str] = "refinement"
    paper: ClassVar[str] = "Leroux, Rümmer, Subotić 2016"
    rank: ClassVar[int] = 20

    heuristics: tuple[str, ...] = field(
        default=("accelerated_actions", "parikh", "place_invariants"),
        metadata={"help": "what guides the interpolants, separated by commas"},
    )
    guide: str = field(default="optimal", metadata={"help": "how interpolants are chosen"})
    control: int = field(
        default=0, metadata={"help": "how many control groups are told apart from the start"}
    )
    predicates: str = field(
        default="", metadata={"help": "file of predicates to start from, one formula a line"}
    )
    graph: str = field(
        default="", metadata={"help": "file for the last abstract graph, .dot or .json"}
    )
    log: str = field(default="", metadata={"help": "file for one JSON line per refinement"})

    def __post_init__(self) -> None:
        """Refuse what there is not, before any search.

        Raises:
            QueryError: there is no such guide or heuristic.
        """
        plugins.require("guides", self.guide)
        for name in self.heuristics:
            plugins.require("heuristics", name)

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore and refine until a path is genuine, or none is left."""
        return self.solve_informed(problem, budget, ())

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """The same, with the facts among the predicates from the start."""
        guide: Guide = plugins.build("guides", self.guide)
        heuristics: list[Heuristic] = [plugins.build("heuristics", h) for h in self.heuristics]
        read = read_predicates(problem.net, self.predicates) if self.predicates else ()
        shared = seeds(problem.net, facts)
        located = locations(problem.net, self.control)
        precision = Precision().refine((*read, *shared, *located))
        graph = AbstractGraph(problem, precision, budget)
        log = Journal(problem.net, self.log, self.heuristics, budget.report)
        with log as journal, drawing(graph, self.graph, budget.report):
            return _loop(graph, heuristics, guide, journal, starting(read, shared), budget)


def _loop(
    graph: AbstractGraph,
    heuristics: Sequence[Heuristic],
    guide: Guide,
    journal: Journal,
    origins: Origins,
    budget: Budget,
) -> Answer:
    """The CEGAR loop: explore, refine, until one of them decides."""
    started = time.monotonic()
    iterations = 0

    def statistics() -> Statistics:
        return Statistics("cegar", iterations, graph.explored, time.monotonic() - started)

    try:
        while (path := graph.explore(budget)) is not None:
            iterations += 1
            budget.report(
                f"refinement {iterations}: path of {len(path.transitions)},"
                f" {graph.explored} states, {len(graph.precision.thresholds)} directions"
            )
            proposals = refine(graph.problem, path, heuristics, guide, budget)
            refinement = refined(graph, path, proposals)
            journal.record(iterations, path, refinement)
            match refinement:
                case Genuine(trace):
                    return Reachable(trace, statistics())
                case None:
                    ending = Ending.NO_PROGRESS
                    return Unknown(_NO_PROGRESS, _HINT, statistics(), ending=ending)
                case spurious:
                    origins = learnt(origins, spurious)
        proof = certificate(graph)
        proof = replace(proof, origins=stated(graph.problem.net, origins, proof))
        return Unreachable(proof, statistics())
    except BudgetExhausted as error:
        error.add_note(f"after {iterations} refinement{'' if iterations == 1 else 's'}")
        raise


_NO_PROGRESS = "no progress: no refinement excludes the abstract path"
_HINT = "another guide or other heuristics may find a better separator"
