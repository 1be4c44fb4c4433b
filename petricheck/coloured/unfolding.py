"""The place/transition net of a coloured one: places for colours, transitions for bindings.

Colours that no firing can bring to a place are left out, by a fixed point: places may hold at first
what they are marked with, and then what bindings put there whose tokens may be there. It looks at
each token alone, so it may keep too much, never too little.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from petricheck import problem
from petricheck.budget import Budget
from petricheck.coloured.bindings import bindings, evaluated, takings
from petricheck.coloured.net import Arcs, ColouredNet, Transition
from petricheck.coloured.sorts import Dot, Product, Sort
from petricheck.coloured.tables import Column, Table, is_among
from petricheck.errors import InputError

MOST = 20_000_000
"""Bindings of one transition, or tokens of one of its arcs, that are listed at most."""

_ROUNDS = 2_000
"""Colours are added to places in so many rounds; after that those that still grow may hold all."""


@dataclass(frozen=True)
class Unfolding:
    """Where the parts of an unfolded net came from; the `origin` of that net.

    Its places are, for the places of the coloured net in their order, the colours that are kept;
    its transitions the bindings.

    Attributes:
        coloured: the net that was unfolded.
        colours: by place of the coloured net the colours that are kept, sorted.
        tables: by transition of the coloured net its bindings.
    """

    coloured: ColouredNet
    colours: tuple[Column, ...]
    tables: tuple[Table, ...]

    @cached_property
    def places(self) -> Mapping[str, range]:
        """By place of the coloured net the places of the unfolded one."""
        names = (place.name for place in self.coloured.places)
        return _ranges(names, map(len, self.colours))

    @cached_property
    def transitions(self) -> Mapping[str, range]:
        """By transition of the coloured net those of the unfolded one."""
        names = (transition.name for transition in self.coloured.transitions)
        return _ranges(names, (table.rows for table in self.tables))


def _ranges(names: Iterable[str], sizes: Iterable[int]) -> dict[str, range]:
    ranges, first = {}, 0
    for name, size in zip(names, sizes, strict=True):
        ranges[name] = range(first, first + size)
        first += size
    return ranges


def unfold(net: ColouredNet, budget: Budget) -> problem.Net:
    """The place/transition net, without what cannot be marked or fire as far as single tokens tell.

    Raises:
        BudgetExhausted: time or memory ran out, or it is too large.
        InputError: an arc subtracts more than there is.
    """
    possible = possible_colours(net, budget)
    offsets = np.concatenate(([0], np.cumsum([len(colours) for colours in possible])))
    places = [(n, int(c)) for n, colours in enumerate(possible) for c in colours]
    names = tuple(place_name(net, number, colour) for number, colour in places)
    transitions: list[problem.Transition] = []
    tables = []
    for transition in net.transitions:
        budget.check()
        table = allowed(transition, net, bindings(transition, possible, MOST), possible)
        tables.append(table)
        pre, post = (
            _weights(arcs, transition, net, table, possible, offsets)
            for arcs in (transition.pre, transition.post)
        )
        for row, name in enumerate(transition_names(transition, table)):
            transitions.append(problem.Transition(name, pre[row], post[row], transition.label))
    tokens = [net.initial[number].get(colour, 0) for number, colour in places]
    origin = Unfolding(net, tuple(possible), tuple(tables))
    return problem.Net(net.name, names, tuple(transitions), tuple(tokens), origin=origin)


def possible_colours(net: ColouredNet, budget: Budget) -> list[Column]:
    """By place the colours that it may hold, sorted.

    Raises:
        BudgetExhausted: time or memory ran out, or there are too many.
        InputError: an arc subtracts more than there is.
    """
    possible = [np.array(sorted(counts), dtype=np.int64) for counts in net.initial]
    news = list(possible)
    for number in range(_ROUNDS + 1):
        budget.check()
        if not any(map(len, news)) and number:
            break
        more: list[list[Column]] = [[] for _ in possible]
        for transition in net.transitions:
            for table in _since(transition, possible, news, first=not number):
                fitting = allowed(transition, net, table, possible)
                for place, multiset in transition.post:
                    _, colours, _ = evaluated(multiset, fitting, MOST)
                    more[place].append(np.unique(colours))
        for place, columns in enumerate(more):
            fresh = np.unique(np.concatenate(columns)) if columns else possible[place][:0]
            news[place] = fresh[~is_among(fresh, possible[place])]
            if number == _ROUNDS and len(news[place]):
                news[place] = possible[place][:0]
                possible[place] = np.arange(net.places[place].sort.size)
            else:
                possible[place] = np.union1d(possible[place], news[place])
    return possible


def _since(
    transition: Transition, possible: Sequence[Column], news: Sequence[Column], *, first: bool
) -> Iterator[Table]:
    """Bindings, among them all that take something new."""
    single = takings(transition)
    others = {place for place, _ in transition.pre} - {place for place, _ in single}
    if first or any(len(news[place]) for place in others):
        yield bindings(transition, possible, MOST)
        return
    for number, (place, _) in enumerate(single):
        if len(news[place]):
            yield bindings(transition, possible, MOST, (number, news[place]))


def allowed(
    transition: Transition, net: ColouredNet, table: Table, possible: Sequence[Column]
) -> Table:
    """The bindings whose tokens may be there.

    Raises:
        InputError: under one of them an arc subtracts more than there is.
    """
    kept = np.ones(table.rows, dtype=bool)
    for place, multiset in transition.pre:
        if len(multiset) == 1 and not multiset[0].ranging:
            continue  # Looked at by the join.
        rows, colours, counts = evaluated(multiset, table, MOST)
        _refuse_negative(transition, net, place, table, rows, counts)
        kept[rows[~is_among(colours, possible[place])]] = False
    return table if kept.all() else table.taken(kept)


def place_name(net: ColouredNet, number: int, colour: int) -> str:
    """`p(a)`, `p(a, 3)`, or `p` of plain tokens."""
    place = net.places[number]
    return place.name + shown(place.sort, colour)


def shown(sort: Sort, colour: int) -> str:
    """The colour behind a place's name."""
    if isinstance(sort, Dot):
        return ""
    return sort.text(colour) if isinstance(sort, Product) else f"({sort.text(colour)})"


