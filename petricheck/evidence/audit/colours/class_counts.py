"""The net that counts the tokens of a coloured net by classes of their colours.

Colours that are alike (`interchangeable`) are in one class, apart from a few that can be exchanged
for all of them. These are *tracked*: each is a class of its own. So may be all colours of a small
sort whose colours cannot be exchanged. A marking m of the coloured net has an image h(m):
for each place the number of tokens of each class. The net has for each binding of the coloured net
a transition that takes and puts the images of what the binding takes and puts. So, by induction,
whatever marking m the coloured net reaches, this net reaches h(m). It may reach more.

Bindings are not listed one by one. Two colours of a variable have the same *type* in a transition
if they are in the same class, the terms of the arcs have values of the same class for both, and so
have the comparisons of this variable alone. So all bindings of the same types have the same image.
Combinations of types are left out only where the guard holds for none of their bindings: it cannot,
or less than no token would be moved, which no binding does (`differences`). What is enabled does
not depend on what is put, so there the types are those of what is taken and compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, product
from math import prod
from typing import NamedTuple, TypeAlias

import numpy as np

from petricheck.arithmetic.formulas.text import node_text
from petricheck.evidence.audit.colours.interchangeable import (
    Alike,
    Exchange,
    alike,
    refined,
    require_size,
)
from petricheck.evidence.audit.colours.typed_guards import TypedGuards, Types
from petricheck.model.coloured.classes import Merging
from petricheck.model.coloured.net import Arcs, ColouredNet, Transition
from petricheck.model.coloured.sorts import (
    MOST_COLOURS,
    Product,
    Sort,
    basic_components,
    basic_sorts,
)
from petricheck.model.coloured.tables import Column
from petricheck.model.coloured.terms import (
    Comparison,
    Summand,
    Term,
    Tuple,
    Variable,
    comparisons,
    conjuncts,
    variables,
)
from petricheck.model.coloured.unfolding import place_name
from petricheck.model.net import Net, Weights
from petricheck.model.net import Transition as Counting
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import BudgetExhausted, Ending

_MOST = 20_000
"""Combinations of types of one transition that are looked at."""

Token: TypeAlias = tuple[int, int]
"""A place of the coloured net, and a class of its colours."""

Image: TypeAlias = Mapping[Token, int]
"""Numbers of tokens."""

_REST = -1
"""The mark of the class of the colours that tracked ones can be exchanged for."""


@dataclass(frozen=True)
class TypedBindings:
    """The bindings of some types of those variables that decide what is enabled.

    Attributes:
        types: by variable of the input arcs and the guard.
        pre: the image of what they take.
        is_certain: whether, wherever the image of what they take is there, one of them is enabled.
        is_canonical: see `ClassCounts.is_canonical`.
    """

    types: Types
    pre: Image
    is_certain: bool
    is_canonical: bool


class Apart(NamedTuple):
    """The colours that are classes of their own.

    Attributes:
        tracked: how many of each sort whose colours can be exchanged.
        most: in other sorts all, where these have at most so many colours.
    """

    tracked: int
    most: int = 0


class ClassCounts:
    """A coloured net, and how its tokens are counted.

    Attributes:
        coloured: the coloured net; no arc subtracts more than there is.
        is_tracking: whether some colours are tracked.
        ways: by transition of the coloured net the images of what bindings take and put.
    """

    def __init__(
        self,
        coloured: ColouredNet,
        apart: Apart,
        named: Iterable[tuple[Sort, int]] = (),
        budget: Budget | None = None,
    ) -> None:
        """Partition the colours and list the ways of all transitions.

        Args:
            coloured: the net.
            apart: the colours that are classes of their own.
            named: colours, with their sorts, that are exchanged for no others.
            budget: limits.

        Raises:
            BudgetExhausted: time or memory ran out, there are too many colours or types, or an arc
                has terms that are not counted.
        """
        self.coloured = coloured
        self._exchange: dict[Sort, tuple[Exchange, int]] = {}
        self._classes: dict[Sort, Column] = {}
        self._marks: dict[Sort, Column] = {}
        for sort, own in alike(coloured, named).items():
            self._partition(sort, own, apart)
        self.is_tracking = bool(self._exchange)
        lists = {sort: tuple(classes.tolist()) for sort, classes in self._classes.items()}
        by_place = (tuple(lists[s] for s in basic_sorts(p.sort)) for p in coloured.places)
        self._merging = Merging(coloured, tuple(by_place), ())
        self.ways: list[list[tuple[Image, Image]]] = []
        self._needs: dict[int, list[TypedBindings]] = {}
        for transition in watched(coloured.transitions, budget or Budget(), 1):
            self.ways.append([*_Combinations(self, transition).images()])

    def _partition(self, sort: Sort, own: Alike, apart: Apart) -> None:
        exchanged = own.exchange is not Exchange.NONE and len(own.orbit) > 1
        orbit = own.orbit[: apart.tracked if exchanged else 0]
        sides = np.zeros(sort.size, dtype=np.int64)
        if len(orbit):
            sides[own.orbit] = _REST
            sides[orbit] = np.arange(1, len(orbit) + 1)
            self._exchange[sort] = own.exchange, len(orbit)
        self._marks[sort] = sides
        if not exchanged and sort.size <= apart.most:
            sides = np.arange(sort.size)
        self._classes[sort] = refined(own.classes, sides)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of classes of each sort."""
        return tuple(map(len, self._sizes.values()))

    def needs(self, number: int) -> list[TypedBindings]:
        """Return the bindings of a transition by what they need; what they put does not matter.

        Raises:
            BudgetExhausted: there are too many types.
        """
        if number not in self._needs:
            taking = replace(self.coloured.transitions[number], post=())
            self._needs[number] = [*_Combinations(self, taking).bindings()]
        return self._needs[number]

    def classes_of(self, sort: Sort, colours: Column) -> Column:
        """Return the classes of colours."""
        require_size(sort)
        result = np.zeros_like(colours)
        components = basic_components(sort, colours)
        for basic, component in zip(basic_sorts(sort), components, strict=True):
            own = self._classes[basic]
            result = result * (int(own.max()) + 1) + own[component]
        return result

    def token(self, place: int, colour: int) -> Token:
        """Return the token of the class that a token of the coloured net is in."""
        return place, self._merging.token(place, colour)

    def size(self, token: Token) -> int:
        """Return the number of colours of a class."""
        return prod(self._sizes[sort][own] for sort, own in self._components(token))

    def size_of(self, sort: Sort, colour: int) -> int:
        """Return the number of colours in the class of a colour."""
        pairs = zip(basic_sorts(sort), basic_components(sort, colour), strict=True)
        return prod(self._sizes[basic][self._classes[basic][own]] for basic, own in pairs)

    def _components(self, token: Token) -> list[tuple[Sort, int]]:
        """Return the classes of each component, by its sort."""
        place, number = token
        components = basic_components(self._merging.sorts[place], number)
        return [*zip(basic_sorts(self.coloured.places[place].sort), components, strict=True)]

    @cached_property
    def _sizes(self) -> Mapping[Sort, Sequence[int]]:
        return {sort: np.bincount(own).tolist() for sort, own in self._classes.items()}

    def is_canonical(self, colours: Iterable[tuple[Sort, int]]) -> bool:
        """Return whether colours, each of a basic sort, are so that all others can be exchanged.

        In each sort the first of the tracked colours comes first, then again this one or the second
        one, and so on; the rest comes after all of these. Where all colours are moved by the same
        number of steps, the first one is that of the first tracked colour.
        """
        used: dict[Sort, int] = {}
        for sort, colour in colours:
            exchange, tracked = self._exchange.get(sort, (Exchange.NONE, 0))
            mark, before = int(self._marks[sort][colour]), used.get(sort, 0)
            if exchange is Exchange.ALL_BY_STEPS and not before:
                if mark != 1:
                    return False
                used[sort] = tracked
            elif exchange is Exchange.ANY_TWO and mark:
                if mark > before + 1 or (mark == _REST and before < tracked):
                    return False
                used[sort] = max(before, mark)
        return True

    def canonical_tokens(self, place: int) -> list[Token]:
        """Return tokens of the net, one of which each token on the place can be exchanged for."""
        firsts = {s: np.unique(own, return_index=True)[1] for s, own in self._classes.items()}
        return [
            token
            for token in self.numbers
            if token[0] == place
            and self.is_canonical((s, int(firsts[s][own])) for s, own in self._components(token))
        ]

    @cached_property
    def initial(self) -> Image:
        """The image of the initial marking."""
        counts = Counter[Token]()
        for number, place in enumerate(self.coloured.places):
            for summand in place.initial:
                counts.update(self.image(number, summand, {}))
        return _held(counts)

    def image(self, place: int, summand: Summand, types: Types) -> Image:
        """Return the image of tokens on a place, under bindings of these types."""
        firsts = {name: int(colours[0]) for name, colours in types.items()}
        own = [(v.name, _types(self, v, atomic(summand.term), ())) for v in summand.ranging]
        counts = Counter[Token]()
        for chosen in product(*(column for _, column in own)):
            more = {name: int(part[0]) for (name, _), part in zip(own, chosen, strict=True)}
            colour = int(summand.term.value({**firsts, **more}))
            counts[self.token(place, colour)] += summand.count * prod(map(len, chosen))
        return counts

    @cached_property
    def numbers(self) -> Mapping[Token, int]:
        """The numbers of the net's places."""
        images = chain([self.initial], *chain(*self.ways))
        return {token: number for number, token in enumerate(sorted({*chain(*images)}))}

    @cached_property
    def net(self) -> Net:
        """The net."""
        pairs = zip(self.coloured.places, self._merging.sorts, strict=True)
        of_classes = ColouredNet("", tuple(replace(p, sort=sort) for p, sort in pairs), ())
        places = tuple(place_name(of_classes, *token) for token in self.numbers)
        transitions = []
        for transition, ways in zip(self.coloured.transitions, self.ways, strict=True):
            arcs = dict.fromkeys((self._weights(pre), self._weights(post)) for pre, post in ways)
            transitions += [
                Counting(node_text(transition.name, str(number)), pre, post)
                for number, (pre, post) in enumerate(arcs)
            ]
        tokens = tuple(self.initial.get(token, 0) for token in self.numbers)
        return Net(self.coloured.name, places, tuple(transitions), tokens)

    def _weights(self, image: Image) -> Weights:
        return tuple(sorted((self.numbers[token], count) for token, count in image.items()))

    def name(self, token: Token) -> str:
        """Return the name of the net's place that counts these tokens."""
        return self.net.places[self.numbers[token]]


