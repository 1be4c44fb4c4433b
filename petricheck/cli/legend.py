"""Names that people gave, beside the ids that answers are told in."""

from __future__ import annotations

from collections.abc import Iterable

from petricheck.presburger.shown import shown_name
from petricheck.presburger.text import quoted_name
from petricheck.problem import Net
from petricheck.words import counted

ENTRIES = 12
"""Of more names the rest is only counted."""

LETTERS = 40
"""Longer names are cut."""


def legend(net: Net, ids: Iterable[str], *, whole: bool) -> str:
    """`p12 is "robot busy"`, for those of the ids that have a name of their own; maybe empty.

    A name is passed over where it is the id itself, where several are called so, and where
    something else has it as its id. It stands in quotes, as questions may name places by it.
    """
    names = net.given_names
    entries = [(id_, names[id_]) for id_ in dict.fromkeys(ids) if id_ in names]
    shown = entries if whole else entries[:ENTRIES]
    if not shown:
        return ""
    parts = [f"{shown_name(id_)} is {_quoted(name)}" for id_, name in shown]
    if len(entries) > len(shown):
        parts.append(f"and {counted(len(entries) - len(shown), 'more name')}")
    return f"Names: {', '.join(parts)}."


def _quoted(name: str) -> str:
    return quoted_name(name if len(name) <= LETTERS else f"{name[:LETTERS]}…")
