"""Coloured nets and their markings (symmetric nets of ISO/IEC 15909-2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, takewhile
from math import prod
from typing import TypeAlias

from petricheck.arithmetic.formulas.text import node_text
from petricheck.model.coloured.solutions import Positions, Row, solutions, tokens_of
from petricheck.model.coloured.sorts import Sort, is_plain
from petricheck.model.coloured.terms import (
    TRUE,
    All,
    Comparison,
    Constant,
    Guard,
    Multiset,
    Variable,
    listed,
    size,
    variables,
)
from petricheck.model.coloured.text import guard_text, multiset_text, sort_text, tokens_text
from petricheck.model.drawing import forms, graph
from petricheck.model.node_names import NodeNames, node_names
from petricheck.support.budget import Budget

Binding: TypeAlias = Mapping[str, int]
"""A colour for each variable of a transition, by its name."""

Marking: TypeAlias = tuple[Mapping[int, int], ...]
"""Tokens by colour, without zeros, of each place in the net's order."""

Arcs: TypeAlias = tuple[tuple[int, Multiset], ...]
"""(place number, tokens), sorted by place."""


_MOST_LISTED = 1_000_000
"""So many colours of an arc are gone through one by one."""

_LOOKED_AT = (10, 1_000)
"""Colours of each place that are tried first for an enabled binding."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place.

    Attributes:
        name: its id, unique in the net.
        sort: of its tokens.
        initial: tokens at first, without variables but those that range.
        label: a human name, "" where there is none.
    """

    name: str
    sort: Sort
    initial: Multiset = ()
    label: str = field(default="", compare=False)

    def drawn(self, held: Mapping[int, int] | None) -> graph.DrawnPlace:
        """Return the drawn place with these tokens, by default the initial ones."""
        count = size(self.initial) if held is None else sum(held.values())
        if is_plain(self.sort):
            return graph.DrawnPlace(self.name, count)
        shown = multiset_text(self.initial) if held is None else tokens_text(self.sort, held)
        sort = sort_text(self.sort)
        return graph.DrawnPlace(self.name, count, "", sort, shown if count else "")


@dataclass(frozen=True)
class Transition:
    """A transition: under a binding that satisfies the guard it takes tokens and puts others.

    Attributes:
        name: its id, unique in the net.
        pre: what it takes.
        post: what it puts.
        guard: which bindings there are.
        label: a human name, "" where there is none.
    """

    name: str
    pre: Arcs
    post: Arcs
    guard: Guard = TRUE
    label: str = field(default="", compare=False)

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that occur in the arcs and the guard, in this order."""
        by_name: dict[str, Variable] = {}
        for _, multiset in (*self.pre, *self.post):
            for summand in multiset:
                ranging = {variable.name for variable in summand.ranging}
                occurring = variables(summand.term)
                by_name |= {name: v for name, v in occurring.items() if name not in ranging}
        return tuple((by_name | variables(self.guard)).values())

    @property
    def most_bindings(self) -> int:
        """The number of bindings, guards aside."""
        return prod(variable.sort.size for variable in self.variables)

    def text(self, binding: Binding) -> str:
        """Return the transition with the binding as users write it: `t(x=a, y=3)`.

        The binding may be one of some variables only.
        """
        known = (variable for variable in self.variables if variable.name in binding)
        pairs = ((v.text, v.sort.text(binding[v.name])) for v in known)
        return node_text(self.name, ", ".join(f"{name}={colour}" for name, colour in pairs))


@dataclass(frozen=True, repr=False)
class ColouredNet:
    """A coloured net with its initial marking.

    Attributes:
        name: the net's id.
        places: in the order of the file.
        transitions: in the order of the file.
    """

    name: str
    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]

    def __str__(self) -> str:
        return forms.to_text(self)

    def __repr__(self) -> str:
        return f"<ColouredNet {forms.headline(self)}>"

    def _repr_html_(self) -> str:
        return forms.to_html(self)

    def draw(self, form: str = "svg") -> str:
        """Return the net with its inscriptions as a picture; see `model.net.Net.draw`."""
        return forms.drawn(self, form)

    @property
    def nodes(self) -> int:
        """The number of places and transitions."""
        return len(self.places) + len(self.transitions)

    @property
    def most_arcs(self) -> int:
        """An upper bound on the arcs of the unfolding."""
        return sum(
            transition.most_bindings * sum(listed(multiset) for _, multiset in arcs)
            for transition in self.transitions
            for arcs in (transition.pre, transition.post)
        )

    def graph(self, marking: Marking | None = None) -> graph.Graph:
        """Return the drawing's graph with a marking, by default the initial one."""
        held = marking or (None,) * len(self.places)
        places = tuple(place.drawn(own) for place, own in zip(self.places, held, strict=True))
        transitions = tuple(_drawn(self, t) for t in self.transitions)
        return graph.Graph(places, transitions).named(self.shown)

    @cached_property
    def is_listed(self) -> bool:
        """Return whether the tokens of arcs and the initial ones are few enough for plain loops."""
        arcs = (arc for t in self.transitions for _, arc in (*t.pre, *t.post))
        multisets = (*(place.initial for place in self.places), *arcs)
        return all(listed(multiset) <= _MOST_LISTED for multiset in multisets)

    @cached_property
    def transition_numbers(self) -> Mapping[str, int]:
        """The transition numbers by transition id."""
        return {transition.name: number for number, transition in enumerate(self.transitions)}

    @property
    def labels(self) -> Mapping[str, str]:
        """The human names of places and transitions by id, "" where there is none."""
        places = {place.name: place.label for place in self.places}
        return places | {transition.name: transition.label for transition in self.transitions}

    @cached_property
    def shown(self) -> NodeNames:
        """The names by which people see places and transitions."""
        return node_names(
            ((place.name, place.label) for place in self.places),
            ((transition.name, transition.label) for transition in self.transitions),
            unfolded=True,
        )

    @cached_property
    def initial(self) -> Marking:
        """The initial marking."""
        return tuple(dict(tokens_of(place.initial, {})(())) for place in self.places)


