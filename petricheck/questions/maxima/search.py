"""The maxima of several sums over the reachable markings, from above and from below.

Limits come from half-spaces of the state equation's dual, in milliseconds; where there is none,
loops that pump the sum are tried. Values come from random walks that are watched for all sums at
once, and then from engines that aim at the limits. For the values in between the engine is queried:
is the limit reached, is more than the best value? A complete exploration of few markings yields all
maxima, and its table proves them.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf

from petricheck.engines import Sharing
from petricheck.evidence.answer import Trace
from petricheck.evidence.claims import Excluded, Reached, claim_of
from petricheck.model.problem import make_problem
from petricheck.questions.maxima import Sum, SumRange, exceeds, ranges, undecided, value
from petricheck.questions.maxima.half_spaces import limited_sums
from petricheck.questions.maxima.pumping import looped, pumped
from petricheck.questions.maxima.values import claimed, explored, greatest, walked
from petricheck.questions.study import Study
from petricheck.support import plugins
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

_PART = 4
"""Each step takes at most this part of the remaining time."""

_LIMITING, _WALK, _STEP = 60.0, 1.0, 10.0
"""Seconds for half-spaces, walks and each other step, where there is more time than that."""

_AIMING = ("random_walk", "parikh_walk", "state_equation")
_PATIENCE = 1.0
"""Engines that aim at limits; each ends after so many CPU seconds without a better value."""

_REFINING = 0.5
"""Seconds for a proof by refinement of a sum without a limit."""

_FEW = 20_000
"""Markings that are explored before engines are tried."""

_READABLE = 4
"""The most sums for which a shorter proof than a table is tried."""

_AT_ONCE = 3
"""The most values of a sum that engines are queried about at once."""

_ROUND = 8.0
"""Seconds for the first round of questions about all open sums, if more of them may follow from the
answers; each further one has twice as many."""

_ROUNDS = 64
"""The most rounds of queries about all open sums, and then about each."""


def maximise(study: Study, sums: tuple[Sum, ...]) -> Iterator[Sum]:
    """Prove claims that settle the maxima of the sums, as far as the budget allows.

    Yield each sum as soon as it is settled.
    """
    remaining = sums
    for _ in _steps(study, sums):
        before, remaining = remaining, _open_sums(study, remaining)
        yield from (weights for weights in before if weights not in set(remaining))
        if not remaining:
            return


def _steps(study: Study, sums: tuple[Sum, ...]) -> Iterator[None]:
    """Prove what is asked step by step; yield when more is proved."""
    if not sums:
        return
    start = study.net.values(study.net.initial)
    initially = tuple((0, exceeds(weights, value(weights, start))) for weights in sums)
    study.prove(Reached(Trace(()), initially))
    open_sums = _open_sums(study, sums)
    study.prove_all(limited_sums(study.net, open_sums, study.budget.part(2, _LIMITING)))
    yield
    if remaining := undecided(sums, study.claims):
        study.prove_all(pumped(study.net, remaining, study.budget.part(_PART, _STEP)))
        yield
    _explore(study, sums)
    yield
    _walk(study, sums)
    yield
    yield from _limit(study, sums)
    yield from _aim(study, sums)
    yield from _query(study, sums)


def _walk(study: Study, sums: Sequence[Sum]) -> None:
    """Run random walks, then search loops along traces for sums without a limit."""
    if open_ranges := _ranges_of(
        study, _open_sums(study, sums)
    ):  # Loading the kernel takes a second.
        study.prove_all(walked(study.net, open_ranges, study.budget.part(_PART, _WALK)))
    remaining, limits = undecided(sums, study.claims), study.budget.part(_PART, _STEP)
    study.prove_all(looped(study.net, remaining, study.claims, limits))


def _explore(study: Study, sums: Sequence[Sum]) -> None:
    """Explore all markings, if they are few."""
    limits = study.budget.part(_PART, _STEP)
    claims = explored(study.net, _open_sums(study, sums), limits, _FEW)
    needed = (c for c in claims if not (isinstance(c, Excluded) and _proved_shortly(study, sums)))
    study.prove_all(needed, _STEP)


def _proved_shortly(study: Study, sums: Sequence[Sum]) -> bool:
    """Return whether traps and half-spaces prove that the best values of a few sums are maxima.

    A table of markings proves it as well, but explains nothing.
    """
    for weights in _open_sums(study, sums)[:_READABLE]:
        more = exceeds(weights, (_range_of(study, weights).reached or 0) + 1)
        study.decide(more, study.budget.part(_PART, _WALK), "state_equation")
    return not _open_sums(study, sums)


def _limit(study: Study, sums: Sequence[Sum]) -> Iterator[None]:
    """Try to prove by refinement that the best value of sums without a limit is the greatest."""
    remaining, limits = undecided(sums, study.claims), study.budget.part(_PART, _STEP)
    for number, weights in enumerate(remaining):
        more = exceeds(weights, (_range_of(study, weights).reached or 0) + 1)
        study.decide(more, limits.part(len(remaining) - number, _REFINING), "cegar")
        yield


def _aim(study: Study, sums: Sequence[Sum]) -> Iterator[None]:
    """Run engines that search for several targets at once: the limits, and values below them."""
    limits, before = study.budget.part(_PART, _STEP), None
    while (limited := _limited(study, sums)) and limited != before:
        before = limited
        for name in _AIMING:
            engine = plugins.build("engines", name)
            yield from _aim_once(study, _limited(study, sums), engine, limits.part(2))


def _aim_once(
    study: Study, open_ranges: Mapping[Sum, SumRange], engine: Sharing, limits: Budget
) -> Iterator[None]:
    """Run one engine until it reaches no better value for a while."""
    questions, end = _GoalQuestions(study, open_ranges), time.process_time() + _PATIENCE
    if not open_ranges:
        return

    def is_open(number: int) -> bool:
        return time.process_time() < end and questions.is_open(number)

    with suppress(BudgetExhausted):  # Also where numbers do not fit the compiled loops.
        problems = [make_problem(study.net, target) for target in questions.targets]
        for number, answer in engine.solve_together(problems, limits, is_open):
            study.prove(claim_of(questions.targets[number], answer), limits)
            questions.update()
            end = time.process_time() + _PATIENCE
            yield


def _query(study: Study, sums: Sequence[Sum]) -> Iterator[None]:
    """Query the engine about all open sums as long as answers help; then about each."""
    for turn in range(_ROUNDS):
        open_ranges = _ranges_of(study, _open_sums(study, sums))
        if not open_ranges:
            return
        wide = any(_is_wide(limits) for limits in open_ranges.values())
        budget = study.budget.within(_ROUND * 2**turn if wide else inf)
        questions = _GoalQuestions(study, open_ranges)
        for _ in study.decide_together(questions.targets, budget, questions.is_open):
            questions.update()
            yield
        study.budget.check()
        if _ranges_of(study, open_ranges) == open_ranges and budget.remaining:
            break
    remaining = _open_sums(study, sums)
    for number, weights in enumerate(remaining):
        _narrow(study, weights, study.budget.part(len(remaining) - number))
        yield


def _narrow(study: Study, weights: Sum, budget: Budget) -> None:
    """Query the engine about one sum until no question about it is decided."""
    for _ in range(_ROUNDS):
        if (current := _range_of(study, weights)).decided:
            return
        questions = _GoalQuestions(study, {weights: current})
        for number, target in enumerate(questions.targets):
            study.budget.check()
            study.decide(target, budget.part(len(questions.targets) - number))
        questions.update()
        if _range_of(study, weights) == current or not budget.remaining:
            return


def _values(current: SumRange) -> tuple[int, ...]:
    """Return the open values of a sum, where these are few.

    Otherwise the limit, halfway, and more than the best value; twice that where there is no limit.
    """
    best = current.reached or 0
    if current.limit is None:
        values: tuple[int, ...] = (max(best + 1, 2 * best), best + 1)
    elif _is_wide(current):
        values = (current.limit, (best + current.limit + 1) // 2, best + 1)
    else:
        values = tuple(range(current.limit, best, -1))
    return tuple(dict.fromkeys(values))


def _is_wide(current: SumRange) -> bool:
    """Return whether more values are open than engines are queried about at once."""
    return current.limit is None or current.limit - (current.reached or 0) > _AT_ONCE


class _GoalQuestions:
    """Targets: values of several sums; whether some are reached follows from other answers."""

    def __init__(self, study: Study, open_ranges: Mapping[Sum, SumRange]) -> None:
        """Make questions about the open values of these sums."""
        self._study, self._ranges, self._claim_count = study, open_ranges, len(study.proved)
        self._pairs = [
            (weights, goal) for weights, of in open_ranges.items() for goal in _values(of)
        ]
        self.targets = tuple(exceeds(*pair) for pair in self._pairs)

    def is_open(self, number: int) -> bool:
        """Return whether the question of this number is not answered by proved claims."""
        weights, goal = self._pairs[number]
        of = self._ranges[weights]
        return (of.reached or 0) < goal and (of.limit is None or goal <= of.limit)

    def update(self) -> None:
        """Claim the best values of all the sums along traces that are new."""
        self._ranges = _ranges_of(self._study, self._ranges)
        for claim in self._study.claims[self._claim_count :]:
            if isinstance(claim, Reached):
                trace = claim.trace
                if values := greatest(self._study.net, trace, self._ranges, tuple(self._ranges)):
                    self._study.prove(claimed(trace, values))
                    self._ranges = _ranges_of(self._study, self._ranges)
        self._claim_count = len(self._study.proved)


def _ranges_of(study: Study, sums: Collection[Sum]) -> dict[Sum, SumRange]:
    by_sum = ranges(study.claims)
    return {weights: by_sum[weights] for weights in sums}


def _open_sums(study: Study, sums: Sequence[Sum]) -> tuple[Sum, ...]:
    return tuple(
        weights for weights, interval in _ranges_of(study, sums).items() if not interval.decided
    )


def _limited(study: Study, sums: Sequence[Sum]) -> dict[Sum, SumRange]:
    """Return the open sums that have a limit."""
    open_ranges = _ranges_of(study, _open_sums(study, sums))
    return {weights: of for weights, of in open_ranges.items() if of.limit is not None}


def _range_of(study: Study, weights: Sum) -> SumRange:
    return ranges(study.claims)[weights]
