"""The drawn parts of a net: nodes, arcs and their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Inscription: TypeAlias = int | str
"""Number of tokens that an arc moves, or an expression for coloured tokens."""

Ends: TypeAlias = tuple[tuple[int, Inscription], ...]
"""The input or the output arcs of a transition: (index of the place, inscription)."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place.

    Attributes:
        name: its id.
        tokens: number of tokens.
        label: a name for people; may be empty.
        sort: sort of its tokens; empty in a net without colours.
        held: its tokens by colour; empty if it has none or the net has no colours.
    """

    name: str
    tokens: int
    label: str = ""
    sort: str = ""
    held: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """A transition.

    Attributes:
        name: its id.
        pre: the arcs to it.
        post: the arcs from it.
        guard: condition on its bindings; empty if all are allowed.
    """

    name: str
    pre: Ends
    post: Ends
    guard: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """The nodes of a net, in the net's order."""

    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]


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
