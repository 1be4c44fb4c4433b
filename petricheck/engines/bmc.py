"""Bounded model checking: all runs of one block, of two blocks, and so on, in one solver.

Biere, Cimatti, Clarke, Zhu: Symbolic model checking without BDDs (TACAS 1999), for nets: the net is
unrolled into a formula over the markings at the times 0, …, k, and a model of it with the target at
time k is a trace. A block is a multiset of transitions that fires in an order which follows the
tokens (`encoding.blocks`), so that a few blocks are long traces; or, for comparison, one
transition, once or any number of times in a row. Several targets share the unrolling.

Limits: the answer is never "unreachable", and each further block makes z3's queries harder.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.formulas import Formula, disjunction, evaluate
from petricheck.engines import IsOpen, all_open
from petricheck.evidence.answer import Answer, Reachable, Unknown, joined, measure
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import noting
from petricheck.support.plugins import option
from petricheck.support.words import counted
from petricheck.symbolic.encoding.blocks import BLOCKS, BlockKind, StepRelation
from petricheck.symbolic.encoding.stamps import at_start
from petricheck.symbolic.encoding.unrolling import Unrolling
from petricheck.symbolic.facts.inductive import confirm_facts

_ALL_RUNS = "every firing sequence ends within {} blocks, and none meets the target"
_PROVER = "another engine may prove it: the net has finitely many reachable markings"
_LONGER = "no run of at most {} blocks meets the target"
_MORE = "allow more with the option length, or try an engine that proves unreachability"


@dataclass(frozen=True)
class Bmc:
    """Look for runs into the target, of one block of firings, of two, and so on, by z3."""

    unit = "block"
    paper = "Biere, Cimatti, Clarke, Zhu 1999"
    rank = 18

    block: str = option(
        "multiset", "what fires between two markings: single, accelerated or multiset", BLOCKS
    )
    length: int = option(10_000, "most blocks of a run")

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Unroll until a run ends in the target, or z3 gives up, which exhausts the budget."""
        return self.solve_informed(problem, budget, ())

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """Do the same as `solve`, with the inductive facts asserted of every marking."""
        statistics = measure("bmc")
        with self._unrolling(problem, budget) as runs:
            for _, answer in self._answers([problem], runs, budget, facts):
                return answer
            if runs.possible:
                return Unknown(_LONGER.format(runs.length), _MORE, statistics(runs.length))
            return Unknown(_ALL_RUNS.format(runs.length - 1), _PROVER, statistics(runs.length))

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget, is_open: IsOpen = all_open
    ) -> Iterator[tuple[int, Reachable]]:
        """Unroll once for all targets, until each is reached.

        Raises:
            BudgetExhausted: as by `solve`, with some targets open.
        """
        with self._unrolling(problems[0], budget) as runs:
            yield from self._answers(problems, runs, budget, is_open=is_open)

    def _unrolling(self, problem: Problem, budget: Budget) -> Unrolling:
        relation = StepRelation(problem.net, BlockKind(self.block))
        return Unrolling(relation, at_start(problem.net), budget)

    def _answers(
        self,
        problems: Sequence[Problem],
        runs: Unrolling,
        budget: Budget,
        facts: Sequence[Formula] = (),
        is_open: IsOpen = all_open,
    ) -> Iterator[tuple[int, Reachable]]:
        """-"""
        statistics, remaining = measure("bmc"), dict(enumerate(problems))
        for fact in confirm_facts(problems[0].net, facts, (), budget):
            runs.always(fact)
        with noting(lambda: f"after runs of {runs.length} blocks"):
            while True:
                remaining = {n: problem for n, problem in remaining.items() if is_open(n)}
                budget.report(
                    f"runs of {runs.length} blocks, {counted(len(remaining), 'target')} open"
                )
                while remaining:
                    model = runs.ending(disjunction(p.target for p in remaining.values()))
                    if model is None:
                        break
                    trace = joined(runs.firings(model), problems[0].net.actions)
                    values = problems[0].net.values(runs.marking(model, runs.length))
                    for number in [n for n, p in remaining.items() if evaluate(p.target, values)]:
                        del remaining[number]
                        yield number, Reachable(trace, statistics(runs.length))
                if not remaining or not runs.possible or runs.length >= self.length:
                    return
                runs.extend()
