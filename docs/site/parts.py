"""The reference of parts: the members of the families, as their modules describe them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from commands import escaped

from petricheck.commands.engines import members_of
from petricheck.support import plugins

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
    for name, member in members_of(family).items():
        module = import_module(plugins.member(family, name).__module__)
        text = _as_markdown(inspect.getdoc(module) or "")
        yield f"### {name}\n\n{escaped(member['help'])}\n\n{text}\n"
        if rows := [_row(option) for option in member["options"]]:
            yield "\n".join(("| option | default | meaning |", "|---|---|---|", *rows, ""))


def _row(option: Mapping[str, Any]) -> str:
    default = option["default"] and f"<code>{escaped(option['default'])}</code>"
    return f"| `{option['name']}` | {default} | {escaped(option['help'])} |"


def _as_markdown(text: str) -> str:
    """The text of a docstring, where `A*` begins no emphasis and a list follows a blank line."""
    return re.sub(r"(?<!\n)\n(?=- )", "\n\n", text.replace("A*", r"A\*"), count=1)
