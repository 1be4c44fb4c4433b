"""Graphs of markings as GraphML, which Gephi, yEd and networkx read.

Each node has the attribute `marking`, the marked places as people write them (`p + 2*q`), and for
each place that is marked somewhere an attribute of its id: its tokens, or `ω` for any number. Each
arc has the attributes `transition`, its id, and `name`, by which people see it.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from petricheck.explicit.covering.state_graph import LARGEST, MarkingGraph, marking_text
from petricheck.explicit.covering.tokens import OMEGA
from petricheck.support.words import number_text


class Graphml:
    """Nodes and arcs with their attributes."""

    extensions = (".graphml",)
    most = LARGEST

    def write(self, graph: MarkingGraph) -> str:
        """Return the file's content."""
        return "\n".join((*_lines(graph), ""))


def _lines(graph: MarkingGraph) -> Iterator[str]:
    marked = {place for marking in graph.markings for place in marking}
    keys = {place: f"p{n}" for n, place in enumerate(graph.net.places) if place in marked}
    form = "string" if graph.unbounded else "long"
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    yield '<key id="marking" for="node" attr.name="marking" attr.type="string"/>'
    yield '<key id="transition" for="edge" attr.name="transition" attr.type="string"/>'
    yield '<key id="name" for="edge" attr.name="name" attr.type="string"/>'
    for place, key in keys.items():
        yield f'<key id="{key}" for="node" attr.name={_quoted(place)} attr.type="{form}"/>'
    yield '<graph edgedefault="directed">'
    for number, marking in enumerate(graph.markings):
        tokens = "".join(
            _data(keys[place], "ω" if count == OMEGA else number_text(int(count)))
            for place, count in marking.items()
        )
        text = _data("marking", marking_text(graph.net, marking))
        yield f'<node id="m{number}">{text}{tokens}</node>'
    for number, arc in enumerate(graph.arcs):
        ends = f'source="m{arc.source}" target="m{arc.target}"'
        name = graph.net.shown.transition(arc.transition)
        fired = _data("transition", arc.transition) + _data("name", name)
        yield f'<edge id="a{number}" {ends}>{fired}</edge>'
    yield "</graph>"
    yield "</graphml>"


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{escape(_allowed(text))}</data>'


def _quoted(text: str) -> str:
    return quoteattr(_allowed(text))


def _allowed(text: str) -> str:
    """Return the text without characters that no file of XML can hold."""
    return "".join(c if c >= " " and c not in "\ufffe\uffff" else "\ufffd" for c in text)
