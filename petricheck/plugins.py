"""Families of interchangeable parts: dropping in a file is all it takes to add a member.

A family is a package; a member is a module of it that defines one frozen dataclass, named like
the module in CamelCase (followed by _ where that is a Python keyword). The module's name is what
users type, the fields of the dataclass are its options (each with a default and
`metadata={"help": ...}`), and its docstring is its help.

A member may also come from another installed package: it is called by the dotted name of its
module, or by the name of an entry point in the group `petricheck.FAMILY` whose value is the module.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import keyword
import math
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from petricheck.errors import QueryError, suggestion


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


def as_option(name: str) -> str:
    """The option of the command line that a member is asked by."""
    return f"--{name.replace('_', '-')}"


def installed(family: str) -> tuple[str, ...]:
    """Names of the members that entry points of other packages add, sorted; imports none."""
    return tuple(sorted(_entries(family)))


def everywhere(family: str) -> Iterator[str]:
    """Names of all members, of this package first: looking for others takes a moment."""
    yield from members(family)
    yield from installed(family)


def require(family: str, name: str) -> None:
    """Refuse a name that no member has; imports none of them.

    Raises:
        QueryError: the family has no such member.
    """
    _module(family, name)


def member(family: str, name: str) -> type[Any]:
    """The dataclass of one member.

    Raises:
        QueryError: the family has no such member.
    """
    path = _module(family, name)
    camel = "".join(part.capitalize() for part in path.rpartition(".")[2].split("_"))
    try:
        module = importlib.import_module(path)
        cls = getattr(module, camel + "_" * keyword.iskeyword(camel))
    except (ImportError, AttributeError) as error:
        if path.startswith("petricheck."):
            raise
        raise QueryError(f"{name!r} is no member of the {family}: {error}") from None
    assert isinstance(cls, type)
    return cls


def _module(family: str, name: str) -> str:
    """The dotted name of a member's module.

    Raises:
        QueryError: the family has no such member.
    """
    path = f"petricheck.{family}.{name}"
    # What has been imported is there: the folder is not listed again for each reduction of a net.
    imported = path in sys.modules and name.isidentifier() and not name.startswith("_")
    if imported or name in members(family):
        return path
    if found := _elsewhere(family, name):
        return found
    known = (*members(family), *installed(family))
    listed = f"known: {', '.join(known)}{suggestion(name, known)}"
    raise QueryError(f"unknown name {name!r} among the {family}; {listed}")


def _elsewhere(family: str, name: str) -> str | None:
    """The same of a member of another package; imports no more than the module's package."""
    if "." not in name:
        return _entries(family).get(name)
    try:
        return name if importlib.util.find_spec(name) is not None else None
    except (ImportError, ValueError):
        return None


@functools.cache
def _entries(family: str) -> Mapping[str, str]:
    """Modules by the names of entry points."""
    from importlib.metadata import entry_points

    return {entry.name: entry.value for entry in entry_points(group=f"petricheck.{family}")}


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
