"""A net whose colours are classes of colours of another net."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from petricheck.model.coloured.net import ColouredNet, Transition
from petricheck.model.coloured.sorts import (
    Product,
    Quotient,
    Sort,
    basic_components,
    basic_sorts,
    colour_of,
    is_plain,
)
from petricheck.model.coloured.terms import (
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
    """The original net before its colours were merged, and the classes.

    By place these are the classes of each of its sort's `basic_sorts`, by transition those of each
    variable.
    """

    original: ColouredNet
    places: tuple[tuple[Classes, ...], ...]
    variables: tuple[Mapping[str, Classes], ...]

    @cached_property
    def sorts(self) -> tuple[Sort, ...]:
        """By place the sort of the classes of its colours."""
        pairs = zip(self.original.places, self.places, strict=True)
        return tuple(_sort(place.sort, iter(classes)) for place, classes in pairs)

    def token(self, place: int, colour: int) -> int:
        """Return the class of a token on the place of this number."""
        components = basic_components(self.original.places[place].sort, colour)
        pairs = zip(self.places[place], components, strict=True)
        return colour_of(self.sorts[place], (_class(*pair) for pair in pairs))

    def binding(self, transition: int, binding: Mapping[str, int]) -> Mapping[str, int]:
        """Return the classes of the colours that a transition's variables have; by its number."""
        merged = self.variables[transition]
        return {name: _class(merged[name], colour) for name, colour in binding.items()}


def _class(classes: Classes, colour: int) -> int:
    return colour if classes is None else classes[colour]


def net_of_classes(merging: Merging) -> ColouredNet:
    """Return the net of the classes; guards that compare merged colours have one variable."""
    net = merging.original
    places = []
    for place, sort, classes in zip(net.places, merging.sorts, merging.places, strict=True):
        places.append(replace(place, sort=sort, initial=_multiset(place.initial, classes)))
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
    if isinstance(sort, Product):
        return Product(sort.name, tuple(_sort(factor, classes) for factor in sort.factors))
    own = next(classes)
    return sort if own is None else Quotient(sort, own)


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
    own = [next(classes) for _ in basic_sorts(term.sort)]
    if own == [None] * len(own):
        return term
    sort = _sort(term.sort, iter(own))
    assert isinstance(sort, Quotient)
    names = variables(term)
    if is_plain(sort):
        return Constant(sort, 0)
    if not names:
        return Constant(sort, sort.part[term.value({})])
    if names.keys() <= ranging:
        return ElementOf(sort, term)
    assert isinstance(term, Variable)
    return Variable(term.name, sort)


def _guard(guard: Guard, own: Mapping[str, Classes]) -> Guard:
    """Return the guard in terms of the classes; what compares merged colours has one variable."""
    match guard:
        case All(parts=conditions) | Some(parts=conditions):
            return type(guard)(tuple(_guard(condition, own) for condition in conditions))
        case Not(part=condition):
            return Not(_guard(condition, own))
    compared = (variables(guard.left) | variables(guard.right)).values()
    merged = [(v, classes) for v in compared if (classes := own[v.name]) is not None]
    if not merged:
        return guard
    ((variable, classes),) = merged
    first = {number: colour for colour, number in reversed([*enumerate(classes)])}
    holding = [n for n in sorted(first) if guard.holds({variable.name: first[n]})]
    sort = Quotient(variable.sort, classes)
    if is_plain(sort):
        return TRUE if holding else Some(())
    one = Variable(variable.name, sort)
    equations = tuple(Comparison("=", one, Constant(sort, number)) for number in holding)
    return equations[0] if len(equations) == 1 else Some(equations)
