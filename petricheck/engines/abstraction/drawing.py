"""The abstract graph, drawn into a file as it stands at the end of a search."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

from petricheck.arithmetic.formulas.formulas import Conjunction
from petricheck.arithmetic.formulas.text import to_text
from petricheck.engines.abstraction.graph import AbstractGraph, edges
from petricheck.engines.abstraction.targets import state_atoms
from petricheck.support.errors import QueryError

Description = dict[str, Any]
"""A graph as plain data."""


@contextmanager
def drawn_at_the_end(
    path: str,
    describe: Callable[[], Description],
    dot: Callable[[Description], str],
    report: Callable[[str], None],
) -> Iterator[None]:
    """Draw what `describe` returns at the end: as JSON into a .json file, else by `dot`.

    Nothing is drawn where the path is empty. Where the drawing cannot be finished, `report` is
    told, and no answer is lost.

    Raises:
        QueryError: the file cannot be opened, before the search.
    """
    if not path:
        yield
        return
    try:
        file = open(path, "w", encoding="utf-8")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise QueryError(f"cannot write the graph {path}: {error}") from error
    try:
        yield
    finally:
        try:
            with file:
                graph = describe()
                in_json = path.endswith(".json")
                file.write((json.dumps(graph, indent=1) if in_json else dot(graph)) + "\n")
        except OSError as error:
            report(f"the graph in {path} is incomplete: {error.strerror}")


def drawing(
    graph: AbstractGraph, path: str, report: Callable[[str], None]
) -> AbstractContextManager[None]:
    """Draw the graph into a file, see `drawn_at_the_end`.

    States have their formulas, edges their actions, and each state those that it covered. A graph
    whose exploration was stopped lacks the edges that were not computed.
    """
    return drawn_at_the_end(path, partial(describe, graph), _dot, report)


def describe(graph: AbstractGraph) -> Description:
    """Return the abstract graph as plain data: states, edges, coverings."""
    net, domain = graph.problem.net, graph.domain
    return {
        "net": net.name,
        "states": [
            {"id": number, "formula": to_text(Conjunction(state_atoms(domain, state)))}
            for number, state in enumerate(graph.states)
        ],
        "edges": [
            {"from": source, "action": net.transitions[t].name, "to": successor}
            for source, row in enumerate(edges(domain, graph.states))
            for t, successor in enumerate(row)
            if successor is not None
        ],
        "coverings": [
            {"state": to_text(Conjunction(state_atoms(domain, state))), "by": by}
            for state, by in graph.coverings()
        ],
    }


def _dot(graph: Description) -> str:
    lines = ["digraph abstraction {", "  node [shape=box];"]
    for state in graph["states"]:
        lines.append(f"  s{state['id']} [label={json.dumps(state['formula'])}];")
    for edge in graph["edges"]:
        label = json.dumps(edge["action"])
        lines.append(f"  s{edge['from']} -> s{edge['to']} [label={label}];")
    for number, covering in enumerate(graph["coverings"]):
        lines.append(f"  c{number} [label={json.dumps(covering['state'])}, style=dotted];")
        lines.append(f"  c{number} -> s{covering['by']} [style=dotted];")
    return "\n".join([*lines, "}"])
