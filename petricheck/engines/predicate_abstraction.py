"""Predicate abstraction, Cartesian, refined by interpolants along spurious paths.

One of the algorithms that Beyer, Lee and Wendler (2022) compare with `imc`: abstract states are
cubes over predicates, and images the strongest ones that a solver finds (`images.cartesian`). The
predicates come from the same proposals as those of `cegar`, so that the two differ in the abstract
domain alone.

Limits: those of `cegar`, and a solver is asked for the literals of each image.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import ClassVar

from petricheck import plugins
from petricheck.abstraction.refine import Genuine, refine, refined
from petricheck.answer import Answer, Certificate, Reachable, Statistics, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, Ending
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.images.cartesian import CartesianGraph
from petricheck.problem import Problem


@dataclass(frozen=True)
class PredicateAbstraction:
    """Explore cubes over predicates, and add interpolants of spurious paths to these."""

    unit: ClassVar[str] = "refinement"
    paper: ClassVar[str] = "Beyer, Lee, Wendler 2022"

    heuristics: tuple[str, ...] = field(
        default=("accelerated_actions", "parikh", "place_invariants"),
        metadata={"help": "what guides the interpolants, separated by commas"},
    )
    guide: str = field(default="optimal", metadata={"help": "how interpolants are chosen"})
    states: int = field(default=2_000, metadata={"help": "most cubes that a proof may consist of"})

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
        guide: Guide = plugins.build("guides", self.guide)
        heuristics: list[Heuristic] = [plugins.build("heuristics", h) for h in self.heuristics]
        with CartesianGraph(problem, budget) as graph:
            return self._loop(graph, heuristics, guide, budget)

    def _loop(
        self, graph: CartesianGraph, heuristics: list[Heuristic], guide: Guide, budget: Budget
    ) -> Answer:
        started, iterations = time.monotonic(), 0

        def statistics() -> Statistics:
            seconds = time.monotonic() - started
            return Statistics("predicate_abstraction", iterations, len(graph.states), seconds)

        try:
            while (path := graph.explore()) is not None:
                iterations += 1
                budget.report(f"refinement {iterations}: path of {len(path.transitions)}")
                proposals = refine(graph.problem, path, heuristics, guide, budget)
                match refined(graph, path, proposals):
                    case Genuine(trace):
                        return Reachable(trace, statistics())
                    case None:
                        ending = Ending.NO_PROGRESS
                        return Unknown(_NO_PROGRESS, _OTHER, statistics(), ending=ending)
        except BudgetExhausted as error:
            error.add_note(f"after {iterations} refinement{'' if iterations == 1 else 's'}")
            raise
        if len(graph.states) > self.states:
            return Unknown(_TOO_LARGE.format(len(graph.states)), _MORE, statistics())
        return Unreachable(Certificate(graph.invariant), statistics())


_NO_PROGRESS = "no progress: no refinement excludes the abstract path"
_OTHER = "another guide or other heuristics may find a better separator"
_TOO_LARGE = "certificate too large: the proof consists of {} cubes"
_MORE = "allow more with the option states"
