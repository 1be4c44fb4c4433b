"""The maxima of several sums over the reachable markings, from both ends.

From above, half-spaces of the state equation's dual, in milliseconds; where there is none, loops
that pump the sum. From below, random walks that are watched for all sums at once. What is left
between, engines are asked about: is the limit reached, and is more than the best value? A
complete exploration of few markings tells all maxima, and its table proves them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import product

from petricheck.answer import Trace
from petricheck.budget import Budget
from petricheck.claims import Excluded, Reached
from petricheck.kernel.explore import LARGEST
from petricheck.presburger.formulas import Formula
from petricheck.questions.maxima import Range, Sum, exceeds, ranges, undecided, value
from petricheck.questions.maxima.half_spaces import limited_sums
from petricheck.questions.maxima.pumping import looped, pumped
from petricheck.questions.maxima.values import claimed, explored, greatest, walked
from petricheck.questions.study import Study

_PART = 4
"""Each step takes at most this part of the time that is left."""

_WALK, _STEP = 1.0, 10.0
"""Seconds for walks and for each other step, where there is more time than that."""

_FEW = 20_000
"""Markings that are explored before anything else is tried."""

_READABLE = 4
"""Sums for which something shorter than a table is looked for."""

_ROUNDS = 64
"""How often engines are asked about all open sums, and then about each."""


def maximise(study: Study, sums: tuple[Sum, ...]) -> None:
    """Have claims proved that settle the maxima of the sums, as far as they are found.

    Raises:
        BudgetExhausted: time or memory ran out.
        InternalError: evidence failed the audit.
    """
    if not sums:
        return
    start = study.net.values(study.net.initial)
    initially = tuple((0, exceeds(weights, value(weights, start))) for weights in sums)
    study.prove(Reached(Trace(()), initially))
    study.prove_all(limited_sums(study.net, sums, study.budget.part(_PART, _STEP)))
    if left := undecided(sums, study.claims):
        study.prove_all(pumped(study.net, left, study.budget.part(_PART, _STEP)))
    _explore(study, sums, _FEW)
    _walk(study, sums)
    _aim(study, sums)
    _explore(study, sums, LARGEST)
    _ask(study, sums)


def _walk(study: Study, sums: Sequence[Sum]) -> None:
    """Random walks from below, then loops along traces, for sums without a limit."""
    if known := _known(study, _open(study, sums)):  # Loading the kernel takes a second.
        study.prove_all(walked(study.net, known, study.budget.part(_PART, _WALK)))
    left, limits = undecided(sums, study.claims), study.budget.part(_PART, _STEP)
    study.prove_all(looped(study.net, left, study.claims, limits))


def _explore(study: Study, sums: Sequence[Sum], most: int) -> None:
    """All markings, if they are not more than so many."""
    limits = study.budget.part(_PART, _STEP)
    claims = explored(study.net, _open(study, sums), limits, most)
    needed = (c for c in claims if not (isinstance(c, Excluded) and _said_shortly(study, sums)))
    study.prove_all(needed, _STEP)


def _said_shortly(study: Study, sums: Sequence[Sum]) -> bool:
    """Whether traps and half-spaces prove that the best values are not exceeded; a few are asked.

    A table of markings proves it as well, but tells nobody why.
    """
    for weights in _open(study, sums)[:_READABLE]:
        more = exceeds(weights, (_of(study, weights).reached or 0) + 1)
        study.decide(more, study.budget.part(_PART, _WALK), "state_equation")
    return not _open(study, sums)


def _aim(study: Study, sums: Sequence[Sum]) -> None:
    """Straight to the limit of each sum, from both ends.

    The directed search may fire a transition many times at once; traps exclude what is between.
    """
    budget = study.budget.part(_PART, _STEP)
    left = [s for s, known in _known(study, _open(study, sums)).items() if known.limit is not None]
    for number, weights in enumerate(left):
        share = budget.part(len(left) - number)
        _narrow(study, weights, share, ("directed_search", "state_equation"))


def _ask(study: Study, sums: Sequence[Sum]) -> None:
    """The engine, together as long as that tells something, for half of the time; then by sum."""
    half = study.budget.part(2)
    for _ in range(_ROUNDS):
        known = _known(study, _open(study, sums))
        targets = [target for pair in known.items() for target in _targets(*pair)]
        if not targets:
            return
        with _passing_on(study, known):
            for _ in study.decide_together(targets, half):
                pass
        study.budget.check()
        if _known(study, known) == known or not half.remaining:
            break
    left = _open(study, sums)
    for number, weights in enumerate(left):
        _narrow(study, weights, study.budget.part(len(left) - number), ("",))


def _narrow(study: Study, weights: Sum, budget: Budget, engines: Sequence[str]) -> None:
    """Engines about one sum, until none of the questions is decided."""
    for _ in range(_ROUNDS):
        if (before := _of(study, weights)).settled:
            return
        questions = tuple(product(_targets(weights, before), engines))
        with _passing_on(study, (weights,)):
            for number, (target, engine) in enumerate(questions):
                study.budget.check()
                study.decide(target, budget.part(len(questions) - number), engine)
        if _of(study, weights) == before or not budget.remaining:
            return


def _targets(weights: Sum, known: Range) -> tuple[Formula, ...]:
    """The limit, halfway, and more than the best value; twice that where there is no limit."""
    best = known.reached or 0
    if known.limit is None:
        values: tuple[int, ...] = (max(best + 1, 2 * best),)
    else:
        values = (known.limit, (best + known.limit + 1) // 2, best + 1)
    return tuple(exceeds(weights, value) for value in dict.fromkeys(values))


@contextmanager
def _passing_on(study: Study, sums: Collection[Sum]) -> Iterator[None]:
    """Claim as well the best values of the sums along the traces that are proved within."""
    before = len(study.proved)
    yield
    for claim in study.claims[before:]:
        if not isinstance(claim, Reached):
            continue
        if values := greatest(study.net, claim.trace, _known(study, sums), tuple(sums)):
            study.prove(claimed(claim.trace, values))


def _known(study: Study, sums: Collection[Sum]) -> dict[Sum, Range]:
    known = ranges(study.claims)
    return {weights: known[weights] for weights in sums}


def _open(study: Study, sums: Sequence[Sum]) -> tuple[Sum, ...]:
    return tuple(weights for weights, known in _known(study, sums).items() if not known.settled)


def _of(study: Study, weights: Sum) -> Range:
    return ranges(study.claims)[weights]