class _Combinations:
    """The types of a transition's variables, and their combinations."""

    def __init__(self, counts: ClassCounts, transition: Transition) -> None:
        self._counts, self._transition = counts, transition
        terms: list[Term] = []
        for summand in (s for _, arc in (*transition.pre, *transition.post) for s in arc):
            ranging = {variable.name for variable in summand.ranging}
            terms += (t for t in atomic(summand.term) if ranging.isdisjoint(variables(t)))
        compared = [*comparisons(transition.guard)]
        if any(comparison.left.sort.size > MOST_COLOURS for comparison in compared):
            raise _refusal("a guard compares tuples that are too many to be numbered")
        self._types = {
            variable.name: _types(counts, variable, terms, compared)
            for variable in transition.variables
        }
        self._guards = TypedGuards([*conjuncts(transition.guard)])
        self._looked = 0

    def images(self) -> Iterator[tuple[Image, Image]]:
        """Yield the images of what bindings take and put."""
        arcs = self._transition.pre, self._transition.post
        for types in self._all():
            pre, post = (self._image(part, types) for part in arcs)
            if _may_move(pre) and _may_move(post):
                yield pre, post

    def bindings(self) -> Iterator[TypedBindings]:
        """Yield the bindings of each combination of types."""
        for types in self._all():
            if _may_move(pre := self._image(self._transition.pre, types)):
                yield TypedBindings(types, pre, self._is_certain(types), self._is_canonical(types))

    def _all(self) -> Iterator[Types]:
        """Yield each combination of types for which the guard may hold."""
        return self._combinations(self._guards.ordered([*self._types]), {})

    def _combinations(self, names: Sequence[str], types: Types) -> Iterator[Types]:
        if not self._guards.may_hold(types):
            return
        if not names:
            yield types
            return
        for own in self._types[names[0]]:
            self._looked += 1
            if self._looked > _MOST:
                raise _refusal(f"the bindings of {self._transition.name} have too many types")
            yield from self._combinations(names[1:], {**types, names[0]: own})

    def _image(self, arcs: Arcs, types: Types) -> Image:
        counts = Counter[Token]()
        for place, multiset in arcs:
            for summand in multiset:
                counts.update(self._counts.image(place, summand, types))
        return _held(counts)

    def _is_canonical(self, types: Types) -> bool:
        return self._counts.is_canonical(
            (variable.sort, int(types[variable.name][0]))
            for variable in self._transition.variables
            if not isinstance(variable.sort, Product)
        )

    def _is_certain(self, types: Types) -> bool:
        """Return whether a binding is enabled wherever the image of what it takes is there.

        Of a class of several colours any token has to do: it is taken alone, by terms that have all
        colours of the class as values, each by a variable that determines nothing else.
        """
        if self._guards.may_fail(types):
            return False
        uses = Counter[str]()
        for place, multiset in self._transition.pre:
            for summand in multiset:
                image = self._counts.image(place, summand, types)
                if all(self._counts.size(token) == 1 for token in image):
                    continue
                if summand.ranging or summand.count != 1:
                    return False
                for term in atomic(summand.term):
                    values = self._guards.colours(term, types)
                    size = self._counts.size_of(term.sort, int(values[0]))
                    if len(values) < size:
                        return False
                    uses.update([*variables(term)] if size > 1 else [])
        return all(times <= 1 for times in uses.values())


