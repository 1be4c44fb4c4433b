"""Counterexample-guided abstraction refinement with guided interpolants.

Leroux, Rümmer, Subotić: Guiding Craig interpolation with domain-specific abstractions (2016),
section 9, with two deviations. The abstract graph is explored in a min-plus domain over the
interpolants' directions (`abstraction.domain`) instead of a Cartesian predicate abstraction by a
solver, and interpolants are Farkas sequences found by linear programs (`interpolation.path`).

Limits, the weightiest first: convergence is never guaranteed; long traces need long abstract
paths, which breadth-first exploration finds late; disjunctive separators are proposed only with
the guide's option `each`, and only of the rows of one guard, or of one conjunction of the target.

A proof names the origins of its directions, as commentary of no weight for any verdict: a guide
chooses an interpolant so that it does not grow along the displacements that the heuristics ask for,
so a direction is *suggested by* a heuristic if some of its displacements meet the direction's
places, and the direction grows along none of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from petricheck.arithmetic.formulas.formulas import Conjunction, Formula, atoms
from petricheck.arithmetic.formulas.text import term_to_text, to_text
from petricheck.engines.abstraction.certify import certificate
from petricheck.engines.abstraction.domain import Precision, Predicate
from petricheck.engines.abstraction.drawing import drawing
from petricheck.engines.abstraction.graph import STRATEGIES, AbstractGraph, AbstractPath
from petricheck.engines.abstraction.guided import Guided, no_progress, noting_refinements
from petricheck.engines.abstraction.predicates import locations, read_predicates, seeds
from petricheck.engines.abstraction.refine import Genuine, Refinement, Spurious, refine, refined
from petricheck.evidence.answer import Answer, Reachable, Statistics, Unreachable, measure
from petricheck.evidence.certificates.invariant import Certificate, DirectionOrigin
from petricheck.model.net import Net, Weights
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError
from petricheck.support.plugins import option
from petricheck.support.stopwatch import Stopwatch
from petricheck.support.words import counted
from petricheck.symbolic.linear import HalfSpace, ModularDirection, product, term_of

Log: TypeAlias = Callable[[int, AbstractPath, Refinement | None], None]
"""Is told the number of each refinement, the path, and what came of it."""


@contextmanager
def journal(
    net: Net, path: str, heuristics: Sequence[str], report: Callable[[str], None]
) -> Iterator[Log]:
    """Log refinements into a file, each as soon as it is made; without a path nothing is logged.

    A line holds: iteration, path (transition ids), target (the cube), heuristics (names), and
    outcome: "trace" (with the trace), "no progress", or "spurious" with accelerated (transition
    ids), templates, cost, queries (how often feasibility was decided), interpolants (a half-space
    for each cut and inside accelerated blocks) and residues. Where the log cannot be continued,
    `report` says so, and no answer is lost.

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
        "queries": choice.queries if choice else 0,
        "interpolants": [
            to_text(p.inequality(net)) for p in predicates if isinstance(p, HalfSpace)
        ],
        "residues": [
            f"({term(p.direction)}) mod {p.modulus}"
            for p in predicates
            if isinstance(p, ModularDirection)
        ],
    }


Origins: TypeAlias = Mapping[Weights, tuple[str, ...]]
"""By direction, the names of what suggested it first."""

CONGRUENCE = "linear congruences"
PATH = "the path alone"
GIVEN = "the user's predicates"
SHARED = "another engine"


def starting(predicates: Iterable[Predicate], shared: Iterable[Predicate]) -> Origins:
    """Return the directions that an abstraction starts with."""
    return {
        **{predicate.direction: (SHARED,) for predicate in shared},
        **{predicate.direction: (GIVEN,) for predicate in predicates},
    }


def learnt(origins: Origins, refinement: Spurious) -> Origins:
    """Return the origins, extended by those of a refinement's new directions."""
    new = {
        predicate.direction: _suggested_by(predicate, refinement)
        for predicate in refinement.predicates
        if predicate.direction not in origins
    }
    return {**origins, **new}


def stated(net: Net, origins: Origins, certificate: Certificate) -> tuple[DirectionOrigin, ...]:
    """Return the origins of the directions that the certificate uses."""
    used = {atom.term.coefficients for atom in atoms(certificate.invariant)}
    named = ((term_of(net, c).coefficients, names) for c, names in origins.items())
    return tuple(
        DirectionOrigin(direction, names) for direction, names in named if direction in used
    )


def _suggested_by(predicate: Predicate, refinement: Spurious) -> tuple[str, ...]:
    if isinstance(predicate, ModularDirection):
        return (CONGRUENCE,)
    growth: dict[str, list[int]] = {}
    touched = {place for place, _ in predicate.direction}
    for displacement in refinement.displacements:
        if not touched.isdisjoint(place for place, _ in displacement.vector):
            change = product(predicate.direction, displacement.vector)
            growth.setdefault(displacement.source, []).append(change)
    return tuple(sorted(name for name, changes in growth.items() if max(changes) <= 0)) or (PATH,)


@dataclass(frozen=True)
class Cegar(Guided):
    """Explore an abstract graph and refine it with guided interpolants until it decides."""

    unit = "refinement"
    paper = "Leroux, Rümmer, Subotić 2016"
    rank = 20

    control: int = option(0, "how many control groups are told apart from the start")
    predicates: str = option("", "file of predicates to start from, one formula a line")
    graph: str = option("", "file for the last abstract graph, .dot or .json")
    log: str = option("", "file for one JSON line per refinement")
    strategy: str = option("bfs", "bfs or dfs: which abstract state comes next", STRATEGIES)

    def solve(self, problem: Problem, budget: Budget) -> Answer:
        """Explore and refine until a path is genuine, or none is left."""
        return self.solve_informed(problem, budget, ())

    def solve_informed(self, problem: Problem, budget: Budget, facts: Sequence[Formula]) -> Answer:
        """Do the same as `solve`, with the facts among the predicates from the start."""
        heuristics, guide = self.advice()
        read = read_predicates(problem.net, self.predicates) if self.predicates else ()
        shared = seeds(problem.net, facts)
        located = locations(problem.net, self.control)
        precision = Precision().refine((*read, *shared, *located))
        graph = AbstractGraph(problem, precision, budget, self.strategy)
        origins = starting(read, shared)
        counts, refinements, interpolation = measure("cegar"), 0, Stopwatch()

        def statistics() -> Statistics:
            size = graph.precision.size
            return counts(refinements, graph.explored, size, interpolation.seconds)

        with (
            journal(problem.net, self.log, self.heuristics, budget.report) as log,
            drawing(graph, self.graph, budget.report),
            noting_refinements(lambda: refinements),
        ):
            while (path := graph.explore(budget)) is not None:
                refinements += 1
                budget.report(
                    f"refinement {refinements}: path of {len(path.transitions)},"
                    f" {counted(graph.explored, 'state')},"
                    f" {counted(len(graph.precision.thresholds), 'direction')}"
                )
                proposals = refine(problem, path, heuristics, guide, budget)
                with interpolation:
                    refinement = refined(graph, path, proposals)
                log(refinements, path, refinement)
                match refinement:
                    case Genuine(trace):
                        return Reachable(trace, statistics())
                    case None:
                        return no_progress(statistics())
                    case spurious:
                        origins = learnt(origins, spurious)
            proof = certificate(graph)
            proof = replace(proof, origins=stated(problem.net, origins, proof))
            return Unreachable(proof, statistics())
