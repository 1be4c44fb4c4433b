"""Guards given by the ids of transitions and places, as from Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from petricheck.model.guarded.net import Arc, GuardedNet, guarded
from petricheck.model.net import Net
from petricheck.support.arguments import require_type, whole
from petricheck.support.errors import InputError

NamedArcs: TypeAlias = Mapping[str, Mapping[str, int]]
"""Weights by transition and place."""


def with_guards(
    net: Net,
    inhibitors: NamedArcs,
    reads: NamedArcs,
    resets: Mapping[str, Sequence[str]],
    capacities: Mapping[str, int],
) -> Net | GuardedNet:
    """Return the net with these guards, as `guarded` does.

    Raises:
        InputError: there is no such transition or place, or something is of another shape.
    """
    require_type(resets, Mapping, "the resets are given by a dictionary of lists by transition")
    require_type(capacities, Mapping, "the capacities are given by a dictionary by place")
    for places in resets.values():
        require_type(places, list | tuple | set | frozenset, "what is reset is a list of places")
    pairs = [(name, place) for name, places in resets.items() for place in places]
    return guarded(
        net,
        inhibitors=_arcs(net, "inhibitor", inhibitors),
        reads=_arcs(net, "read", reads),
        resets=[(_transition(net, name), _place(net, place)) for name, place in pairs],
        capacities={
            _place(net, place): whole(most, 0, f"the capacity of {place!r}")
            for place, most in capacities.items()
        },
    )


def _arcs(net: Net, kind: str, arcs: NamedArcs) -> Iterator[Arc]:
    require_type(arcs, Mapping, f"the {kind} arcs are given by a dictionary by transition")
    for name, weights in arcs.items():
        owner = f"the {kind} arcs of transition {name!r}"
        require_type(weights, Mapping, f"{owner} are given by a dictionary of weights by place")
        for place, weight in weights.items():
            yield (_transition(net, name), _place(net, place), whole(weight, 1, owner))


def _transition(net: Net, name: str) -> int:
    if name not in net.transition_numbers:
        raise InputError(f"a guard names {name!r}, which is no transition of the net")
    return net.transition_numbers[name]


def _place(net: Net, name: str) -> int:
    if name not in net.place_numbers:
        raise InputError(f"a guard names {name!r}, which is no place of the net")
    return net.place_numbers[name]
