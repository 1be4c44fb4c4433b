"""A file for a graph: claimed before the search, and drawn into as the graph stands at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from petricheck.errors import QueryError

Description = dict[str, Any]
"""A graph as plain data."""


@contextmanager
def drawn_at_the_end(
    path: str,
    describe: Callable[[], Description],
    dot: Callable[[Description], str],
    report: Callable[[str], None],
) -> Iterator[None]:
    """JSON where the file ends in .json, else DOT.

    Args:
        path: the file; empty where nothing is to be drawn.
        describe: what to draw, once the search has ended.
        dot: the same in DOT.
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
        try:
            with file:
                graph = describe()
                in_json = path.endswith(".json")
                file.write((json.dumps(graph, indent=1) if in_json else dot(graph)) + "\n")
        except OSError as error:
            report(f"the graph in {path} is incomplete: {error.strerror}")
