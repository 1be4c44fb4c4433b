"""The unwinding, drawn: as DOT, or as plain data in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from petricheck.abstraction.targets import state_atoms
from petricheck.errors import QueryError
from petricheck.presburger.formulas import Conjunction
from petricheck.presburger.text import to_text
from petricheck.unwinding.measures import Measures
from petricheck.unwinding.tree import Unwinding


@contextmanager
def drawing(
    tree: Unwinding, measures: Measures, path: str, report: Callable[[str], None]
) -> Iterator[None]:
    """Claim a file before the search, and draw the unwinding into it as it stands at the end.

    JSON where the file ends in .json, else DOT: boxes are vertices with their labels, those of
    covered ones dotted, edges are firings, dotted arrows the covering relation.

    Args:
        tree: what to draw.
        measures: what it cost, for JSON.
        path: the file; empty where nothing is to be drawn.
        report: is told where the drawing cannot be finished; no answer is lost for that.

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
        description = describe(tree, measures)
        try:
            with file:
                json_wanted = path.endswith(".json")
                text = json.dumps(description, indent=1) if json_wanted else _dot(description)
                file.write(text + "\n")
        except OSError as error:
            report(f"the graph in {path} is incomplete: {error.strerror}")


def describe(tree: Unwinding, measures: Measures) -> dict[str, Any]:
    """The unwinding as plain data: vertices, edges, coverings, statistics."""
    vertices = [
        {"id": number, "label": _label(tree, number), "covered": tree.covered(number)}
        for number in range(len(tree.vertices))
    ]
    edges = [
        {"from": v.parent, "action": tree.net.transitions[v.transition].name, "to": number}
        for number, v in enumerate(tree.vertices)
        if v.parent is not None
    ]
    coverings = [
        {"vertex": number, "by": v.covered_by}
        for number, v in enumerate(tree.vertices)
        if v.covered_by is not None
    ]
    return {
        "net": tree.net.name,
        "vertices": vertices,
        "edges": edges,
        "coverings": coverings,
        "statistics": statistics(tree, measures),
    }


def statistics(tree: Unwinding, measures: Measures) -> dict[str, int | float]:
    """The columns of the paper's tables, and what Refine and ForceCover did."""
    said = {p for number in tree.uncovered() for p in tree.vertices[number].label.predicates()}
    return {
        "vertices": len(tree.vertices),
        "covered": sum(tree.covered(number) for number in range(len(tree.vertices))),
        "predicates": len(said),
        **asdict(measures),
    }


def _label(tree: Unwinding, number: int) -> str:
    label = tree.vertices[number].label
    if label.contradictory:
        return "false"
    return to_text(Conjunction(state_atoms(tree.domain, tree.row(number))))


def _dot(description: dict[str, Any]) -> str:
    lines = ["digraph unwinding {", "  node [shape=box];"]
    for vertex in description["vertices"]:
        style = ", style=dotted" if vertex["covered"] else ""
        lines.append(f"  v{vertex['id']} [label={json.dumps(vertex['label'])}{style}];")
    for edge in description["edges"]:
        label = json.dumps(edge["action"])
        lines.append(f"  v{edge['from']} -> v{edge['to']} [label={label}];")
    for covering in description["coverings"]:
        arrow = "[style=dotted, constraint=false]"
        lines.append(f"  v{covering['vertex']} -> v{covering['by']} {arrow};")
    return "\n".join([*lines, "}"])
