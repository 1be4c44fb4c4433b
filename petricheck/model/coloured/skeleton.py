"""A coloured net without its colours: how many tokens each firing takes and puts, of any colour.

An arc moves the same number of tokens under every binding, so that the numbers of tokens of the
coloured net's places change as this net's do, which fires whatever the coloured net fires: what it
never reaches, the coloured net does not, and its place invariants hold of the totals. It may do
more: what it reaches, the coloured net reaches where its trace is lifted (`lifting`).

Whether a transition is enabled depends on colours. In formulas it is a number of its own, 1 or 0,
which no tokens of the skeleton are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from petricheck.arithmetic.formulas.terms import Term
from petricheck.arithmetic.formulas.text import node_text
from petricheck.model import net as problem
from petricheck.model.coloured.names import (
    fireable_text,
    firing_text,
    read_binding,
    read_fireable,
    read_firing,
)
from petricheck.model.coloured.net import Arcs, ColouredNet
from petricheck.model.coloured.terms import size
from petricheck.model.drawing import graph
from petricheck.model.guarded.net import Guard
from petricheck.model.node_names import NodeNames
from petricheck.support.errors import QueryError


@dataclass(frozen=True)
class Skeleton:
    """The origin of a net without colours: each place stands for the tokens of all colours."""

    coloured: ColouredNet
    merging: ClassVar[None] = None
    has_colours: ClassVar[bool] = True
    boundless: ClassVar[tuple[int, ...]] = ()
    hidden: ClassVar[Mapping[str, Term]] = {}
    left_out: ClassVar[Mapping[int, Guard]] = {}

    @cached_property
    def places(self) -> Mapping[str, Sequence[int]]:
        """The number of the place that counts its tokens, by place of the coloured net."""
        return {place.name: (number,) for number, place in enumerate(self.coloured.places)}

    @cached_property
    def transitions(self) -> Mapping[str, Sequence[int]]:
        """The number of its transition, by transition of the coloured net."""
        return {name: (number,) for name, number in self.coloured.transition_numbers.items()}

    def place_of(self, name: str, colours: str) -> tuple[str, Sequence[int]]:
        """Refuse, by a QueryError: no place is for some of the colours."""
        raise QueryError(f"{name} is counted without its colours here")

    def factors(
        self, name: str, binding: str = ""
    ) -> Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]]:
        """Refuse, by a QueryError: the needs of a transition depend on colours."""
        raise QueryError(f"whether {name} can fire is not told without colours")

    def bindings(self, name: str, binding: str = "") -> Sequence[int]:
        """Return its transition; refuse single bindings, by a QueryError."""
        if binding:
            raise QueryError(f"{name} has no bindings without colours")
        return self.transitions[name]

    def fireability(self, name: str, binding: str = "") -> str:
        """Return the name of the number, 1 or 0, of whether it is enabled."""
        transition = self.coloured.transitions[self.coloured.transition_numbers[name]]
        return fireable_text(transition, read_binding(transition, binding))

    def observes(self, name: str) -> bool:
        """Return whether this is the name of such a number."""
        return read_fireable(self.coloured, name) is not None

    def observed(self, name: str) -> tuple[int, Mapping[str, int]]:
        """Return the transition of such a number, and the colours of some variables."""
        read = read_fireable(self.coloured, name)
        assert read is not None
        return read

    def firing_of(self, name: str, binding: str) -> str:
        """Return the text of a firing; QueryError where a variable has no colour."""
        return firing_text(
            self.coloured.transitions[self.coloured.transition_numbers[name]], binding
        )

    def transition_of(self, firing: str) -> str | None:
        """Return the transition without its binding."""
        read = read_firing(self.coloured, firing)
        return None if read is None else node_text(self.coloured.transitions[read[0]].name)

    @property
    def labels(self) -> Mapping[str, str]:
        """The human names of the coloured net."""
        return self.coloured.labels

    @property
    def shown(self) -> NodeNames:
        """The names by which people see places and transitions of the coloured net."""
        return self.coloured.shown

    def sums(self, name: str) -> Mapping[str, Sequence[int]]:
        """Return None."""
        return {}

    def tokens(self, place: str, marking: Sequence[int]) -> None:
        """Return None, since the colours are not determined."""

    @property
    def nodes(self) -> int:
        """The number of places and transitions."""
        return self.coloured.nodes

    def graph(self, marking: problem.Marking | None = None) -> graph.Graph:
        """Return the drawing's graph of the coloured net; with totals for any other marking."""
        drawn = self.coloured.graph()
        if marking is None:
            return drawn
        pairs = zip(drawn.places, marking, strict=True)
        places = (graph.DrawnPlace(place.name, total, place.id) for place, total in pairs)
        return graph.Graph(tuple(places), drawn.transitions)


def skeleton(net: ColouredNet) -> problem.Net:
    """Return the place/transition net with the same places and transitions."""
    transitions = (
        problem.Transition(node_text(t.name), _weights(t.pre), _weights(t.post), t.label)
        for t in net.transitions
    )
    return problem.Net(
        net.name,
        tuple(node_text(place.name) for place in net.places),
        tuple(transitions),
        tuple(size(place.initial) for place in net.places),
        tuple(place.label for place in net.places),
        origin=Skeleton(net),
    )


def _weights(arcs: Arcs) -> problem.Weights:
    return tuple((place, size(multiset)) for place, multiset in arcs if size(multiset))
