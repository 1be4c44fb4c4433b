"""The reference of parts: the members of the families, as their modules describe them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from commands import escaped

from petricheck import plugins

TITLE = """\
# Parts and options

`petricheck engines` prints most of these in a terminal, and says how options are set.
"""

FAMILIES = ("engines", "guides", "heuristics", "reductions", "formats", "exports")


def page() -> str:
    """Every member of the families, with its options."""
    return "\n".join((TITLE, *(line for family in FAMILIES for line in _family(family))))


def _family(family: str) -> Iterator[str]:
    yield f"## {family.capitalize()}\n"
    for name in plugins.everywhere(family):
        yield from _member(name, plugins.member(family, name))


def _member(name: str, member: type[Any]) -> Iterator[str]:
    text = inspect.getdoc(import_module(member.__module__)) or ""
    summary = (inspect.getdoc(member) or "").partition("\n")[0]
    yield f"### {name}\n\n{summary}\n\n{_as_markdown(text)}\n"
    if options := plugins.options(member):
        rows = (f"| `{o.name}` | {escaped(str(o.default))} | {escaped(o.help)} |" for o in options)
        yield "\n".join(("| option | default | meaning |", "|---|---|---|", *rows, ""))


def _as_markdown(text: str) -> str:
    """The text of a docstring, where `A*` begins no emphasis and a list follows a blank line."""
    return re.sub(r"(?<!\n)\n(?=- )", "\n\n", text.replace("A*", r"A\*"), count=1)
