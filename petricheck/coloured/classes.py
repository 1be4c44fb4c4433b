"""A net whose colours are classes of colours of another net."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeAlias

from petricheck.coloured.net import ColouredNet, Transition
from petricheck.coloured.sorts import Dot, Partition, Product, Sort
from petricheck.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    ElementOf,
    Guard,
    Multiset,
    Not,
    Some,
    Term,
    Tuple,
    Variable,
    variables,
)

Classes: TypeAlias = tuple[int, ...] | None
"""By colour the number of its class, from 0 on; None where each is a class of its own."""


@dataclass(frozen=True)
class Merging:
    """The net before its colours were merged, and the classes.

    Attributes:
        original: the net as it was.
        places: by place the classes of each component of its sort, products taken apart.
        variables: by transition the classes of each variable.
    """

    original: ColouredNet
    places: tuple[tuple[Classes, ...], ...]
    variables: tuple[Mapping[str, Classes], ...]

    def image(self, transition: int, binding: Mapping[str, int]) -> Mapping[str, int]:
        """Return the classes of the colours that a transition's variables have; by its number."""
        merged = self.variables[transition]
        return {
            name: colour if (classes := merged[name]) is None else classes[colour]
            for name, colour in binding.items()
        }


def components(sort: Sort) -> list[Sort]:
    """Return the sort, or what products are made of."""
    return [*chain(*map(components, sort.factors))] if isinstance(sort, Product) else [sort]


def names_of(sort: Sort, classes: Sequence[int]) -> tuple[str, ...]:
    """Return `a` for a single colour, `a..d` for several from the first to the last."""
    ends: dict[int, tuple[int, int]] = {}
    for colour, number in enumerate(classes):
        ends[number] = (ends.get(number, (colour,))[0], colour)
    return tuple(
        sort.text(first) if first == last else f"{sort.text(first)}..{sort.text(last)}"
        for first, last in ends.values()
    )


def net_of_classes(merging: Merging) -> ColouredNet:
    """Return the net of the classes; guards that compare merged colours have one variable."""
    net = merging.original
    places = []
    for place, classes in zip(net.places, merging.places, strict=True):
        sort, initial = _sort(place.sort, iter(classes)), _multiset(place.initial, classes)
        places.append(replace(place, sort=sort, initial=initial))
    transitions = []
    for transition, own in zip(net.transitions, merging.variables, strict=True):
        pre, post = (
            tuple((n, _multiset(multiset, merging.places[n])) for n, multiset in arcs)
            for arcs in (transition.pre, transition.post)
        )
        guard = _guard(transition.guard, own)
        transitions.append(Transition(transition.name, pre, post, guard, transition.label))
    return ColouredNet(net.name, tuple(places), tuple(transitions))


def _sort(sort: Sort, classes: Iterator[Classes]) -> Sort:
    """Return the sort of the classes; the one class of all is that of plain tokens."""
    if isinstance(sort, Product):
        return Product(sort.name, tuple(_sort(factor, classes) for factor in sort.factors))
    own = next(classes)
    if own is None:
        return sort
    return Partition(sort.name, sort, names_of(sort, own), own) if any(own) else Dot()


def _multiset(multiset: Multiset, classes: Sequence[Classes]) -> Multiset:
    """Return the classes of what is in a place whose components have these."""
    merged = []
    for summand in multiset:
        ranging = {variable.name for variable in summand.ranging}
        merged.append(replace(summand, term=_term(summand.term, iter(classes), ranging)))
    return tuple(merged)


def _term(term: Term, classes: Iterator[Classes], ranging: Set[str]) -> Term:
    if isinstance(term, Tuple):
        return Tuple(tuple(_term(part, classes, ranging) for part in term.parts))
    own = [next(classes) for _ in components(term.sort)]
    if own == [None] * len(own):
        return term
    sort = _sort(term.sort, iter(own))
    if isinstance(sort, Dot):
        return Constant(sort, 0)
    assert isinstance(sort, Partition) and isinstance(term, Constant | Variable)
    if isinstance(term, Constant):
        return Constant(sort, sort.part[term.colour])
    return ElementOf(sort, term) if term.name in ranging else Variable(term.name, sort)


def _guard(guard: Guard, own: Mapping[str, Classes]) -> Guard:
    """Return the guard in terms of the classes; what compares merged colours has one variable."""
    match guard:
        case All(parts=conditions):
            return All(tuple(_guard(condition, own) for condition in conditions))
        case Some(parts=conditions):
            return Some(tuple(_guard(condition, own) for condition in conditions))
        case Not(part=condition):
            return Not(_guard(condition, own))
    compared = (variables(guard.left) | variables(guard.right)).values()
    merged = [(v, classes) for v in compared if (classes := own[v.name]) is not None]
    if not merged:
        return guard
    ((variable, classes),) = merged
    first = {number: colour for colour, number in reversed([*enumerate(classes)])}
    holding = [n for n in sorted(first) if guard.holds({variable.name: first[n]})]
    sort = _sort(variable.sort, iter((classes,)))
    if isinstance(sort, Dot):
        return TRUE if holding else Some(())
    one = Variable(variable.name, sort)
    equations = tuple(Comparison("=", one, Constant(sort, number)) for number in holding)
    return equations[0] if len(equations) == 1 else Some(equations)
