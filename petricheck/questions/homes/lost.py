"""Markings from which a formula is out of reach, so that it is no home space.

The search tries the initial marking, markings in which nothing is enabled, and the ends of long
walks: there, transitions that fire once have fired, and siphons are empty. From such a marking,
walks reach the formulas that are not lost, and engines try to exclude the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    Inequality,
    conjunction,
    conjuncts,
    disjunction,
    negate,
)
from petricheck.evidence.answer import Reachable, Trace
from petricheck.evidence.claims import Excluded, ExcludedAfter
from petricheck.formats.language.model import deadlocked
from petricheck.model.problem import make_problem
from petricheck.questions.events import Events, MarkingEvent, parts_of
from petricheck.questions.events.search import decide_events
from petricheck.questions.events.settling import Settling
from petricheck.questions.homes.blocked import ends_of_walks, excluded_after, not_lost
from petricheck.questions.study import Study
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.support.words import counted

ROUND, LONGER, ROUNDS = 2.0, 4, 12
"""Seconds in the first round for dead ends and for the formulas that are lost there or at the ends
of walks; so many times more for formulas never reached at all. Each round has twice as many.
"""

WALKS, SHORTEST = 6, 1 << 10
"""The number of walks of a round, and firings of the first one."""


def refute(
    study: Study, formulas: Sequence[Formula], budget: Budget, rounds: int = ROUNDS
) -> Iterator[Excluded | ExcludedAfter]:
    """Yield claims that some of these different formulas are no home spaces.

    A brief study needs one. Everything is tried in so many rounds.
    """
    remaining = list(formulas)
    for trace, seconds in _candidates(study, remaining, budget, rounds):
        budget.check()
        budget.report(
            f"{counted(len(remaining), 'formula')} may be lost,"
            f" after {counted(len(trace.steps), 'step')}"
        )
        claims = tuple(_lost_after(study, trace, remaining, budget.within(seconds)))
        yield from claims
        remaining[:] = not_lost(remaining, claims)
        if not remaining or (claims and study.brief):
            return


def _candidates(
    study: Study, formulas: Sequence[Formula], budget: Budget, rounds: int
) -> Iterator[tuple[Trace, float]]:
    """Yield traces to markings from which a formula may be out of reach, and seconds for each."""
    walks = ends_of_walks(study.net, SHORTEST)
    for number in range(rounds):
        seconds = ROUND * 2**number
        yield Trace(()), LONGER * seconds
        if (trace := _dead_end(study, formulas, budget.within(seconds))) is not None:
            yield trace, seconds
        for _ in range(WALKS):
            yield next(walks), seconds / WALKS


def _lost_after(
    study: Study, trace: Trace, formulas: Sequence[Formula], limits: Budget
) -> Iterator[Excluded | ExcludedAfter]:
    """Yield claims that some of the formulas are out of reach after the trace."""
    net = study.net
    # The coloured net has another initial marking.
    later = replace(net, initial=net.after(trace.steps), origin=None)
    inner = Study(later, study.setting, limits, study.brief)
    with suppress(BudgetExhausted):
        if _are_events(formulas):
            events = tuple(
                MarkingEvent(str(n), parts_of(formula)) for n, formula in enumerate(formulas)
            )
            decide_events(Settling(inner, Events(events), decisive=False))
        else:
            for number, formula in enumerate(formulas):
                inner.decide(formula, limits.part(len(formulas) - number))
    for claim in inner.claims:
        if isinstance(claim, Excluded):
            yield excluded_after(trace, claim.formula, claim.certificate)


def _dead_end(study: Study, formulas: Sequence[Formula], limits: Budget) -> Trace | None:
    """Return a trace to a marking in which nothing is enabled and a formula is false."""
    # Most events are that a transition is enabled, and false in a deadlock.
    outside = () if _are_events(formulas) else (disjunction(map(negate, formulas)),)
    problem = make_problem(study.net, conjunction((deadlocked(study.net), *outside)))
    answer = study.examine(problem, limits)
    return answer.trace if isinstance(answer, Reachable) else None


def _are_events(formulas: Sequence[Formula]) -> bool:
    """Return whether these are several formulas that a search for events settles together."""
    parts = (part for formula in formulas for part in parts_of(formula))
    atoms = (atom for part in parts for atom in conjuncts(part))
    return len(formulas) > 1 and all(isinstance(atom, Inequality) for atom in atoms)
