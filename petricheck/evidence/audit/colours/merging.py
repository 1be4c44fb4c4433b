"""The check that merged colours behave alike.

Let N be the net, and Q the net whose colours are classes of colours of N. A marking m of N has an
image h(m) in Q: the tokens of a class are those of its colours. Sorts of Q are the classes of those
of N, so that colours have their names. For each transition the check shows:

1. Let b be a binding of N, and b' the binding of Q that gives each variable the class of its
   colour. The guard of N holds under b iff that of Q holds under b'. Arcs of Q under b' are the
   images under h of those of N under b. Terms and comparisons have at most one merged variable;
   they are compared one by one for all colours of it.
2. If Q can fire the transition in h(m) under a binding b', then N can fire it in m under a binding
   of these classes. An arc that takes merged colours takes one token per term; a term has all
   colours of its class as values; and a merged variable occurs in one term only. So for each term
   any token of the class can be taken, and it determines the colour of the merged variable.

So, by induction, the markings that Q reaches are the images of those that N reaches, and m and h(m)
enable the same transitions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from petricheck.model.coloured.classes import Classes, Merging
from petricheck.model.coloured.net import Arcs, ColouredNet, Transition
from petricheck.model.coloured.sorts import Product, Quotient, Sort, basic_sorts
from petricheck.model.coloured.tables import Column
from petricheck.model.coloured.terms import (
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
from petricheck.support.errors import EvidenceError

_ByVariable: TypeAlias = Mapping[str, Classes]
"""By variable of a transition, the classes of its colours; other variables are not merged."""

_One = TypeVar("_One")
_Other = TypeVar("_Other")


def check_merging(net: ColouredNet, merging: Merging) -> None:
    """Check that the net has the classes of colours that the merging describes.

    Raises:
        EvidenceError: the nets differ, or merged colours do not behave alike.
    """
    original = merging.original
    for (place, other), classes in _pairs(_pairs(original.places, net.places), merging.places):
        own = (own for _, own in _pairs(basic_sorts(place.sort), classes))
        agrees = place.name == other.name and _is_of_classes(other.sort, place.sort, own)
        _require(agrees, f"another place {place.name}")
        _check_tokens(place.initial, other.initial, classes, {})
    transitions = _pairs(original.transitions, net.transitions)
    for (transition, image), by_variable in _pairs(transitions, merging.variables):
        _require(transition.name == image.name, "other transitions")
        _check_variables(transition, image, by_variable)
        _check_guard(transition.guard, image.guard, by_variable)
        for arcs, images in ((transition.pre, image.pre), (transition.post, image.post)):
            for (number, multiset), (same, tokens) in _pairs(arcs, images):
                _require(number == same, "another arc")
                _check_tokens(multiset, tokens, merging.places[number], by_variable)
        _check_choice(transition.pre, merging.places, by_variable)


def _check_variables(transition: Transition, image: Transition, by_variable: _ByVariable) -> None:
    sorts = {v.name: _of_classes(v.sort, by_variable.get(v.name)) for v in transition.variables}
    for variable in image.variables:
        agrees = sorts.get(variable.name) == variable.sort
        _require(agrees, f"another variable {variable.name}")


def _is_of_classes(image: Sort, sort: Sort, classes: Iterator[Classes]) -> bool:
    """Return whether the image is the sort with these classes of its `basic_sorts`."""
    if not isinstance(sort, Product):
        return image == _of_classes(sort, next(classes))
    pairs = _pairs(image.factors if isinstance(image, Product) else (), sort.factors)
    return all(_is_of_classes(*pair, classes) for pair in pairs)


def _of_classes(sort: Sort, classes: Classes) -> Sort:
    _count(sort, classes)
    return sort if classes is None else Quotient(sort, classes)


def _count(sort: Sort, classes: Classes) -> int:
    """Return the number of classes, which is at least one; require that none is empty."""
    _require(sort.size > 0, f"no colours of {sort.name}")
    if classes is None:
        return sort.size
    numbers = {*classes}
    _require(len(classes) == sort.size, f"other colours of {sort.name}")
    _require(numbers == {*range(len(numbers))}, f"empty classes of {sort.name}")
    return len(numbers)


def _check_guard(guard: Guard, image: Guard, by_variable: _ByVariable) -> None:
    """Require that one guard holds iff the other does."""
    match guard, image:
        case (All(parts=one), All(parts=other)) | (Some(parts=one), Some(parts=other)):
            for pair in _pairs(one, other):
                _check_guard(*pair, by_variable)
        case Not(part=part), Not(part=inner):
            _check_guard(part, inner, by_variable)
        case Comparison(), _:
            if not _is_unmerged(guard, image, by_variable):
                colours, classes, rows = _values(guard, image, by_variable)
                _require_equal(guard.holds(colours), image.holds(classes), rows, "another guard")
        case _:
            raise _error("another guard")


def _check_tokens(
    multiset: Multiset,
    image: Multiset,
    classes: Sequence[Classes],
    by_variable: _ByVariable,
) -> None:
    """Require that the image has in each class as many tokens as the multiset of its colours.

    A subtraction of merged colours is refused: a sum over a class would hide that one colour lacks
    tokens.
    """
    for summand, other in _pairs(multiset, image):
        _require(summand.count > 0 or not any(classes), "a subtraction of merged colours")
        _require(summand.count == other.count, "another count")
        _require(summand.ranging == other.ranging, "another range")
        for term, own_image, merged, scope in _terms(summand, other, classes, by_variable):
            count = _count(term.sort, merged)
            _require(own_image.sort.size == count, "a term of another sort")
            if merged is not None or not _is_unmerged(term, own_image, scope):
                colours, of_classes, rows = _values(term, own_image, scope)
                value = term.value(colours)
                expected = value if merged is None else np.asarray(merged)[value]
                _require_equal(expected, own_image.value(of_classes), rows, "another term")


def _check_choice(
    arcs: Arcs, places: Sequence[Sequence[Classes]], by_variable: _ByVariable
) -> None:
    """Require that, wherever an arc takes a merged colour, any token of its class will do."""
    uses = Counter[str]()
    for number, multiset in arcs:
        for summand in multiset:
            alone = summand.count == 1 and not summand.ranging
            _require(alone or not any(places[number]), "several tokens of one merged colour")
            for term, _, merged, scope in _terms(summand, summand, places[number], by_variable):
                uses.update(variables(term).keys())
                if merged is not None:
                    _check_reach(term, merged, scope)
    for name, classes in by_variable.items():
        _require(classes is None or uses[name] <= 1, f"{name} is merged and taken twice")


def _check_reach(term: Term, merged: Sequence[int], by_variable: _ByVariable) -> None:
    """Require that a term has all colours of its class, as its variable has all of one class."""
    colours, classes, rows = _values(term, term, by_variable)
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
    summand: Summand, other: Summand, classes: Sequence[Classes], by_variable: _ByVariable
) -> Iterator[tuple[Term, Term, Classes, _ByVariable]]:
    """Yield both terms of each component, its classes, and the classes of the variables."""
    scope = {
        **by_variable,
        **dict.fromkeys((variable.name for variable in summand.ranging), None),
    }
    remaining = iter(classes)

    def walk(term: Term, image: Term) -> Iterator[tuple[Term, Term, Classes, _ByVariable]]:
        if isinstance(term, Tuple):
            parts = image.parts if isinstance(image, Tuple) else ()
            for pair in _pairs(term.parts, parts):
                yield from walk(*pair)
        elif isinstance(term.sort, Product):
            merged = [next(remaining) for _ in basic_sorts(term.sort)]
            _require(not any(merged), "merged in part")
            yield term, image, None, scope
        else:
            yield term, image, next(remaining), scope

    return walk(summand.term, other.term)


def _is_unmerged(part: Term | Guard, image: Term | Guard, by_variable: _ByVariable) -> bool:
    """Return whether the part is the same in both nets and has no merged variable."""
    return part == image and all(by_variable.get(name) is None for name in variables(part))


def _values(
    part: Term | Guard, image: Term | Guard, by_variable: _ByVariable
) -> tuple[dict[str, Column], dict[str, Column], int]:
    """Return all colours of the only variable, their classes, and the number of colours."""
    names = variables(part)
    _require(len(names) <= 1, "merged colours of two variables are compared")
    _require(variables(image).keys() <= names.keys(), "another variable")
    for name, variable in names.items():
        colours, classes = np.arange(variable.sort.size), by_variable.get(name)
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
