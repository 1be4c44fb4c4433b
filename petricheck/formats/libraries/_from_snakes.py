"""Nets of SNAKES as coloured nets. No expression is evaluated: its syntax is read."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from petricheck.formats.libraries._sorts import Sorts
from petricheck.formats.libraries._syntax import Syntax
from petricheck.formats.libraries._values import SOURCE, library
from petricheck.model.coloured.net import Arcs, ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import Product, Sort
from petricheck.model.coloured.terms import Constant, Summand, Term, Tuple, Variable
from petricheck.model.coloured.text import sort_text
from petricheck.support.errors import InputError


def read(net: Any) -> ColouredNet:
    """Return the net that a `snakes.nets.PetriNet` is.

    Raises:
        InputError: it has what no coloured net here has.
    """
    sorts = Sorts(net.globals)
    pairs = [(place, _place(place, sorts)) for place in net.place()]
    sources = {read.name: read.sort for place, read in pairs if _is_source(place, read)}
    places = tuple(read for _, read in pairs if read.name not in sources)
    transitions = (
        _Reader(sorts, places, sources).transition(transition) for transition in net.transition()
    )
    return ColouredNet(str(net.name), places, tuple(transitions))


def _is_source(place: Any, read: Place) -> bool:
    """Return whether it does nothing but let one variable or other have any colour."""
    kinds, snakes = {type(label) for label in place.post.values()}, library()
    tested = {type(label._annotation) for label in place.post.values() if kinds == {snakes.Test}}
    free = tested and tested <= {snakes.Variable, snakes.Value} and not place.pre
    return bool(free and read.name.startswith(SOURCE) and len(read.initial) == read.sort.size)


def _place(place: Any, sorts: Sorts) -> Place:
    sort = sorts.of_place(place)
    try:
        tokens = {sorts.colour(sort, v): int(place.tokens(v)) for v in place.tokens.domain()}
    except InputError as error:
        raise InputError(f"place {place.name!r}: {error}") from None
    summands = (Summand(k, Constant(sort, colour)) for colour, k in sorted(tokens.items()))
    return Place(str(place.name), sort, tuple(summands))


class _Reader:
    """Reads one transition; what its arcs from places bind are its variables."""

    def __init__(self, sorts: Sorts, places: Sequence[Place], sources: Mapping[str, Sort]) -> None:
        self._snakes, self._sorts = library(), sorts
        self._numbers = {place.name: number for number, place in enumerate(places)}
        self._sort_at = {place.name: place.sort for place in places} | {**sources}
        self._sources = sources
        self._variables: dict[str, Variable] = {}
        self._syntax: Syntax | None = None

    def transition(self, transition: Any) -> Transition:
        """Return the transition.

        Raises:
            InputError: it has a label or a guard that is not read.
        """
        try:
            inputs = [(p, self._label(p, label), type(label)) for p, label in transition.input()]
            self._syntax = Syntax(self._variables, self._sorts)
            outputs = [(p, self._label(p, label)) for p, label in transition.output()]
            guard = self._syntax.guard(_parsed(transition.guard))
        except InputError as error:
            raise InputError(f"transition {transition.name!r}: {error}") from None
        tested = [(place, terms) for place, terms, kind in inputs if kind is self._snakes.Test]
        pre = self._arcs((place, terms) for place, terms, _ in inputs)
        return Transition(str(transition.name), pre, self._arcs((*tested, *outputs)), guard)

    def _arcs(self, labels: Iterable[tuple[Any, Sequence[Term]]]) -> Arcs:
        sums: defaultdict[int, Counter[Term]] = defaultdict(Counter)
        for place, terms in labels:
            if place.name in self._sources:
                continue
            sums[self._numbers[place.name]].update(terms)
        return tuple(
            (number, tuple(Summand(count, term) for term, count in terms.items()))
            for number, terms in sorted(sums.items(), key=itemgetter(0))
        )

    def _label(self, place: Any, label: Any) -> list[Term]:
        """Return the tokens that a label stands for; on an arc from a place it may be a test."""
        sort = self._sort_at[place.name]
        tested = self._syntax is None and type(label) is self._snakes.Test
        try:
            return [*self._terms(label._annotation if tested else label, sort)]
        except InputError as error:
            raise InputError(f"an arc is labelled {label!r}: {error}") from None

    def _terms(self, label: Any, sort: Sort) -> Iterator[Term]:
        if type(label) is self._snakes.MultiArc:
            for part in label:
                yield from self._terms(part, sort)
        else:
            yield self._term(label, sort)

    def _term(self, label: Any, sort: Sort) -> Term:
        kind, snakes = type(label), self._snakes
        if kind is snakes.Value:
            return Constant(sort, self._sorts.colour(sort, label.value))
        if kind is snakes.Tuple and isinstance(sort, Product) and len(label) == len(sort.factors):
            return Tuple(tuple(map(self._term, label, sort.factors)))
        if kind is snakes.Variable and self._syntax is None:
            variable = self._variables.setdefault(label.name, Variable(label.name, sort))
            if variable.sort != sort:
                raise InputError(
                    f"{label.name} is both of {sort_text(variable.sort)} and {sort_text(sort)}"
                )
            return variable
        if kind in (snakes.Variable, snakes.Expression) and self._syntax is not None:
            return self._syntax.term(_parsed(label), sort)
        raise InputError(f"that is no label of an arc at a place of {sort_text(sort)}")


def _parsed(expression: Any) -> ast.expr:
    return ast.parse(str(expression), mode="eval").body
