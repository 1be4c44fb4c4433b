"""The drawn parts of a net: nodes, arcs and their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias, TypeVar

from petricheck.model.node_names import NodeNames
from petricheck.support.words import number_text

Inscription: TypeAlias = int | str
"""Number of tokens that an arc moves, or an expression for coloured tokens."""

Ends: TypeAlias = tuple[tuple[int, Inscription], ...]
"""The input or the output arcs of a transition: (index of the place, inscription)."""


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A place; its sort and, by colour, its tokens `held` are empty in a net without colours.

    The id is empty where it is the name. The capacity is the most tokens that a firing may leave.
    """

    name: str
    tokens: int
    id: str = ""
    sort: str = ""
    held: str = ""
    capacity: int | None = None


@dataclass(frozen=True, slots=True)
class DrawnTransition:
    """A transition; `pre` are the arcs to it, and an empty guard allows all bindings.

    The id is empty where it is the name. Each place of the inhibitor arcs has to have fewer tokens
    than its weight; a firing empties the places of `resets`.
    """

    name: str
    pre: Ends
    post: Ends
    guard: str = ""
    id: str = ""
    inhibitors: Ends = ()
    resets: tuple[int, ...] = ()


Node = TypeVar("Node", DrawnPlace, DrawnTransition)


@dataclass(frozen=True, slots=True)
class Graph:
    """The nodes of a net, in the net's order."""

    places: tuple[DrawnPlace, ...]
    transitions: tuple[DrawnTransition, ...]

    def named(self, names: NodeNames) -> Graph:
        """Return the graph of nodes that have their ids as names, with their shown names."""
        if not names:
            return self
        return Graph(
            tuple(_named(place, names.place(place.name)) for place in self.places),
            tuple(_named(each, names.transition(each.name)) for each in self.transitions),
        )


def _named(node: Node, name: str) -> Node:
    return node if name == node.name else replace(node, name=name, id=node.name)


def notes(node: DrawnPlace | DrawnTransition) -> list[str]:
    """Return the lines of text at a node: its name; sort, tokens, capacity of a place; guard."""
    if isinstance(node, DrawnPlace):
        coloured = [node.sort, node.held] if node.sort else []
        limit = [] if node.capacity is None else [f"≤ {number_text(node.capacity)}"]
        return [node.name, *coloured, *limit]
    return [node.name, *([f"[{node.guard}]"] if node.guard else [])]


class Drawn(Protocol):
    """The interface of nets that can be drawn."""

    @property
    def name(self) -> str:
        """The id of the net."""

    @property
    def places(self) -> Sequence[Any]:
        """The places of the net."""

    @property
    def transitions(self) -> Sequence[Any]:
        """The transitions of the net, with `pre` and `post`."""

    @property
    def nodes(self) -> int:
        """The number of places and transitions that are drawn."""

    def graph(self, marking: Any = None) -> Graph:
        """Return the drawn graph with a marking, by default the initial one."""
