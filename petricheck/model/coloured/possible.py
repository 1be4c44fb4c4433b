"""Possible colours of each place, by a fixed point that looks at single tokens.

Places may hold at first what they are marked with, and then what bindings put there whose tokens
may be there. That may keep too much, never too little.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from math import inf

import numpy as np

from petricheck.model.coloured.bindings import bindings, evaluated, is_joined, takings
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import MOST_COLOURS
from petricheck.model.coloured.tables import (
    NOTHING_SAID,
    BindingTable,
    Column,
    Limit,
    distinct,
    domain,
    is_among,
)
from petricheck.model.coloured.terms import Variable, comparisons
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import BudgetExhausted, Ending, InputError

MOST = 20_000_000
"""Bindings of a transition, tokens of an arc, or colours of a place, that are listed at most."""

_BYTES, _STRIDE = 100, 1 << 12
"""Bytes that a colour takes in a table of tokens; so many cost about as much as one look at the
budget."""

_ROUNDS = 2_000
"""Colours are added to places in so many rounds; after that those that still grow may hold all."""


def limit_of(part: Place | Transition, budget: Budget | None = None) -> Limit:
    """Return the most colours of a place, bindings or tokens of arcs that are listed in time."""
    things = "colours" if isinstance(part, Place) else "bindings or tokens"
    return Limit(MOST, f"{things} of {part.name}", budget or Budget())


def require_numbers(net: ColouredNet) -> None:
    """Raise where there are more colours than 64-bit integers number."""
    used = [(f"place {place.name}", place.sort) for place in net.places]
    for transition in net.transitions:
        location = f"the guard of {transition.name}"
        used += [(location, comparison.left.sort) for comparison in comparisons(transition.guard)]
    for location, sort in used:
        if sort.size > MOST_COLOURS:
            reason = (
                f"{location} speaks of more than {MOST_COLOURS:,} colours, too many to number them"
            )
            raise BudgetExhausted(reason, Ending.GAVE_UP)


def initial_tokens(net: ColouredNet, budget: Budget | None = None) -> list[dict[int, int]]:
    """Return for each place the initial tokens of each colour.

    Raises:
        BudgetExhausted: time or memory ran out, or there are too many.
        InputError: more is subtracted than there is.
    """
    limits, initial = budget or Budget(), []
    for place in watched(net.places, limits):
        _, colours, counts = evaluated(place.initial, NOTHING_SAID, limit_of(place, limits))
        if (counts < 0).any():
            raise InputError(f"initially place {place.name} subtracts more than there is")
        limits.check(_BYTES * len(colours))
        pairs = zip(colours.tolist(), counts.tolist(), strict=True)
        initial.append(dict(watched(pairs, limits, _STRIDE)))
    return initial


def possible_colours(
    net: ColouredNet, initial: Sequence[Iterable[int]], budget: Budget, most: float = inf
) -> list[Column]:
    """Return for each place the colours that it may hold, sorted.

    Raises:
        BudgetExhausted: there are too many, or the arcs of possible bindings would be more than
            `most`, or time or memory ran out.
    """
    additions = [np.array(sorted(colours), dtype=np.int64) for colours in initial]
    possible = [column[:0] for column in additions]
    for number in count():
        budget.check()
        pairs = zip(possible, additions, strict=True)
        # They have no colours in common.
        possible = [np.sort(np.concatenate(pair), kind="stable") for pair in watched(pairs, budget)]
        more: list[list[Column]] = [[column[:0]] for column in possible]
        for transition in watched(net.transitions, budget, 1):
            limit = limit_of(transition, budget)
            for table in _since(transition, possible, additions, limit, first=not number):
                fitting = allowed(transition, table, possible, budget)
                require_few(transition, fitting.rows, most)
                for place, multiset in transition.post:
                    _, colours, _ = evaluated(multiset, fitting, limit)
                    more[place].append(distinct(colours))
        for place, columns in watched(enumerate(more), budget):
            colours = distinct(np.concatenate(columns))
            new_colours = colours[~is_among(colours, possible[place])]
            if number >= _ROUNDS and len(new_colours):
                whole = Variable("", net.places[place].sort)
                colours = domain(whole, limit_of(net.places[place], budget)).columns[""]
                new_colours = np.setdiff1d(colours, possible[place])
            additions[place] = new_colours
        if not any(map(len, additions)):
            break
    return possible


def require_few(transition: Transition, rows: int, most: float, others: int = 0) -> None:
    """Raise where so many bindings have too many arcs, together with those of others."""
    arcs = others + rows * (len(transition.pre) + len(transition.post))
    if arcs > most:
        reason = f"its unfolding would have {arcs:,} arcs and more; {most:,} are too many"
        raise BudgetExhausted(reason, Ending.GAVE_UP)


def _since(
    transition: Transition,
    possible: Sequence[Column],
    additions: Sequence[Column],
    limit: Limit,
    *,
    first: bool,
) -> Iterator[BindingTable]:
    """Return bindings, among them all that take something new."""
    others = [place for place, multiset in transition.pre if not is_joined(multiset)]
    if first or any(len(additions[place]) for place in others):
        yield bindings(transition, possible, limit)
        return
    for number, (place, _) in enumerate(takings(transition)):
        if len(additions[place]):
            yield bindings(transition, possible, limit, (number, additions[place]))


def allowed(
    transition: Transition,
    table: BindingTable,
    possible: Sequence[Column],
    budget: Budget | None = None,
) -> BindingTable:
    """Return the bindings whose tokens may be there; BudgetExhausted where these are too many."""
    limit = limit_of(transition, budget)
    flags = np.ones(table.rows, dtype=bool)
    for place, multiset in transition.pre:
        if not is_joined(multiset):
            rows, colours, counts = evaluated(multiset, table, limit)
            flags[rows[(counts > 0) & ~is_among(colours, possible[place])]] = False
    return table if flags.all() else table.select(flags)
