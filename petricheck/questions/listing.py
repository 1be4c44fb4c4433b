"""Names of places and transitions, listed in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from petricheck.presburger.shown import shown_name
from petricheck.words import listed

FEW = 20
"""Names that are listed; of more the rest is counted."""


def lines(*named: tuple[str, Sequence[str]]) -> Iterator[str]:
    """A sentence for each of the words whose names are not empty: words, names."""
    for words, names in named:
        if names:
            yield f"{words}: {listed(names, FEW, shown_name)}."
