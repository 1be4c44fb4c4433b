"""What a page tells of a net, as data."""

from __future__ import annotations

from typing import Any

from petricheck.drawing.picture import NODES, draw
from petricheck.page.words import Names, integer
from petricheck.problem import Net
from petricheck.words import printable


def sizes(net: Net) -> dict[str, Any]:
    """Its name, and how much there is of everything."""
    return {
        "name": printable(net.name),
        "places": len(net.places),
        "transitions": len(net.transitions),
        "arcs": sum(len(t.pre) + len(t.post) for t in net.transitions),
        "tokens": integer(sum(net.initial)),
    }


def drawing_data(net: Net, names: Names) -> dict[str, Any] | None:
    """The net's picture as numbers and numbered names; None where it is too large to be drawn."""
    if len(net.places) + len(net.transitions) > NODES:
        return None
    drawing = draw(net)
    labels = net.labels or ("",) * len(net.places)
    ids = [*net.places, *(transition.name for transition in net.transitions)]
    return {
        "size": [round(drawing.width), round(drawing.height)],
        "lying": drawing.lying,
        "places": len(net.places),
        "names": [names.number(name) for name in ids],
        "labels": {
            number: names.number(label)
            for number, (label, name) in enumerate(zip(labels, ids, strict=False))
            if label not in ("", name)
        },
        "tokens": [integer(tokens) for tokens in net.initial],
        "nodes": [round(value) for node in drawing.nodes for value in node],
        "curves": [
            [c.source, c.target, integer(c.weight), int(c.both), c.path, *map(round, c.label)]
            for c in drawing.curves
        ],
    }
