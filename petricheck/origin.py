"""What a net was unfolded from, as those see it who know no coloured nets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol

from petricheck.drawing.graph import Graph


class Origin(Protocol):
    """Its names stand for several places and transitions of the net."""

    @property
    def places(self) -> Mapping[str, Sequence[int]]:
        """By name the numbers of places whose tokens are counted together."""

    @property
    def transitions(self) -> Mapping[str, Sequence[int]]:
        """By name the numbers of transitions of which any may be meant."""

    @property
    def merging(self) -> object:
        """How colours that behave alike were merged before; None where each is on its own."""

    def place_of(self, name: str, colour: str) -> str:
        """What the place for one of its colours, as in `(a, 3)`, is called, or would be."""

    def factors(
        self, name: str, binding: str = ""
    ) -> Sequence[tuple[Sequence[int], Sequence[str]]]:
        """Transitions and names of places: `name` can fire where for each pair one of them could.

        Only what is taken from these places counts, and of transitions those that agree with a
        binding such as `(x=a)`.
        """

    def transition_of(self, firing: str) -> str | None:
        """The transition that stands for a firing of the coloured net, such as `t(x=a)`.

        None where no firing is written so, or each has a transition of its own.
        """

    @property
    def labels(self) -> Mapping[str, str]:
        """By name of such a place or transition its human name, "" where it has none."""

    def sums(self, name: str) -> Mapping[str, Sequence[int]]:
        """Of a place names of further sums, over a component of its colours, with their places."""

    def tokens(self, place: str, marking: Sequence[int]) -> Sequence[str] | None:
        """Of a place its tokens by colour, as users write them; None where they have no colours."""

    @property
    def nodes(self) -> int:
        """How many places and transitions are drawn."""

    def graph(self, marking: tuple[int, ...] | None = None) -> Graph:
        """What is drawn, with a marking of the unfolded net, by default the initial one."""


class Firings(dict[str, int]):
    """Numbers of transitions; firings that one stands for have its number, and are not listed."""

    def __init__(self, numbers: Mapping[str, int], origin: Origin) -> None:
        super().__init__(numbers)
        self._number = cache(lambda firing: numbers[origin.transition_of(firing) or firing])

    def __missing__(self, firing: str) -> int:
        return self._number(firing)
