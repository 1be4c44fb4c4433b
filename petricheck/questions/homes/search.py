"""Who is asked whether formulas are home spaces, in which order, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import TypeAlias

from petricheck.budget import Budget
from petricheck.claims import Claim
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net
from petricheck.questions.homes import (
    ceased,
    descent,
    explored,
    free_choice,
    reversal,
    settled,
    short_circuit,
)
from petricheck.questions.homes.lost import refute
from petricheck.questions.study import Study

Step: TypeAlias = Callable[[Study, Sequence[Formula], Budget], Iterator[Claim]]
"""Claims about some of these formulas, as they are found; none where the method does not fit."""


def _alone(search: Callable[[Net, Sequence[Formula], Budget], Iterator[Claim]]) -> Step:
    """A search that asks no engine of the study."""
    return lambda study, formulas, budget: search(study.net, formulas, budget)


STEPS: tuple[tuple[Step, float, float], ...] = (
    (ceased.lost_after_walks, 8, 5.0),
    (_alone(free_choice.prove), 4, inf),
    (_alone(short_circuit.prove), 4, inf),
    (_alone(partial(explored.settle, most=100_000)), 4, 20.0),
    (ceased.lost_with_siphons, 6, inf),
    (partial(refute, rounds=3), 2, 30.0),
    (_alone(descent.prove), 2, inf),
    (_alone(reversal.prove), 4, inf),
    (partial(refute, rounds=4), 2, inf),
    (_alone(explored.settle), 1, inf),
    (refute, 1, inf),
)
"""Each with the part of the time that is left, and the seconds, which it takes at most."""


def settle(study: Study, formulas: Sequence[Formula]) -> None:
    """Have proved of each of the formulas that it is a home space, or that it is none.

    A brief study ends with the first that is none.

    Raises:
        InternalError: evidence is refused.
        BudgetExhausted: time or memory ran out.
    """
    for step, part, seconds in STEPS:
        left = _left(study, formulas)
        if left:
            limits = study.budget.part(part, seconds)
            study.prove_all(_needed(study, formulas, step(study, left, limits)))


def _left(study: Study, formulas: Sequence[Formula]) -> Sequence[Formula]:
    """Those that are still to be settled."""
    known = settled(formulas, study.claims)
    return () if study.brief and known.lost else known.open(formulas)


def _needed(study: Study, formulas: Sequence[Formula], claims: Iterator[Claim]) -> Iterator[Claim]:
    """The claims up to those that settle enough."""
    for claim in claims:
        yield claim
        if not _left(study, formulas):
            return
