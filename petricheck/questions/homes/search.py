"""The methods for home spaces, their order, and the time for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.questions.homes import (
    above,
    blocked,
    descent,
    explored,
    free_choice,
    home_spaces,
    nearby,
    renewal,
    reversal,
    short_circuit,
)
from petricheck.questions.homes.lost import refute
from petricheck.questions.study import Study
from petricheck.support.budget import Budget

Step: TypeAlias = Callable[[Study, Sequence[Formula], Budget], Iterator[Claim]]
"""A method: yields claims about some of these formulas; none where it does not apply."""


def _alone(search: Callable[[Net, Sequence[Formula], Budget], Iterator[Claim]]) -> Step:
    """Return the step of a search that needs the net only."""
    return lambda study, formulas, budget: search(study.net, formulas, budget)


def _unless_bounded(step: Step) -> Step:
    """Return the step for nets that are not seen to be bounded by a sum of their places."""

    def unbounded(study: Study, formulas: Sequence[Formula], budget: Budget) -> Iterator[Claim]:
        return iter(()) if renewal.is_bounded(study.net, budget) else step(study, formulas, budget)

    return unbounded


STEPS: tuple[tuple[Step, float, float], ...] = (
    (blocked.lost_after_walks, 8, 5.0),
    (_alone(free_choice.home_claims), 4, inf),
    (_alone(short_circuit.home_claims), 4, inf),
    (_alone(renewal.home_claims), 8, 3.0),
    (_unless_bounded(above.home_claims), 3, 5.0),
    (_unless_bounded(nearby.lost_nearby), 8, 1.0),
    (_alone(partial(explored.home_claims, most=2_000)), 8, 1.0),
    (above.home_claims, 3, 5.0),
    (nearby.lost_nearby, 8, 1.0),
    (_alone(descent.home_claims), 4, 1.0),
    (_alone(reversal.home_claims), 8, 1.0),
    (_alone(partial(explored.home_claims, most=100_000)), 4, 20.0),
    (blocked.lost_with_siphons, 6, inf),
    (partial(refute, rounds=3), 2, 30.0),
    (_alone(descent.home_claims), 2, inf),
    (_alone(reversal.home_claims), 4, inf),
    (partial(refute, rounds=4), 2, inf),
    (_alone(explored.home_claims), 1, inf),
    (refute, 1, inf),
)
"""Methods, each with the part of the remaining time and the seconds that it takes at most."""


def decide_homes(study: Study, formulas: Sequence[Formula]) -> None:
    """Prove for each of the formulas that it is a home space, or that it is none.

    A brief study ends with the first that is none.
    """
    for step, part, seconds in STEPS:
        remaining = _remaining(study, formulas)
        if remaining:
            limits = study.budget.part(part, seconds)
            study.prove_all(_needed_claims(study, formulas, step(study, remaining, limits)))


def _remaining(study: Study, formulas: Sequence[Formula]) -> Sequence[Formula]:
    """Return the formulas that are still to be settled."""
    state = home_spaces(formulas, study.claims)
    return () if study.brief and state.lost else state.open(formulas)


def _needed_claims(
    study: Study, formulas: Sequence[Formula], claims: Iterator[Claim]
) -> Iterator[Claim]:
    """Yield the claims up to those that settle enough."""
    for claim in claims:
        yield claim
        if not _remaining(study, formulas):
            return
