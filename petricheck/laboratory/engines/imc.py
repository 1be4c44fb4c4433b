"""Interpolation-based model checking.

McMillan: Interpolation and SAT-based model checking (CAV 2003), as Beyer, Lee and Wendler (2022)
adopt it to programs, sections 3.1 and 4. Runs of a given number of blocks are searched first. Where
none leads from the initial marking into the target, images over-approximated by interpolants are
added up to a fixed point. An alarm, a run into the target from one of the images, makes the runs
longer. The paper's large blocks are one transition any number of times; place invariants strengthen
the step relation.

Deviations: the target may hold after any block of the suffix (`images.partition` gives the reason).
Interpolants come from linear programs for pairs of cubes (`cubes.boolean`), or, by an option, from
the proofs of the interpolating prover, as in the paper.

Limits: the fixed point need not be reached. Runs of many blocks are a long formula for the solver,
and a target that only long runs refute (of an exponential net, say) needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from petricheck.arithmetic.formulas.formulas import Formula, evaluate, negate
from petricheck.engines.abstraction.restating import with_hints
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable, joined, measure
from petricheck.laboratory.images.fixed_point import (
    Alarm,
    Derivation,
    ImageInvariant,
    fixed_point,
    from_cubes,
    from_proofs,
)
from petricheck.laboratory.images.partition import BlockPartition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import noting
from petricheck.support.plugins import option
from petricheck.support.words import counted
from petricheck.symbolic.encoding.blocks import BLOCKS, BlockKind, StepRelation
from petricheck.symbolic.encoding.stamps import at_start
from petricheck.symbolic.encoding.unrolling import Unrolling
from petricheck.symbolic.facts.basis import place_invariants

_LARGEST = 200_000
"""Limit of places times transitions, the size of a block with cubes for each transition."""

_TOO_LARGE = "the net is too large for blocks of one transition"
_MULTISET = "blocks of many transitions are shorter to write: -o block=multiset"


@dataclass(frozen=True)
class Imc:
    """Add up images that interpolants over-approximate until the next adds no marking."""

    unit = "interpolant"
    patience = 8.0
    paper = "McMillan 2003; Beyer, Lee, Wendler 2022"

    block: str = option(
        "accelerated", "what fires between two times: single, accelerated or multiset", BLOCKS
    )
    runs: str = option(
        "multiset",
        "blocks of runs that are searched for traces: multiset, or block, as above",
        ("multiset", "block"),
    )
    interpolants: str = option(
        "cubes", "from linear programs on cubes, or from the prover", ("cubes", "prover")
    )
    derivation: str = option(
        "backward", "of the interpolants: backward or forward", ("backward", "forward")
    )
    lemmas: str = option(
        "place_invariants",
        "what strengthens the steps: place_invariants or none",
        ("place_invariants", "none"),
    )

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Search runs, longer and longer, and after each length a fixed point."""
        statistics, interpolants = measure("imc"), 0
        net, block = problem.net, BlockKind(self.block)
        if evaluate(problem.target, net.values(net.initial)):
            return Reachable(joined((), net.actions), statistics(interpolants))
        if block is not BlockKind.MULTISET and len(net.places) * len(net.transitions) > _LARGEST:
            return Unknown(_TOO_LARGE, _MULTISET, statistics(interpolants))
        lemmas = () if self.lemmas == "none" else place_invariants(net)
        partition = BlockPartition(problem, block, lemmas)
        derive, length = self._derivation(partition, budget), 0
        runs = Unrolling(StepRelation(net, BlockKind.MULTISET), at_start(net), budget)
        with runs, noting(lambda: f"in runs of length {length}"):
            for length in count(1):
                budget.report(f"runs of {length}, {counted(interpolants, 'interpolant')}")
                if self.runs == "multiset" and (steps := _extend(runs, problem.target)) is not None:
                    return Reachable(joined(steps, net.actions), statistics(interpolants))
                outcome = fixed_point(partition, length, derive, budget)
                interpolants += outcome.images
                match outcome:
                    case ImageInvariant(formula):
                        proof = with_hints(problem, formula, budget)
                        return Unreachable(proof, statistics(interpolants))
                    case Alarm(model, 0):
                        steps = partition.firings(model, length)
                        return Reachable(joined(steps, net.actions), statistics(interpolants))
        raise AssertionError("lengths do not end")

    def _derivation(self, partition: BlockPartition, budget: Budget) -> Derivation:
        """Return the derivation of the options.

        Backward is section 4.5: the negation of an interpolant of the suffix and the prefix.
        """
        proofs = self.interpolants == "prover"
        derive = from_proofs(budget) if proofs else from_cubes(partition, budget)
        if self.derivation == "forward":
            return derive
        return lambda prefix, suffix: negate(derive(suffix, prefix))


def _extend(runs: Unrolling, target: Formula) -> Sequence[tuple[int, int]] | None:
    """Make the runs longer by a block; return the firings of one into the target, or None."""
    runs.extend()
    model = runs.ending(target)
    return None if model is None else runs.firings(model)
