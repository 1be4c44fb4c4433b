"""What a net was translated from, for modules that know neither coloured nets nor guarded ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Protocol

from petricheck.arithmetic.formulas.terms import Term
from petricheck.model.drawing.graph import Graph
from petricheck.model.node_names import NodeNames

if TYPE_CHECKING:
    from petricheck.model.guarded.net import Guard


class Origin(Protocol):
    """A coloured or guarded net; its names may stand for several places and transitions."""

    @property
    def places(self) -> Mapping[str, Sequence[int]]:
        """The numbers of places whose tokens are counted together, by name."""

    @property
    def transitions(self) -> Mapping[str, Sequence[int]]:
        """The numbers of the transitions that a name stands for, by name."""

    @property
    def merging(self) -> object:
        """The earlier merging of colours that behave alike; None if none were merged."""

    def place_of(self, name: str, colours: str) -> tuple[str, Sequence[int]]:
        """Return the text of a place with colours, such as `p(a, 3)`, and the places for them.

        There may be none.
        """

    def factors(
        self, name: str, binding: str = ""
    ) -> Sequence[tuple[Sequence[int], Sequence[Sequence[int]]]]:
        """Return pairs of transitions and groups of places that say when `name` can fire.

        It can fire if, for each pair, one of the transitions could, counting only what it takes
        from these places. Transitions agree with a binding such as `(x=a)`.
        """

    def firing_of(self, name: str, binding: str) -> str:
        """Return the text of a firing of a transition, with all of its variables: `t(x=a)`.

        QueryError where the binding, such as `(x=a)`, leaves one out.
        """

    def bindings(self, name: str, binding: str = "") -> Sequence[int]:
        """Return the transitions that a name stands for; only those that agree with a binding."""

    def transition_of(self, firing: str) -> str | None:
        """Return the transition that stands for a firing of the coloured net, such as `t(x=a)`.

        None if this text is no such firing, or if each firing has a transition of its own.
        """

    def fireability(self, name: str, binding: str = "") -> str:
        """Return the name of the number, 1 or 0, of whether a transition is enabled.

        Empty where tokens of places say so, see `factors`.
        """

    def observes(self, name: str) -> bool:
        """Return whether this is the name of such a number."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The human name of such a place or transition, "" where it has none, by name."""

    @property
    def shown(self) -> NodeNames:
        """The names by which people see these places and transitions."""

    @property
    def has_colours(self) -> bool:
        """Whether places and transitions stand for colours."""

    @property
    def hidden(self) -> Mapping[str, Term]:
        """The tokens of the places that users do not know, in those that they know, by id."""

    @property
    def boundless(self) -> Sequence[int]:
        """The places whose guards the net leaves out, as no bound of them is known."""

    @property
    def left_out(self) -> Mapping[int, Guard]:
        """The guards that the net leaves out, by number of a transition."""

    def sums(self, name: str) -> Mapping[str, Sequence[int]]:
        """Return names of sums over a component of the place's colours, with their places."""

    def tokens(self, place: str, marking: Sequence[int]) -> Sequence[str] | None:
        """Return the tokens of a place by colour, as users write them; None without colours."""

    @property
    def nodes(self) -> int:
        """The number of places and transitions in the drawing."""

    def graph(self, marking: tuple[int, ...] | None = None) -> Graph:
        """Return the drawing, with a marking of the unfolded net, by default the initial one."""


class FiringNumbers(dict[str, int]):
    """Numbers of transitions by firing.

    A firing that another transition stands for has that one's number, and is not listed.
    """

    def __init__(self, numbers: Mapping[str, int], origin: Origin) -> None:
        super().__init__(numbers)
        self._number = cache(lambda firing: numbers[origin.transition_of(firing) or firing])

    def __missing__(self, firing: str) -> int:
        return self._number(firing)
