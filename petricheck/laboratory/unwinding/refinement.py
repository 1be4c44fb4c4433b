"""Refine: a vertex whose label may meet the target is given one that excludes it, or a trace.

Where the predicates known so far exclude the target along the path, they are put in place; else the
guide is asked, as in the CEGAR loop (`abstraction.refine`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from petricheck.abstraction.graph import AbstractPath
from petricheck.abstraction.refine import Genuine, refine
from petricheck.abstraction.targets import Met, TargetTest
from petricheck.budget import Budget
from petricheck.guides import Guide
from petricheck.heuristics import Heuristic
from petricheck.laboratory.unwinding.languages import Languages
from petricheck.laboratory.unwinding.measures import Measures
from petricheck.laboratory.unwinding.replay import Interpolants, excluding
from petricheck.laboratory.unwinding.tree import Unwinding
from petricheck.presburger.formulas import Cube
from petricheck.problem import Net, Problem


@dataclass(frozen=True, slots=True)
class Excluded:
    """The labels exclude the cube now.

    Attributes:
        strengthened: the vertices whose labels became stronger.
    """

    strengthened: tuple[int, ...]


class Refiner:
    """What Refine needs to know.

    Args:
        problem: the question.
        test: whether labels may meet its target.
        guide: chooses interpolants.
        heuristics: advise the guide.
        reuse: whether known predicates are tried before the guide is asked.
        slicing: whether the guide is first asked about what the target depends on.
        languages: restrict the interpolants.
        measures: are kept up to date.
    """

    def __init__(
        self,
        problem: Problem,
        test: TargetTest,
        guide: Guide,
        heuristics: Sequence[Heuristic],
        reuse: bool,
        slicing: bool,
        languages: Languages,
        measures: Measures,
    ) -> None:
        self.test = test
        self._problem = problem
        self._guide = guide
        self._heuristics = heuristics
        self._reuse = reuse
        self._slicing = slicing
        self._languages = languages
        self._measures = measures

    def meets(self, tree: Unwinding, vertex: int) -> Met | None:
        """A cube of the target that the label may meet, or None where it excludes the target."""
        self.test.prepare(tree.domain)
        return self.test.meets(tree.known(vertex))

    def refine(
        self, tree: Unwinding, vertex: int, met: Met, budget: Budget
    ) -> Genuine | Excluded | None:
        """A trace into the cube, or labels that exclude it; None where neither is found."""
        self._measures.refinements += 1
        with self._measures.interpolating():
            best: Interpolants | None = None
            for proposal in self._proposals(tree, vertex, met, budget):
                if isinstance(proposal, Genuine):
                    return proposal
                if best is None or self._languages.level(proposal) < self._languages.level(best):
                    best = proposal
                if self._languages.allow(best):
                    break
            if best is None:
                return None
            self._languages.raise_to(best)
            return Excluded(strengthen(tree, best))

    def _proposals(
        self, tree: Unwinding, vertex: int, met: Met, budget: Budget
    ) -> Iterator[Genuine | Interpolants]:
        """A trace, or interpolants of the path to the vertex, the preferred ones first."""
        known = excluding(tree, vertex, self.test, met) if self._reuse else None
        if known is not None:
            self._measures.reused += 1
            yield known
        for path in self._paths(tree, vertex, met):
            guided = refine(self._problem, path, self._heuristics, self._guide, budget)
            for proposal in guided:
                if isinstance(proposal, Genuine):
                    yield proposal
                    return
                self.test.learn(proposal.separators)
                tree.learn(proposal.predicates)
                self.test.prepare(tree.domain)
                found = excluding(tree, vertex, self.test, met)
                if found is not None:
                    yield found

    def _paths(self, tree: Unwinding, vertex: int, met: Met) -> Iterator[AbstractPath]:
        """The path to the vertex; before it, on request, what is left of it when it is sliced."""
        actions = tuple(tree.vertices[number].transition for number in tree.path(vertex)[1:])
        sliced = relevant(tree.net, actions, met.cube) if self._slicing else actions
        if sliced != actions:
            yield AbstractPath(sliced, met)
        yield AbstractPath(actions, met)


def relevant(net: Net, actions: Sequence[int], cube: Cube) -> tuple[int, ...]:
    """The path without the firings that no place of the cube depends on (path slicing).

    Backwards, a firing is kept where it changes a place that matters; then those matter, too, from
    which it takes. What is left may fire where the whole path does not, never the other way round.
    """
    places = {net.place_numbers[name] for atom in cube for name in atom.term.variables}
    kept: list[int] = []
    for action in reversed(actions):
        transition = net.transitions[action]
        if not places.isdisjoint(place for place, _ in transition.effect):
            kept.append(action)
            places.update(place for place, _ in transition.pre)
    return tuple(reversed(kept))


def strengthen(tree: Unwinding, interpolants: Interpolants) -> tuple[int, ...]:
    """Conjoin interpolants to the labels of a path; the vertices that are stronger now."""
    for vertex, label in interpolants:
        tree.strengthen(vertex, label)
    return tuple(vertex for vertex, _ in interpolants)
