"""The place/transition net of a coloured one: places for colours, transitions for bindings.

What no firing can bring to a place is left out, see `possible`.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise, product, repeat
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import node_text
from petricheck.model import net as problem
from petricheck.model.coloured.bindings import bindings, evaluated
from petricheck.model.coloured.classes import Merging
from petricheck.model.coloured.factors import factors
from petricheck.model.coloured.names import (
    Colours,
    firing_text,
    place_text,
    read_binding,
    read_colours,
    read_firing,
)
from petricheck.model.coloured.net import Arcs, ColouredNet, Marking, Transition
from petricheck.model.coloured.possible import (
    allowed,
    initial_tokens,
    limit_of,
    possible_colours,
    require_few,
    require_numbers,
)
from petricheck.model.coloured.sorts import (
    ANY,
    Product,
    Sort,
    basic_components,
    basic_sorts,
    colour_of,
    has_any,
    is_plain,
)
from petricheck.model.coloured.tables import BindingTable, Column, Limit
from petricheck.model.coloured.text import held_texts
from petricheck.model.drawing.graph import Graph
from petricheck.model.guarded.net import Guard
from petricheck.model.node_names import NodeNames
from petricheck.support.budget import Budget, watched
from petricheck.support.errors import InputError, QueryError
from petricheck.support.words import printable, quoted

MOST_ARCS = 20_000_000
"""An unfolding with more arcs is too large."""


@dataclass(frozen=True)
class Unfolding:
    """The origin of an unfolded net's places and transitions.

    Its places are, for the places of the coloured net in their order, the colours that are kept;
    its transitions the bindings.

    Attributes:
        coloured: the net that was unfolded.
        colours: by place of the coloured net the colours that are kept, sorted.
        tables: by transition of the coloured net its bindings.
        merging: where colours of the coloured net are classes of those of another, how.
    """

    coloured: ColouredNet
    colours: tuple[Column, ...]
    tables: tuple[BindingTable, ...]
    merging: Merging | None = None
    hidden: ClassVar[Mapping[str, Term]] = {}
    left_out: ClassVar[Mapping[int, Guard]] = {}
    has_colours: ClassVar[bool] = True
    boundless: ClassVar[tuple[int, ...]] = ()

    @cached_property
    def places(self) -> Mapping[str, range]:
        """The places of the unfolded net, by place of the coloured one."""
        names = (place.name for place in self.coloured.places)
        return _ranges(names, map(len, self.colours))

    @cached_property
    def transitions(self) -> Mapping[str, range]:
        """The transitions of the unfolded net, by transition of the coloured one."""
        names = (transition.name for transition in self.coloured.transitions)
        return _ranges(names, (table.rows for table in self.tables))

    def place_of(self, name: str, colours: str) -> tuple[str, Sequence[int]]:
        """Return the text of a place with colours, such as `p(a, 3)`, and the places for them.

        Raises:
            QueryError: the place has no such colours, or they are merged with others.
        """
        number = list(self.places).index(name)
        place = self._source.places[number]
        meant = read_colours(place, colours)
        text = place_text(place, meant)
        if self.merging is not None:
            pairs = zip(meant, self.merging.places[number], strict=True)
            meant = tuple(
                own if own is None or classes is None else _classes(own, classes, text)
                for own, classes in pairs
            )
        positions = _positions(self.coloured.places[number].sort, self.colours[number], meant)
        return text, (positions + self.places[name].start).tolist()

    def binding(self, number: int) -> tuple[int, Mapping[str, int]]:
        """Return the number of the transition, and the binding, that an unfolded one stands for."""
        position = bisect(self._starts, number) - 1
        row, columns = number - self._starts[position], self.tables[position].columns
        return position, {name: int(column[row]) for name, column in columns.items()}

    @cached_property
    def _starts(self) -> Sequence[int]:
        return [*accumulate((table.rows for table in self.tables), initial=0)]

    @property
    def _source(self) -> ColouredNet:
        """The net as it was read."""
        return self.coloured if self.merging is None else self.merging.original

    def sums(self, name: str) -> Mapping[str, Sequence[int]]:
        """Return the places that a name such as `p(a, _)` adds up: the tuples that begin with a.

        So for each component, and for several but not for all of them.
        """
        number = list(self.places).index(name)
        sort, source = self.coloured.places[number].sort, self._source.places[number].sort
        sums: dict[str, list[int]] = {}
        if isinstance(sort, Product) and not any(map(has_any, basic_sorts(source))):
            for place, colour in zip(self.places[name], self.colours[number].tolist(), strict=True):
                pairs = ((component, None) for component in sort.components(colour))
                for components in product(*pairs):
                    if None in components and any(c is not None for c in components):
                        sums.setdefault(_sum_name(name, sort, components), []).append(place)
        return sums

    def factors(
        self, name: str, binding: str = ""
    ) -> Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]]:
        """Return transitions of the unfolded net and input places; see `factors.factors`.

        It can fire where for each of the pairs one of the transitions finds what it takes from
        these places; only those that agree with a binding such as `(x=a)` count.

        Raises:
            QueryError: the transition has no such variable, or this no such colour, or it is merged
                with others.
        """
        number = list(self.transitions).index(name)
        transition, table = self.coloured.transitions[number], self.tables[number]
        agreeing = self._agreeing(number, binding)
        numbers = np.flatnonzero(agreeing) + self.transitions[name].start
        return [
            (
                numbers[part.rows].tolist(),
                [self.places[self.coloured.places[n].name] for n in part.places],
            )
            for part in factors(transition, table.select(agreeing))
        ]

    def bindings(self, name: str, binding: str = "") -> Sequence[int]:
        """Return the transitions that agree with a binding; QueryError as for `factors`."""
        agreeing = self._agreeing(list(self.transitions).index(name), binding)
        return (np.flatnonzero(agreeing) + self.transitions[name].start).tolist()

    def _agreeing(self, number: int, binding: str) -> NDArray[np.bool_]:
        """Return by row of the table of a transition whether it agrees with a binding."""
        source, table = self._source.transitions[number], self.tables[number]
        agreeing = np.ones(table.rows, dtype=bool)
        for variable, colour in read_binding(source, binding).items():
            if self.merging is not None and (classes := self.merging.variables[number][variable]):
                (colour,) = _classes(frozenset((colour,)), classes, source.name + binding)
            agreeing &= table.columns[variable] == colour
        return agreeing

    def fireability(self, name: str, binding: str = "") -> str:
        """Return that tokens of places say it."""
        return ""

    def observes(self, name: str) -> bool:
        """Return that there are no such numbers."""
        return False

    def firing_of(self, name: str, binding: str) -> str:
        """Return the text of a firing; QueryError where a variable has no colour."""
        source = self._source
        return firing_text(source.transitions[source.transition_numbers[name]], binding)

    def transition_of(self, firing: str) -> str | None:
        """Return the transition that stands for a binding of the net whose colours were merged."""
        if self.merging is None or (read := read_firing(self.merging.original, firing)) is None:
            return None
        return self.coloured.transitions[read[0]].text(self.merging.binding(*read))

    @property
    def labels(self) -> Mapping[str, str]:
        """The human names of the coloured net."""
        return self.coloured.labels

    @property
    def shown(self) -> NodeNames:
        """The names by which people see places and transitions of the coloured net."""
        return self.coloured.shown

    @property
    def nodes(self) -> int:
        """The number of places and transitions of the coloured net."""
        return self.coloured.nodes

    def graph(self, marking: problem.Marking | None = None) -> Graph:
        """Return the drawing's graph of the coloured net, with a marking of the unfolded one."""
        if marking is None:
            return self._source.graph()
        return self.coloured.graph(self.folded(marking))

    def tokens(self, place: str, marking: Sequence[int]) -> list[str] | None:
        """Return the tokens of a place by colour, as users write them; None if it has none."""
        number = list(self.places).index(place)
        sort, counts = self.coloured.places[number].sort, [marking[n] for n in self.places[place]]
        if is_plain(sort):
            return None
        pairs = zip(self.colours[number].tolist(), counts, strict=True)
        return held_texts(sort, {colour: count for colour, count in pairs if count})

    def folded(self, marking: problem.Marking) -> Marking:
        """Return the marking of the coloured net that a marking of the unfolded one stands for."""
        counts = iter(marking)
        return tuple(
            {int(c): n for c, n in zip(colours, counts, strict=False) if n}
            for colours in self.colours
        )


