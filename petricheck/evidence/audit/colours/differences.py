"""Whether multisets with subtractions have less than no token of some colour.

Mostly terms alone say that: what is subtracted is among what a sum over all colours of a sort has.
Otherwise the colours of the variables are listed, those that the guard excludes aside.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from petricheck.model.coloured.solutions import solutions, tokens_of
from petricheck.model.coloured.sorts import Sort
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Guard,
    Multiset,
    Summand,
    Term,
    Tuple,
    Variable,
    conjuncts,
    listed,
    size,
    variables,
)

_MOST = 100_000
"""Tokens of one arc, for all colours of its variables, that are listed."""


def is_never_negative(multiset: Multiset, guard: Guard = TRUE) -> bool:
    """Return whether no count is less than 0 where the guard holds; maybe False where none is.

    Nor is their sum, even where the guard never holds.
    """
    if is_covered(multiset):
        return True
    if size(multiset) < 0:
        return False
    sorts = dict[str, Sort]()
    for summand in multiset:
        ranging = {variable.name for variable in summand.ranging}
        occurring = variables(summand.term).items()
        sorts |= {name: variable.sort for name, variable in occurring if name not in ranging}
    if prod(sort.size for sort in sorts.values()) * listed(multiset) > _MOST:
        return False
    known = tuple(part for part in conjuncts(guard) if variables(part).keys() <= sorts.keys())
    positions, rows = solutions(sorts, All(known), ())
    tokens = tokens_of(multiset, positions)
    return all(count >= 0 for row in rows for _, count in tokens(row))


def is_covered(multiset: Sequence[Summand]) -> bool:
    """Return whether each token that is subtracted is among those of another summand."""
    left = [summand.count for summand in multiset]
    for taken in multiset:
        if taken.count < 0:
            for number, summand in enumerate(multiset):
                if left[number] + taken.count >= 0 and _contains(summand, taken):
                    left[number] += taken.count
                    break
            else:
                return False
    return True


def _contains(summand: Summand, taken: Summand) -> bool:
    """Return whether the summand has a token of the other's term, of which there is one."""
    ranging = {variable.name for variable in summand.ranging}
    bound: dict[str, Term] = {}

    def fits(pattern: Term, term: Term) -> bool:
        match pattern, term:
            case Variable(name=name), _ if name in ranging:
                return bound.setdefault(name, term) == term and pattern.sort == term.sort
            case Tuple(parts=patterns), Tuple(parts=terms):
                return all(map(fits, patterns, terms)) and len(patterns) == len(terms)
        return pattern == term and ranging.isdisjoint(variables(pattern))

    return not taken.ranging and fits(summand.term, taken.term)
