"""Graphs of markings as SVG pictures."""

from __future__ import annotations

from petricheck.explicit.covering.state_graph import MarkingGraph, state_graph
from petricheck.model.drawing.states import ARCS, STATES, to_svg
from petricheck.reports.graphs import too_large


class Picture:
    """A drawing, with its legend."""

    extensions = (".svg",)
    most = STATES

    def write(self, graph: MarkingGraph) -> str:
        """Return the picture; QueryError where it would have too many arrows."""
        if picture := to_svg(state_graph(graph)):
            return picture
        raise too_large(f"{ARCS} arrows", ".svg")
