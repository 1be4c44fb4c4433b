"""What of a net is drawn and told; `problem.Net`, which is above, is such a net."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Arcs(Protocol):
    """A transition, as far as it is drawn."""

    @property
    def name(self) -> str:
        """Its id."""

    @property
    def pre(self) -> Sequence[tuple[int, int]]:
        """(place number, weight) of what it takes."""

    @property
    def post(self) -> Sequence[tuple[int, int]]:
        """(place number, weight) of what it puts."""


class Drawable(Protocol):
    """A net, as far as it is drawn."""

    @property
    def name(self) -> str:
        """Its id."""

    @property
    def places(self) -> Sequence[str]:
        """Ids."""

    @property
    def transitions(self) -> Sequence[Arcs]:
        """In the order of their numbers."""

    @property
    def initial(self) -> Sequence[int]:
        """Tokens by place."""

    @property
    def labels(self) -> Sequence[str]:
        """Human names by place, "" where there is none; empty where no place has one."""
