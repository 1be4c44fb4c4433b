"""Predicates to start from, out of what others know about the net."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from petricheck.abstraction.domain import Predicate
from petricheck.flows.control import control_groups
from petricheck.linear import HalfSpace, Residue, constraint, direction_of
from petricheck.presburger.formulas import Congruence, Conjunction, Equality, Formula, Inequality
from petricheck.problem import Net

MOST = 32
"""Of more predicates each state would pay for all, and most say nothing of the target."""


def seeds(net: Net, facts: Iterable[Formula]) -> tuple[Predicate, ...]:
    """What the facts say, as predicates; facts about other places, and such as are no atoms, not.

    Of an inequality only the side that it states: the other one is not expected to hold.
    """
    found = dict.fromkeys(p for fact in facts for p in _predicates(net, fact))
    return tuple(found)[:MOST]


def locations(net: Net, groups: int) -> tuple[Predicate, ...]:
    """Whether a place is marked, for each place of so many control groups."""
    places = [place for group in control_groups(net, groups) for place in group]
    return tuple(
        HalfSpace(((place, sign),), bound)
        for place in places
        for sign, bound in ((1, 0), (1, 1), (-1, -1))
    )


def _predicates(net: Net, fact: Formula) -> Iterator[Predicate]:
    match fact:
        case Conjunction(operands):
            for operand in operands:
                yield from _predicates(net, operand)
        case Inequality(term) | Equality(term) | Congruence(term):
            if not all(name in net.place_numbers for name in term.variables):
                return
            if isinstance(fact, Congruence):
                yield Residue(direction_of(net, term), fact.modulus)
            else:
                yield from constraint(net, fact).sides
        case _:
            return
