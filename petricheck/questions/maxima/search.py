"""The maxima of several sums over the reachable markings, from both ends.

From above, half-spaces of the state equation's dual, in milliseconds; where there is none, loops
that pump the sum. From below, random walks that are watched for all sums at once. What is left
between, engines are asked about: is the limit reached, and is more than the best value? A
complete exploration of few markings tells all maxima, and its table proves them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from petricheck.answer import Trace
from petricheck.budget import Budget
from petricheck.claims import Excluded, Reached
from petricheck.kernel.explore import LARGEST
from petricheck.presburger.formulas import Formula
from petricheck.questions.maxima import Range, Sum, exceeds, ranges, undecided
from petricheck.questions.maxima.exploring import explored
from petricheck.questions.maxima.half_spaces import HalfSpaces
from petricheck.questions.maxima.looping import looped
from petricheck.questions.maxima.pumping import Pumping
from petricheck.questions.maxima.walking import claimed, greatest, walked
from petricheck.questions.study import Study

_PART = 4
"""Each step takes at most this part of the time that is left."""

_WALK = 1.0
_EXPLORE = 10.0
_PUMP = 10.0
_AIM = 10.0
_HALF_SPACES = 10.0
"""Seconds for each, where there is more time than that."""

_FEW = 20_000
"""Markings that are explored before anything else is tried."""

_READABLE = 4
"""Sums for which something shorter than a table is looked for."""

_ROUNDS = 64
"""How often engines are asked about all open sums, and then about each."""


def maximise(study: Study, sums: Sequence[Sum]) -> None:
    """Have claims proved that settle the maxima of the sums, as far as they are found.

    Raises:
        BudgetExhausted: time or memory ran out.
        InternalError: evidence failed the audit.
    """
    _start(study, sums)
    firings = _limit(study, sums)
    _pump(study, undecided(sums, study.claims))
    _explore(study, sums, _FEW)
    _walk(study, sums, firings)
    _repeat(study, sums)
    _aim(study, sums)
    _explore(study, sums, LARGEST)
    _ask(study, sums)


def pump_along_walks(study: Study, sums: Sequence[Sum]) -> None:
    """Claim that sums are pumped by loops along random walks.

    Raises:
        BudgetExhausted: time or memory ran out.
        InternalError: evidence failed the audit.
    """
    _walk(study, sums, {})
    _repeat(study, sums)


def _start(study: Study, sums: Sequence[Sum]) -> None:
    """The values of the initial marking."""
    start = study.net.values(study.net.initial)
    values = [(weights, sum(w * start[name] for name, w in weights)) for weights in sums]
    if values:
        study.prove(Reached(Trace(()), tuple((0, exceeds(*value)) for value in values)))


def _limit(study: Study, sums: Sequence[Sum]) -> dict[Sum, tuple[int, ...]]:
    """Half-spaces from above; for each, how often transitions fire on the way to the limit."""
    firings: dict[Sum, tuple[int, ...]] = {}
    budget = study.budget.part(_PART, _HALF_SPACES)
    half_spaces = HalfSpaces(study.net)
    for number, weights in enumerate(sums):
        budget.report(f"{len(sums) - number} sums to be limited")
        with study.budget.tolerate_overruns():
            limit = half_spaces.above(weights, budget.remaining / (len(sums) - number))
            if limit is not None:
                study.prove(limit.claim(study.net))
                firings[weights] = limit.firings
    return firings


def _pump(study: Study, sums: Sequence[Sum]) -> None:
    """Loops, for sums without a limit."""
    if sums:
        with study.budget.tolerate_overruns():
            for claim in Pumping(study.net).claims(sums, study.budget.part(_PART, _PUMP)):
                study.prove(claim)


def _walk(study: Study, sums: Sequence[Sum], firings: Mapping[Sum, tuple[int, ...]]) -> None:
    """Random walks from below, uniform ones and such that lean towards a limit."""
    known = _known(study, _open(study, sums))
    if not known:
        return  # Loading the kernel takes a second.
    with study.budget.tolerate_overruns():
        for claim in walked(study.net, known, firings, study.budget.part(_PART, _WALK)):
            study.prove(claim)


def _repeat(study: Study, sums: Sequence[Sum]) -> None:
    """Loops along the traces so far, for sums without a limit."""
    left = undecided(sums, study.claims)
    with study.budget.tolerate_overruns():
        for claim in looped(study.net, left, study.claims, study.budget.part(_PART, _PUMP)):
            study.prove(claim)


def _explore(study: Study, sums: Sequence[Sum], most: int) -> None:
    """All markings, if they are not more than so many."""
    budget = study.budget.part(_PART, _EXPLORE)
    with study.budget.tolerate_overruns():
        for claim in explored(study.net, _open(study, sums), budget, most):
            if not (isinstance(claim, Excluded) and _said_shortly(study, sums)):
                study.prove(claim, study.budget.part(_PART, _EXPLORE))


def _said_shortly(study: Study, sums: Sequence[Sum]) -> bool:
    """Whether traps and half-spaces prove that the best values are not exceeded; a few are asked.

    A table of markings proves it as well, but tells nobody why.
    """
    left = _open(study, sums)
    for weights in left[:_READABLE]:
        more = exceeds(weights, (_of(study, weights).reached or 0) + 1)
        study.decide(more, study.budget.part(_PART, _WALK), "state_equation")
    return not _open(study, sums)


def _aim(study: Study, sums: Sequence[Sum]) -> None:
    """Straight to the limit of each sum, from both ends."""
    budget = study.budget.part(_PART, _AIM)
    known = _known(study, _open(study, sums))
    left = [weights for weights, of in known.items() if of.limit is not None]
    for number, weights in enumerate(left):
        share = budget.part(len(left) - number)
        _lower(study, weights, share.part(2))
        _raise(study, weights, share)


def _lower(study: Study, weights: Sum, budget: Budget) -> None:
    """Lower the limit by 1, 2, 4, … as far as traps exclude what is between."""
    step = 1
    while not (known := _of(study, weights)).settled and known.limit is not None:
        study.budget.check()
        if _reaches(study, weights, known.limit, budget):
            return
        value = max(known.limit - step + 1, (known.reached or 0) + 1)
        if study.decide(exceeds(weights, value), budget.part(2), "state_equation") is False:
            step *= 2
        elif step > 1:
            step = 1
        else:
            return


def _raise(study: Study, weights: Sum, budget: Budget) -> None:
    """Halve the distance to the limit as long as what is halfway is reached, or is not."""
    known = _of(study, weights)
    beyond = known.limit
    while beyond is not None and budget.remaining:
        study.budget.check()
        best = _of(study, weights).reached or 0
        if beyond - best <= 1:
            return
        middle = (best + beyond) // 2
        if not _reaches(study, weights, middle, budget):
            beyond = middle


def _reaches(study: Study, weights: Sum, value: int, budget: Budget) -> bool:
    """Whether a directed search, which may fire a transition many times at once, gets there."""
    with _passing_on(study, (weights,)):
        return bool(study.decide(exceeds(weights, value), budget.part(2), "directed_search"))


def _ask(study: Study, sums: Sequence[Sum]) -> None:
    """Engines, together as long as that tells something, for half of the time; then sum by sum."""
    half = study.budget.part(2)
    for _ in range(_ROUNDS):
        known = _known(study, _open(study, sums))
        targets = [target for pair in known.items() for target in _targets(*pair)]
        if not targets:
            return
        with _passing_on(study, known):
            study.decide_together(targets, half)
        study.budget.check()
        if _known(study, known) == known or not half.remaining:
            break
    left = _open(study, sums)
    for number, weights in enumerate(left):
        _ask_alone(study, weights, study.budget.part(len(left) - number))


def _ask_alone(study: Study, weights: Sum, budget: Budget) -> None:
    """Engines about one sum, until none of the questions is decided."""
    for _ in range(_ROUNDS):
        if (before := _of(study, weights)).settled:
            return
        targets = _targets(weights, before)
        with _passing_on(study, (weights,)):
            for number, target in enumerate(targets):
                study.budget.check()
                study.decide(target, budget.part(len(targets) - number))
        if _of(study, weights) == before or not budget.remaining:
            return


def _targets(weights: Sum, known: Range) -> tuple[Formula, ...]:
    """More than the best value; and the limit, or twice the best value where there is no limit."""
    best = known.reached or 0
    more = best + 1 if known.limit is not None else max(best + 1, 2 * best)
    values = dict.fromkeys((more, more if known.limit is None else known.limit))
    return tuple(exceeds(weights, value) for value in values)


@contextmanager
def _passing_on(study: Study, sums: Collection[Sum]) -> Iterator[None]:
    """Claim as well the best values of the sums along the traces that are proved within."""
    before = len(study.proved)
    yield
    for claim in study.claims[before:]:
        if not isinstance(claim, Reached):
            continue
        if values := greatest(study.net, claim.trace, _known(study, sums)):
            study.prove(claimed(claim.trace, values))


def _known(study: Study, sums: Collection[Sum]) -> dict[Sum, Range]:
    known = ranges(study.claims)
    return {weights: known[weights] for weights in sums}


def _open(study: Study, sums: Sequence[Sum]) -> tuple[Sum, ...]:
    return tuple(weights for weights, known in _known(study, sums).items() if not known.settled)


def _of(study: Study, weights: Sum) -> Range:
    return ranges(study.claims)[weights]
