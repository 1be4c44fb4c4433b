"""What a refinement run reads and writes beside its answer: predicates, log, abstract graph."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from typing import IO, Any

from petricheck.abstraction.domain import Predicate
from petricheck.abstraction.graph import AbstractGraph, AbstractPath, edges
from petricheck.abstraction.graph_file import drawn_at_the_end
from petricheck.abstraction.refine import Genuine, Refinement
from petricheck.abstraction.targets import state_atoms
from petricheck.errors import QueryError
from petricheck.files import read_lines
from petricheck.language.grammar import read_formula
from petricheck.linear import HalfSpace, Residue, constraint, direction_of, term_of
from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Conjunction,
    atoms,
    tighten,
)
from petricheck.presburger.text import term_to_text, to_text
from petricheck.problem import Net, Weights


def read_predicates(net: Net, path: str) -> tuple[Predicate, ...]:
    """The predicates of a file: the atoms of one formula a line; # begins a comment.

    Raises:
        QueryError: the file cannot be read, or a line is no formula.
    """
    formulas = read_lines(path, "the predicates", lambda line: tighten(read_formula(net, line)))
    return tuple(dict.fromkeys(p for f in formulas for a in atoms(f) for p in _predicates(net, a)))


def _predicates(net: Net, atom: Atom) -> Iterator[Predicate]:
    """The bounds on both sides of an atom: whether it holds, and whether it does not."""
    if isinstance(atom, Congruence):
        yield Residue(direction_of(net, atom.term), atom.modulus)
        return
    for side in constraint(net, atom).sides:
        yield side
        yield side.complement()


class Journal:
    """Appends one JSON line per refinement to a file; to nothing where no file is named.

    A line holds: iteration, path (transition ids), target (the cube), heuristics, and outcome:
    "trace" (with the trace), "no progress", or "spurious" with accelerated (transition ids),
    templates, cost, interpolants (a half-space for each cut and inside accelerated blocks) and
    residues.

    Args:
        net: the net.
        path: the file; empty where nothing is logged.
        heuristics: their names.
        report: is told where the log cannot be gone on with; no answer is lost for that.
    """

    def __init__(
        self, net: Net, path: str, heuristics: Sequence[str], report: Callable[[str], None]
    ) -> None:
        self._net = net
        self._path = path
        self._heuristics = tuple(heuristics)
        self._report = report
        self._file: IO[str] | None = None

    def __enter__(self) -> Journal:
        if self._path:
            try:
                self._file = open(self._path, "w", encoding="utf-8")
            except OSError as error:
                raise QueryError(f"cannot write the log {self._path}: {error}") from error
        return self

    def __exit__(self, *error: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # every line has been flushed, or its failure told
                self._file.close()

    def record(self, iteration: int, path: AbstractPath, refinement: Refinement | None) -> None:
        """Write one line."""
        if self._file is None:
            return
        line: dict[str, Any] = {
            "iteration": iteration,
            "path": [self._net.transitions[t].name for t in path.transitions],
            "target": to_text(Conjunction(path.met.cube)),
            "heuristics": list(self._heuristics),
            **self._outcome(refinement),
        }
        try:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
        except OSError as error:
            self._report(f"the log in {self._path} ends here: {error.strerror}")

    def _outcome(self, refinement: Refinement | None) -> dict[str, Any]:
        if refinement is None:
            return {"outcome": "no progress"}
        if isinstance(refinement, Genuine):
            return {"outcome": "trace", "trace": [list(step) for step in refinement.trace.steps]}
        choice = refinement.choice
        bounds = [p for p in refinement.predicates if isinstance(p, HalfSpace)]
        residues = [p for p in refinement.predicates if isinstance(p, Residue)]
        return {
            "outcome": "spurious",
            "accelerated": [self._net.transitions[t].name for t in sorted(refinement.accelerated)],
            "templates": [self._term(t) for t in choice.templates] if choice else [],
            "cost": choice.cost if choice else 0,
            "interpolants": [to_text(bound.inequality(self._net)) for bound in bounds],
            "residues": [f"({self._term(r.direction)}) mod {r.modulus}" for r in residues],
        }

    def _term(self, direction: Weights) -> str:
        return term_to_text(term_of(self._net, direction))


def drawing(
    graph: AbstractGraph, path: str, report: Callable[[str], None]
) -> AbstractContextManager[None]:
    """Draw the graph into a file, see `drawn_at_the_end`.

    States have their formulas, edges their actions, and each state those that it covered. A graph
    whose exploration was stopped lacks the edges that were not computed.
    """
    return drawn_at_the_end(path, partial(describe, graph), _dot, report)


def describe(graph: AbstractGraph) -> dict[str, Any]:
    """The abstract graph as plain data: states, edges, coverings."""
    net, states = graph.problem.net, graph.states
    formulas = [to_text(Conjunction(state_atoms(graph.domain, state))) for state in states]
    table = edges(graph.domain, states)
    return {
        "net": net.name,
        "states": [{"id": n, "formula": text} for n, text in enumerate(formulas)],
        "edges": [
            {"from": source, "action": net.transitions[t].name, "to": successor}
            for source, row in enumerate(table)
            for t, successor in enumerate(row)
            if successor is not None
        ],
        "coverings": [
            {"state": to_text(Conjunction(state_atoms(graph.domain, state))), "by": by}
            for state, by in graph.coverings()
        ],
    }


def _dot(description: dict[str, Any]) -> str:
    lines = ["digraph abstraction {", "  node [shape=box];"]
    for state in description["states"]:
        lines.append(f"  s{state['id']} [label={json.dumps(state['formula'])}];")
    for edge in description["edges"]:
        label = json.dumps(edge["action"])
        lines.append(f"  s{edge['from']} -> s{edge['to']} [label={label}];")
    for number, covering in enumerate(description["coverings"]):
        lines.append(f"  c{number} [label={json.dumps(covering['state'])}, style=dotted];")
        lines.append(f"  c{number} -> s{covering['by']} [style=dotted];")
    return "\n".join([*lines, "}"])
