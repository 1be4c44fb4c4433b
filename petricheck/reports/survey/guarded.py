"""A guarded net before complement places make an ordinary one of it.

The fields for programs are `places`, `transitions` (numbers), `inhibitor_arcs` (of each its
`place`, `transition` and `weight`), `resets` (`place`, `transition`) and `capacities` (by place,
those that the file gives; they are among the inhibitor arcs too).
"""

from __future__ import annotations

from typing import Any

from petricheck.arithmetic.formulas.json import write_facts
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.model.drawing.forms import sizes
from petricheck.model.guarded.net import GuardedNet


def guarded_line(net: GuardedNet) -> str:
    """Return the net with its size, also that of its guards."""
    return f"guarded net {shown_name(net.name)}: {sizes(net)}"


def guarded_fields(net: GuardedNet) -> dict[str, Any]:
    """Return the net's size, and its guards."""
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
        "capacities": {net.places[place]: most for place, most in net.capacities},
    }
    fields: dict[str, Any] = write_facts(facts)
    return fields
