"""Colours of a coloured net that can be exchanged for each other.

Let two colours of a basic sort be *alike* if nothing tells them apart:

- no arc names one of them as a constant, and they are in the same part of each partition whose
  elements are taken;
- a comparison of a single variable holds for both or for neither; others do not name them;
- each place has as many initial tokens of the one as of the other, in the same company: the same
  other components, and itself at the same positions.

Where a sort is neither ordered by a comparison of two variables nor has successors taken, an
exchange of two alike colours maps bindings to bindings, firings to firings, and the initial marking
to itself. So it maps reachable markings to reachable ones. Where a sort is cyclic and not ordered,
and all its colours are alike, so does moving all of them by the same number of steps.

Questions name colours too: these are alike to no others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from petricheck.model.coloured.net import ColouredNet
from petricheck.model.coloured.sorts import (
    Enumeration,
    Product,
    Sort,
    basic_components,
    basic_sorts,
)
from petricheck.model.coloured.tables import Column
from petricheck.model.coloured.terms import (
    Comparison,
    Constant,
    ElementOf,
    Multiset,
    Shifted,
    Summand,
    Term,
    Tuple,
    Variable,
    comparisons,
    variables,
)
from petricheck.support.errors import BudgetExhausted, Ending

MOST_COLOURS = 2_000_000
"""Colours of larger sorts are not told apart one by one."""


class Exchange(Enum):
    """How colours of a sort may be exchanged."""

    NONE = 0
    ANY_TWO = 1
    ALL_BY_STEPS = 2


@dataclass(frozen=True)
class Alike:
    """The colours of a basic sort that are alike.

    Attributes:
        classes: by colour the number of its class; colours of a class are alike.
        exchange: how colours of a class may be exchanged.
    """

    classes: Column
    exchange: Exchange

    @property
    def orbit(self) -> Column:
        """The colours of the largest class."""
        counts = np.bincount(self.classes)
        return np.flatnonzero(self.classes == counts.argmax())


def alike(net: ColouredNet, named: Iterable[tuple[Sort, int]] = ()) -> Mapping[Sort, Alike]:
    """Return by basic sort of the net which colours are alike; the named ones to no others.

    Raises:
        BudgetExhausted: a sort has too many colours.
    """
    search = _Distinctions()
    for sort, colour in named:
        search.name(sort, colour)
    for number, place in enumerate(net.places):
        search.add(place.sort)
        search.read_initial(number, place.initial)
    for transition in net.transitions:
        for variable in transition.variables:
            search.add(variable.sort)
        for _, multiset in (*transition.pre, *transition.post):
            for summand in multiset:
                search.read_term(summand.term)
        for comparison in comparisons(transition.guard):
            search.read_comparison(comparison)
    return search.result()


class _Distinctions:
    """What tells colours apart, by basic sort."""

    def __init__(self) -> None:
        self._keys: dict[Sort, Column] = {}
        self._ordered: set[Sort] = set()
        self._turned: set[Sort] = set()
        self._initial: defaultdict[Sort, defaultdict[int, Counter[object]]] = defaultdict(
            lambda: defaultdict(Counter)
        )

    def add(self, sort: Sort) -> None:
        for basic in basic_sorts(sort):
            if basic not in self._keys:
                require_size(basic)
                self._keys[basic] = np.zeros(basic.size, dtype=np.int64)

    def name(self, sort: Sort, colour: int) -> None:
        self.add(sort)
        for basic, component in zip(basic_sorts(sort), basic_components(sort, colour), strict=True):
            self._cut(basic, np.arange(basic.size) == component)

    def read_term(self, term: Term) -> None:
        self.add(term.sort)
        match term:
            case Constant(sort=sort, colour=colour):
                self.name(sort, colour)
            case Tuple(parts=parts):
                for part in parts:
                    self.read_term(part)
            case Shifted(term=inner):
                self._turned.add(term.sort)
                self.read_term(inner)
            case ElementOf(sort=sort, term=inner):
                self._ordered.add(sort)  # Its colours go with those of the whole.
                self.read_term(inner)
                if isinstance(inner.sort, Product):
                    self._ordered.update(basic_sorts(inner.sort))
                else:
                    self._cut(inner.sort, np.asarray(sort.part))

    def read_comparison(self, comparison: Comparison) -> None:
        names = variables(comparison.left) | variables(comparison.right)
        if len(names) == 1:
            ((name, variable),) = names.items()
            if not isinstance(variable.sort, Product):
                self.add(variable.sort)
                colours = np.arange(variable.sort.size)
                holds = np.broadcast_to(comparison.holds({name: colours}), colours.shape)
                self._cut(variable.sort, holds)
                return
        if comparison.relation not in ("=", "!="):
            self._ordered.update(basic_sorts(comparison.left.sort))
        self.read_term(comparison.left)
        self.read_term(comparison.right)

    def read_initial(self, place: int, multiset: Multiset) -> None:
        """Record for each colour the company in which a place has it initially."""
        for summand in multiset:
            components = [*_components(summand)]
            for sort in (sort for sort, _ in components):
                self.add(sort)
            if any(colour is None for _, colour in components):
                self._ordered.update(sort for sort, _ in components)
                continue
            for sort, colour in dict.fromkeys(components):
                if colour != _EVERY:
                    company = tuple(
                        _SELF if pair == (sort, colour) else pair[1] for pair in components
                    )
                    self._initial[sort][colour or 0][place, company] += summand.count

    def _cut(self, sort: Sort, sides: Column | Sequence[bool]) -> None:
        self.add(sort)
        self._keys[sort] = refined(self._keys[sort], np.asarray(sides))

    def result(self) -> dict[Sort, Alike]:
        for sort, companies in self._initial.items():
            numbers: dict[frozenset[object], int] = {}
            sides = np.zeros(sort.size, dtype=np.int64)
            for colour, counts in companies.items():
                held = frozenset(pair for pair in counts.items() if pair[1])
                if held:
                    sides[colour] = numbers.setdefault(held, len(numbers) + 1)
            self._cut(sort, sides)
        return {sort: Alike(keys, self._exchange(sort, keys)) for sort, keys in self._keys.items()}

    def _exchange(self, sort: Sort, classes: Column) -> Exchange:
        if sort in self._ordered:
            return Exchange.NONE
        if sort not in self._turned:
            return Exchange.ANY_TWO
        turns = isinstance(sort, Enumeration) and not classes.any()
        return Exchange.ALL_BY_STEPS if turns else Exchange.NONE


_EVERY, _SELF = -1, -2
"""Stand for all colours of a component, and for the colour whose company it is."""


def _components(summand: Summand) -> Iterator[tuple[Sort, int | None]]:
    """Yield the basic components of an initial term: a colour, all, or None for other terms."""
    ranging = Counter[str]()

    def walk(term: Term) -> Iterator[tuple[Sort, int | None]]:
        match term:
            case Tuple(parts=parts):
                for part in parts:
                    yield from walk(part)
            case Constant(sort=sort, colour=colour):
                yield from zip(basic_sorts(sort), basic_components(sort, colour), strict=True)
            case Variable(name=name, sort=sort) if not ranging[name]:
                ranging[name] += 1
                yield from ((basic, _EVERY) for basic in basic_sorts(sort))
            case _:
                yield from ((basic, None) for basic in basic_sorts(term.sort))

    return walk(summand.term)


def refined(classes: Column, sides: Column) -> Column:
    """Return classes of colours that are in the same class and on the same side."""
    _, sides = np.unique(sides, return_inverse=True)
    keys = classes * (int(sides.max(initial=0)) + 1) + sides.reshape(-1)
    return np.asarray(np.unique(keys, return_inverse=True)[1].reshape(-1), dtype=np.int64)


def require_size(sort: Sort) -> None:
    """Raise BudgetExhausted where colours are too many to be told apart one by one."""
    if sort.size > MOST_COLOURS:
        reason = f"the sort {sort.name} has more than {MOST_COLOURS:,} colours"
        raise BudgetExhausted(reason, Ending.GAVE_UP)
