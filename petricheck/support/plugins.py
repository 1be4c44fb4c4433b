"""Families of interchangeable parts: a new file is a new member.

A family is a package; a member is a module of it that defines one class, named like the module in
CamelCase (followed by _ where that is a Python keyword). The module's name is what users type, and
the docstring of the class its help. A class with options is a frozen dataclass: its fields are the
options, each declared by `option`.

Wherever users name a member they may give it options, in the syntax of `parts`.

A member may also come from another installed package: it is called by the dotted name of its
module, or by the name of an entry point in the group `petricheck.FAMILY` whose value is the module.

Members of families as users name them, with options: NAME:FIELD=VALUE,FIELD=VALUE.

A value may name members too, with options of their own. If a part of it could be read as another
FIELD=VALUE, it needs brackets: cegar:guide=[lattice:cheap=2,costly=50],control=1.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import importlib.util
import itertools
import keyword
import math
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from petricheck.support.arguments import require_type
from petricheck.support.errors import QueryError, suggestion


@dataclass(frozen=True, slots=True)
class NamedPart:
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


def read_part(text: str) -> NamedPart:
    """Read NAME or NAME:FIELD=VALUE,...; what lacks FIELD= continues the value before it.

    QueryError where a value has no field, or a field two values.
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
    return NamedPart(name, tuple((field, _unbracketed(value)) for field, value in options.items()))


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


T = TypeVar("T")

FAMILIES: Mapping[str, str] = {
    "audit.homes": "petricheck.evidence.audit.homes",
    "audit.shapes": "petricheck.evidence.audit.shapes",
    "batch.executors": "petricheck.batch.executors",
    "claims": "petricheck.evidence.claims",
    "engines": "petricheck.engines",
    "evidence": "petricheck.evidence.certificates",
    "evidence.files": "petricheck.evidence.files",
    "exports": "petricheck.formats.exports",
    "formats": "petricheck.formats.nets",
    "guides": "petricheck.engines.guides",
    "heuristics": "petricheck.engines.heuristics",
    "properties.readers": "petricheck.formats.properties.readers",
    "questions.kinds": "petricheck.questions.kinds",
    "reductions": "petricheck.engines.reductions",
    "reports": "petricheck.reports",
    "reports.graphs": "petricheck.reports.graphs",
}
"""The package of each family, by the name that messages and the groups of entry points have."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a member, as `option` declares it."""

    name: str
    default: Any
    help: str = ""
    choices: tuple[str, ...] = ()
    family: str = ""


def option(default: T, help: str, choices: Iterable[str] = (), family: str = "") -> T:
    """Return a field of a member that users can set.

    Args:
        default: its value, which also determines its type.
        help: its meaning, on one line.
        choices: all its possible texts, if they are limited.
        family: the family whose members it names, if it names any.
    """
    metadata = {"help": help, "choices": tuple(choices), "family": family}
    return dataclasses.field(default=default, metadata=metadata)


def words(family: str) -> str:
    """Return the name of a family as people say it: "kinds of questions" for questions.kinds."""
    return " of ".join(reversed(family.split(".")))


def members(family: str) -> tuple[str, ...]:
    """Return names of the members of `family` (e.g. "engines"), sorted; imports none of them."""
    return _modules(*importlib.import_module(FAMILIES[family]).__path__)


@functools.cache
def _modules(*folders: str) -> tuple[str, ...]:
    """Return names of the modules in these folders, but for those that begin with _, sorted."""
    modules = pkgutil.iter_modules(folders)
    files = (module.name for module in modules if not module.ispkg)
    return tuple(sorted(name for name in files if not name.startswith("_")))


def as_option(name: str) -> str:
    """Return the command-line option for a member."""
    return f"--{name.replace('_', '-')}"


def all_members(family: str) -> Iterator[str]:
    """Yield names of all members, those in the folder first: searching others takes a moment."""
    yield from members(family)
    yield from sorted(entries(family))


def by_extension(family: str) -> dict[str, type[Any]]:
    """Return the members of a family of file formats, by each file extension they declare."""
    classes = [member(family, name) for name in members(family)]
    return {extension: cls for cls in classes for extension in cls.extensions}


def require(family: str, part: str) -> None:
    """Refuse a part that `build` would refuse; a member without options is not imported."""
    if ":" in part:
        build(family, part)
    else:
        _module(family, part)


def member(family: str, part: str) -> type[Any]:
    """Return the class of a member, which is named with or without options, or QueryError."""
    name = part.partition(":")[0]
    path = _module(family, name)
    camel = "".join(part.capitalize() for part in path.rpartition(".")[2].split("_"))
    try:
        module = importlib.import_module(path)
        cls = getattr(module, camel + "_" * keyword.iskeyword(camel))
    except (ImportError, AttributeError) as error:
        if path.startswith("petricheck."):
            raise
        raise QueryError(f"{name!r} is none of the {words(family)}: {error}") from None
    if not isinstance(cls, type):
        raise QueryError(f"{name!r} is none of the {words(family)}: {camel} is no class")
    return cls