def _classes(meant: frozenset[int], classes: Sequence[int], text: str) -> frozenset[int]:
    """Return the classes of these colours; QueryError where a class has others as well."""
    numbers = frozenset(classes[colour] for colour in meant)
    if sum(number in numbers for number in classes) > len(meant):
        raise QueryError(
            f"{printable(text)} is counted together with others; colours that behave alike are "
            "merged, since the unfolding of all is too large"
        )
    return numbers


def _positions(sort: Sort, column: Column, meant: Colours) -> NDArray[np.int64]:
    """Return where in a sorted column the colours are, all of whose components are meant."""
    if all(own is not None and len(own) == 1 for own in meant):
        colour = colour_of(sort, (min(own or ()) for own in meant))
        return np.arange(*np.searchsorted(column, [colour, colour + 1]))
    flags = np.ones(len(column), dtype=bool)
    for component, own in zip(basic_components(sort, column), meant, strict=True):
        if own is not None:
            flags &= np.isin(component, sorted(own))
    return np.flatnonzero(flags)


def _ranges(names: Iterable[str], sizes: Iterable[int]) -> dict[str, range]:
    ranges, first = {}, 0
    for name, size in zip(names, sizes, strict=True):
        ranges[name] = range(first, first + size)
        first += size
    return ranges


