"""What is learnt from a path of the approximation: interpolants where the abstract program does not
have the path, a trace or more predicates where it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from petricheck.abstraction.bounds import floors
from petricheck.abstraction.domain import Predicate
from petricheck.abstraction.graph import AbstractPath
from petricheck.abstraction.refine import Genuine, Spurious, refine, refined
from petricheck.abstraction.targets import Met, TargetTest
from petricheck.budget import Budget
from petricheck.evidence.invariant import Separator
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.laboratory.approximation.das_dill import analyse
from petricheck.laboratory.approximation.exploration import Approximation, Counterexample
from petricheck.laboratory.approximation.operations import Entry, Firing, Operation, fired
from petricheck.laboratory.approximation.program import AbstractProgram
from petricheck.laboratory.approximation.prover import prove
from petricheck.laboratory.approximation.refutation import Feasible, Finding, Refuted, refute
from petricheck.presburger.cubes import cube_of, listed_cubes
from petricheck.presburger.formulas import Conjunction, Formula
from petricheck.presburger.solver import Model


class Method(Enum):
    """What the approximation learns from."""

    LEMMAS = "lemmas"
    PROOFS = "proofs"
    STRENGTHENED = "strengthened"
    DAS_DILL = "das_dill"


@dataclass(frozen=True, slots=True)
class Learner:
    """Learns from one counterexample after the other.

    Attributes:
        program: the abstract program, whose predicates become more.
        approximation: what its operations are known to imply.
        test: is told why the target contradicts predicates, for the proof.
        method: how counterexamples are analysed.
        heuristics: advise the guide.
        guide: chooses predicates.
        budget: limits.
    """

    program: AbstractProgram
    approximation: Approximation
    test: TargetTest
    method: Method
    heuristics: Sequence[Heuristic]
    guide: Guide
    budget: Budget

    def learn(self, found: Counterexample) -> Refuted | Spurious | Genuine | None:
        """Make the approximation or the abstract program exclude the path, or find a trace.

        Returns:
            What the operations have learnt, which predicates are new, a trace; or None where no
            predicates are found that exclude the path.

        Raises:
            BudgetExhausted: a limit is reached, or a solver gave up.
        """
        match self._analysed(found):
            case Refuted(interpolants) as refuted:
                self.approximation.strengthen(found.operations, interpolants)
                return refuted
            case Feasible(models):
                path = self._path(found.operations, models)
                problem = self.program.problem
                proposals = refine(problem, path, self.heuristics, self.guide, self.budget)
                return refined(self, path, proposals)

    def refine(self, predicates: Iterable[Predicate], separators: Iterable[Separator]) -> None:
        """Track more predicates, and remember what is known of their bounds over target cubes."""
        self.program.track(predicates)
        self.test.learn(separators)

    def excludes(self, path: AbstractPath) -> bool:
        """Whether the abstract program does not have the path, or its end misses the cube.

        Raises:
            BudgetExhausted: a limit is reached, or a solver gave up.
        """
        firings = (Firing(number) for number in path.transitions)
        operations: Sequence[Operation] = (*firings, Entry(Conjunction(path.met.cube)))
        return isinstance(refute(self.program, operations, self.budget), Refuted)

    def _analysed(self, found: Counterexample) -> Finding:
        match self.method:
            case Method.LEMMAS:
                return refute(self.program, found.operations, self.budget)
            case Method.PROOFS | Method.STRENGTHENED:
                strengthen = self.method is Method.STRENGTHENED
                return prove(self.program, found.operations, strengthen, self.budget)
            case Method.DAS_DILL:
                return analyse(self.program, found.operations, found.states)

    def _path(self, operations: Sequence[Operation], models: Sequence[Model]) -> AbstractPath:
        """The transitions that fire in the models, and the cube that the last of them is in."""
        problem = self.program.problem
        steps = zip(operations[:-1], models[:-1], strict=True)
        firings = tuple(fired(problem.net, operation, model) for operation, model in steps)
        return AbstractPath(firings, _met(problem.target, models[-1]))


def _met(target: Formula, values: Mapping[str, int]) -> Met:
    """The cube that the values lie in, as `abstraction.targets` knows it."""
    cube, listed = cube_of(target, values), listed_cubes(target)
    if listed is None:
        return Met(cube, None)
    return Met((*cube, *floors(cube)), listed.index(cube))
