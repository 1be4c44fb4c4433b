"""Several engines, one question: the cheap proofs first, then all in a race.

First each of the `sweep` engines gets a short slice in this process, so that a small question is
answered without starting another process. Then the problem is reduced, and the `members` that
have not given up race in processes of their own, `jobs` at a time and taking turns. Their evidence
is lifted to the input net. The first answer whose evidence passes the audit wins, and the other
processes are killed. An answer whose audit fails or does not end does not count, and an engine that
fails ends alone; if no other engine decides, the reason names it.

Facts that an engine of the sweep has learnt when it gives up (`Unknown.learnt`) are passed to the
`Informed` engines after it.

The sweep leaves the problem as it is: reductions can hide a trap or a place invariant that proves
it at once.

Several targets of one net are decided together (`_several`). In a large net a single step could
take longer than every limit, so no engine runs in this process, and one target is decided as
several are.

Which engine wins may depend on the machine's load; a single engine behaves the same in each run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import (
    Check,
    Checked,
    IsOpen,
    Selective,
    all_open,
    isolated,
    patient,
    racing,
)
from petricheck.engines.race.agenda import Agenda
from petricheck.engines.race.attempts import (
    Attempt,
    Record,
    audited,
    read_attempt,
    solve,
    sweep,
)
from petricheck.engines.race.several import Several, is_large, shares
from petricheck.engines.reductions import REDUCTIONS, reduce
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.explicit.kernel.compiled import prepare
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event, Turn, unwatched
from petricheck.support.errors import BudgetExhausted, Ending, QueryError, Refused
from petricheck.support.plugins import option
from petricheck.support.processes.child import Failed, Finished, Task
from petricheck.support.processes.lanes import Lanes
from petricheck.support.processes.parallel import run_parallel

ALL = "*"
"""Stands for all engines that declare a rank."""

SLICES = 16
"""An engine with a patience takes part in races of at least so many times its patience."""


@dataclass(frozen=True)
class Portfolio:
    """Cheap proofs first, then all engines in a race; the first audited answer wins."""

    sweep: tuple[str, ...] = option(
        ("state_equation:unmarked=false:0.5", "directed_search:0.05", "cegar:0.5"),
        "engines to try first, in this process, each with its seconds",
    )
    first: tuple[str, ...] = option(
        ("state_equation:unmarked=false:0.05", "random_walk:0.3"),
        "engines that first try several targets of a net, on the net as it is, with their seconds",
    )
    together: tuple[str, ...] = option(
        (
            "state_equation:unmarked=false:1",
            "random_walk:1",
            "best_first:0.6",
            "explicit:0.6",
            "bmc:0.3",
        ),
        "engines that look for several targets of a net at once, with the seconds of their first "
        "turns, each of which is twice as long as the one before",
    )
    alone: tuple[str, ...] = option(
        ("state_equation:0.25", "best_first:0.25", "directed_search:0.25", "cegar:0.25", "*:0.05"),
        "engines that try each of several targets alone, with the CPU seconds of their first "
        "attempts, each of which is twice as long as the one before; * for all",
    )
    members: tuple[str, ...] = option(
        (ALL,), "engines that race, in the order of their first turn; * for all"
    )
    jobs: int = option(2, "how many engines run at a time")
    turn: float = option(3.0, "seconds until a waiting engine goes on")

    reductions: bool = option(True, "race on a smaller problem, and lift its evidence")

    def __post_init__(self) -> None:
        """Refuse names of engines that do not exist, before any engine runs.

        Raises:
            QueryError: there is no such engine, or an entry of the sweep has no number of seconds.
        """
        several = (read_attempt(entry) for entry in (*self.first, *self.together, *self.alone))
        attempts = (*self._attempts, *several)
        for name in (*(attempt.engine for attempt in attempts), *self.members):
            if name != ALL:
                plugins.require("engines", name)

    def decide_all(
        self,
        problems: Sequence[Problem],
        check: Check[Checked],
        budget: Budget,
        is_open: IsOpen = all_open,
    ) -> Iterator[tuple[int, Checked]]:
        """Try all problems for short times first, then race in growing turns.

        Problems with the same target are decided together.
        """
        numbers: dict[Formula, list[int]] = {}
        for number, problem in enumerate(problems):
            numbers.setdefault(problem.target, []).append(number)
        groups = [*numbers.values()]

        def check_group(group: int, answer: Reachable | Unreachable, limits: Budget) -> Any:
            return [(number, check(number, answer, limits)) for number in groups[group]]

        agenda = Agenda(
            [problems[first] for first, *_ in groups], check_group, budget.shared().memory_left
        )
        for _, results in self._several.results(
            agenda, budget, lambda group: any(map(is_open, groups[group]))
        ):
            yield from results

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Sweep, then race; where none decides, return how each engine ended.

        Raises:
            InternalError: nothing decides, and all engines failed, or evidence failed the audit.
        """
        record = Record(budget)
        limits = replace(budget, watch=record.watch)
        try:
            budget.check()  # Otherwise, after a limit, every further question begins a sweep.
            answer = self._decide(problem, limits, record)
        except BudgetExhausted as error:
            return record.unknown(self._names, str(error), error.ending)
        return answer or record.unknown(self._names, "no engine decides it", record.ending)

    @property
    def _names(self) -> tuple[str, ...]:
        """The names of all engines, those of the sweep first."""
        swept = (attempt.engine for attempt in self._attempts)
        return tuple(dict.fromkeys((*swept, *self._racers)))

    @property
    def _attempts(self) -> tuple[Attempt, ...]:
        """The engines of the sweep, with their seconds."""
        return tuple(read_attempt(entry, inf) for entry in self.sweep)

    @property
    def _several(self) -> Several:
        """The part that decides several targets."""
        first, together = (tuple(map(read_attempt, e)) for e in (self.first, self.together))
        if alone := [attempt.engine for attempt in first if not shares(attempt.engine)]:
            raise QueryError(f"{alone[0]} looks for one target at a time, so it cannot be first")
        own: dict[str, Attempt] = {}
        for attempt in map(read_attempt, self.alone):
            names = self._names if attempt.engine == ALL else (attempt.engine,)
            own |= {n: replace(attempt, engine=n) for n in names if n not in own}
        return Several(first, together, tuple(own.values()), self.jobs, self.reductions)

    @property
    def _racers(self) -> tuple[str, ...]:
        """The engines of the race, by first turn."""
        named = (n for entry in self.members for n in (racing() if entry == ALL else (entry,)))
        return tuple(dict.fromkeys(named))

    def _decide(self, problem: Problem, budget: Budget, record: Record) -> Answer | None:
        if self.sweep and is_large(problem.net):
            for _, answer in self.decide_all(
                [problem], lambda _, answer, limits: audited(problem, answer, limits), budget
            ):
                return answer
            budget.check()
            return None
        accept = partial(audited, problem, budget=budget)
        swept_answer = sweep(problem, self._attempts, budget, record, accept)
        return swept_answer or self._race_reduced(problem, budget, record)

    def _race_reduced(self, problem: Problem, budget: Budget, record: Record) -> Answer | None:
        """Race on a smaller problem; on the problem itself where the evidence cannot be lifted."""
        if self.reductions:
            reason = _NOT_LIFTED
            with isolated(REDUCTIONS, record.watch):
                reduced = reduce(problem, budget)
                answer = reduced.decided() or self._race(reduced.problem, budget, record)
                if answer is None:
                    return None
                if (lifted := reduced.lift(answer)) is not None:
                    try:
                        return audited(problem, lifted, budget)
                    except Refused as refusal:
                        reason = str(refusal)
            budget.report(f"once more, without reductions: {reason}")
        return self._race(problem, budget, record)

    def _race(self, problem: Problem, budget: Budget, record: Record) -> Answer | None:
        facts, names = record.facts, self._racers
        self._leave_out_the_unfit(problem, record)
        if ALL in self.members:
            able = (name for name, least in patient() if budget.remaining >= SLICES * least)
            names += tuple(name for name in able if name not in names)
        limits = budget.shared()
        tasks = [
            Task(name, partial(_member, name, problem, replace(limits, watch=unwatched), facts))
            for name in names
            if name not in record.reasons
        ]
        prepare()
        outcomes = run_parallel(tasks, jobs=Lanes(self.jobs), turn=self.turn, budget=budget)
        with closing(outcomes):
            for outcome in outcomes:
                match outcome:
                    case Finished(name, Unknown(reason, hint, ending=ending)):
                        record.gave_up(name, reason, ending, hint)
                    case Failed(name, reason, fault=True):
                        record.watch(Event(reason, name, Turn.FAILED))
                    case Failed(name, reason, ending):
                        record.gave_up(name, reason, ending)
                    case Finished(name, answer):
                        with isolated(name, record.watch):
                            try:
                                return audited(problem, answer, budget)
                            except Refused as refusal:
                                record.refuse(name, refusal)
        return None

    def _leave_out_the_unfit(self, problem: Problem, record: Record) -> None:
        for name in self._racers:
            with isolated(name, record.watch):
                engine = plugins.build("engines", name)
                reason = engine.unfit(problem) if isinstance(engine, Selective) else ""
                if reason and name not in record.reasons:
                    record.gave_up(name, reason, Ending.NOT_APPLICABLE)


_NOT_LIFTED = "the evidence about the smaller net cannot be lifted to the input net"


def _member(
    name: str,
    problem: Problem,
    budget: Budget,
    facts: Sequence[Formula],
    watch: Callable[[Event], None],
) -> Answer:
    return solve(name, problem, replace(budget, watch=watch), facts)
