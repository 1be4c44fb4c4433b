"""The origins of the places and transitions of an unfolded net, for readers of its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import dumps
from typing import Any

from petricheck.model.coloured.classes import Merging
from petricheck.model.coloured.sorts import Quotient, Sort, basic_sorts, value
from petricheck.model.coloured.unfolding import Unfolding
from petricheck.model.net import Net


def lines(net: Net, sha256: str) -> Iterator[str]:
    """Yield the lines of a JSON object about an unfolded net, read from a file with this hash."""
    origin = net.origin
    assert isinstance(origin, Unfolding)
    yield "{"
    yield f'"net": {dumps(net.name)},'
    yield f'"sha256": {dumps(sha256)},'
    if origin.merging is not None:
        yield '"classes": {'
        yield from _separated(_classes(origin.merging))
        yield "},"
    yield '"places": {'
    yield from _separated(_places(net, origin))
    yield '}, "transitions": {'
    yield from _separated(_transitions(net, origin))
    yield "}}"


def _classes(merging: Merging) -> Iterator[str]:
    """Yield by place, for each component, the colours of its classes; null if none are merged."""
    for place, by_component in zip(merging.original.places, merging.places, strict=True):
        shown = [
            None
            if classes is None
            else {
                Quotient(sort, classes).text(number): [
                    value(sort, colour) for colour, of in enumerate(classes) if of == number
                ]
                for number in range(Quotient(sort, classes).size)
            }
            for sort, classes in zip(basic_sorts(place.sort), by_component, strict=True)
        ]
        yield f"{dumps(place.name)}: {dumps(shown)}"


def _places(net: Net, origin: Unfolding) -> Iterator[str]:
    places = zip(origin.coloured.places, origin.places.values(), origin.colours, strict=True)
    for place, numbers, colours in places:
        colour_values = _values(place.sort, colours)
        for number, colour in zip(numbers, colours.tolist(), strict=True):
            entry = f'"place": {dumps(place.name)}, "colour": {colour_values[colour]}'
            yield f"{dumps(net.places[number])}: {{{entry}}}"


def _transitions(net: Net, origin: Unfolding) -> Iterator[str]:
    bound = zip(
        origin.coloured.transitions, origin.transitions.values(), origin.tables, strict=True
    )
    for transition, numbers, table in bound:
        columns = []
        for variable in transition.variables:
            colours = table.columns[variable.name]
            colour_values = _values(variable.sort, colours)
            columns.append(
                [f"{dumps(variable.name)}: {colour_values[c]}" for c in colours.tolist()]
            )
        for row, number in enumerate(numbers):
            binding = ", ".join(column[row] for column in columns)
            entry = f'"transition": {dumps(transition.name)}, "binding": {{{binding}}}'
            yield f"{dumps(net.transitions[number].name)}: {{{entry}}}"


def _values(sort: Sort, colours: Any) -> dict[int, str]:
    """Return colours in JSON: strings, integers of ranges, lists, null for black tokens."""
    return {colour: dumps(value(sort, colour)) for colour in dict.fromkeys(colours.tolist())}


def _separated(entries: Iterable[str]) -> Iterator[str]:
    previous = None
    for entry in entries:
        if previous is not None:
            yield f"  {previous},"
        previous = entry
    if previous is not None:
        yield f"  {previous}"
