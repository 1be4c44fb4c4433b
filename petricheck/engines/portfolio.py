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

Several targets of one net share a reduction for all that they name, before each is decided on what
that leaves (`prepare`).

In a large net a single step could outlast every limit, so nothing is tried in this process: the
engines of the sweep race, too, and start first.

Which engine wins may depend on the machine's load; one engine, named, repeats exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.budget import Budget, Event, Turn, unwatched
from petricheck.engines import Engine, Informed, Selective, racing
from petricheck.engines._common_net import OnCommonNet
from petricheck.engines._course import Attempt, Course, read_attempt, refused
from petricheck.engines._together import decide_together, shares
from petricheck.errors import BudgetExhausted, Ending
from petricheck.plugins import option
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net, Problem
from petricheck.processes.child import Failed, Finished, Task
from petricheck.processes.parallel import run_parallel
from petricheck.reductions import reduce, reduce_for_all

ALL = "*"
"""Stands for all engines that declare a rank."""

LARGE = 5_000
"""Places and transitions of a net for which nothing is tried in this process."""

SHARED_GAIN = 20
"""Targets share a reduction that removes at least this part of the net."""


@dataclass(frozen=True)
class Portfolio:
    """Cheap proofs first, then all engines in a race; the first audited answer wins."""

    sweep: tuple[str, ...] = option(
        ("state_equation:0.5", "directed_search:0.05", "cegar:0.5"),
        "engines to try first, in this process, each with its seconds",
    )
    together: tuple[str, ...] = option(
        (
            "state_equation:3",
            "random_walk:1",
            "best_first:3",
            "state_equation:20",
            "bmc:2",
            "explicit:20",
            "best_first:20",
            "random_walk:20",
        ),
        "engines that first look for several targets of a net at once",
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
        named = (attempt.engine for attempt in (*self._attempts, *self._shared))
        for name in (*named, *self.members):
            if name != ALL:
                plugins.require("engines", name)

    def prepare(self, net: Net, targets: Sequence[Formula], budget: Budget) -> Engine:
        """The portfolio on a net that is reduced for all these targets; itself where that is idle.

        What was asked of several at once need not be asked of each again.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        each = self._racing() if self.together else self
        if not self.reductions:
            return each
        shared = reduce_for_all(net, targets, budget)
        removed = sum(count for _, count in shared.applied)
        if removed * SHARED_GAIN < _size(net):
            return each
        if _size(net) <= LARGE:
            return OnCommonNet(each, shared)
        # What is left of it may still be too large for slices.
        for name in self._names:
            plugins.member("engines", name)  # Loaded once, instead of anew in every race.
        return OnCommonNet(self._racing(), shared)

    def solve_together(
        self, problems: Sequence[Problem], budget: Budget
    ) -> Iterator[tuple[int, Reachable | Unreachable]]:
        """What the engines find that look for several targets at once.

        In a large net only those that share their search: their steps are short.
        """
        large = bool(problems) and _size(problems[0].net) > LARGE
        attempts = [a for a in self._shared if not large or shares(a.engine)]
        return decide_together(attempts, problems, budget)

    def with_one_job(self) -> Portfolio:
        """The same, with one engine at a time; each begins when it would have begun."""
        return replace(self, jobs=1, turn=self.turn / max(1, self.jobs))

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Sweep, then race; unknown, with what became of each engine, where none decides."""
        if self.sweep and _size(problem.net) > LARGE:
            return self._racing().solve(problem, budget)
        course = Course(budget)
        limits = replace(budget, watch=course.watch)
        try:
            answer = self._sweep(problem, limits, course)
            if answer is None:
                answer = self._race_reduced(problem, limits, course)
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
        return tuple(map(read_attempt, self.sweep))

    @property
    def _shared(self) -> tuple[Attempt, ...]:
        """Who looks for several targets at once."""
        return tuple(map(read_attempt, self.together))

    @property
    def _racers(self) -> tuple[str, ...]:
        """Who races, by first turn."""
        named = (n for entry in self.members for n in (racing() if entry == ALL else (entry,)))
        return tuple(dict.fromkeys(named))

    def _racing(self) -> Portfolio:
        """All engines in the race, none before."""
        return replace(self, sweep=(), members=self._names)

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

    def _sweep(self, problem: Problem, budget: Budget, course: Course) -> Answer | None:
        for attempt in self._attempts:
            name, slice_ = attempt.engine, min(attempt.seconds, budget.remaining)
            limits = budget.of(name).within(slice_)
            limits.watch(Event("", turn=Turn.STARTS))
            try:
                answer = _solve(name, problem, limits, course.facts)
                if not isinstance(answer, Unknown):
                    failure = refused(problem, answer, budget)
                    if not failure:
                        return answer
                    answer = Unknown(failure, ending=Ending.FAILED)
                course.learn(answer.learnt)
                # Short of time an engine may give up what it would not otherwise.
                if limits.remaining >= 0.1 * slice_:
                    course.gave_up(name, answer.reason, answer.ending, answer.hint)
                    continue
            except BudgetExhausted:
                budget.check()
            limits.watch(Event("", turn=Turn.WAITS))
        return None

    def _race(self, problem: Problem, budget: Budget, course: Course) -> Answer | None:
        facts = course.facts
        self._leave_out_the_unfit(problem, course)
        tasks = [
            Task(name, partial(_member, name, problem, replace(budget, watch=unwatched), facts))
            for name in self._racers
            if name not in course.reasons
        ]
        outcomes = run_parallel(tasks, jobs=max(1, self.jobs), turn=self.turn, budget=budget)
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


def _size(net: Net) -> int:
    return len(net.places) + len(net.transitions)


def _solve(name: str, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
    engine: Engine = plugins.build("engines", name)
    if facts and isinstance(engine, Informed):
        return engine.solve_informed(problem, budget, facts)
    return engine.solve(problem, budget)


def _member(
    name: str,
    problem: Problem,
    budget: Budget,
    facts: Sequence[Formula],
    watch: Callable[[Event], None],
) -> Answer:
    return _solve(name, problem, replace(budget, watch=watch, memory=None), facts)
