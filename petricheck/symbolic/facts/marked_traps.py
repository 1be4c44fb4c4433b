"""Traps that an initial marking marks: minimal ones among given places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from petricheck.model.net import Net, cached_by_net
from petricheck.model.weights import Integers, transposed, weights_of
from petricheck.support.compiled import loop, prepare
from petricheck.symbolic.facts.changes import takers
from petricheck.symbolic.facts.loops import closed_sets
from petricheck.symbolic.facts.loops.closed_sets import LOGGED
from petricheck.symbolic.facts.siphons import empty_siphon

Numbers: TypeAlias = Any
"""Integers, each at its number: an array for compiled loops; for plain Python, which reads lists
several times faster, a list."""

_FEW = 10_000
"""Arcs of nets for which loops are not compiled, since numba would take longer to import."""


class SetArcs(NamedTuple):
    """The places that each transition takes from, and the transitions that put on each place."""

    input_starts: Numbers
    inputs: Numbers
    giver_starts: Numbers
    givers: Numbers


class ClosedSet(NamedTuple):
    """A set of places that is to be closed.

    Attributes:
        inside: 1 for each of its places, 0 for others.
        marked: 1 for each place that is marked.
        support: by transition, on how many places inside it puts.
        log: the places that were removed, in their order.
        sizes: see `loops.closed_sets.LOGGED`.
    """

    inside: Numbers
    marked: Numbers
    support: Numbers
    log: Numbers
    sizes: Numbers


Fields = TypeVar("Fields", SetArcs, ClosedSet)


class MarkedTraps:
    """The traps of some transitions that the initial marking marks."""

    def __init__(self, net: Net, transitions: Integers, few: int = _FEW) -> None:
        """Prepare the loops, which run as plain Python if there are only few arcs, or fewer.

        The transitions are numbers; others are taken to be dead.
        """
        inputs, outputs, _ = weights_of(net)
        inputs = inputs.select(transitions)
        givers = transposed(outputs.select(transitions), len(net.places))
        self._arcs = SetArcs(inputs.starts, inputs.indices, givers.starts, givers.indices)
        self._marked = np.array([tokens > 0 for tokens in net.initial], dtype=np.int64)
        self._size = inputs.size
        self._plain = len(inputs.indices) + len(givers.indices) <= few
        if not self._plain:
            prepare()

    def within(self, places: Iterable[int]) -> Iterator[frozenset[int]]:
        """Yield disjoint traps among these places, of none of which a place could be left out."""
        inside = np.zeros_like(self._marked)
        inside[list(places)] = 1
        support, sizes = np.zeros(self._size, dtype=np.int64), np.zeros(3, dtype=np.int64)
        state = ClosedSet(inside, self._marked, support, np.zeros_like(inside), sizes)
        arcs, call = self._arcs, loop
        if self._plain:
            arcs, state, call = self._lists, _lists(state), partial(getattr, closed_sets)
        is_marked = call("enclose")(arcs, state)
        while is_marked:
            size = state.sizes[LOGGED]
            call("shrink")(arcs, state)
            trap = np.flatnonzero(state.inside)
            yield frozenset(trap.tolist())
            is_marked = call("leave_out")(arcs, state, size, trap)

    @cached_property
    def _lists(self) -> SetArcs:
        return _lists(self._arcs)


@cached_by_net
def marked_traps(net: Net) -> MarkedTraps:
    """Return those of the transitions that take nothing from the greatest empty siphon."""
    return MarkedTraps(net, np.flatnonzero(~takers(net, empty_siphon(net))))


def _lists(arrays: Fields) -> Fields:
    return type(arrays)(*(array.tolist() for array in arrays))
