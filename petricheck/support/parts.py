"""Members of families as users name them, with options: NAME:FIELD=VALUE,FIELD=VALUE.

A value may name members too, with options of their own. If a part of it could be read as another
FIELD=VALUE, it needs brackets: cegar:guide=[lattice:cheap=2,costly=50],control=1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.support.errors import QueryError


@dataclass(frozen=True, slots=True)
class Part:
    """A member with options, as users name it.

    Attributes:
        name: of the member.
        options: fields with their values as text, each field once; the others have their defaults.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        """Return the text that `read_part` reads."""
        fields = ",".join(f"{field}={_bracketed(value)}" for field, value in self.options)
        return f"{self.name}:{fields}" if fields else self.name


def read_part(text: str) -> Part:
    """Read NAME or NAME:FIELD=VALUE,...; what lacks FIELD= continues the value before it.

    Raises:
        QueryError: a value has no field, or a field two values.
    """
    name, _, pieces = _unbracketed(text).partition(":")
    options: dict[str, str] = {}
    field = ""
    for piece in _between_commas(pieces) if pieces else ():
        if not _is_field(piece):
            if not field:
                raise QueryError(f"{name}: {piece!r} is not of the form FIELD=VALUE")
            options[field] += f",{piece}"
            continue
        field, _, value = piece.partition("=")
        if field in options:
            raise QueryError(f"option {field!r} of {name} is given twice")
        options[field] = value
    return Part(name, tuple((field, _unbracketed(value)) for field, value in options.items()))


def split_parts(text: str) -> tuple[str, ...]:
    """Split a list of members at commas; FIELD=VALUE belongs to the member before it."""
    parts: list[str] = []
    for piece in _between_commas(text):
        if parts and ":" in parts[-1] and _is_field(piece):
            parts[-1] += f",{piece}"
        else:
            parts.append(piece)
    return tuple(map(_unbracketed, parts))


def _is_field(piece: str) -> bool:
    """Return whether this is FIELD=VALUE, and not a member or value."""
    return "=" in piece.partition(":")[0]


def _between_commas(text: str) -> Iterator[str]:
    """Yield the pieces between commas outside brackets."""
    depth = start = 0
    for position, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if sign == "," and depth <= 0:
            yield text[start:position]
            start = position + 1
    yield text[start:]


def _unbracketed(value: str) -> str:
    """Return the value without brackets around all of it."""
    is_bracketed = (
        value.startswith("[") and value.endswith("]") and len([*_between_commas(value)]) == 1
    )
    return value[1:-1] if is_bracketed else value


def _bracketed(value: str) -> str:
    """Return the value, in brackets if a piece of it could be read as another field."""
    return f"[{value}]" if any(map(_is_field, [*_between_commas(value)][1:])) else value
