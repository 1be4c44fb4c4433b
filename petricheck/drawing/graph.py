"""The parts of a net that are drawn: nodes, and texts at them and at the arcs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Inscription: TypeAlias = int | str
"""How many tokens an arc moves, or which."""

Ends: TypeAlias = tuple[tuple[int, Inscription], ...]
"""The arcs of a transition on one side, each with the number of its place."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place.

    Attributes:
        name: its id.
        tokens: how many it holds.
        label: a human name, "" where there is none.
        sort: of its tokens, "" where they are plain.
        held: its tokens by colour, "" where they are plain or none.
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
        guard: what its bindings satisfy, "" where that is nothing.
    """

    name: str
    pre: Ends
    post: Ends
    guard: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """The nodes of a net in its order."""

    places: tuple[Place, ...]
    transitions: tuple[Transition, ...]


class Drawn(Protocol):
    """A net that is drawn."""

    @property
    def name(self) -> str:
        """Its id."""

    @property
    def places(self) -> Sequence[Any]:
        """Its places."""

    @property
    def transitions(self) -> Sequence[Any]:
        """Its transitions, with `pre` and `post`."""

    @property
    def nodes(self) -> int:
        """The number of places and transitions that are drawn."""

    def graph(self, marking: Any = None) -> Graph:
        """Return the drawn graph with a marking, by default the initial one."""
