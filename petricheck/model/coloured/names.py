"""Colours and bindings as users write them: `(a, 3)` after a place, `(x=a)` after a transition.

`_` stands for all colours of a component, `{a, c..e}` for some of them. A word in quotes is the
name of a colour. Names are read in the net of the file only. No net that was made from it is asked
for names, so what its places are called does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TypeAlias

from petricheck.arithmetic.formulas.text import QUOTED, name_of, node_text, unquoted
from petricheck.model.coloured.net import ColouredNet, Place, Transition
from petricheck.model.coloured.sorts import (
    ANY,
    Dot,
    Enumeration,
    Partition,
    Product,
    Range,
    Sort,
    basic_sorts,
    class_text,
    colour_of,
    has_any,
)
from petricheck.support.errors import QueryError
from petricheck.support.words import MAX_DIGITS, listed, printable, quoted

Colours: TypeAlias = tuple[frozenset[int] | None, ...]
"""The colours that are meant, for each of the sort's `basic_sorts`; None for all."""

_FEW = 5
"""Colours that a message names."""

_INTEGER = re.compile(rf"-?[0-9]{{1,{MAX_DIGITS}}}")
_QUOTED = re.compile(QUOTED, re.DOTALL)
_FIREABLE = re.compile(r"fireable\((.*)\)", re.DOTALL)


def read_colours(place: Place, text: str) -> Colours:
    """Return the colours that a text in parentheses means; QueryError where the place has none."""
    inside = text[1:-1]
    try:
        return tuple(_components(place.sort, text if isinstance(place.sort, Product) else inside))
    except QueryError as error:
        reason = f"place {quoted(place.name)} holds no {printable(text)}: {error.message}"
        raise QueryError(reason) from None


def place_text(place: Place, colours: Colours) -> str:
    """Return the place with these colours behind it, as users write it; without, if all are."""
    if not any(colours):
        return node_text(place.name)
    text = _text(place.sort, iter(colours))
    return node_text(place.name, text[1:-1] if isinstance(place.sort, Product) else text)


def read_binding(transition: Transition, text: str) -> Mapping[str, int]:
    """Return colours of variables, in parentheses; QueryError where there is none, or two."""
    sorts = {variable.name: variable.sort for variable in transition.variables}
    binding: dict[str, int] = {}
    inside = text[1:-1].strip()
    for part in _split(inside, ",") if inside else ():
        word, *colour = _split(part, "=")
        if not colour:
            raise QueryError(f"a colour is given to a variable, as in {_example(transition)}")
        if (name := name_of(word)) not in sorts:
            names = f"only {listed([*sorts], _FEW, printable)}" if sorts else "none"
            raise QueryError(
                f"transition {quoted(transition.name)} has no variable {quoted(name)}, {names}"
            )
        if name in binding:
            raise QueryError(f"the variable {quoted(name)} is given twice")
        binding[name] = _one(sorts[name], "=".join(colour))
    return binding


def firing_text(transition: Transition, text: str) -> str:
    """Return the firing with such a binding; QueryError where a variable has no colour."""
    binding = read_binding(transition, text)
    if len(binding) < len(transition.variables):
        example = printable(transition.text({v.name: 0 for v in transition.variables}))
        missing = next(v.name for v in transition.variables if v.name not in binding)
        raise QueryError(
            f"a firing of transition {quoted(transition.name)} has a colour for each of its "
            f"variables, as in {example}; {quoted(missing)} has none"
        )
    return transition.text(binding)


def read_firing(net: ColouredNet, text: str) -> tuple[int, Mapping[str, int]] | None:
    """Return the number of a transition and its variables' colours (see `Transition.text`).

    None where nothing is written so.
    """
    if (read := _read_partial(net, text)) is None:
        return None
    number, binding = read
    transition = net.transitions[number]
    is_complete = len(binding) == len(transition.variables)
    return read if is_complete and transition.text(binding) == text else None


def fireable_text(transition: Transition, binding: Mapping[str, int]) -> str:
    """Return the name of the number, 1 or 0, of whether it is enabled by a binding that agrees."""
    return f"fireable({transition.text(binding)})"


