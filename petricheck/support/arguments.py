"""Checks of what programs give to public functions: one sentence instead of a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from operator import index
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from petricheck.support.errors import InputError

_LENGTH = 60
"""Characters of a value in a message."""


def require_type(value: object, kind: Any, needed: str) -> None:
    """Refuse an argument of a wrong type.

    Args:
        value: the argument.
        kind: the type that it has to be of, or several.
        needed: what it has to be, as a sentence: "the budget is a Budget".

    Raises:
        InputError: it is of none of the types.
    """
    if not isinstance(value, kind):
        raise InputError(f"{needed}, and not {shown(value)}")


def shown(value: object) -> str:
    """Return a value as Python writes it, at most so long that it fits a message."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"


def whole(number: Any, least: int | None, owner: str) -> int:
    """Return the number, which must be an integer of any type; the owner is named in errors.

    InputError where it is no integer, such as a truth value, or less.
    """
    try:
        value = None if isinstance(number, bool) else int(index(number))
    except TypeError:
        value = None
    if value is None or (least is not None and value < least):
        bound = "" if least is None else f", at least {least}"
        raise InputError(f"{owner} is {shown(number)}; give a whole number{bound}")
    return value


def check_fields(value: Any, classes: Mapping[str, Any]) -> None:
    """Refuse a dataclass where a field, or one of the dataclasses inside, is not as declared.

    Args:
        value: the dataclass.
        classes: by name, those that annotations mention beside those of their own modules.

    Raises:
        InputError: it says which field of which class.
    """
    pending, checked, declared = [value], set[int](), dict[type, Mapping[str, Any]]()
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            pending += part
        elif is_dataclass(part) and id(part) not in checked:
            checked.add(id(part))
            if type(part) not in declared:
                types = get_type_hints(type(part), localns={**classes})
                declared[type(part)] = {field.name: types[field.name] for field in fields(part)}
            for name, kind in declared[type(part)].items():
                field = getattr(part, name)
                if not _fits(field, kind):
                    needed = f"{name} of {type(part).__name__} is of type {_text(kind)}"
                    raise InputError(f"{needed}, and not {shown(field)}")
                pending.append(field)


def _fits(value: object, declared: Any) -> bool:
    arguments = get_args(declared)
    match get_origin(declared):
        case origin if origin in (Union, UnionType):
            return any(_fits(value, one) for one in arguments)
        case origin if origin is tuple:
            if not isinstance(value, tuple):
                return False
            kinds = arguments[:1] * len(value) if arguments[1:] == (...,) else arguments
            return len(kinds) == len(value) and all(map(_fits, value, kinds))
    return isinstance(value, declared) and (declared is not int or not isinstance(value, bool))


def _text(declared: Any) -> str:
    """Return an annotation as programs write it, without the modules."""
    arguments = get_args(declared)
    if get_origin(declared) is tuple:
        return f"tuple[{', '.join(map(_text, arguments))}]"
    if arguments:
        return " | ".join(map(_text, arguments))
    return "..." if declared is ... else declared.__name__
