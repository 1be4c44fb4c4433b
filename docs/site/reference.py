"""The reference of Python: every public name, its docstring shown by mkdocstrings."""

from __future__ import annotations

import inspect

import petricheck

TITLE = "# Python reference\n\nWhat `import petricheck` brings; [how it is used](python.md).\n"


def page() -> str:
    """Functions, then classes, each by name."""
    names = [name for name in petricheck.__all__ if not name.startswith("_")]
    classes = [name for name in names if inspect.isclass(getattr(petricheck, name))]
    functions = [name for name in names if name not in classes]
    return "\n".join((TITLE, *(f"::: {_place(name)}\n" for name in (*functions, *classes))))


def _place(name: str) -> str:
    """Where it is defined: a module may have the same name as the function in it."""
    value = getattr(petricheck, name)
    return f"{value.__module__}.{value.__qualname__}"
