"""Coloured nets, their markings and their firing (symmetric nets of ISO/IEC 15909-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TypeAlias

from petricheck.coloured.sorts import Sort
from petricheck.coloured.terms import (
    TRUE,
    Constant,
    Guard,
    Multiset,
    Shifted,
    Term,
    Tuple,
    Variable,
    tokens,
    variables,
)
from petricheck.drawing import forms
from petricheck.drawing.graph import Graph

Binding: TypeAlias = Mapping[str, int]
"""A colour for each variable of a transition, by its name."""

Marking: TypeAlias = tuple[Mapping[int, int], ...]
"""Tokens by colour, without zeros, of each place in the net's order."""

Arcs: TypeAlias = tuple[tuple[int, Multiset], ...]
"""(place number, tokens), sorted by place."""


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
        """Those that occur in the arcs and the guard, in this order."""
        known: dict[str, Variable] = {}
        for _, multiset in (*self.pre, *self.post):
            for summand in multiset:
                ranging = {variable.name for variable in summand.ranging}
                occurring = variables(summand.term)
                known |= {name: v for name, v in occurring.items() if name not in ranging}
        return tuple((known | variables(self.guard)).values())

    def text(self, binding: Binding) -> str:
        """The transition with the binding as users write it: `t(x=a, y=3)`."""
        shown = ", ".join(f"{v.name}={v.sort.text(binding[v.name])}" for v in self.variables)
        return f"{self.name}({shown})" if shown else self.name


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
        """The net with its inscriptions as a picture; see `problem.Net.draw`."""
        return forms.drawn(self, form)

    @property
    def nodes(self) -> int:
        """How many places and transitions there are."""
        return len(self.places) + len(self.transitions)

    def graph(self, marking: Marking | None = None) -> Graph:
        """What is drawn, with a marking, by default the initial one."""
        from petricheck.coloured.text import drawn  # It knows nets.

        return drawn(self, marking)

    @cached_property
    def initial(self) -> Marking:
        """The initial marking."""
        return tuple(tokens(place.initial, {}) for place in self.places)


def enabled(transition: Transition, marking: Marking) -> Iterator[dict[str, int]]:
    """The bindings under which the transition can fire, each once."""
    seen = set()
    for partial in _matches(transition, marking):
        free = [variable for variable in transition.variables if variable.name not in partial]
        for colours in product(*(range(variable.sort.size) for variable in free)):
            names = (variable.name for variable in free)
            binding = partial | dict(zip(names, colours, strict=True))
            key = tuple(binding[variable.name] for variable in transition.variables)
            if key not in seen and is_enabled(transition, marking, binding):
                seen.add(key)
                yield binding


def is_enabled(transition: Transition, marking: Marking, binding: Binding) -> bool:
    """Whether the guard holds and the tokens are there."""
    return bool(transition.guard.holds(binding)) and all(
        marking[place].get(colour, 0) >= count
        for place, multiset in transition.pre
        for colour, count in tokens(multiset, binding).items()
    )


def fire(transition: Transition, marking: Marking, binding: Binding) -> Marking:
    """The marking after a firing; whether it is enabled is not asked."""
    after = [dict(counts) for counts in marking]
    for arcs, sign in ((transition.pre, -1), (transition.post, 1)):
        for place, multiset in arcs:
            for colour, count in tokens(multiset, binding).items():
                after[place][colour] = after[place].get(colour, 0) + sign * count
    return tuple({c: n for c, n in counts.items() if n} for counts in after)


def _matches(transition: Transition, marking: Marking) -> Iterator[dict[str, int]]:
    """Colours for the variables of what is taken, such that tokens of these colours are there."""
    terms = [
        (place, summand.term)
        for place, multiset in transition.pre
        for summand in multiset
        if summand.count > 0 and not summand.ranging and len(multiset) == 1
    ]
    bindings: list[dict[str, int]] = [{}]
    for place, term in terms:
        bindings = [
            binding | more
            for binding in bindings
            for colour in marking[place]
            for more in _match(term, colour)
            if all(binding.get(name, value) == value for name, value in more.items())
        ]
    yield from bindings


def _match(term: Term, colour: int) -> Iterator[dict[str, int]]:
    """What the variables are where the term has this colour; nothing is said of some of them."""
    match term:
        case Variable(name=name):
            yield {name: colour}
        case Constant(colour=constant):
            if colour == constant:
                yield {}
        case Shifted(term=inner, steps=steps):
            yield from _match(inner, (colour - steps) % term.sort.size)
        case Tuple(parts=parts):
            merged: list[dict[str, int]] = [{}]
            for part, component in zip(parts, term.sort.components(colour), strict=True):
                merged = [
                    left | right
                    for left in merged
                    for right in _match(part, component)
                    if all(left.get(name, value) == value for name, value in right.items())
                ]
            yield from merged
        case _:
            yield {}
