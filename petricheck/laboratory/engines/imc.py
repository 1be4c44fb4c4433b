"""Interpolation-based model checking.

McMillan: Interpolation and SAT-based model checking (CAV 2003), as Beyer, Lee and Wendler (2022)
adopt it to programs, sections 3.1 and 4. Where no run of so many blocks leads from the initial
marking into the target, images over-approximated by interpolants are added up to a fixed point; an
alarm from one of the images makes the runs longer. The paper's large blocks are one transition any
number of times; place invariants strengthen the step relation.

Deviations: the suffix meets the target after any of its blocks (`images.partition` says why), and
interpolants come from linear programs for pairs of cubes (`cubes.boolean`), guided by the
heuristics of `cegar`, in place of a solver's proof.

Limits: the fixed point need not be reached. Runs of many blocks are a long formula for the solver,
and a target that only long runs refute (of an exponential net, say) needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import ClassVar

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unknown, Unreachable, joined, measure
from petricheck.budget import Budget
from petricheck.encoding.blocks import BLOCKS, Block, StepRelation
from petricheck.encoding.stamps import at_start
from petricheck.encoding.unrolling import Unrolling
from petricheck.errors import noting
from petricheck.evidence.invariant import Certificate
from petricheck.facts.basis import place_invariants
from petricheck.laboratory.cubes.boolean import Interpolation
from petricheck.laboratory.images.fixed_point import Alarm, Derivation, Invariant, fixed_point
from petricheck.laboratory.images.guidance import Guidance
from petricheck.laboratory.images.partition import Partition
from petricheck.plugins import option
from petricheck.presburger.formulas import Formula, evaluate, negate
from petricheck.problem import Net, Problem

_LARGEST = 200_000
"""Places times transitions, which is the size of a block with cubes for each transition."""

_TOO_LARGE = "the net is too large for blocks of one transition"
_MULTISET = "blocks of many transitions are shorter to write: -o block=multiset"


@dataclass(frozen=True)
class Imc:
    """Add up images that interpolants over-approximate until nothing new is in them."""

    unit: ClassVar[str] = "interpolant"
    paper: ClassVar[str] = "McMillan 2003; Beyer, Lee, Wendler 2022"

    block: str = option(
        "accelerated", "what fires between two times: single, accelerated or multiset", BLOCKS
    )
    runs: str = option(
        "multiset",
        "what traces are looked for with: multiset, or block for the block above",
        ("multiset", "block"),
    )
    derivation: str = option(
        "backward", "of the interpolants: backward or forward", ("backward", "forward")
    )
    heuristics: tuple[str, ...] = option(
        ("place_invariants",),
        "what guides the interpolants, separated by commas",
        family="heuristics",
    )
    lemmas: str = option(
        "place_invariants",
        "what strengthens the steps: place_invariants or none",
        ("place_invariants", "none"),
    )

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Look for runs, longer and longer, and after each length for a fixed point."""
        statistics, interpolants = measure("imc"), 0
        net = problem.net
        if evaluate(problem.target, net.values(net.initial)):
            return Reachable(joined((), net.actions), statistics(interpolants))
        block = Block(self.block)
        if block is not Block.MULTISET and len(net.places) * len(net.transitions) > _LARGEST:
            return Unknown(_TOO_LARGE, _MULTISET, statistics(interpolants))
        partition = Partition(problem, block, self._lemmas(net))
        length = 0
        runs = Unrolling(StepRelation(net, Block.MULTISET), at_start(net), budget)
        with runs, noting(lambda: f"in runs of length {length}"):
            for length in count(1):
                budget.report(f"runs of {length}, {interpolants} interpolants")
                if self.runs == "multiset" and (trace := _next(runs, problem.target)) is not None:
                    return Reachable(joined(trace, net.actions), statistics(interpolants))
                derive = self._derivation(partition, length, budget)
                found = fixed_point(partition, length, derive, budget)
                interpolants += found.images
                match found:
                    case Invariant(formula):
                        return Unreachable(Certificate(formula), statistics(interpolants))
                    case Alarm(model, 0):
                        steps = partition.firings(model, 0, length)
                        return Reachable(joined(steps, net.actions), statistics(interpolants))
        raise AssertionError("lengths do not end")

    def _lemmas(self, net: Net) -> tuple[Formula, ...]:
        return () if self.lemmas == "none" else place_invariants(net)

    def _derivation(self, partition: Partition, length: int, budget: Budget) -> Derivation:
        """Backward is section 4.5: the negation of an interpolant of the suffix and the prefix."""
        heuristics = [plugins.build("heuristics", name) for name in self.heuristics]
        guidance = Guidance(partition, length, heuristics)
        if self.derivation == "forward":
            return Interpolation(partition.shared, guidance.forward, budget).interpolant
        backward = Interpolation(partition.shared, guidance.backward, budget)
        return lambda prefix, suffix: negate(backward.interpolant(suffix, prefix))


def _next(runs: Unrolling, target: Formula) -> Sequence[tuple[int, int]] | None:
    """Make the runs longer by a block; the firings of one into the target, if there is one."""
    runs.extend()
    model = runs.ending(target)
    return None if model is None else runs.firings(model)
