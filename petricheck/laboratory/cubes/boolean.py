"""Interpolants of two formulas as disjunctions of conjunctions of half-spaces and residues.

Both formulas are looked at cube by cube, in the order in which a solver comes upon them. Cubes of
the first that one conjunction separates from all of the second share a disjunct; cubes of the
second that one half-space keeps out share that half-space. So the interpolant has as few parts as
a greedy search finds, and most pairs of cubes are never looked at. Where neither a half-space nor a
residue separates two cubes, the first itself is the part, without its local variables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from petricheck.budget import Budget
from petricheck.laboratory.cubes.local_variables import projected, resolved
from petricheck.laboratory.cubes.separators import Wish, half_space, residue
from petricheck.presburger.cubes import cube_of
from petricheck.presburger.formulas import (
    Cube,
    Formula,
    conjunction,
    disjunction,
    negate,
    variables,
)
from petricheck.presburger.solver import Model, Solver

Guidance = Callable[[Model, Model], Sequence[Wish]]
"""Along what a half-space should not grow that separates the cubes of these models."""


@dataclass(frozen=True, slots=True)
class _Example:
    """A model, and the cube that it was found in."""

    model: Model
    cube: Cube


@dataclass(frozen=True, slots=True)
class _Part:
    """What keeps out some cubes of the second formula."""

    formula: Formula
    kept_out: tuple[_Example, ...]


@dataclass(frozen=True, slots=True)
class _Disjunct:
    """Cubes of the first formula, and a conjunction around them."""

    inside: tuple[_Example, ...]
    parts: tuple[_Part, ...]

    @property
    def formula(self) -> Formula:
        """The conjunction."""
        return conjunction(part.formula for part in self.parts)


@dataclass(frozen=True, slots=True)
class Interpolation:
    """How interpolants are made.

    Attributes:
        shared: the variables that they may speak of.
        guidance: see `Guidance`.
        budget: limits the search.
    """

    shared: tuple[str, ...]
    guidance: Guidance
    budget: Budget

    def interpolant(self, first: Formula, second: Formula) -> Formula:
        """A formula that `first` implies and `second` contradicts, over natural numbers.

        The formulas must contradict each other, and share no variables but the shared ones.

        Raises:
            BudgetExhausted: a limit is reached, or the solver gave up.
        """
        found: list[_Disjunct] = []
        with self._solver(first) as inside, self._solver(second) as outside:
            search = _Search(self, second, outside)
            while (model := inside.check([negate(d.formula) for d in found])) is not None:
                search.cover(found, self.example(first, model))
        return disjunction(disjunct.formula for disjunct in found)

    def _solver(self, formula: Formula) -> Solver:
        solver = Solver(self.budget, dict.fromkeys((*variables(formula), *self.shared)))
        solver.add(formula)
        return solver

    def example(self, formula: Formula, model: Model) -> _Example:
        """The cube of the formula that the model lies in."""
        return _Example(model, resolved(cube_of(formula, model), self.shared))


@dataclass(frozen=True, slots=True)
class _Search:
    """The parts that keep cubes of the second formula out."""

    interpolation: Interpolation
    second: Formula
    outside: Solver

    def cover(self, found: list[_Disjunct], example: _Example) -> None:
        """Extend a disjunct by the example's cube, or append one of its own."""
        for number, disjunct in enumerate(found):
            wider = self._wider(disjunct, example)
            if wider is not None:
                found[number] = wider
                return
        alone = self._around((example,), [])
        assert alone is not None
        found.append(alone)

    def _wider(self, disjunct: _Disjunct, example: _Example) -> _Disjunct | None:
        """The disjunct with another cube inside, where half-spaces still keep everything out."""
        inside = (*disjunct.inside, example)
        parts = [self._part(inside, part.kept_out) for part in disjunct.parts]
        return self._around(inside, [part for part in parts if part is not None])

    def _around(self, inside: tuple[_Example, ...], parts: list[_Part]) -> _Disjunct | None:
        """A conjunction around the cubes that the second formula contradicts.

        None where half-spaces do not suffice for several cubes; for one there always is one.
        """
        while (found := self.outside.check([part.formula for part in parts])) is not None:
            example = self.interpolation.example(self.second, found)
            if not self._keep_out(inside, parts, example):
                return None
        return _Disjunct(inside, tuple(parts))

    def _keep_out(
        self, inside: tuple[_Example, ...], parts: list[_Part], example: _Example
    ) -> bool:
        """Extend a part, or append one, so that the example's cube is kept out."""
        for number, part in enumerate(parts):
            wider = self._part(inside, (*part.kept_out, example))
            if wider is not None:
                parts[number] = wider
                return True
        alone = self._part(inside, (example,))
        if alone is None and len(inside) == 1:
            alone = _Part(self._exact(inside[0].cube, example.cube), (example,))
        if alone is not None:
            parts.append(alone)
        return alone is not None

    def _part(self, inside: Sequence[_Example], outside: tuple[_Example, ...]) -> _Part | None:
        """A half-space with the ones inside and the others outside."""
        found = half_space(
            [example.cube for example in inside],
            [example.cube for example in outside],
            self.interpolation.shared,
            self.interpolation.guidance(inside[-1].model, outside[-1].model),
            self.interpolation.budget.remaining,
        )
        return None if found is None else _Part(found, outside)

    def _exact(self, inside: Cube, outside: Cube) -> Formula:
        """A residue, or the cube itself."""
        shared = self.interpolation.shared
        found = residue(inside, outside, shared)
        if found is not None:
            return found
        return projected(inside, shared, seconds=self.interpolation.budget.remaining)
