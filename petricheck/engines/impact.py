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

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from petricheck import plugins
from petricheck.abstraction.refine import Genuine
from petricheck.abstraction.targets import target_test
from petricheck.answer import Answer, Reachable, Statistics, Unknown, Unreachable
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, Ending, QueryError
from petricheck.flows.control import control_groups
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.problem import Problem
from petricheck.unwinding.control import Control
from petricheck.unwinding.covering import ByBounds, BySolver, Forcing
from petricheck.unwinding.drawing import drawing, statistics
from petricheck.unwinding.languages import Languages
from petricheck.unwinding.measures import Measures
from petricheck.unwinding.proof import certificate
from petricheck.unwinding.refinement import Refiner
from petricheck.unwinding.tree import Unwinding
from petricheck.unwinding.unwind import Course, Outcome, Strategy, unwind


@dataclass(frozen=True)
class Impact:
    """Unwind the net, and strengthen labels by guided interpolants until all leaves are covered."""

    unit: ClassVar[str] = "refinement"
    paper: ClassVar[str] = "McMillan 2006"

    heuristics: tuple[str, ...] = field(
        default=("accelerated_actions", "parikh", "place_invariants"),
        metadata={"help": "what guides the interpolants, separated by commas"},
    )
    guide: str = field(default="optimal", metadata={"help": "how interpolants are chosen"})
    strategy: str = field(default="dfs", metadata={"help": "dfs or bfs: which vertex comes next"})
    forced: int = field(
        default=4, metadata={"help": "how many vertices are tried to cover one by force"}
    )
    forcing: str = field(
        default="known",
        metadata={"help": "cover by force with known half-spaces, or with new ones where needed"},
    )
    reuse: bool = field(
        default=True, metadata={"help": "try known predicates before asking the guide"}
    )
    entailment: str = field(
        default="bounds", metadata={"help": "of labels: bounds, or solver where bounds do not do"}
    )
    slicing: bool = field(
        default=False, metadata={"help": "ask the guide about sliced paths first"}
    )
    language: int = field(
        default=-1, metadata={"help": "k of the language that interpolants are first taken from"}
    )
    control: int = field(default=0, metadata={"help": "how many control groups become locations"})
    graph: str = field(default="", metadata={"help": "file for the unwinding, .dot or .json"})

    def __post_init__(self) -> None:
        """Refuse what there is not, before any search.

        Raises:
            QueryError: there is no such guide, heuristic, strategy or entailment.
        """
        plugins.require("guides", self.guide)
        for name in self.heuristics:
            plugins.require("heuristics", name)
        _one_of("strategy", self.strategy, [strategy.value for strategy in Strategy])
        _one_of("forcing", self.forcing, ["known", "new"])
        _one_of("entailment", self.entailment, ["bounds", "solver"])

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Unwind until a path is a trace, or all leaves are covered."""
        started = time.monotonic()
        measures = Measures()
        course = self._course(problem, budget, measures)
        tree = Unwinding(problem.net, Control(control_groups(problem.net, self.control)))
        with drawing(tree, measures, self.graph, budget.report):
            try:
                outcome = unwind(tree, course, budget)
            except BudgetExhausted as error:
                error.add_note(f"after {measures.refinements} refinements")
                raise
            finally:
                budget.report(_told(tree, measures))
        spent = time.monotonic() - started
        counts = Statistics("impact", measures.refinements, len(tree.vertices), spent)
        match outcome:
            case Genuine(trace):
                return Reachable(trace, counts)
            case Outcome.STUCK:
                return Unknown(_NO_PROGRESS, _HINT, counts, ending=Ending.NO_PROGRESS)
            case Outcome.COMPLETE:
                return Unreachable(certificate(tree, course.refiner.test), counts)

    def _course(self, problem: Problem, budget: Budget, measures: Measures) -> Course:
        guide: Guide = plugins.build("guides", self.guide)
        heuristics: Sequence[Heuristic] = [plugins.build("heuristics", h) for h in self.heuristics]
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


_NO_PROGRESS = "no progress: no refinement excludes the error path"
_HINT = "another guide or other heuristics may find a better separator"


def _one_of(option: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise QueryError(f"option {option}: {value!r} is none of {', '.join(known)}")


def _told(tree: Unwinding, measures: Measures) -> str:
    """The statistics on one line."""
    numbers = statistics(tree, measures)
    counts = ", ".join(f"{numbers[name]} {name}" for name in ("vertices", "covered", "predicates"))
    times = f"{measures.interpolation:.2f} s interpolation, {measures.covering:.2f} s covering"
    return f"unwinding: {counts}, {times}"