def unfold(
    net: ColouredNet, budget: Budget, merging: Merging | None = None, most: int = MOST_ARCS
) -> problem.Net:
    """Return the place/transition net, without nodes that are dead even for single tokens.

    Raises:
        BudgetExhausted: time or memory ran out, or it is too large.
        InputError: an arc subtracts more than there is, or two names would be the same.
    """
    require_numbers(net)
    initial = initial_tokens(net, budget)
    possible = possible_colours(net, [*initial], budget, most)
    offsets = np.cumsum([0, *map(len, possible)])
    places = [(n, c) for n, colours in enumerate(possible) for c in colours.tolist()]
    names = tuple(place_name(net, *place) for place in watched(places, budget))
    transitions: list[problem.Transition] = []
    tables = []
    arcs = 0
    for transition in net.transitions:
        limit = limit_of(transition, budget)
        table = allowed(transition, bindings(transition, possible, limit), possible, budget)
        tables.append(table)
        require_few(transition, table.rows, most, arcs)
        arcs += table.rows * (len(transition.pre) + len(transition.post))
        pre, post = (
            _weights(arcs, transition, net, table, possible, offsets, limit)
            for arcs in (transition.pre, transition.post)
        )
        rows = zip(transition_names(transition, table), pre, post, strict=True)
        for row in watched(rows, budget):
            transitions.append(problem.Transition(*row, transition.label))
    _refuse_equal([*names, *(transition.name for transition in transitions)])
    tokens = tuple(initial[number].get(colour, 0) for number, colour in places)
    origin = Unfolding(net, tuple(possible), tuple(tables), merging)
    return problem.Net(net.name, names, tuple(transitions), tokens, origin=origin)


def place_name(net: ColouredNet, number: int, colour: int) -> str:
    """Return a name like `p(a)` or `p(a, 3)`; `p` for plain tokens."""
    place = net.places[number]
    if is_plain(place.sort):
        return node_text(place.name)
    text = place.sort.text(colour)
    return node_text(place.name, text[1:-1] if isinstance(place.sort, Product) else text)


def _sum_name(name: str, sort: Product, components: Sequence[int | None]) -> str:
    """Return a name like `p(a, _)`."""
    pairs = zip(sort.factors, components, strict=True)
    texts = (ANY if component is None else factor.text(component) for factor, component in pairs)
    return node_text(name, ", ".join(texts))


def transition_names(transition: Transition, table: BindingTable) -> Iterator[str]:
    """Yield a name like `t(x=a, y=3)` for each row, or `t` for a transition without variables."""
    columns = []
    for variable in transition.variables:
        values = table.columns[variable.name]
        texts = {int(c): f"{variable.text}={variable.sort.text(int(c))}" for c in np.unique(values)}
        columns.append([texts[colour] for colour in values.tolist()])
    for row in zip(*columns, strict=True) if columns else repeat((), table.rows):
        yield node_text(transition.name, ", ".join(row))


def _weights(
    arcs: Arcs,
    transition: Transition,
    net: ColouredNet,
    table: BindingTable,
    possible: Sequence[Column],
    offsets: Column,
    limit: Limit,
) -> list[problem.Weights]:
    """Return for each row of the table the weights of arcs to places of the unfolding."""
    parts = []
    for place, multiset in arcs:
        rows, colours, counts = evaluated(multiset, table, limit)
        if (negative := np.flatnonzero(counts < 0)).size:
            binding = {name: int(c[rows[negative[0]]]) for name, c in table.columns.items()}
            raise InputError(
                f"the arc between {net.places[place].name} and {transition.text(binding)} "
                "subtracts more than there is"
            )
        numbers = offsets[place] + np.searchsorted(possible[place], colours)
        parts.append((rows, numbers, counts))
    if not parts:
        return [()] * table.rows
    rows, numbers, counts = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((numbers, rows))
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    arcs_of_all = [
        pairs.setdefault(pair, pair)  # Kept once, since there may be millions.
        for pair in zip(numbers[order].tolist(), counts[order].tolist(), strict=True)
    ]
    ends = np.searchsorted(rows[order], np.arange(table.rows + 1)).tolist()
    return [tuple(arcs_of_all[first:end]) for first, end in pairwise(ends)]


def _refuse_equal(names: Sequence[str]) -> None:
    if len({*names}) < len(names):
        name = Counter(names).most_common(1)[0][0]
        raise InputError(
            f"two places or transitions of the unfolded net would have the name {quoted(name)}; "
            "give other ids to the places, transitions or colours in it"
        )
