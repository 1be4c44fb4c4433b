"""That colours which were merged behave alike.

Let N be the net and Q the one whose colours are classes of colours of N. A marking h(m) of Q has in
each class the tokens that m has of its colours. Shown is of each transition

1. under every binding b of N and the one of Q that gives each variable its class: one guard holds
   iff the other does, and arcs of Q say the image under h of what those of N say. That is looked at
   term by term and comparison by comparison, for all colours of their one variable;
2. that it is enabled in m under a binding of N wherever Q's is in h(m) under one of Q. For an arc
   that takes merged colours takes one token for each of its terms, a term has all colours of its
   class, and a merged variable is in one term alone: so for each term any token of the class will
   do, which then says what the merged variable is.

So Q fires in h(m) what N fires in m, up to bindings: the markings that Q reaches are the images of
those that N reaches, and have the same transitions enabled.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from petricheck.coloured.classes import Classes, Merging, components
from petricheck.coloured.net import Arcs, ColouredNet, Transition
from petricheck.coloured.sorts import Product, Sort
from petricheck.coloured.tables import Column
from petricheck.coloured.terms import (
    All,
    Comparison,
    Guard,
    Multiset,
    Not,
    Some,
    Summand,
    Term,
    Tuple,
    variables,
)
from petricheck.errors import EvidenceError

_Own: TypeAlias = Mapping[str, Classes]
"""The classes of each variable of a transition; others are not merged."""

_One = TypeVar("_One")
_Other = TypeVar("_Other")


def check_merging(net: ColouredNet, merging: Merging) -> None:
    """Compare the net with the one that it is said to have the classes of.

    Raises:
        EvidenceError: they differ, or what is merged does not behave alike.
    """
    original = merging.original
    for (place, other), classes in _pairs(_pairs(original.places, net.places), merging.places):
        sorts = [sort.size for sort in components(other.sort)]
        counts = [_count(*pair) for pair in _pairs(components(place.sort), classes)]
        _require(place.name == other.name and sorts == counts, f"another place {place.name}")
        _check_tokens(place.initial, other.initial, classes, {})
    transitions = _pairs(original.transitions, net.transitions)
    for (transition, image), own in _pairs(transitions, merging.variables):
        _require(transition.name == image.name, "other transitions")
        _check_variables(transition, image, own)
        _check_guard(transition.guard, image.guard, own)
        for arcs, images in ((transition.pre, image.pre), (transition.post, image.post)):
            for (number, multiset), (same, tokens) in _pairs(arcs, images):
                _require(number == same, "another arc")
                _check_tokens(multiset, tokens, merging.places[number], own)
        _check_choice(transition.pre, merging.places, own)


def _check_variables(transition: Transition, image: Transition, own: _Own) -> None:
    counts = {v.name: _count(v.sort, own.get(v.name)) for v in transition.variables}
    for variable in image.variables:
        right = counts.get(variable.name) == variable.sort.size
        _require(right, f"another variable {variable.name}")


def _count(sort: Sort, classes: Classes) -> int:
    """How many classes there are; each has a colour, and there is one."""
    _require(sort.size > 0, f"no colours of {sort.name}")
    if classes is None:
        return sort.size
    numbers = {*classes}
    _require(len(classes) == sort.size, f"other colours of {sort.name}")
    _require(numbers == {*range(len(numbers))}, f"empty classes of {sort.name}")
    return len(numbers)


def _check_guard(guard: Guard, image: Guard, own: _Own) -> None:
    """That one holds iff the other does."""
    match guard, image:
        case (All(parts=one), All(parts=other)) | (Some(parts=one), Some(parts=other)):
            for pair in _pairs(one, other):
                _check_guard(*pair, own)
        case Not(part=part), Not(part=inner):
            _check_guard(part, inner, own)
        case Comparison(), _:
            if not _is_left(guard, image, own):
                colours, classes, rows = _values(guard, image, own)
                _require_equal(guard.holds(colours), image.holds(classes), rows, "another guard")
        case _:
            raise _error("another guard")


def _check_tokens(
    multiset: Multiset, image: Multiset, classes: Sequence[Classes], own: _Own
) -> None:
    """That the image has in each class what the multiset has of its colours, and hides no debt."""
    for summand, other in _pairs(multiset, image):
        _require(summand.count > 0 or not any(classes), "a subtraction of merged colours")
        _require(summand.count == other.count, "another count")
        _require(summand.ranging == other.ranging, "another range")
        for term, own_image, merged, scope in _terms(summand, other, classes, own):
            count = _count(term.sort, merged)
            _require(own_image.sort.size == count, "a term of another sort")
            if merged is not None or not _is_left(term, own_image, scope):
                colours, of_classes, rows = _values(term, own_image, scope)
                value = term.value(colours)
                expected = value if merged is None else np.asarray(merged)[value]
                _require_equal(expected, own_image.value(of_classes), rows, "another term")


def _check_choice(arcs: Arcs, places: Sequence[Sequence[Classes]], own: _Own) -> None:
    """That any token of a class will do wherever one is taken."""
    uses = Counter[str]()
    for number, multiset in arcs:
        for summand in multiset:
            alone = summand.count == 1 and not summand.ranging
            _require(alone or not any(places[number]), "several tokens of one merged colour")
            for term, _, merged, scope in _terms(summand, summand, places[number], own):
                uses.update(variables(term).keys())
                if merged is not None:
                    _check_reach(term, merged, scope)
    for name, classes in own.items():
        _require(classes is None or uses[name] <= 1, f"{name} is merged and taken twice")


def _check_reach(term: Term, merged: Sequence[int], own: _Own) -> None:
    """That the term has all colours of its class, while its variable has those of one class."""
    colours, classes, rows = _values(term, term, own)
    numbers = next(iter(classes.values()), np.zeros(1, dtype=np.int64)).tolist()
    reached = defaultdict[int, set[int]](set)
    for number, colour in zip(
        numbers, np.broadcast_to(term.value(colours), rows).tolist(), strict=True
    ):
        reached[number].add(colour)
    members = defaultdict[int, set[int]](set)
    for colour, number in enumerate(merged):
        members[number].add(colour)
    whole = all(values == members[merged[min(values)]] for values in reached.values())
    _require(whole, "a class is not taken whole")


def _terms(
    summand: Summand, other: Summand, classes: Sequence[Classes], own: _Own
) -> Iterator[tuple[Term, Term, Classes, _Own]]:
    """The terms of both for each component, with its classes and those of the variables."""
    scope = {**own, **dict.fromkeys((variable.name for variable in summand.ranging), None)}
    left = iter(classes)

    def walk(term: Term, image: Term) -> Iterator[tuple[Term, Term, Classes, _Own]]:
        if isinstance(term, Tuple):
            parts = image.parts if isinstance(image, Tuple) else ()
            for pair in _pairs(term.parts, parts):
                yield from walk(*pair)
        elif isinstance(term.sort, Product):
            merged = [next(left) for _ in components(term.sort)]
            _require(not any(merged), "merged in part")
            yield term, image, None, scope
        else:
            yield term, image, next(left), scope

    return walk(summand.term, other.term)


def _is_left(part: Term | Guard, image: Term | Guard, own: _Own) -> bool:
    """Whether nothing is merged there."""
    return part == image and all(own.get(name) is None for name in variables(part))


def _values(
    part: Term | Guard, image: Term | Guard, own: _Own
) -> tuple[dict[str, Column], dict[str, Column], int]:
    """All colours of the only variable, their classes, and how many colours there are."""
    names = variables(part)
    _require(len(names) <= 1, "merged colours of two variables are compared")
    _require(variables(image).keys() <= names.keys(), "another variable")
    for name, variable in names.items():
        colours, classes = np.arange(variable.sort.size), own.get(name)
        merged = colours if classes is None else np.asarray(classes)
        return {name: colours}, {name: merged}, len(colours)
    return {}, {}, 1


def _require_equal(one: Any, other: Any, rows: int, what: str) -> None:
    _require(np.array_equal(np.broadcast_to(one, rows), np.broadcast_to(other, rows)), what)


def _pairs(one: Iterable[_One], other: Iterable[_Other]) -> list[tuple[_One, _Other]]:
    try:
        return [*zip(one, other, strict=True)]
    except ValueError:
        raise _error("another number of parts") from None


def _error(what: str) -> EvidenceError:
    return EvidenceError(f"colours are merged that do not behave alike: {what}")


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise _error(what)
