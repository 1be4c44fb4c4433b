"""A guarded net before complement places make an ordinary one of it.

The fields for programs are `places`, `transitions` (numbers), `inhibitor_arcs` (of each its
`place`, `transition` and `weight`), `resets` (`place`, `transition`) and `capacities` (by place,
those that the file gives; they are among the inhibitor arcs too); and `without_bound`, the places
of which no bound is known: what is described is then a net that fires more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from petricheck.arithmetic.formulas.json import write_facts
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.model.drawing.forms import sizes
from petricheck.model.guarded.net import GuardedNet
from petricheck.model.guarded.translation import boundless_places
from petricheck.model.net import Net
from petricheck.support.words import listed

_LISTED = 5
"""The most places that a line names."""


def guarded_lines(guarded: GuardedNet, net: Net) -> Iterator[str]:
    """Yield the net with its size, also that of its guards, and what its ordinary net lacks."""
    yield f"guarded net {shown_name(guarded.name)}: {sizes(guarded)}"
    if places := boundless_places(net):
        names = listed(places, _LISTED, lambda place: shown_name(net.shown.place(place)))
        yield f"described without inhibitor arcs and resets of {names}, of which no bound is known"


def guarded_fields(net: GuardedNet, ordinary: Net) -> dict[str, Any]:
    """Return the net's size, its guards, and the places without a bound in its ordinary net."""
    pairs = [*zip(net.plain.actions, net.guards, strict=True)]
    facts = {
        "places": len(net.places),
        "transitions": len(net.transitions),
        "inhibitor_arcs": [
            {"place": net.places[place], "transition": name, "weight": weight}
            for name, guard in pairs
            for place, weight in guard.upper
        ],
        "resets": [
            {"place": net.places[place], "transition": name}
            for name, guard in pairs
            for place in guard.resets
        ],
        "without_bound": boundless_places(ordinary),
        "capacities": {net.places[place]: most for place, most in net.capacities},
    }
    fields: dict[str, Any] = write_facts(facts)
    return fields
