"""The unwinding, drawn: as DOT, or as plain data in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from petricheck.arithmetic.formulas.formulas import Conjunction
from petricheck.arithmetic.formulas.text import to_text
from petricheck.engines.abstraction.drawing import drawn_at_the_end
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.laboratory.unwinding.unwind import Measures


def drawing(
    tree: Unwinding, measures: Measures, path: str, report: Callable[[str], None]
) -> AbstractContextManager[None]:
    """Draw the unwinding into a file, see `drawn_at_the_end`.

    Boxes are vertices with their labels, dotted for covered ones; edges are firings; dotted arrows
    are the covering relation. JSON has the costs as well.
    """
    return drawn_at_the_end(path, partial(describe, tree, measures), _dot, report)


def describe(tree: Unwinding, measures: Measures) -> dict[str, Any]:
    """Return the unwinding as plain data: vertices, edges, coverings, statistics."""
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


def statistics(tree: Unwinding, measures: Measures) -> dict[str, Any]:
    """Return the columns of the paper's tables, and the costs of Refine and ForceCover."""
    predicates = {part for number in tree.uncovered() for part in tree.conjunct_set(number)}
    return {
        "vertices": len(tree.vertices),
        "covered": sum(tree.covered(number) for number in range(len(tree.vertices))),
        "predicates": len(predicates),
        "refinements": measures.refinements,
        "forced": measures.forced,
        "interpolation": measures.interpolation.seconds,
        "covering": measures.covering.seconds,
    }


def _label(tree: Unwinding, number: int) -> str:
    label = tree.vertices[number].label
    if label.contradictory:
        return "false"
    return to_text(Conjunction(tree.conjuncts(number)))


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
