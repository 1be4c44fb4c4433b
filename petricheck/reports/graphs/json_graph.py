"""Graphs of markings as JSON.

An object with `net` (its name), `coverability` (whether some place has any number of tokens),
`nodes` (the marked places of each marking with their tokens, or with `"ω"` for any number; the
first is the initial marking) and `arcs` (of each `source`, `target`: numbers of nodes, from 0; and
`transition`); where nodes are shown by other names than their ids, `names`, as in answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from petricheck.arithmetic.formulas.json import write_facts
from petricheck.explicit.covering.state_graph import LARGEST, MarkingGraph
from petricheck.explicit.covering.tokens import OMEGA
from petricheck.model.node_names import names_in


class JsonGraph:
    """Nodes and arcs, one on each line."""

    extensions = (".json",)
    most = LARGEST

    def write(self, graph: MarkingGraph) -> str:
        """Return the file's content."""
        nodes = [
            {place: "ω" if tokens == OMEGA else tokens for place, tokens in marking.items()}
            for marking in graph.markings
        ]
        arcs = [
            {"source": arc.source, "target": arc.target, "transition": arc.transition}
            for arc in graph.arcs
        ]
        head: dict[str, object] = {"net": graph.net.name, "coverability": graph.unbounded}
        if named := names_in(graph.net.shown, (nodes, arcs)):
            head["names"] = named
        start = json.dumps(head, ensure_ascii=False).removesuffix("}")
        return ",\n".join((start, _listed("nodes", nodes), f"{_listed('arcs', arcs)}}}\n"))


def _listed(key: str, entries: Sequence[Mapping[str, object]]) -> str:
    lines = ",\n".join(json.dumps(write_facts(entry), ensure_ascii=False) for entry in entries)
    return f'"{key}": [\n{lines}\n]'
