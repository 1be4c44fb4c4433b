"""Several engines, one question or many: cheap proofs first, then a race (`engines.race`).

First each of the `sweep` engines gets a short slice in this process, so that a small question is
answered without starting another process; several questions, and large nets, have the engines of
`sweep_together` instead. Then the net is reduced, and the engines that have not given up race in
processes of their own, `jobs` at a time and taking turns. Their evidence is lifted to the input
net, and audited in the process that has found it. The first answer that the audit accepts wins. An
answer whose audit fails or does not end does not count, and an engine that fails ends alone; if no
other engine decides, the reason names it.

Facts that an engine of the sweep has learnt when it gives up (`Unknown.learnt`) are passed to the
`Informed` engines after it.

The sweep leaves the net as it is: reductions can hide a trap or a place invariant that proves an
answer at once.

Which engine wins may depend on the machine's load; a single engine behaves the same in each run.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from math import inf
from typing import Any

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.engines import (
    Check,
    Checked,
    IsOpen,
    all_open,
    decide_one,
    patient,
    racing,
    refusing,
)
from petricheck.engines.race.agenda import Agenda
from petricheck.engines.race.attempts import Attempt, read_attempt
from petricheck.engines.race.race import Race
from petricheck.engines.race.record import Record
from petricheck.evidence.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.budget import Budget, Event
from petricheck.support.errors import BudgetExhausted, Ending, InternalError
from petricheck.support.plugins import option

ALL = "*"
"""Stands for all engines that declare a rank or a patience."""


@dataclass(frozen=True)
class Portfolio:
    """Cheap proofs first, then all engines in a race; the first audited answer wins."""

    sweep: tuple[str, ...] = option(
        (
            "place_invariants:0.25",
            "few_markings:0.25",
            "state_equation:unmarked=false:0.5",
            "directed_search:0.05",
            "cegar:0.5",
            "random_walk:0.1",
        ),
        "engines to try first for one target, on the net as it is, each with its seconds",
    )
    sweep_together: tuple[str, ...] = option(
        ("random_walk:0.1", "state_equation:unmarked=false:0.5", "parikh_walk:0.5"),
        "engines that look for several targets at once, to try first for these, and for one in a "
        "large net, each with the seconds of its first turn, more in nets of many nodes",
    )
    together: tuple[str, ...] = option(
        (
            "state_equation:unmarked=false:1",
            "random_walk:1",
            "inductive_clauses:2",
            "best_first:0.6",
            "explicit:0.6",
            "bmc:0.3",
        ),
        "engines that look for several targets of a net at once, with the seconds of their first "
        "turns, each of which is twice as long as the one before",
    )
    members: tuple[str, ...] = option(
        ("state_equation:0.25", "best_first:0.25", "directed_search:0.25", "cegar:0.25", "*:0.05"),
        "engines that race, in the order of their first turn; of several questions they try each "
        "for these CPU seconds at first, then for twice as long; * for all others",
    )
    jobs: int = option(2, "how many engines run at a time")
    turn: float = option(1.0, "seconds until a waiting engine goes on; then twice as many")
    reductions: bool = option(True, "race on a smaller problem, and lift its evidence")

    def __post_init__(self) -> None:
        """Refuse names of engines that do not exist, before any engine runs.

        Raises:
            QueryError: there is no such engine, or an entry has no number of seconds.
        """
        given = {*self.sweep, *self.sweep_together, *self.together, *self.members}
        known = (field.default for field in fields(self) if isinstance(field.default, tuple))
        for entry in given.difference(*known):  # To check the options of an engine loads it.
            if (name := read_attempt(entry).engine) != ALL:
                plugins.require("engines", name)

    def decide_all(
        self,
        problems: Sequence[Problem],
        check: Check[Checked],
        budget: Budget,
        is_open: IsOpen = all_open,
        facts: Sequence[Formula] = (),
    ) -> Generator[tuple[int, Checked], None, Mapping[int, Unknown | InternalError]]:
        """Try all problems for short times first, then race in growing turns.

        Problems with the same target are decided together.
        """
        numbers: dict[Formula, list[int]] = {}
        for number, problem in enumerate(problems):
            numbers.setdefault(problem.target, []).append(number)
        groups = [*numbers.values()]

        def check_group(group: int, answer: Reachable | Unreachable, limits: Budget) -> Any:
            return [(number, check(number, answer, limits)) for number in groups[group]]

        def watch(event: Event) -> None:
            agenda.note(event)
            budget.watch(event)

        targets = [problems[first] for first, *_ in groups]
        records = [Record(facts=tuple(facts)) for _ in groups]
        agenda = Agenda(targets, check_group, records, budget.shared().memory_left)
        why, ending = "no engine decides it", None
        try:
            budget.check()  # Otherwise, after a limit, every further question begins a sweep.
            limits = replace(budget, watch=watch)
            results = self._race.results(
                agenda, limits, lambda group: any(map(is_open, groups[group]))
            )
            with closing(results):
                for _, group in results:
                    yield from group
        except BudgetExhausted as error:
            why, ending = str(error), error.ending
        return {n: self._unknown(agenda, g, why, ending) for g in agenda.open for n in groups[g]}

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Decide one problem; where no engine does, return how each ended.

        Raises:
            InternalError: nothing decides, and all engines failed, or evidence failed the audit.
        """

        def check(_: int, answer: Reachable | Unreachable, limits: Budget) -> Answer:
            with refusing(limits):
                audit(problem, answer, budget=limits)
            return answer

        return decide_one(self, problem, check, budget)

    @property
    def _race(self) -> Race:
        sweep = tuple(read_attempt(entry, inf) for entry in self.sweep)
        first, together = (
            tuple(map(read_attempt, entries)) for entries in (self.sweep_together, self.together)
        )
        return Race(sweep, first, together, self._members, self.jobs, self.turn, self.reductions)

    def _members(self, questions: int = 1) -> tuple[Attempt, ...]:
        """Return the attempts of the engines that race, each once; patient ones are the last.

        For one question, where each has a process, all begin by rank unless all are listed.
        """
        attempts = {a.engine: a for a in map(read_attempt, self.members)}
        others = attempts.pop(ALL, None)
        if others is not None:
            longest = max(read_attempt(entry).seconds for entry in self.members)
            ranked = {n: attempts.get(n, replace(others, engine=n)) for n in racing()}
            waiting = {n: Attempt(n, longest, least) for n, least in patient()}
            racers = ranked | attempts if questions == 1 else attempts | ranked
            attempts = racers | {n: a for n, a in waiting.items() if n not in racers}
        return tuple(attempts.values())

    def _unknown(
        self, agenda: Agenda[Any], number: int, headline: str, ending: Ending | None
    ) -> Unknown | InternalError:
        record, race = agenda.records[number], self._race
        swept = [a for a in (*race.sweep, *race.sweep_together) if a.engine in record.messages]
        names = [attempt.engine for attempt in (*swept, *self._members())]
        # Of several questions it is not known how far an engine has come with each.
        taking_part = names if len(agenda.problems) == 1 else record.ends
        try:
            return record.unknown(dict.fromkeys(taking_part), headline, ending)
        except InternalError as error:
            return error
