"""Several engines, one question: the cheap proofs first, then all in a race.

First each of the `sweep` engines gets a short slice in this process, so that a small question is
answered without starting another one. Then the problem is reduced, and the `members` that have not
given up race in processes of their own, `jobs` at a time and taking turns; what they find is lifted
to the net that was asked about. The first answer whose evidence passes the audit wins, and the
others are killed. An answer whose audit fails, or comes to no end, is no answer: its engine is
named in the reason, should no other engine decide.

What an engine of the sweep has learnt when it gives up (`Unknown.learnt`) is told to those after it
that have a use for it (`engines.Informed`).

The sweep leaves the problem as it is: reductions can hide a trap or a place invariant that proves
it at once.

Several targets of one net are decided together (`_several`).

In a large net a single step could outlast every limit, so nothing is tried in this process: one
target is then decided as several are.

Which engine wins may depend on the machine's load; one engine, named, repeats exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.budget import Budget, Event, unwatched
from petricheck.engines import (
    Check,
    Checked,
    IsOpen,
    Refused,
    Selective,
    all_open,
    patient,
    racing,
)
from petricheck.engines._agenda import Agenda
from petricheck.engines._course import (
    Attempt,
    Course,
    read_attempt,
    refused,
    solve,
    sweep,
)
from petricheck.engines._several import Several, is_large, shares
from petricheck.errors import BudgetExhausted, Ending, QueryError
from petricheck.kernel.compiled import prepare
from petricheck.plugins import option
from petricheck.presburger.formulas import Formula
from petricheck.problem import Problem
from petricheck.processes.child import Failed, Finished, Task
from petricheck.processes.lanes import Lanes
from petricheck.processes.parallel import run_parallel
from petricheck.reductions import reduce

ALL = "*"
"""Stands for all engines that declare a rank."""

SLICES = 16
"""In a race of so many times its patience or more an engine that needs it takes part."""


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
        """Refuse what there is not, even where another engine answers first.

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
        """Cheap attempts at all of them first, then a race in growing turns.

        Targets that are the same are decided together.
        """
        numbers: dict[Formula, list[int]] = {}
        for number, problem in enumerate(problems):
            numbers.setdefault(problem.target, []).append(number)
        alike = [*numbers.values()]

        def check_each(which: int, answer: Reachable | Unreachable, limits: Budget) -> Any:
            return [(number, check(number, answer, limits)) for number in alike[which]]

        agenda = Agenda(
            [problems[first] for first, *_ in alike], check_each, budget.shared().memory_left
        )
        for _, results in self._several.results(
            agenda, budget, lambda which: any(map(is_open, alike[which]))
        ):
            yield from results

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Sweep, then race; unknown, with what became of each engine, where none decides."""
        course = Course(budget)
        limits = replace(budget, watch=course.watch)
        try:
            budget.check()  # Of many questions after a limit each would begin with the sweep.
            answer = self._decide(problem, limits, course)
        except BudgetExhausted as error:
            return course.unknown(self._names, str(error), error.ending)
        return answer or course.unknown(self._names, "no engine decides it", course.ending)

    @property
    def _names(self) -> tuple[str, ...]:
        """All engines, those of the sweep first."""
        swept = (attempt.engine for attempt in self._attempts)
        return tuple(dict.fromkeys((*swept, *self._racers)))

    @property
    def _attempts(self) -> tuple[Attempt, ...]:
        """The sweep."""
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

    def _decide(self, problem: Problem, budget: Budget, course: Course) -> Answer | None:
        def accept(
            _: int, answer: Reachable | Unreachable, limits: Budget
        ) -> Reachable | Unreachable:
            if failure := refused(problem, answer, limits):
                raise Refused(failure)
            return answer

        if self.sweep and is_large(problem.net):
            for _, answer in self.decide_all([problem], accept, budget):
                return answer
            budget.check()
            return None
        attempts = self._attempts
        swept = sweep(problem, attempts, budget, course, lambda a: accept(0, a, budget))
        return swept or self._race_reduced(problem, budget, course)

    def _race_reduced(self, problem: Problem, budget: Budget, course: Course) -> Answer | None:
        """Race on a smaller problem; on the problem itself where the evidence cannot be lifted."""
        if self.reductions:
            reduced = reduce(problem, budget)
            answer = reduced.decided() or self._race(reduced.problem, budget, course)
            lifted = None if answer is None else reduced.lift(answer)
            if answer is None:
                return None
            failure = "" if lifted is None else refused(problem, lifted, budget)
            if lifted is not None and not failure:
                return lifted
            budget.report(f"once more, without reductions: {failure or _NOT_LIFTED}")
        return self._race(problem, budget, course)

    def _race(self, problem: Problem, budget: Budget, course: Course) -> Answer | None:
        facts, names = course.facts, self._racers
        self._leave_out_the_unfit(problem, course)
        if ALL in self.members:
            able = (name for name, least in patient() if budget.remaining >= SLICES * least)
            names += tuple(name for name in able if name not in names)
        limits = budget.shared()
        tasks = [
            Task(name, partial(_member, name, problem, replace(limits, watch=unwatched), facts))
            for name in names
            if name not in course.reasons
        ]
        prepare()
        outcomes = run_parallel(tasks, jobs=Lanes(self.jobs), turn=self.turn, budget=budget)
        with closing(outcomes):
            for outcome in outcomes:
                match outcome:
                    case Finished(name, Unknown(reason, hint, ending=ending)):
                        course.gave_up(name, reason, ending, hint)
                    case Failed(name, reason, ending):
                        course.gave_up(name, reason, ending)
                    case Finished(name, answer):
                        failure = refused(problem, answer, budget)
                        if not failure:
                            return answer
                        course.gave_up(name, failure, Ending.FAILED)
        return None

    def _leave_out_the_unfit(self, problem: Problem, course: Course) -> None:
        for name in self._racers:
            engine = plugins.build("engines", name)
            reason = engine.unfit(problem) if isinstance(engine, Selective) else ""
            if reason and name not in course.reasons:
                course.gave_up(name, reason, Ending.NOT_APPLICABLE)


_NOT_LIFTED = "the evidence about the smaller net does not tell of the input net"


def _member(
    name: str,
    problem: Problem,
    budget: Budget,
    facts: Sequence[Formula],
    watch: Callable[[Event], None],
) -> Answer:
    return solve(name, problem, replace(budget, watch=watch), facts)