def about(family: str, value: object) -> Any:
    """Return the member whose `of` is the type of the value, or None.

    One that is called as the module of the type comes first, so that others need not be loaded.
    """
    likely = {type(value).__module__.rpartition(".")[2]}.intersection(members(family))
    candidates = (build(family, name) for name in itertools.chain(likely, all_members(family)))
    return next((candidate for candidate in candidates if type(value) is candidate.of), None)


def _module(family: str, name: str) -> str:
    """Return the dotted name of a member's module; QueryError where the family has none."""
    if name in members(family):
        return f"{FAMILIES[family]}.{name}"
    if elsewhere := _elsewhere(family, name):
        return elsewhere
    names = tuple(all_members(family))
    hint = f"known: {', '.join(names)}{suggestion(name, names)}"
    raise QueryError(f"unknown name {name!r} among the {words(family)}; {hint}")


def _elsewhere(family: str, name: str) -> str | None:
    """Return the dotted name of a member of another package, importing its package at most."""
    if "." not in name:
        return entries(family).get(name)
    try:
        return name if importlib.util.find_spec(name) is not None else None
    except (ImportError, ValueError):
        return None


@functools.cache
def entries(family: str) -> Mapping[str, str]:
    """Return modules of the members that entry points add, by name; imports none."""
    from importlib.metadata import entry_points  # slow to import

    return {entry.name: entry.value for entry in entry_points(group=f"petricheck.{family}")}


def options(cls: type[Any]) -> tuple[Option, ...]:
    """Return the options that a member declares; QueryError where a field is none.

    Likewise where the class has some and is no dataclass.
    """
    fields = dataclasses.fields(cls) if dataclasses.is_dataclass(cls) else ()
    if not fields and any(isinstance(value, dataclasses.Field) for value in vars(cls).values()):
        remedy = "put @dataclass(frozen=True) before the class"
        raise QueryError(f"{cls.__name__} has options, but is no dataclass; {remedy}")
    if bare := [field.name for field in fields if "help" not in field.metadata]:
        remedy = "declare it by petricheck.support.plugins.option, with a default and a help text"
        raise QueryError(f"the field {bare[0]!r} of {cls.__name__} is no option; {remedy}")
    return tuple(Option(field.name, field.default, **field.metadata) for field in fields)


def build(family: str, part: str, values: Mapping[str, str] | None = None) -> Any:
    """Return an instance of a member, named with options or without; `values` are more options.

    Each text is read as the type of the option's default: a boolean (true/false), an integer, a
    number, a comma-separated tuple, or itself. QueryError where there is no such member or option,
    or a value does not fit.
    """
    require_type(part, str, f"one of the {words(family)} is named by a text")
    require_type(values, Mapping | None, "options are a dictionary of texts by name")
    named = read_part(part)
    cls = member(family, named.name)
    declared = {option.name: option for option in options(cls)}
    read: dict[str, Any] = {}
    for key, text in (*named.options, *(values or {}).items()):
        if key not in declared:
            names = ", ".join(declared) or "none"
            raise QueryError(
                f"{named.name} has no option {key!r}; its options: {names}{_remedy(named, key)}"
            )
        if key in read:
            raise QueryError(f"option {key!r} of {named.name} is given twice")
        require_type(text, str, f"the option {key!r} is given as a text, as on the command line")
        read[key] = _read(key, text, declared[key].default)
        _check(declared[key], read[key])
    return cls(**read)


def _check(option: Option, value: Any) -> None:
    """Refuse a value that is not a choice, or names no member."""
    if option.choices and value not in option.choices:
        choices = ", ".join(option.choices)
        raise QueryError(f"option {option.name}: {value!r} is none of {choices}")
    if option.family:
        for part in value if isinstance(value, tuple) else (value,):
            require(option.family, part)


def _remedy(part: NamedPart, key: str) -> str:
    """Return the way to write an option that belongs to a member within a value, or ""."""
    for (field, value), (follower, text) in itertools.pairwise(part.options):
        if follower == key and ":" in value:
            return f"; for one of {field} write {field}=[{value},{key}={text}]"
    return ""


def _read(key: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"true": True, "false": False}[text.lower()]
        if isinstance(default, int):
            return int(text)
        if isinstance(default, float):
            number = float(text)
            if math.isfinite(number):
                return number
            raise ValueError(text)
    except (ValueError, KeyError):
        kind = type(default).__name__
        raise QueryError(f"option {key}: {text!r} is not a value of type {kind}") from None
    if isinstance(default, tuple):
        return tuple(filter(None, split_parts(text)))
    return text
