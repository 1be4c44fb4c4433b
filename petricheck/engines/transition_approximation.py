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

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar

from petricheck import plugins
from petricheck.abstraction.journal import read_predicates
from petricheck.abstraction.refine import Genuine
from petricheck.abstraction.targets import target_test
from petricheck.answer import Answer, Reachable, Statistics, Unknown, Unreachable
from petricheck.approximation.certify import certificate
from petricheck.approximation.exploration import Approximation, Counterexample
from petricheck.approximation.learning import Learner, Method
from petricheck.approximation.operations import AnyFiring, Entry, Firing, Operation
from petricheck.approximation.program import AbstractProgram
from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted, Ending, QueryError
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
class TransitionApproximation:
    """Explore states of predicates by relations that learn interpolants of spurious paths."""

    unit: ClassVar[str] = "refinement"
    paper: ClassVar[str] = "Jhala, McMillan 2007"

    relation: str = field(
        default="preconditions",
        metadata={
            "help": "whole: one relation for all firings; paths: one for each transition;"
            " preconditions: the same, written with weakest preconditions"
        },
    )
    image: str = field(
        default="approximate",
        metadata={"help": "approximate: by the relations; hybrid: and by Cartesian abstraction"},
    )
    refinement: str = field(
        default="lemmas",
        metadata={
            "help": "what is learnt of a path: lemmas, interpolants of a lazy refutation; proofs,"
            " those of the interpolating prover; strengthened, the same from transformed proofs;"
            " das_dill, what its states violate"
        },
    )
    heuristics: tuple[str, ...] = field(
        default=("accelerated_actions", "parikh", "place_invariants"),
        metadata={"help": "what guides the predicates, separated by commas"},
    )
    guide: str = field(default="optimal", metadata={"help": "how predicates are chosen"})
    predicates: str = field(
        default="", metadata={"help": "file of predicates to start from, one formula a line"}
    )
    states: int = field(default=2_000, metadata={"help": "most cubes that a proof may consist of"})

    def __post_init__(self) -> None:
        """Refuse what there is not, before any search.

        Raises:
            QueryError: there is no such guide or heuristic, or an option has no such value.
        """
        plugins.require("guides", self.guide)
        for name in self.heuristics:
            plugins.require("heuristics", name)
        for option, values in (("relation", Relations), ("image", Image), ("refinement", Method)):
            known = [value.value for value in values]
            if getattr(self, option) not in known:
                value = getattr(self, option)
                raise QueryError(f"option {option}: {value!r} is none of {', '.join(known)}")

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
            [plugins.build("heuristics", name) for name in self.heuristics],
            plugins.build("guides", self.guide),
            budget,
        )

    def _loop(self, learner: Learner) -> Answer:
        program, approximation, budget = learner.program, learner.approximation, learner.budget
        started, iterations = time.monotonic(), 0

        def statistics(cubes: int = 0) -> Statistics:
            seconds = time.monotonic() - started
            return Statistics("transition_approximation", iterations, cubes, seconds)

        try:
            while isinstance(explored := approximation.explore(program.initial), Counterexample):
                iterations += 1
                budget.report(_told(iterations, explored, learner))
                match learner.learn(explored):
                    case Genuine(trace):
                        return Reachable(trace, statistics())
                    case None:
                        ending = Ending.NO_PROGRESS
                        return Unknown(_NO_PROGRESS, _OTHER, statistics(), ending=ending)
        except BudgetExhausted as error:
            error.add_note(f"after {iterations} refinement{'' if iterations == 1 else 's'}")
            raise
        counts = statistics(len(explored))
        if len(explored) > self.states:
            return Unknown(_TOO_LARGE.format(len(explored)), _MORE, counts)
        return Unreachable(certificate(program, explored, learner.test), counts)


def _told(iterations: int, found: Counterexample, learner: Learner) -> str:
    return (
        f"refinement {iterations}: path of {len(found.operations) - 1},"
        f" {len(learner.program.predicates)} predicates, {learner.approximation.clauses} clauses"
    )


_NO_PROGRESS = "no progress: no refinement excludes the abstract path"
_OTHER = "another guide or other heuristics may find a better separator"
_TOO_LARGE = "certificate too large: the proof consists of {} cubes"
_MORE = "allow more with the option states"
