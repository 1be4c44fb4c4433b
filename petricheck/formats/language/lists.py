"""Lists of entries that begin with a name: between commas or newlines, with `# comments`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from petricheck.arithmetic.formulas.text import name_of
from petricheck.support.errors import QueryError

GAP = r"(?P<gap>(?:[\s,]|#[^\n]*)*)"
"""Regular expression of the gap between two entries, and before the first."""


def entries(pattern: re.Pattern[str], text: str, noun: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the name that each entry of a list begins with, and the match of the entry.

    The pattern ends with a `GAP`, and its group `name` may be missing.

    Raises:
        QueryError: it points at the character that does not fit.
    """
    entry, separated = re.match(GAP, text), True
    while entry is not None and (position := entry.end()) < len(text):
        if not separated:
            message = f"expected a comma or a new line between two {noun}s"
            raise QueryError(message, text=text, position=position)
        entry = pattern.match(text, position)
        if entry is None or entry["name"] is None:
            unclosed = text[position] == '"'
            message = "this quote is never closed" if unclosed else f"expected the name of a {noun}"
            raise QueryError(message, text=text, position=position)
        name = entry["name"]
        yield name_of(name, text, position), entry
        separated = not {",", "\n"}.isdisjoint(entry["gap"])
