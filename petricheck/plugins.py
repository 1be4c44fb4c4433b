"""Families of interchangeable parts: dropping in a file is all it takes to add a member.

A family is a package; a member is a module of it that defines one frozen dataclass, named like
the module in CamelCase (followed by _ where that is a Python keyword). The module's name is what
users type, the fields of the dataclass are its options (each with a default and
`metadata={"help": ...}`), and its docstring is its help.
"""

from __future__ import annotations

import dataclasses
import importlib
import keyword
import math
import pkgutil
from collections.abc import Mapping
from typing import Any

from petricheck.errors import QueryError


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """One option of a member: a field of its dataclass."""

    name: str
    default: Any
    help: str


def members(family: str) -> tuple[str, ...]:
    """Names of the members of `family` (e.g. "engines"), sorted; imports none of them."""
    package = importlib.import_module(f"petricheck.{family}")
    found = pkgutil.iter_modules(package.__path__)
    return tuple(sorted(module.name for module in found if not module.name.startswith("_")))


def require(family: str, name: str) -> None:
    """Refuse a name that no member has; imports none of them.

    Raises:
        QueryError: the family has no such member.
    """
    if name not in members(family):
        known = ", ".join(members(family))
        raise QueryError(f"unknown name {name!r} among the {family}; known: {known}")


def member(family: str, name: str) -> type[Any]:
    """The dataclass of one member.

    Raises:
        QueryError: the family has no such member.
    """
    require(family, name)
    module = importlib.import_module(f"petricheck.{family}.{name}")
    camel = "".join(part.capitalize() for part in name.split("_"))
    cls = getattr(module, camel + "_" * keyword.iskeyword(camel))
    assert isinstance(cls, type)
    return cls


def options(cls: type[Any]) -> tuple[Option, ...]:
    """The options that a member declares."""
    return tuple(
        Option(field.name, field.default, field.metadata.get("help", ""))
        for field in dataclasses.fields(cls)
    )


def build(family: str, name: str, values: Mapping[str, str] | None = None) -> Any:
    """An instance of a member with options given as text.

    Each text is read as the type of the option's default: a boolean (true/false), an integer, a
    number, a comma-separated tuple, or itself.

    Raises:
        QueryError: no such member or option, or a value does not fit.
    """
    cls = member(family, name)
    declared = {option.name: option for option in options(cls)}
    read: dict[str, Any] = {}
    for key, text in (values or {}).items():
        if key not in declared:
            known = ", ".join(declared) or "none"
            raise QueryError(f"{name} has no option {key!r}; its options: {known}")
        read[key] = _read(key, text, declared[key].default)
    return cls(**read)


def _read(key: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(default, int):
            return int(text)
        if isinstance(default, float):
            return _finite(float(text))
    except (ValueError, KeyError):
        kind = type(default).__name__
        raise QueryError(f"option {key}: {text!r} is not a value of type {kind}") from None
    if isinstance(default, tuple):
        return tuple(part for part in text.split(",") if part)
    return text


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError(number)
    return number
