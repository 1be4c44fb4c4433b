"""Graphs of reachable markings in files: as pictures, for Graphviz, and as data.

A family with one file for each format; the extension of the graph's file selects it.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from petricheck.explicit.covering.state_graph import MarkingGraph, marking_graph
from petricheck.model.net import Net
from petricheck.support.errors import QueryError
from petricheck.support.files import suffix
from petricheck.support.outputs import write_file
from petricheck.support.plugins import by_extension


class GraphFormat(Protocol):
    """The interface of every member of the family.

    Files have `extensions`; graphs have at most so many markings.
    """

    extensions: ClassVar[tuple[str, ...]]
    most: ClassVar[int]

    def write(self, graph: MarkingGraph) -> str:
        """Return the file's content.

        Raises:
            QueryError: the graph is too large.
        """


def write_graph(net: Net, path: str) -> None:
    """Write the reachability graph of a net, or the coverability graph of an unbounded one.

    QueryError where it is too large for the format that the extension says.
    """
    extension = suffix(path)
    member: GraphFormat = by_extension("reports.graphs")[extension]()
    graph = marking_graph(net, member.most)
    if graph is None:
        raise too_large(f"{member.most} markings", extension)
    write_file(path, member.write(graph))


def too_large(limit: str, extension: str) -> QueryError:
    """Return the refusal of a graph, with the formats that may hold it."""
    formats = by_extension("reports.graphs")
    larger = [e for e, member in formats.items() if member.most > formats[extension].most]
    remedy = f"; name a file that ends in {', '.join(larger)}" if larger else ""
    return QueryError(f"a graph of more than {limit} is not written as {extension}{remedy}")
