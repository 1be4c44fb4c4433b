"""What becomes of a path that the approximation allows: it is refuted, or asks for predicates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from petricheck.abstraction.domain import Predicate
from petricheck.abstraction.graph import AbstractPath
from petricheck.abstraction.refine import Genuine, Spurious, refine, refined
from petricheck.abstraction.targets import Met
from petricheck.answer import Separator
from petricheck.approximation.das_dill import analyse
from petricheck.approximation.exploration import Counterexample
from petricheck.approximation.operations import Entry, Firing, Operation, fired
from petricheck.approximation.program import AbstractProgram
from petricheck.approximation.refutation import Feasible, Finding, refute
from petricheck.budget import Budget
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.presburger.cubes import cube_of
from petricheck.presburger.formulas import Conjunction


class Method(Enum):
    """How the approximation learns from a counterexample."""

    INTERPOLANTS = "interpolants"
    DAS_DILL = "das_dill"


def analysed(
    program: AbstractProgram, found: Counterexample, method: Method, budget: Budget
) -> Finding:
    """Whether the abstract program has the path, or the counterexample; if not, why.

    Raises:
        BudgetExhausted: a limit is reached, or a solver gave up.
    """
    match method:
        case Method.INTERPOLANTS:
            return refute(program, found.operations, budget)
        case Method.DAS_DILL:
            return analyse(program, found.operations, found.states)


@dataclass(frozen=True, slots=True)
class Predicates:
    """The predicates of an abstract program, as `abstraction.refine` makes them more precise."""

    program: AbstractProgram
    budget: Budget

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator]) -> None:
        """Track more predicates; separators are of no use to a solver."""
        self.program.track(predicates)

    def excludes(self, path: AbstractPath) -> bool:
        """Whether the abstract program does not have the path, or its end misses the cube.

        Raises:
            BudgetExhausted: a limit is reached, or a solver gave up.
        """
        firings = (Firing(number) for number in path.transitions)
        operations: Sequence[Operation] = (*firings, Entry(Conjunction(path.met.cube)))
        return not isinstance(refute(self.program, operations, self.budget), Feasible)


def more_precise(
    program: AbstractProgram,
    operations: Sequence[Operation],
    found: Feasible,
    heuristics: Sequence[Heuristic],
    guide: Guide,
    budget: Budget,
) -> Genuine | Spurious | None:
    """A trace, or what is tracked now so that the path is excluded; None where nothing does.

    Raises:
        BudgetExhausted: a limit is reached, or a solver gave up.
    """
    problem = program.problem
    steps = zip(operations[:-1], found.models[:-1], strict=True)
    firings = tuple(fired(problem.net, operation, model) for operation, model in steps)
    values = problem.net.values((0,) * len(problem.net.places)) | found.models[-1]
    path = AbstractPath(firings, Met(cube_of(problem.target, values), None))
    proposals = refine(problem, path, heuristics, guide, budget)
    return refined(Predicates(program, budget), path, proposals)
