"""Conversion to and from the nets of SNAKES, a library for coloured nets (extra `interop`).

Only nets with black tokens are converted: a weight n is n copies of the token `dot` on one arc, so
weights must stay small. Nothing here loads files through SNAKES, whose own PNML reader unpickles
what it is given, and no expression of a net is evaluated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from petricheck.model.guarded.translation import require_exact
from petricheck.model.net import Net, Transition, Weights
from petricheck.support.arguments import require_type, shown
from petricheck.support.errors import InputError
from petricheck.support.extras import optional

__all__ = ["MAX_COPIES", "from_snakes", "to_snakes"]

MAX_COPIES = 10_000
"""Arcs with more tokens are not converted, since SNAKES spells out each of them."""

_SOURCE = "all dots"
"""How the name begins of a place with one token that is only tested. SNAKES lists no modes of a
transition that takes nothing, so such a transition tests this place, which vanishes on the way
back."""


def to_snakes(net: Net) -> Any:
    """Return the net as a `snakes.nets.PetriNet`; labels are lost.

    What takes nothing tests a new place, `all dots`, since SNAKES would list no modes of it.
    `from_snakes` knows this place.

    Raises:
        InputError: the net is coloured, or guarded with a place without a known bound, an arc is
            too large, or a place and a transition share an id.
        QueryError: SNAKES is not installed.
    """
    snakes = _library()
    if not isinstance(net, Net):
        raise InputError(f"a place/transition net is converted to SNAKES, and not {shown(net)}")
    require_exact(net)
    converted = snakes.PetriNet(net.name)
    for name, count in zip(net.places, net.initial, strict=True):
        _add_place(converted, name, count)
    source = ""
    for transition in net.transitions:
        name = transition.name
        if name in net.place_numbers:
            raise InputError(
                f"{name!r} is both a place and a transition, which SNAKES cannot hold; rename one"
            )
        converted.add_transition(snakes.Transition(name))
        for add, weights in (
            (converted.add_input, transition.pre),
            (converted.add_output, transition.post),
        ):
            for place, weight in weights:
                add(net.places[place], name, _label(name, weight))
        if not transition.pre:
            if not source:
                source = _SOURCE
                while source in net.place_numbers or source in net.actions:
                    source += "'"
                _add_place(converted, source, 1)
            converted.add_input(source, name, snakes.Test(snakes.Value(snakes.dot)))
    return converted


def from_snakes(snakes_net: Any) -> Net:
    """Return the net of a `snakes.nets.PetriNet` with black tokens alone and without guards.

    Arcs are labelled with `Value` of `dot`, `Variable`, `MultiArc` of these and, from places,
    `Test`.

    Raises:
        InputError: something else is there.
        QueryError: SNAKES is not installed.
    """
    require_type(snakes_net, _library().PetriNet, "a net of SNAKES is a snakes.nets.PetriNet")
    places = [place for place in snakes_net.place() if not _is_source(place)]
    numbers = {place.name: number for number, place in enumerate(places)}
    return Net(
        str(snakes_net.name),
        tuple(str(place.name) for place in places),
        tuple(_transition(transition, numbers) for transition in snakes_net.transition()),
        tuple(map(_tokens, places)),
    )


def _library() -> Any:
    return optional("snakes.nets", "SNAKES", "interop")


def _add_place(net: Any, name: str, count: int) -> None:
    snakes = _library()
    place = snakes.Place(name, [], snakes.tBlackToken)
    if count:  # by their number: the constructor would count them one by one
        place.tokens.add([snakes.dot], count)
    net.add_place(place)


def _label(transition: str, weight: int) -> Any:
    if weight > MAX_COPIES:
        raise InputError(
            f"transition {transition!r} has an arc of weight {weight}, but SNAKES spells out "
            f"every token of an arc; weights up to {MAX_COPIES} are converted"
        )
    snakes = _library()
    dots = [snakes.Value(snakes.dot)] * weight
    return dots[0] if weight == 1 else snakes.MultiArc(dots)


def _is_source(place: Any) -> bool:
    """Return whether it is a place that `to_snakes` added: whose only token is only tested."""
    snakes = _library()
    return (
        place.name.startswith(_SOURCE)
        and not place.pre
        and set(place.tokens.domain()) == {snakes.dot}
        and all(label == snakes.Test(snakes.Value(snakes.dot)) for label in place.post.values())
    )


def _tokens(place: Any) -> int:
    snakes = _library()
    if place.checker() not in (snakes.tAll, snakes.tBlackToken, snakes.OneOf(snakes.dot)):
        raise InputError(
            f"place {place.name!r} is of type {place.checker()!r}; only black tokens are read"
        )
    if any(token != snakes.dot for token in place.tokens.domain()):
        raise InputError(f"place {place.name!r} holds other tokens than dot")
    return int(place.tokens(snakes.dot))


def _transition(transition: Any, numbers: dict[str, int]) -> Transition:
    if str(transition.guard) != "True":
        raise InputError(
            f"transition {transition.name!r} has the guard {str(transition.guard)!r}; only nets "
            "without guards are read"
        )
    test = _library().Test
    inputs = [(p.name, label) for p, label in transition.input() if p.name in numbers]
    tested = [(place, label._annotation) for place, label in inputs if type(label) is test]
    taken = [(place, label) for place, label in inputs if type(label) is not test] + tested
    pre = _weights(transition, numbers, taken)
    bound = {name for _, label in taken for name in label.vars()}
    put = [(place.name, label) for place, label in transition.output()]
    if unbound := {name for _, label in put for name in label.vars()} - bound:
        raise InputError(f"transition {transition.name!r}: no arc binds {min(unbound)!r}")
    return Transition(str(transition.name), pre, _weights(transition, numbers, tested + put))


def _weights(
    transition: Any, numbers: dict[str, int], labels: Iterable[tuple[str, Any]]
) -> Weights:
    sums = Counter[int]()
    for place, label in labels:
        try:
            sums[numbers[place]] += sum(1 for _ in _dots(label))
        except InputError as error:
            raise InputError(
                f"transition {transition.name!r}: an arc is labelled {error}"
            ) from None
    return tuple(sorted(sums.items()))


def _dots(label: Any) -> Iterator[Any]:
    """Yield the labels of single black tokens in one; InputError where it is another one."""
    snakes = _library()
    if type(label) is snakes.MultiArc:
        for part in label:
            yield from _dots(part)
    elif type(label) is snakes.Variable or (
        type(label) is snakes.Value and label.value == snakes.dot
    ):
        yield label
    else:
        raise InputError(f"{label!r}, which is no black token")
