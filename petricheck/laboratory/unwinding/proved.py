"""Interpolants from the proofs of the interpolating prover: the paper's Refine and ForceCover.

With acceleration each transition of an error path stands for any positive number of its firings.
Its interpolants are interpolants of single firings, too, and each of its models is a trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.cubes import cube_of
from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, Negation
from petricheck.engines.abstraction.refine import Genuine
from petricheck.engines.abstraction.targets import Goal
from petricheck.evidence.answer import joined
from petricheck.laboratory.prover import Interpolated, Satisfiable, interpolate_sequence
from petricheck.laboratory.unwinding.assignments import Path, path_of, repetitions
from petricheck.laboratory.unwinding.covering import Entailment
from petricheck.laboratory.unwinding.guided import entail
from petricheck.laboratory.unwinding.labels import Interpolants, label_of
from petricheck.laboratory.unwinding.languages import Languages
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.symbolic.encoding.stamps import at_start


@dataclass(frozen=True, slots=True)
class ByProver:
    """Interpolants of paths by the prover.

    Attributes:
        problem: the question.
        accelerating: whether transitions of error paths stand for any number of firings.
        entailment: decides what labels imply, with a solver.
        languages: those that interpolants are restricted to, or None.
        sliced: whether error paths are sliced; those of languages never are.
    """

    problem: Problem
    accelerating: bool
    entailment: Entailment
    languages: Languages | None
    sliced: bool

    def meets(self, tree: Unwinding, vertex: int, budget: Budget) -> Goal | None:
        """Return a cube that the vertex may meet, or None; see `unwind.Interpolation`."""
        model = self.entailment.model((*tree.conjuncts(vertex), self.problem.target), budget)
        if model is None:
            return None
        values = {place: model.get(place, 0) for place in tree.net.places}
        return Goal(cube_of(self.problem.target, values), None)

    def refine(
        self, tree: Unwinding, vertex: int, goal: Goal, budget: Budget
    ) -> Genuine | Interpolants | None:
        """Return a trace, interpolants, or None; see `unwind.Interpolation`."""
        path = tree.path(vertex)
        actions = tree.actions(path)
        net, cube = tree.net, Conjunction(goal.cube)
        sliced = self.sliced and self.languages is None
        error = path_of(net, at_start(net), actions, cube, self.accelerating, sliced)
        match interpolate_sequence(error.parts, budget=budget):
            case Satisfiable(model):
                times = (int(model.get(repetitions(k), 1)) for k in range(len(actions)))
                return Genuine(joined(zip(actions, times, strict=True), net.actions))
            case Interpolated(interpolants):
                if self.languages is not None:
                    paths = (error, path_of(net, at_start(net), actions, cube))
                    error, interpolants = self.languages.interpolate(net, paths, budget)
                return self._missing(tree, path, error, interpolants, budget)
        budget.check()
        return None

    def carry(
        self, tree: Unwinding, vertex: int, other: int, budget: Budget
    ) -> Interpolants | None:
        """Return the interpolants Γ of Fig. 6; with languages, some made of predicates."""
        if self.languages is not None:
            return entail(tree, vertex, other)
        path = tree.between(vertex, other)
        complement = Negation(Conjunction(tree.conjuncts(other)))
        start = Conjunction(tree.conjuncts(path[0]))
        gamma = path_of(tree.net, start, tree.actions(path), complement)
        answer = interpolate_sequence(gamma.parts, budget=budget)
        if isinstance(answer, Interpolated):
            return self._missing(tree, path, gamma, answer.interpolants, budget)
        budget.check()
        return None

    def _missing(
        self,
        tree: Unwinding,
        vertices: Sequence[int],
        path: Path,
        interpolants: Iterable[Formula],
        budget: Budget,
    ) -> Interpolants:
        """Return the interpolants that the labels do not imply yet, by vertex."""
        pairs = []
        for cut, (vertex, interpolant) in enumerate(zip(vertices, interpolants, strict=True)):
            label = label_of(tree.net, path.unstamped(interpolant, cut))
            conjuncts = label.conjuncts(tree.net)
            if not self.entailment.implied(tree.conjunct_set(vertex), conjuncts, budget):
                pairs.append((vertex, label))
        return tuple(pairs)