def transition_names(transition: Transition, table: Table) -> Iterator[str]:
    """`t(x=a, y=3)` for each row, or `t` of a transition without variables."""
    if not transition.variables:
        yield from [transition.name] * table.rows
        return
    columns = []
    for variable in transition.variables:
        values = table.columns[variable.name]
        texts = {int(c): f"{variable.name}={variable.sort.text(int(c))}" for c in np.unique(values)}
        columns.append([texts[colour] for colour in values.tolist()])
    for row in zip(*columns, strict=True):
        yield f"{transition.name}({', '.join(row)})"


def _weights(
    arcs: Arcs,
    transition: Transition,
    net: ColouredNet,
    table: Table,
    possible: Sequence[Column],
    offsets: Column,
) -> list[problem.Weights]:
    """By row of the table what the arcs say of the places of the unfolding."""
    weights: list[list[tuple[int, int]]] = [[] for _ in range(table.rows)]
    for place, multiset in arcs:
        rows, colours, counts = evaluated(multiset, table, MOST)
        _refuse_negative(transition, net, place, table, rows, counts)
        numbers = offsets[place] + np.searchsorted(possible[place], colours)
        for row, number, count in zip(
            rows.tolist(), numbers.tolist(), counts.tolist(), strict=True
        ):
            weights[row].append((number, count))
    return [tuple(sorted(row)) for row in weights]


def _refuse_negative(
    transition: Transition, net: ColouredNet, place: int, table: Table, rows: Column, counts: Column
) -> None:
    if not (negative := np.flatnonzero(counts < 0)).size:
        return
    row = int(rows[negative[0]])
    binding = {name: int(column[row]) for name, column in table.columns.items()}
    raise InputError(
        f"the arc between {net.places[place].name} and {transition.text(binding)} "
        "subtracts more than there is"
    )
