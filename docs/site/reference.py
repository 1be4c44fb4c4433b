"""The reference of Python: every public name, its docstring shown by mkdocstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import petricheck

TITLE = "# Python reference\n\nWhat `import petricheck` brings; [how it is used](python.md).\n"


def page() -> str:
    """The package, then its public modules; of each functions, then classes, each by name."""
    modules = {name: value for name, value in _public(petricheck) if inspect.ismodule(value)}
    sections = (f"## petricheck.{name}\n\n{_listed(value)}" for name, value in modules.items())
    return "\n".join((TITLE, _listed(petricheck), *sections))


def _listed(module: ModuleType) -> str:
    shown = [value for _, value in _public(module) if inspect.isroutine(value)]
    shown += [value for _, value in _public(module) if inspect.isclass(value)]
    return "\n".join(f"::: {_place(value)}\n" for value in shown)


def _public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    names = (name for name in module.__all__ if not name.startswith("_"))
    return ((name, getattr(module, name)) for name in names)


def _place(value: Any) -> str:
    """Where it is defined: a module may have the same name as the function in it."""
    return f"{value.__module__}.{value.__qualname__}"
