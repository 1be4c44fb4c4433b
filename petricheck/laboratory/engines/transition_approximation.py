"""Predicate abstraction over transition relations that interpolants approximate.

Jhala, McMillan: Interpolant-based transition relation approximation (2007). The relation of each
transition starts as *true*. A path of this approximation into the target is checked over the
predicates by a bounded model checking formula. If that is unsatisfiable, the relations are
strengthened by its symmetric interpolants. Otherwise new predicates are needed, which come from the
same proposals as those of `cegar`. `relation` and `image` are the paper's sections 4 and 6,
`refinement` its section 8.

Limits: those of `cegar`. A transition fires once in a step, so that long traces are long paths.
Diagrams over many predicates are large.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.cubes import cube_of, listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Formula,
    conjunction,
    disjunction,
)
from petricheck.arithmetic.solvers.solver import Model
from petricheck.engines.abstraction.bounds import floors
from petricheck.engines.abstraction.domain import Predicate
from petricheck.engines.abstraction.graph import AbstractPath
from petricheck.engines.abstraction.guided import (
    Guided,
    no_progress,
    noting_refinements,
    too_many_cubes,
)
from petricheck.engines.abstraction.predicates import read_predicates
from petricheck.engines.abstraction.refine import Genuine, refine, refined
from petricheck.engines.abstraction.restating import with_hints
from petricheck.engines.abstraction.targets import Goal
from petricheck.evidence.answer import Answer, Reachable, Unreachable, measure
from petricheck.evidence.certificates.invariant import Separator
from petricheck.laboratory.approximation.exploration import Approximation, Counterexample
from petricheck.laboratory.approximation.predicates import Cube
from petricheck.laboratory.approximation.program import AbstractProgram, Operation
from petricheck.laboratory.approximation.prover import prove
from petricheck.laboratory.approximation.refutation import (
    PathResult,
    Refuted,
    refute,
    refute_states,
)
from petricheck.laboratory.locations import Location
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.plugins import option
from petricheck.symbolic.facts.semiflows import control_groups


@dataclass(frozen=True)
class TransitionApproximation(Guided):
    """Explore states of predicates by relations that learn interpolants of spurious paths."""

    unit = "refinement"
    paper = "Jhala, McMillan 2007"

    relation: str = option(
        "preconditions",
        "whole: one relation for all firings; paths: one for each transition;"
        " preconditions: the same, written with weakest preconditions",
        ("whole", "paths", "preconditions"),
    )
    image: str = option(
        "approximate",
        "approximate: by the relations; hybrid: and by Cartesian abstraction",
        ("approximate", "hybrid"),
    )
    refinement: str = option(
        "lemmas",
        "what is learnt of a path: lemmas, interpolants of a lazy refutation; proofs,"
        " those of the interpolating prover; strengthened, the same from transformed proofs;"
        " das_dill, what its states violate",
        ("lemmas", "proofs", "strengthened", "das_dill"),
    )
    control: int = option(0, "how many control groups become locations")
    predicates: str = option("", "file of predicates to start from, one formula a line")
    states: int = option(2_000, "most cubes that a proof may consist of")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore and refine until a path is genuine, or no path is left."""
        statistics, refinements = measure("transition_approximation"), 0
        heuristics, guide = self.advice()
        groups = control_groups(problem.net, self.control)
        program = AbstractProgram(problem, self.relation, groups, budget)
        with program, noting_refinements(lambda: refinements):
            if self.predicates:
                program.track(read_predicates(problem.net, self.predicates))
            approximation = Approximation(program, self.image == "hybrid", budget)
            abstraction = _Abstraction(program, budget)
            while isinstance(outcome := approximation.explore(), Counterexample):
                refinements += 1
                budget.report(
                    f"refinement {refinements}: path of {len(outcome.operations) - 1},"
                    f" {len(program.predicates)} predicates, {approximation.clauses} clauses"
                )
                result = self._analyse(program, outcome, budget)
                if isinstance(result, Refuted):
                    approximation.strengthen(outcome.operations, result.interpolants)
                    continue
                path = _path(program, outcome.operations, result.models)
                proposals = refine(problem, path, heuristics, guide, budget)
                match refined(abstraction, path, proposals):
                    case Genuine(trace):
                        return Reachable(trace, statistics(refinements))
                    case None:
                        return no_progress(statistics(refinements))
        size = sum(map(len, outcome.values()))
        if size > self.states:
            return too_many_cubes(size, statistics(refinements, size))
        proof = with_hints(problem, _union(program, outcome), budget)
        return Unreachable(proof, statistics(refinements, size))

    def _analyse(
        self, program: AbstractProgram, outcome: Counterexample, budget: Budget
    ) -> PathResult:
        match self.refinement:
            case "lemmas":
                return refute(program, outcome.operations, budget)
            case "das_dill":
                return refute_states(program, outcome.operations, outcome.states)
            case method:
                return prove(program, outcome.operations, method == "strengthened", budget)


@dataclass(frozen=True, slots=True)
class _Abstraction:
    """The abstract program, as `abstraction.refine` makes it more precise.

    Attributes:
        program: tracks predicates.
        budget: limits.
    """

    program: AbstractProgram
    budget: Budget

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator]) -> None:
        """Track more predicates; separators are ignored, since a solver needs none."""
        self.program.track(predicates)

    def excludes(self, path: AbstractPath) -> bool:
        """Return whether the abstract program lacks the path, or its end misses the cube.

        Raises:
            BudgetExhausted: a limit is reached, or a solver gave up.
        """
        operations = self.program.path(path.transitions, Conjunction(path.goal.cube))
        return operations is None or isinstance(
            refute(self.program, operations, self.budget), Refuted
        )


def _union(program: AbstractProgram, cubes: Mapping[Location, Sequence[Cube]]) -> Formula:
    """Return the markings of these cubes, each at its location."""
    return disjunction(
        conjunction((*program.location_formulas(location), *map(program.formula, cube)))
        for location, members in cubes.items()
        for cube in members
    )


def _path(
    program: AbstractProgram, operations: Sequence[Operation], models: Sequence[Model]
) -> AbstractPath:
    """Return the transitions that fire in the models, and the cube that the last model is in."""
    steps = zip(operations[:-1], models[:-1], strict=True)
    firings = tuple(program.transition_of(operation, model) for operation, model in steps)
    return AbstractPath(firings, _goal(program.problem.target, models[-1]))


def _goal(target: Formula, values: Mapping[str, int]) -> Goal:
    """Return the cube that contains the values, as in `abstraction.targets`."""
    cube, listed = cube_of(target, values), listed_cubes(target)
    if listed is None:
        return Goal(cube, None)
    return Goal((*cube, *floors(cube)), listed.index(cube))