def _drawn(net: ColouredNet, transition: Transition) -> graph.DrawnTransition:
    def ends(arcs: Arcs) -> graph.Ends:
        return tuple(
            (place, (size if is_plain(net.places[place].sort) else multiset_text)(multiset))
            for place, multiset in arcs
        )

    guard = "" if transition.guard == TRUE else guard_text(transition.guard)
    return graph.DrawnTransition(
        transition.name, ends(transition.pre), ends(transition.post), guard
    )


def candidates(
    transition: Transition, colours: Sequence[Iterable[int]], budget: Budget | None = None
) -> tuple[Positions, Iterator[Row]]:
    """Return bindings that satisfy the guard, with all that take only tokens of these colours.

    Colours are by place, all different. The bindings are rows, each once; the positions say where
    in them each variable is.

    Raises:
        BudgetExhausted: time or memory ran out, maybe while the rows are listed.
    """
    taken = [
        (summand.term, colours[place])
        for place, multiset in transition.pre
        if all(summand.count > 0 for summand in multiset)
        for summand in multiset
        if not summand.ranging
    ]
    sorts = {variable.name: variable.sort for variable in transition.variables}
    return solutions(sorts, transition.guard, taken, budget)


def is_enabled(
    transition: Transition,
    binding: Binding,
    held: Sequence[Mapping[int, int]],
    budget: Budget | None = None,
) -> bool:
    """Return whether these tokens, by place and colour, enable it under a binding that agrees.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    for place, multiset in transition.pre:
        if sum(held[place].values()) < size(multiset):
            return False
    given = (
        Comparison("=", variable, Constant(variable.sort, binding[variable.name]))
        for variable in transition.variables
        if variable.name in binding
    )
    guarded = replace(transition, guard=All((*given, transition.guard)))
    most = max(map(len, held), default=0)
    for number in (*takewhile(most.__gt__, _LOOKED_AT), most):
        # Few tokens often suffice, and all are many.
        positions, rows = candidates(guarded, [[*islice(own, number)] for own in held], budget)
        arcs = [(held[place], tokens_of(multiset, positions)) for place, multiset in transition.pre]
        for row in rows:
            taken = ((own, *pair) for own, tokens in arcs for pair in tokens(row))
            if all(0 < count <= own.get(colour, 0) for own, colour, count in taken):
                return True
    return False
