"""Interpolants of two formulas as disjunctions of conjunctions of half-spaces and residues.

Both formulas are looked at cube by cube, in the order in which a solver comes upon them. Cubes of
the first that one conjunction separates from all of the second share a disjunct; cubes of the
second that one half-space keeps out share that half-space. So the interpolant has as few parts as
a greedy search finds, and most pairs of cubes are never looked at. Where neither a half-space nor a
residue separates two cubes, the first itself is the part, without its local variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.budget import Budget
from petricheck.laboratory.cubes.separators import half_space, residue
from petricheck.laboratory.elimination import eliminate
from petricheck.presburger.cubes import cube_of
from petricheck.presburger.formulas import (
    Conjunction,
    Cube,
    Formula,
    at_least,
    conjunction,
    disjunction,
    negate,
    variables,
)
from petricheck.presburger.solver import Solver
from petricheck.presburger.terms import variable


def interpolant(first: Formula, second: Formula, shared: Sequence[str], budget: Budget) -> Formula:
    """A formula that `first` implies and `second` contradicts, over natural numbers.

    The formulas must contradict each other, and share no variables but the shared ones.

    Raises:
        BudgetExhausted: a limit is reached, or the solver gave up.
    """
    disjuncts: list[_Disjunct] = []
    with _solver(first, shared, budget) as inside, _solver(second, shared, budget) as outside:
        search = _Search(second, outside, shared, budget)
        while (model := inside.check([negate(d.formula) for d in disjuncts])) is not None:
            search.cover(disjuncts, cube_of(first, model))
    return disjunction(disjunct.formula for disjunct in disjuncts)


def _solver(formula: Formula, shared: Sequence[str], budget: Budget) -> Solver:
    solver = Solver(budget, dict.fromkeys((*variables(formula), *shared)))
    solver.add(formula)
    return solver


@dataclass(frozen=True, slots=True)
class _Part:
    """Conditions that exclude some cubes of the second formula."""

    formula: Formula
    kept_out: tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class _Disjunct:
    """Cubes of the first formula, and a conjunction around them."""

    inside: tuple[Cube, ...]
    parts: tuple[_Part, ...]

    @property
    def formula(self) -> Formula:
        """The conjunction."""
        return conjunction(part.formula for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Search:
    """The parts that keep cubes of the second formula out."""

    second: Formula
    outside: Solver
    shared: Sequence[str]
    budget: Budget

    def cover(self, disjuncts: list[_Disjunct], cube: Cube) -> None:
        """Extend a disjunct by the cube, or append one of its own."""
        for number, disjunct in enumerate(disjuncts):
            inside = (*disjunct.inside, cube)
            parts = [self._part(inside, part.kept_out) for part in disjunct.parts]
            wider = self._around(inside, [part for part in parts if part is not None])
            if wider is not None:
                disjuncts[number] = wider
                return
        alone = self._around((cube,), [])
        assert alone is not None
        disjuncts.append(alone)

    def _around(self, inside: tuple[Cube, ...], parts: list[_Part]) -> _Disjunct | None:
        """A conjunction around the cubes that the second formula contradicts.

        None where half-spaces do not suffice for several cubes; for one there always is one.
        """
        while (model := self.outside.check([part.formula for part in parts])) is not None:
            if not self._keep_out(inside, parts, cube_of(self.second, model)):
                return None
        return _Disjunct(inside, tuple(parts))

    def _keep_out(self, inside: tuple[Cube, ...], parts: list[_Part], cube: Cube) -> bool:
        """Extend a part, or append one, so that the cube is kept out."""
        for number, part in enumerate(parts):
            wider = self._part(inside, (*part.kept_out, cube))
            if wider is not None:
                parts[number] = wider
                return True
        alone = self._part(inside, (cube,))
        if alone is None and len(inside) == 1:
            alone = _Part(self._exact(inside[0], cube), (cube,))
        if alone is not None:
            parts.append(alone)
        return alone is not None

    def _part(self, inside: Sequence[Cube], outside: tuple[Cube, ...]) -> _Part | None:
        """A half-space with the ones inside and the others outside."""
        separator = half_space(inside, outside, self.shared, self.budget.remaining)
        return None if separator is None else _Part(separator, outside)

    def _exact(self, inside: Cube, outside: Cube) -> Formula:
        """A residue, or the cube itself without its local variables."""
        separator = residue(inside, outside, self.shared)
        if separator is not None:
            return separator
        local = {name for atom in inside for name in atom.term.variables}.difference(self.shared)
        natural = (at_least(variable(name), 0) for name in sorted(local))
        return eliminate(local, Conjunction((*inside, *natural)), self.budget)