def _types(
    counts: ClassCounts,
    variable: Variable,
    terms: Iterable[Term],
    compared: Iterable[Comparison],
) -> list[Column]:
    """Return the types of a variable in these terms and comparisons."""
    require_size(variable.sort)
    colours = np.arange(variable.sort.size)
    keys = counts.classes_of(variable.sort, colours)
    for term in terms:
        if variable.name in (names := variables(term)):
            if len(names) > 1:
                raise _refusal("a term has several variables")
            values = np.asarray(term.value({variable.name: colours}))
            keys = refined(keys, counts.classes_of(term.sort, values))
    for comparison in compared:
        if (variables(comparison.left) | variables(comparison.right)).keys() == {variable.name}:
            holds = np.asarray(comparison.holds({variable.name: colours}))
            keys = refined(keys, np.broadcast_to(holds, colours.shape))
    order = np.argsort(keys, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)


def _held(counts: Image) -> Image:
    """Return the image without zeros, which subtractions leave."""
    return {token: count for token, count in counts.items() if count}


def _may_move(image: Image) -> bool:
    """Return whether the image may be that of tokens: of no class it has less than none."""
    return min(image.values(), default=1) > 0


def atomic(term: Term) -> Iterator[Term]:
    """Yield the terms of which tuples are made."""
    if isinstance(term, Tuple):
        for part in term.parts:
            yield from atomic(part)
    else:
        yield term


def _refusal(reason: str) -> BudgetExhausted:
    return BudgetExhausted(f"tokens are not counted by classes: {reason}", Ending.GAVE_UP)
