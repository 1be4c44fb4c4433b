"""Markings from which a formula is out of reach: it is no home space then.

Tried are the initial marking, markings in which nothing is enabled, and the ends of long walks, by
which transitions that fire once have fired and siphons are empty. From there on, walks meet again
what is not lost, and what they do not meet, engines try to exclude.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from petricheck.answer import Reachable, Trace
from petricheck.budget import Budget
from petricheck.claims import Excluded, ExcludedAfter
from petricheck.errors import BudgetExhausted
from petricheck.language.model import deadlocked
from petricheck.presburger.formulas import (
    Formula,
    Inequality,
    conjunction,
    conjuncts,
    disjunction,
    negate,
)
from petricheck.problem import make_problem
from petricheck.questions.events import Event, Events, parts_of
from petricheck.questions.events.search import settle
from petricheck.questions.events.settling import Settling
from petricheck.questions.homes.ceased import ends_of_walks, excluded_after
from petricheck.questions.study import Study

ROUND, LONGER, ROUNDS = 2.0, 4, 12
"""Seconds in the first round for the search after dead ends, for what is lost there and at the ends
of walks; so many times more for what is never reached at all. Each further round has twice as many.
"""

WALKS, SHORTEST = 6, 1 << 10
"""Walks of a round, and firings of the first one."""


def refute(
    study: Study, formulas: Sequence[Formula], budget: Budget, rounds: int = ROUNDS
) -> Iterator[Excluded | ExcludedAfter]:
    """Claims that some of the formulas are no home spaces; a brief study needs one.

    Args:
        study: about the net.
        formulas: all different.
        budget: limits.
        rounds: how often everything is tried.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    left = list(formulas)
    for trace, seconds in _candidates(study, left, budget, rounds):
        budget.check()
        budget.report(f"{len(left)} formulas may be lost, after {len(trace.steps)} steps")
        claims = tuple(_lost_after(study, trace, left, budget.within(seconds)))
        yield from claims
        lost = {part for claim in claims for part in parts_of(claim.formula)}
        left[:] = (formula for formula in left if not lost.issuperset(parts_of(formula)))
        if not left or (claims and study.brief):
            return


def _candidates(
    study: Study, formulas: Sequence[Formula], budget: Budget, rounds: int
) -> Iterator[tuple[Trace, float]]:
    """Traces to markings from which a formula may be out of reach, with seconds to look there."""
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
    """Claims that some of the formulas are out of reach after the trace."""
    net = study.net
    # What it was unfolded from has another initial marking.
    later = replace(net, initial=net.after(trace.steps), origin=None)
    inner = Study(later, study.setting, limits, study.brief)
    with suppress(BudgetExhausted):
        if _are_events(formulas):
            events = tuple(Event(str(n), parts_of(formula)) for n, formula in enumerate(formulas))
            settle(Settling(inner, Events(events), decisive=False))
        else:
            for number, formula in enumerate(formulas):
                inner.decide(formula, limits.part(len(formulas) - number))
    for claim in inner.claims:
        if isinstance(claim, Excluded):
            yield excluded_after(trace, claim.formula, claim.certificate)


def _dead_end(study: Study, formulas: Sequence[Formula], limits: Budget) -> Trace | None:
    """A trace to a marking in which nothing is enabled and a formula is false."""
    # Events are mostly that something is enabled.
    outside = () if _are_events(formulas) else (disjunction(map(negate, formulas)),)
    problem = make_problem(study.net, conjunction((deadlocked(study.net), *outside)))
    answer = study.setting.checker().check(problem, limits).answer
    return answer.trace if isinstance(answer, Reachable) else None


def _are_events(formulas: Sequence[Formula]) -> bool:
    """Whether there are several, which a search for events can settle together."""
    parts = (part for formula in formulas for part in parts_of(formula))
    atoms = (atom for part in parts for atom in conjuncts(part))
    return len(formulas) > 1 and all(isinstance(atom, Inequality) for atom in atoms)
