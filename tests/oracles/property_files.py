"""Files of properties in the XML of the contest, as tests write them."""

from __future__ import annotations

from pathlib import Path


def tag(name: str, *parts: str) -> str:
    """An element around the parts."""
    return f"<{name}>{''.join(parts)}</{name}>"


def count(*places: str) -> str:
    """The tokens on the places."""
    return tag("tokens-count", *(tag("place", place) for place in places))


def number(value: object) -> str:
    """A constant."""
    return tag("integer-constant", str(value))


def at_least(tokens: int, *places: str) -> str:
    """That the places together hold so many tokens."""
    return tag("integer-le", number(tokens), count(*places))


def fireable(*transitions: str) -> str:
    """That one of the transitions is enabled."""
    return tag("is-fireable", *(tag("transition", name) for name in transitions))


def ef(state: str) -> str:
    """That a marking with this state is reachable."""
    return tag("exists-path", tag("finally", state))


def ag(state: str) -> str:
    """That all reachable markings have this state."""
    return tag("all-paths", tag("globally", state))


def possible(tokens: int, *places: str) -> str:
    """That the places can hold so many tokens together."""
    return ef(at_least(tokens, *places))


def bound(*places: str) -> str:
    """The question after the most tokens on the places."""
    return tag("place-bound", *(tag("place", place) for place in places))


def prop(formula: str, name: str = "a") -> str:
    """A property with this id."""
    return tag("property", tag("id", name), "<description>d</description>", tag("formula", formula))


def file_of(*properties: str) -> str:
    """The file of these properties."""
    return f'<?xml version="1.0"?>\n{tag("property-set", *properties)}'


def write_properties(path: Path, **formulas: str) -> str:
    """Write the formulas by id, and return the path."""
    path.write_text(file_of(*(prop(formula, name) for name, formula in formulas.items())))
    return str(path)
