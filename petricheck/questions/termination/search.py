"""The methods for termination, their order, and the time for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import TypeAlias

from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.evidence.claims import Claim, Excluded, InfiniteRun, Stage, Terminating
from petricheck.model.coloured.skeleton import Skeleton
from petricheck.questions.events.search import decide_events
from petricheck.questions.events.settling import Settling
from petricheck.questions.study import Study
from petricheck.questions.termination import enabled_events, ending
from petricheck.questions.termination.cycles import ranks_or_cycle
from petricheck.questions.termination.loops import accelerated, covered, walked
from petricheck.questions.termination.ranking import (
    Lowering,
    lowering,
    unlimited_places,
    without_sum,
)
from petricheck.support.budget import Budget

Step: TypeAlias = Callable[[Study, Lowering, Budget], Iterator[Claim]]
"""A method: yields the claim that decides, or none."""


def _explored(
    study: Study, lowered: Lowering, budget: Budget, most: float = inf
) -> Iterator[Claim]:
    """Decide by all markings, if there are no more than the most; then no sum is needed."""
    alone = without_sum(study.net, lowered.exempt)
    match ranks_or_cycle(study.net, alone.level, budget, most):
        case RankedTable() as table:
            yield alone.claim(study.net, table)
        case Stage() as stage:
            yield InfiniteRun(stage)


def _projected(study: Study, lowered: Lowering, budget: Budget) -> Iterator[Terminating]:
    """Prove by the markings of the limited places, as if others always had what is needed."""
    unlimited = unlimited_places(study.net, budget.remaining)
    if unlimited and lowered.exempt:  # Without exempt transitions, runs of unbounded nets go on.
        table = ranks_or_cycle(study.net.without(unlimited), lowered.level, budget)
        if isinstance(table, RankedTable):
            yield lowered.claim(study.net, table)


def _without_dead(study: Study, lowered: Lowering, budget: Budget) -> Iterator[Terminating]:
    """Prove by a sum that dead transitions may raise, which are claimed to be dead."""
    events = enabled_events(study.net, lowered.level)
    inner = Study(study.net, study.setting, budget)
    with budget.tolerate_overruns():
        decide_events(Settling(inner, events, decisive=False))
    dead = map(study.net.transition_numbers.__getitem__, events.decided(inner.claims)[1])
    smaller = lowering(study.net, lowered.exempt.union(dead), budget.remaining)
    if not smaller.level:
        study.proved += [pair for pair in inner.proved if isinstance(pair[0], Excluded)]
        yield smaller.claim(study.net)


STEPS: tuple[tuple[Step, float, float], ...] = (
    (partial(_explored, most=2_000), 4, 5.0),
    (accelerated, 8, 1.0),
    (covered, 8, 1.0),
    (walked, 8, 1.0),
    (covered, 4, 5.0),
    (_projected, 8, 5.0),
    (_without_dead, 4, 20.0),
    (partial(_explored, most=200_000), 4, 20.0),
    (walked, 4, 20.0),
    (covered, 2, 60.0),
    (accelerated, 4, 60.0),
    (_without_dead, 2, inf),
    (_explored, 1, inf),
)
"""Methods, each with the part of the remaining time and the seconds that it takes at most."""


def decide_termination(study: Study, exempt: frozenset[int]) -> None:
    """Prove whether each infinite run fires some of these transitions infinitely often."""
    lowered = lowering(study.net, exempt, study.budget.part(2).remaining)
    if not lowered.level:
        study.prove(lowered.claim(study.net))
    elif not isinstance(study.net.origin, Skeleton):  # Where it goes on, single colours may not.
        for step, part, seconds in STEPS:
            if ending(study.net, exempt, study.claims).value is None:
                study.prove_all(step(study, lowered, study.budget.part(part, seconds)))
