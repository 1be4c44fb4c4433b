"""Predicate abstraction over transition relations that interpolants approximate.

Jhala, McMillan: Interpolant-based transition relation approximation (2007). The relation of each
transition starts as *true*. A path of this approximation into the target is refuted over the
predicates by a bounded model checking formula, whose symmetric interpolants the relations learn; or
it is not, and new predicates are needed, which come from the same proposals as those of `cegar`.
`relation` and `image` are the paper's sections 4 and 6, `refinement` its section 8.

Limits: those of `cegar`; a transition fires once in a step, so that long traces are long paths; and
diagrams over many predicates are large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from petricheck.abstraction.guided import Guided, no_progress, noting_refinements, too_many_cubes
from petricheck.abstraction.predicates import read_predicates
from petricheck.abstraction.refine import Genuine
from petricheck.abstraction.targets import target_test
from petricheck.answer import Answer, Reachable, Unreachable, measure
from petricheck.budget import Budget
from petricheck.laboratory.approximation.certify import certificate
from petricheck.laboratory.approximation.exploration import Approximation, Counterexample
from petricheck.laboratory.approximation.learning import Learner, Method
from petricheck.laboratory.approximation.operations import AnyFiring, Entry, Firing, Operation
from petricheck.laboratory.approximation.program import AbstractProgram
from petricheck.plugins import option
from petricheck.problem import Problem


class Relations(Enum):
    """What the operations are, and how their abstract relations are written."""

    WHOLE = "whole"
    PATHS = "paths"
    PRECONDITIONS = "preconditions"


class Image(Enum):
    """How states are led on."""

    APPROXIMATE = "approximate"
    HYBRID = "hybrid"


@dataclass(frozen=True)
class TransitionApproximation(Guided):
    """Explore states of predicates by relations that learn interpolants of spurious paths."""

    unit: ClassVar[str] = "refinement"
    paper: ClassVar[str] = "Jhala, McMillan 2007"

    relation: str = option(
        "preconditions",
        "whole: one relation for all firings; paths: one for each transition;"
        " preconditions: the same, written with weakest preconditions",
        (relation.value for relation in Relations),
    )
    image: str = option(
        "approximate",
        "approximate: by the relations; hybrid: and by Cartesian abstraction",
        (image.value for image in Image),
    )
    refinement: str = option(
        "lemmas",
        "what is learnt of a path: lemmas, interpolants of a lazy refutation; proofs,"
        " those of the interpolating prover; strengthened, the same from transformed proofs;"
        " das_dill, what its states violate",
        (method.value for method in Method),
    )
    predicates: str = option("", "file of predicates to start from, one formula a line")
    states: int = option(2_000, "most cubes that a proof may consist of")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore and refine until a path is genuine, or none is left."""
        precondition = Relations(self.relation) is Relations.PRECONDITIONS
        with AbstractProgram(problem, precondition, budget) as program:
            if self.predicates:
                program.track(read_predicates(problem.net, self.predicates))
            return self._loop(self._learner(program, budget))

    def _learner(self, program: AbstractProgram, budget: Budget) -> Learner:
        problem = program.problem
        operations: Sequence[Operation] = (AnyFiring(),)
        if Relations(self.relation) is not Relations.WHOLE:
            operations = [Firing(number) for number in range(len(problem.net.transitions))]
        cartesian = program.cartesian if Image(self.image) is Image.HYBRID else None
        return Learner(
            program,
            Approximation(operations, Entry(problem.target), cartesian, budget),
            target_test(problem, budget),
            Method(self.refinement),
            *self.advice(),
            budget,
        )

    def _loop(self, learner: Learner) -> Answer:
        program, approximation, budget = learner.program, learner.approximation, learner.budget
        statistics, refinements = measure("transition_approximation"), 0
        with noting_refinements(lambda: refinements):
            while isinstance(explored := approximation.explore(program.initial), Counterexample):
                refinements += 1
                budget.report(
                    f"refinement {refinements}: path of {len(explored.operations) - 1},"
                    f" {len(program.predicates)} predicates, {approximation.clauses} clauses"
                )
                match learner.learn(explored):
                    case Genuine(trace):
                        return Reachable(trace, statistics(refinements))
                    case None:
                        return no_progress(statistics(refinements))
        cost = statistics(refinements, len(explored))
        if len(explored) > self.states:
            return too_many_cubes(len(explored), cost)
        return Unreachable(certificate(program, explored, learner.test), cost)
