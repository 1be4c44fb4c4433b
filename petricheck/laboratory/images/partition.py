"""Runs into the target, cut after their first block into prefix and suffix.

The prefix relates times 0 and 1: a set of markings, and one block. The suffix relates time 1 and
later times: the target at time 1, or one more block and the target at time 2, and so on. Beyer, Lee
and Wendler (2022) have the target at the last time only. But then `true` may be an interpolant
where the target has no predecessor, and the union of the images excludes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Disjunction,
    Formula,
    evaluate,
    substitute,
    tighten,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import Model
from petricheck.laboratory.paths import accelerated_step, step
from petricheck.model.problem import Problem
from petricheck.symbolic.encoding.blocks import BlockKind, StepRelation
from petricheck.symbolic.encoding.stamps import at, at_start, stamp


@dataclass(frozen=True)
class BlockPartition:
    """A question, cut after its first block.

    Attributes:
        problem: the question.
        block: firings between two times.
        lemmas: inductive formulas over place ids.
    """

    problem: Problem
    block: BlockKind
    lemmas: tuple[Formula, ...] = ()

    @cached_property
    def shared(self) -> tuple[str, ...]:
        """The places at time 1, which prefix and suffix share."""
        return tuple(at(place, 1) for place in self.problem.net.places)

    @cached_property
    def initial(self) -> Formula:
        """The initial marking, over place ids."""
        return at_start(self.problem.net)

    def prefix(self, start: Formula) -> Formula:
        """Return the formula: one block leads from a marking of `start` to that at time 1."""
        return Conjunction((*self._lemmas(0), stamp(start, 0), self._block(0)))

    def suffix(self, length: int) -> Formula:
        """Return the formula: fewer than `length` blocks lead from time 1 into the target."""
        suffix = stamp(self.problem.target, length)
        for k in range(length - 1, 0, -1):
            later = Conjunction((self._block(k), suffix))
            suffix = Disjunction((stamp(self.problem.target, k), later))
        return Conjunction((*self._lemmas(1), suffix))

    def over_places(self, formula: Formula) -> Formula:
        """Return a formula over the shared variables as one over place ids."""
        places = zip(self.shared, self.problem.net.places, strict=True)
        return tighten(substitute(formula, {name: variable(place) for name, place in places}))

    def firings(self, model: Model, length: int) -> tuple[tuple[int, int], ...]:
        """Return (transition number, number of firings) of a run, up to a block into the target."""
        firings: list[tuple[int, int]] = []
        for k in range(length):
            if k and evaluate(stamp(self.problem.target, k), model):
                break
            firings += self._firings_at(model, k)
        return tuple(firings)

    def _lemmas(self, k: int) -> tuple[Formula, ...]:
        return tuple(stamp(lemma, k) for lemma in self.lemmas)

    def _block(self, k: int) -> Formula:
        if self.block is BlockKind.MULTISET:
            return self._multiset.formula(k)
        # The step relation would be a shorter formula for one transition, but over the rationals
        # its counts may be fractions; here each transition has cubes of its own.
        return Disjunction(self._transitions(k))

    def _firings_at(self, model: Model, k: int) -> tuple[tuple[int, int], ...]:
        if self.block is BlockKind.MULTISET:
            return self._multiset.firings(model, k)
        fires = (evaluate(formula, model) for formula in self._transitions(k))
        number = next(n for n, true in enumerate(fires) if true)
        net = self.problem.net
        for place, change in net.transitions[number].effect[:1]:
            gain = model[at(net.places[place], k + 1)] - model[at(net.places[place], k)]
            return ((number, gain // change),)
        return ((number, 1),)

    def _transitions(self, k: int) -> tuple[Formula, ...]:
        net = self.problem.net
        relation = step if self.block is BlockKind.SINGLE else accelerated_step
        return tuple(relation(net, transition, k) for transition in net.transitions)

    @cached_property
    def _multiset(self) -> StepRelation:
        return StepRelation(self.problem.net, BlockKind.MULTISET)