def read_fireable(net: ColouredNet, text: str) -> tuple[int, Mapping[str, int]] | None:
    """Return the transition's number and the colours; None where `fireable_text` writes no such."""
    if (match := _FIREABLE.fullmatch(text)) and (read := _read_partial(net, match[1])):
        return read if fireable_text(net.transitions[read[0]], read[1]) == text else None
    return None


def _read_partial(net: ColouredNet, text: str) -> tuple[int, Mapping[str, int]] | None:
    """Return the number of a transition and the colours of some variables; None without any."""
    with suppress(QueryError):
        start = _QUOTED.match(text)
        end = start.end() if start else len(text.partition("(")[0])
        number = net.transition_numbers.get(name_of(text[:end]))
        if number is not None:
            return number, read_binding(net.transitions[number], text[end:])
    return None


def _components(sort: Sort, text: str) -> Iterator[frozenset[int] | None]:
    """Yield what is meant of each of the sort's `basic_sorts`."""
    text = text.strip()
    if text == ANY:
        if any(map(has_any, basic_sorts(sort))):
            raise QueryError(f'a colour is called {ANY}; write "{ANY}", or name colours: {{a, b}}')
        yield from [None] * len(basic_sorts(sort))
    elif isinstance(sort, Product):
        is_tuple = text.startswith("(") and text.endswith(")")
        parts = [*_split(text[1:-1], ",")] if is_tuple else []
        if len(parts) != len(sort.factors):
            raise _unlike(sort, text)
        yield from chain(*map(_components, sort.factors, parts))
    elif text.startswith("{") and text.endswith("}"):
        runs = (_run(sort, [*_split(part, "..")]) for part in _split(text[1:-1], ","))
        yield frozenset(chain(*runs))
    else:
        yield frozenset((_colour(sort, text),))


def _run(sort: Sort, ends: Sequence[str]) -> range:
    first, *more = (_colour(sort, end) for end in ends)
    if len(more) > 1 or any(last < first for last in more):
        raise QueryError(f"{quoted('..'.join(ends))} are no colours from one to a later one")
    return range(first, (more or [first])[0] + 1)


def _one(sort: Sort, text: str) -> int:
    components = [c for c in _components(sort, text) if c is not None and len(c) == 1]
    if len(components) < len(basic_sorts(sort)):
        raise QueryError(f"one colour of the sort {quoted(sort.name)} is expected")
    return colour_of(sort, (next(iter(c)) for c in components))


def _colour(sort: Sort, text: str) -> int:
    name = unquoted(text) if (in_quotes := _QUOTED.fullmatch(text)) else text
    match sort:
        case Range(first=first, last=last) if not in_quotes:
            if _INTEGER.fullmatch(name) and first <= int(name) <= last:
                return int(name) - first
        case Enumeration(numbers=numbers) | Partition(numbers=numbers):
            if name in numbers:
                return numbers[name]
        case Dot():
            if name == sort.text(0):
                return 0
    raise _unlike(sort, text)


def _split(text: str, sign: str) -> Iterator[str]:
    """Yield the parts around these signs, outside of quotes, parentheses and braces."""
    begin, depth = 0, 0
    for piece in re.finditer(rf"{QUOTED}|[(){{}}]|{re.escape(sign)}", text, re.DOTALL):
        depth += (piece[0] in "({") - (piece[0] in ")}")
        if piece[0] == sign and not depth:
            yield text[begin : piece.start()].strip()
            begin = piece.end()
    yield text[begin:].strip()


def _text(sort: Sort, colours: Iterator[frozenset[int] | None]) -> str:
    if isinstance(sort, Product):
        return f"({', '.join(_text(factor, colours) for factor in sort.factors)})"
    own = next(colours)
    return ANY if own is None else class_text(sort, sorted(own))


def _unlike(sort: Sort, text: str) -> QueryError:
    """Return the error that the sort has no such colour; it names the first ones that it has."""
    colours = listed(range(sort.size), _FEW, lambda colour: printable(sort.text(colour)))
    return QueryError(f"the sort {quoted(sort.name)} has {colours}, not {quoted(text)}")


def _example(transition: Transition) -> str:
    if not transition.variables:
        return "t(x=a); this transition has no variables"
    first = transition.variables[0]
    return printable(node_text(transition.name, f"{first.text}={first.sort.text(0)}"))
