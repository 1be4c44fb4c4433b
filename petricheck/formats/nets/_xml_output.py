"""Ids and texts as they are written in XML."""

from __future__ import annotations

from petricheck.formats.scanning.xml import checked
from petricheck.model.net import Net
from petricheck.support.errors import InputError
from petricheck.support.words import quoted


def require_separate(net: Net, format: str) -> None:
    """Refuse a net in which a place has the id of a transition, which this format cannot hold."""
    if shared := net.place_numbers.keys() & net.transition_numbers.keys():
        raise InputError(
            f"a place and a transition are both called {quoted(min(shared))}, which {format} "
            "cannot hold; rename one"
        )


def node_id(name: str) -> str:
    """Return the id of a place or transition as the value of an attribute, in quotes."""
    if not name:
        raise InputError("a place or transition has an empty id, which XML cannot hold")
    return attribute(name)


def attribute(text: str) -> str:
    """Return a text as the value of an attribute, in quotes."""
    from xml.sax.saxutils import quoteattr  # it takes its time, and reading needs none

    return quoteattr(checked(text))


def content(text: str) -> str:
    """Return a text as the content of an element."""
    from xml.sax.saxutils import escape

    return escape(checked(text), {"\r": "&#13;"})


def unused_stem(stem: str, ids: tuple[str, ...]) -> str:
    """Return the stem, lengthened until no id starts with it."""
    while any(name.startswith(stem) for name in ids):
        stem += "-"
    return stem
