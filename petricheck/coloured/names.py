"""Colours and bindings as users write them: `(a, 3)` after a place, `(x=a)` after a transition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from petricheck.coloured.net import ColouredNet, Place, Transition
from petricheck.coloured.sorts import Dot, Enumeration, Partition, Product, Range, Sort
from petricheck.errors import QueryError
from petricheck.words import MAX_DIGITS, listed, printable, quoted

_FEW = 5
"""Colours that a message names."""

ANY = "_"
"""Stands for all colours of a component."""

_INTEGER = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}")


def read_colour(place: Place, text: str) -> int | tuple[int | None, ...]:
    """Return the colour of a place, in parentheses; `_` stands for any component of a tuple.

    Raises:
        QueryError: the place's sort has no such colour.
    """
    try:
        if not isinstance(place.sort, Product):
            return _colour(place.sort, text[1:-1])
        components = _components(place.sort, text)
        specified = [component for component in components if component is not None]
        return place.sort.colour(specified) if len(specified) == len(components) else components
    except QueryError as error:
        reason = f"place {quoted(place.name)} holds no {printable(text)}: {error.message}"
        raise QueryError(reason) from None


def _components(sort: Product, text: str) -> tuple[int | None, ...]:
    parts = [*_parts(text)]
    if len(parts) != len(sort.factors):
        raise QueryError(f"{_first_colours(sort)}, not {quoted(text)}")
    return tuple(
        None if part == ANY and not has_any(factor) else _colour(factor, part)
        for factor, part in zip(sort.factors, parts, strict=True)
    )


def has_any(sort: Sort) -> bool:
    """Return whether a colour is named as the wildcard `_`."""
    return isinstance(sort, Enumeration | Partition) and ANY in sort.numbers


def read_binding(transition: Transition, text: str) -> Mapping[str, int]:
    """Return colours of some variables of a transition, in parentheses.

    Raises:
        QueryError: it has no such variable, or the variable no such colour, or two.
    """
    sorts = {variable.name: variable.sort for variable in transition.variables}
    binding: dict[str, int] = {}
    for part in _parts(text):
        name, sign, colour = (piece.strip() for piece in part.partition("="))
        if not sign:
            raise QueryError(f"a colour is given to a variable, as in {_example(transition)}")
        if name not in sorts:
            names = f"only {listed([*sorts], _FEW, printable)}" if sorts else "none"
            raise QueryError(
                f"transition {quoted(transition.name)} has no variable {quoted(name)}, {names}"
            )
        if name in binding:
            raise QueryError(f"the variable {quoted(name)} is given twice")
        binding[name] = _colour(sorts[name], colour)
    return binding


def read_firing(net: ColouredNet, text: str) -> tuple[int, Mapping[str, int]] | None:
    """Return the number of a transition and its variables' colours (see `Transition.text`).

    None where nothing is written so.
    """
    for opening in (len(text), *(sign.start() for sign in re.finditer(r"\(", text))):
        if (number := net.transition_numbers.get(text[:opening])) is not None:
            transition = net.transitions[number]
            with suppress(QueryError):
                binding = read_binding(transition, text[opening:])
                is_complete = len(binding) == len(transition.variables)
                if is_complete and transition.text(binding) == text:
                    return number, binding
    return None


def _colour(sort: Sort, name: str) -> int:
    text = name.strip()
    match sort:
        case Product(factors=factors):
            parts = [*_parts(text)] if text.startswith("(") and text.endswith(")") else []
            if len(parts) == len(factors):
                return sort.colour([_colour(f, p) for f, p in zip(factors, parts, strict=True)])
        case Range(first=first, last=last):
            if _INTEGER.fullmatch(text) and first <= int(text) <= last:
                return int(text) - first
        case Enumeration(numbers=numbers) | Partition(numbers=numbers):
            if text in numbers:
                return numbers[text]
        case Dot():
            if text == sort.text(0):
                return 0
    raise QueryError(f"{_first_colours(sort)}, not {quoted(text)}")


def _parts(text: str) -> Iterator[str]:
    """Return the texts between commas in these parentheses; inner parentheses stay whole."""
    begin, depth = 1, 0
    for position, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if (sign == "," and depth == 1) or depth == 0:
            if position > begin or begin > 1:
                yield text[begin:position].strip()
            begin = position + 1


def _first_colours(sort: Sort) -> str:
    """Return the first colours of the sort, for a message."""
    colours = listed(range(sort.size), _FEW, lambda colour: printable(sort.text(colour)))
    return f"the sort {quoted(sort.name)} has {colours}"


def _example(transition: Transition) -> str:
    if not transition.variables:
        return "t(x=a); this transition has no variables"
    variable = transition.variables[0]
    return printable(f"{transition.name}({variable.name}={variable.sort.text(0)})")
