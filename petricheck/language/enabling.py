"""What transitions need in order to fire, and that a marking has it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain, groupby, starmap

from petricheck.errors import QueryError
from petricheck.presburger.formulas import Formula, at_least, at_most, conjunction, disjunction
from petricheck.presburger.terms import variable
from petricheck.problem import Net, Weights, kept_with_net


def enabled(net: Net, pre: Weights) -> Formula:
    """That the tokens of this pre are there: m ≥ pre."""
    return conjunction(starmap(_holding(net), pre))


def one_enabled(net: Net, needs: Iterable[Weights]) -> Formula:
    """That a transition with one of these pre is enabled."""
    return disjunction(enabled(net, pre) for pre in minimal(needs))


@kept_with_net
def none_enabled(net: Net) -> Formula:
    """That no transition is enabled: for each with minimal pre, some place has too few tokens.

    t is disabled where m < u_t in some place. If u_s ≤ u_t, then t is disabled wherever s is. The
    formula stays a conjunction of disjunctions: its disjunctive normal form would have a cube for
    every choice of one place from each. It is true where the net has no transitions, and false
    where some transition needs no tokens.

    Raises:
        QueryError: the net has added transitions, without which it may have deadlocks that it has
            not with them.
    """
    if net.added:
        raise QueryError(
            "a deadlock cannot be asked of a net whose initial value is parametric (at least "
            "so many tokens): the transitions added for that are always enabled; fix the value"
        )
    lacking = cache(lambda place, weight: at_most(variable(net.places[place]), weight - 1))
    needs = minimal(transition.pre for transition in net.transitions)
    return conjunction(disjunction(starmap(lacking, pre)) for pre in needs)


@kept_with_net
def _holding(net: Net) -> Callable[[int, int], Formula]:
    """By place and weight the atom that so many tokens are there; many transitions share it."""
    return cache(lambda place, weight: at_least(variable(net.places[place]), weight))


def minimal(vectors: Iterable[Weights]) -> tuple[Weights, ...]:
    """The vectors that are above no other one, each once, in order of their support's size."""
    # A smaller vector has the same support, or a smaller one whose rarest place is a place of the
    # larger vector.
    distinct = set(vectors)
    uses = Counter(place for vector in distinct for place, _ in vector)
    smaller_at: dict[int, list[Weights]] = defaultdict(list)
    alike: dict[tuple[int, ...], list[Weights]] = defaultdict(list)
    kept: list[Weights] = []
    ordered = sorted(distinct, key=lambda v: (len(v), sum(w for _, w in v), v))
    for size, group in groupby(ordered, len):
        before = len(kept)
        for vector in group:
            weights = dict(vector)
            others = [alike[tuple(weights)], *(smaller_at[place] for place in weights)]
            if not any(_below(lower, weights) for lower in chain.from_iterable(others)):
                alike[tuple(weights)].append(vector)
                kept.append(vector)
        if not size:
            break
        for vector in kept[before:]:
            smaller_at[min((uses[place], place) for place, _ in vector)[1]].append(vector)
    return tuple(kept)


def _below(lower: Weights, weights: dict[int, int]) -> bool:
    return all(weight <= weights.get(place, 0) for place, weight in lower)
