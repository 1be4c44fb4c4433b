"""Graphs of markings for Graphviz, which lays them out."""

from __future__ import annotations

from petricheck.explicit.covering.state_graph import MarkingGraph, state_graph
from petricheck.model.drawing.states import to_dot


class Graphviz:
    """The drawing's parts, in DOT."""

    extensions = (".dot",)
    most = 1_000

    def write(self, graph: MarkingGraph) -> str:
        """Return the file's content."""
        return to_dot(state_graph(graph))
