"""Several questions about one net, one search: what a portfolio does before each has its turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from petricheck import plugins
from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.budget import Budget, Event, Turn
from petricheck.engines import Engine, Sharing
from petricheck.engines._course import Attempt
from petricheck.errors import BudgetExhausted
from petricheck.presburger.formulas import atoms
from petricheck.problem import Problem

_OVERRUN = 2
"""All questions together have so many times what they should need."""

Found = tuple[int, Reachable | Unreachable]


def decide_together(
    attempts: Sequence[Attempt], problems: Sequence[Problem], budget: Budget
) -> Iterator[Found]:
    """Ask one engine after the other about all problems that are left.

    Each has half of the time that is left at most, and no more than its seconds. An engine that
    does not share its search has that limit for each problem; where it gives up before, it is not
    asked again.

    Args:
        attempts: the engines.
        problems: questions about one net.
        budget: limits on all together.

    Yields:
        Numbers of problems, with their answers.
    """
    left = dict(enumerate(problems))
    hopeless: set[tuple[str, int]] = set()
    for attempt in attempts:
        asked = {n: each for n, each in left.items() if (attempt.engine, n) not in hopeless}
        if not asked or not budget.remaining:
            continue
        limits = budget.of(attempt.engine).part(2)
        limits.watch(Event(f"{len(asked)} questions", turn=Turn.STARTS))
        for name, answer in _asked(attempt, asked, limits):
            if isinstance(answer, Unknown):
                hopeless.add((attempt.engine, name))
            else:
                del left[name]
                yield name, answer
        limits.watch(Event("", turn=Turn.WAITS))


def shares(name: str) -> bool:
    """Whether the engine of this name searches for several targets at once."""
    return hasattr(plugins.member("engines", name), "solve_together")


def _asked(
    attempt: Attempt, problems: dict[int, Problem], budget: Budget
) -> Iterator[tuple[int, Answer]]:
    """Numbers of problems with their answers; unknown where the engine gives up for good."""
    engine: Engine = plugins.build("engines", attempt.engine)
    if not isinstance(engine, Sharing):
        yield from _one_by_one(engine, attempt.seconds, problems, budget)
        return
    numbers = tuple(problems)
    with suppress(BudgetExhausted):
        shared = budget.within(attempt.seconds)
        for number, answer in engine.solve_together(tuple(problems.values()), shared):
            yield numbers[number], answer


def _one_by_one(
    engine: Engine, seconds: float, problems: dict[int, Problem], budget: Budget
) -> Iterator[tuple[int, Answer]]:
    # One that does not keep its limit shall not take the time of all.
    budget = budget.within(_OVERRUN * seconds * len(problems))
    # The small questions first: a few large ones could take all the time.
    for number, problem in sorted(problems.items(), key=lambda item: _size(item[1])):
        if not budget.remaining:
            return
        with suppress(BudgetExhausted):
            limits = budget.within(seconds)
            answer = engine.solve(problem, limits)
            if not isinstance(answer, Unknown) or limits.remaining:
                yield number, answer


def _size(problem: Problem) -> int:
    return sum(1 for _ in atoms(problem.target))
