"""The log of refinements: one JSON line for each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

from petricheck.arithmetic.formulas.formulas import Conjunction
from petricheck.arithmetic.formulas.text import term_to_text, to_text
from petricheck.engines.abstraction.graph import AbstractPath
from petricheck.engines.abstraction.refine import Genuine, Refinement
from petricheck.model.net import Net, Weights
from petricheck.support.errors import QueryError
from petricheck.symbolic.linear import HalfSpace, ModularDirection, term_of

Log: TypeAlias = Callable[[int, AbstractPath, Refinement | None], None]
"""Is told the number of each refinement, the path, and what came of it."""


@contextmanager
def journal(
    net: Net, path: str, heuristics: Sequence[str], report: Callable[[str], None]
) -> Iterator[Log]:
    """Log refinements into a file, each as soon as it is made.

    A line holds: iteration, path (transition ids), target (the cube), heuristics, and outcome:
    "trace" (with the trace), "no progress", or "spurious" with accelerated (transition ids),
    templates, cost, interpolants (a half-space for each cut and inside accelerated blocks) and
    residues.

    Args:
        net: the net.
        path: the file; empty where nothing is logged.
        heuristics: their names.
        report: is told where the log cannot be gone on with; no answer is lost for that.

    Raises:
        QueryError: the file cannot be opened.
    """
    if not path:
        yield lambda iteration, path, refinement: None
        return
    try:
        file = open(path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 (closed below)
    except OSError as error:
        raise QueryError(f"cannot write the log {path}: {error}") from error

    def record(iteration: int, abstract: AbstractPath, refinement: Refinement | None) -> None:
        line = {
            "iteration": iteration,
            "path": [net.transitions[t].name for t in abstract.transitions],
            "target": to_text(Conjunction(abstract.goal.cube)),
            "heuristics": list(heuristics),
            **_outcome(net, refinement),
        }
        try:
            file.write(json.dumps(line) + "\n")
        except OSError as error:
            report(f"the log in {path} ends here: {error.strerror}")

    try:
        yield record
    finally:
        with suppress(OSError):  # every line has been flushed, or its failure told
            file.close()


def _outcome(net: Net, refinement: Refinement | None) -> dict[str, Any]:
    if refinement is None:
        return {"outcome": "no progress"}
    if isinstance(refinement, Genuine):
        return {"outcome": "trace", "trace": [list(step) for step in refinement.trace.steps]}

    def term(direction: Weights) -> str:
        return term_to_text(term_of(net, direction))

    choice, predicates = refinement.choice, refinement.predicates
    return {
        "outcome": "spurious",
        "accelerated": [net.transitions[t].name for t in sorted(refinement.accelerated)],
        "templates": [term(t) for t in choice.templates] if choice else [],
        "cost": choice.cost if choice else 0,
        "interpolants": [
            to_text(p.inequality(net)) for p in predicates if isinstance(p, HalfSpace)
        ],
        "residues": [
            f"({term(p.direction)}) mod {p.modulus}"
            for p in predicates
            if isinstance(p, ModularDirection)
        ],
    }
