"""Conversion to and from the nets of SNAKES, a library for coloured nets (extra `interop`).

Only its black-token nets are place/transition nets: a weight n is n copies of the token `dot` on
one arc, so weights must stay small. Nothing here loads files through SNAKES, whose own PNML
reader unpickles what it is given.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from types import ModuleType
from typing import Any

from petricheck.errors import InputError, PetricheckError
from petricheck.problem import Net, Transition, Weights

MAX_COPIES = 10_000
"""Arc weights beyond this are not converted, since SNAKES spells out every token of an arc."""


def to_snakes(net: Net) -> Any:
    """The net as a `snakes.nets.PetriNet` with `dot` tokens; labels are lost.

    Raises:
        InputError: a weight is too large, or a place and a transition share an id.
        PetricheckError: SNAKES is not installed.
    """
    snakes = _snakes()
    black = snakes.Value(snakes.dot)
    result = snakes.PetriNet(net.name)
    for name, tokens in zip(net.places, net.initial, strict=True):
        place = snakes.Place(name, [], snakes.tBlackToken)
        if tokens:
            # By their number: the constructor would count them one by one.
            place.tokens.add([snakes.dot], tokens)
        result.add_place(place)
    for transition in net.transitions:
        name = transition.name
        if result.has_place(name):
            raise InputError(
                f"{name!r} is both a place and a transition, which SNAKES cannot hold; rename one"
            )
        result.add_transition(snakes.Transition(name))
        for add, weights in (
            (result.add_input, transition.pre),
            (result.add_output, transition.post),
        ):
            for place, weight in weights:
                if weight > MAX_COPIES:
                    raise InputError(
                        f"transition {name!r} has an arc of weight {weight}, but SNAKES spells out "
                        f"every token of an arc; weights up to {MAX_COPIES} are converted"
                    )
                label = black if weight == 1 else snakes.MultiArc([black] * weight)
                add(net.places[place], name, label)
    return result


def from_snakes(snakes_net: Any) -> Net:
    """The net that a `snakes.nets.PetriNet` with black tokens is.

    Raises:
        InputError: another token than `dot`, an arc that is no constant number of them, a guard
            other than true, or a place that admits other tokens only.
        PetricheckError: SNAKES is not installed.
    """
    places = snakes_net.place()
    numbers = {place.name: number for number, place in enumerate(places)}
    return Net(
        str(snakes_net.name),
        tuple(numbers),
        tuple(_transition(transition, numbers) for transition in snakes_net.transition()),
        tuple(_count(place) for place in places),
    )


def _snakes() -> ModuleType:
    try:
        return importlib.import_module("snakes.nets")
    except ImportError:
        raise PetricheckError(
            "conversion needs the package SNAKES: pip install petricheck[interop]"
        ) from None


def _transition(transition: Any, numbers: dict[str, int]) -> Transition:
    snakes = _snakes()
    if transition.guard != snakes.Expression("True"):
        raise InputError(
            f"transition {transition.name!r} has the guard {str(transition.guard)!r}; only nets "
            "without guards are place/transition nets"
        )
    return Transition(
        str(transition.name),
        _weights(transition.input(), numbers),
        _weights(transition.output(), numbers),
    )


def _weights(arcs: Iterable[tuple[Any, Any]], numbers: dict[str, int]) -> Weights:
    return tuple(sorted((numbers[place.name], _weight(label)) for place, label in arcs))


def _weight(label: Any) -> int:
    """How many black tokens the label of an arc stands for."""
    snakes = _snakes()
    if type(label) is snakes.MultiArc:
        return sum(map(_weight, label))
    if type(label) is snakes.Value and isinstance(label.value, snakes.BlackToken):
        return 1
    raise InputError(
        f"an arc is labelled {label!r}; only Value(dot) and MultiArc of it are weights"
    )


def _count(place: Any) -> int:
    """How many black tokens are in the place."""
    snakes = _snakes()
    if place.checker() not in (snakes.tAll, snakes.tBlackToken):
        raise InputError(
            f"place {place.name!r} is of type {place.checker()!r}; only tAll and tBlackToken are "
            "known to admit black tokens"
        )
    count = place.tokens(snakes.dot)
    if count != sum(place.tokens.values()):
        raise InputError(
            f"place {place.name!r} holds other tokens than dot; only black tokens are counted"
        )
    return int(count)
