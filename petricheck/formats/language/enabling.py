"""The needs of transitions (tokens that they take), and formulas for them.

A transition of a coloured net needs one of several vectors of tokens for each of its factors, which
are independent. Where it takes any k tokens from some places, it needs a sum of k.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby, product, starmap
from math import comb
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Formula,
    at_least,
    at_most,
    conjunction,
    disjunction,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.model.net import Net, Weights, cached_by_net

DEPTH = 4
"""The greatest depth of connectives in formulas about enabled transitions."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A number, by its name, that is 1 where a transition is enabled, and 0 where it is not."""

    name: str


@dataclass(frozen=True, slots=True)
class Upper:
    """An upper guard that no arc of the net says: fewer tokens than so many in a place."""

    place: int
    weight: int


Factor: TypeAlias = tuple[Weights, ...] | Upper

Needs: TypeAlias = tuple[Factor, ...] | Observed
"""The factors of a transition, each with vectors of which one is needed; or what observes it."""


def enabled(net: Net, needs: Needs) -> Formula:
    """Return the formula of enabling: for each factor, m ≥ pre for one of its pre."""
    if isinstance(needs, Observed):
        return at_least(variable(needs.name), 1)
    return conjunction(disjunction(_alternatives(net, factor)) for factor in needs)


def ways(net: Net, needs: Needs) -> Iterator[Formula]:
    """Yield conjunctions of which one holds where the transition is enabled."""
    if isinstance(needs, Observed):
        return iter((enabled(net, needs),))
    return map(conjunction, product(*(_alternatives(net, factor) for factor in needs)))


def one_enabled(net: Net, several: Iterable[Needs]) -> Formula:
    """Return the formula that one of these is enabled."""
    alone, others = _sorted(several)
    parts = (enabled(net, ((pre,),)) for pre in alone)
    return disjunction([*parts, *(enabled(net, needs) for needs in others)])


def none_enabled(net: Net, several: Iterable[Needs]) -> Formula:
    """Return the formula that none is enabled: of each minimal pre, some place has too few tokens.

    t is disabled where m < u_t in some place. If u_s ≤ u_t, then t is disabled wherever s is. The
    formula stays a conjunction of disjunctions: its disjunctive normal form would have a cube for
    every choice of one place from each. It is true where there are no transitions, and false where
    some transition needs no tokens.
    """
    alone, others = _sorted(several)
    lacking = cache(lambda place, weight: at_most(variable(net.places[place]), weight - 1))
    parts = [disjunction(starmap(lacking, pre)) for pre in alone]
    for needs in others:
        if isinstance(needs, Observed):
            parts.append(at_most(variable(needs.name), 0))
            continue
        missing = list[Formula]()
        for factor in needs:
            if isinstance(factor, Upper):
                missing.append(at_least(variable(net.places[factor.place]), factor.weight))
            elif total := _sum(net, factor):
                missing.append(at_most(total[0], total[1] - 1))
            else:
                missing.append(conjunction(disjunction(starmap(lacking, pre)) for pre in factor))
        parts.append(disjunction(missing))
    return conjunction(parts)


def _sorted(several: Iterable[Needs]) -> tuple[tuple[Weights, ...], list[Needs]]:
    """Return the minimal ones of a single factor that is no sum, and the others."""
    alone, others = list[Weights](), list[Needs]()
    for needs in several:
        match needs:
            case (tuple(vectors),) if _size(vectors) is None:
                alone += vectors
            case _:
                others.append(needs)
    return minimal(alone), others


def _alternatives(net: Net, factor: Factor) -> list[Formula]:
    if isinstance(factor, Upper):
        return [at_most(variable(net.places[factor.place]), factor.weight - 1)]
    if total := _sum(net, factor):
        return [at_least(*total)]
    return [_present(net)(pre) for pre in factor]


def _sum(net: Net, factor: tuple[Weights, ...]) -> tuple[Term, int] | None:
    """Return a sum of places, and how much of it is needed; None where the factor is none."""
    size = _size(factor)
    if size is None:
        return None
    names = {net.places[place] for pre in factor for place, _ in pre}
    return Term(tuple((name, 1) for name in sorted(names)), 0), size


def _size(factor: tuple[Weights, ...]) -> int | None:
    """Return the k if the factor has all ways to take k tokens from some places; else None."""
    if len(factor) < 2:
        return None
    size, *others = {sum(weight for _, weight in pre) for pre in factor}
    if others or size > len(factor):
        return None
    places = {place for pre in factor for place, _ in pre}
    return size if comb(len(places) + size - 1, size) == len(factor) else None


@cached_by_net
def _present(net: Net) -> Callable[[Weights], Formula]:
    """Return the function from a pre to m ≥ pre; it shares formulas between transitions."""
    holding = cache(lambda place, weight: at_least(variable(net.places[place]), weight))
    return cache(lambda pre: conjunction(starmap(holding, pre)))


def minimal(vectors: Iterable[Weights]) -> tuple[Weights, ...]:
    """Return the minimal vectors without repetitions, by the size of their support."""
    # A smaller vector has the same support, or a smaller one whose rarest place is a place of the
    # larger vector.
    distinct = set(vectors)
    uses = Counter(place for vector in distinct for place, _ in vector)
    smaller_at: dict[int, list[Weights]] = defaultdict(list)
    alike: dict[tuple[int, ...], list[Weights]] = defaultdict(list)
    minima: list[Weights] = []
    ordered = sorted(distinct, key=lambda v: (len(v), sum(w for _, w in v), v))
    for size, group in groupby(ordered, len):
        before = len(minima)
        for vector in group:
            weights = dict(vector)
            others = [alike[tuple(weights)], *(smaller_at[place] for place in weights)]
            if not any(_below(lower, weights) for lower in chain.from_iterable(others)):
                alike[tuple(weights)].append(vector)
                minima.append(vector)
        if not size:
            break
        for vector in minima[before:]:
            smaller_at[min((uses[place], place) for place, _ in vector)[1]].append(vector)
    return tuple(minima)


def _below(lower: Weights, weights: dict[int, int]) -> bool:
    return all(weight <= weights.get(place, 0) for place, weight in lower)
