"""Interpolants of two formulas as disjunctions of conjunctions of half-spaces and residues.

A solver enumerates cubes of both formulas. Cubes of the first that one conjunction separates from
all of the second share a disjunct; cubes of the second that one half-space excludes share that
half-space. So the interpolant has as few parts as a greedy search finds, and most pairs of cubes
are never compared. Where neither a half-space nor a residue separates two cubes, the first itself
is the part, without its local variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.cubes import cube_of
from petricheck.arithmetic.formulas.formulas import (
    Conjunction,
    Cube,
    Formula,
    at_least,
    conjunction,
    disjunction,
    negate,
    variables,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.laboratory.cubes.separators import half_space, residue
from petricheck.laboratory.elimination import eliminate
from petricheck.support.budget import Budget


def interpolant(first: Formula, second: Formula, shared: Sequence[str], budget: Budget) -> Formula:
    """Return a formula that `first` implies and `second` contradicts, over natural numbers.

    The formulas must contradict each other, and share no variables but the shared ones.

    Raises:
        BudgetExhausted: a limit is reached, or the solver gave up.
    """
    disjuncts: list[_Disjunct] = []
    with _solver(first, shared, budget) as solver, _solver(second, shared, budget) as outside:
        search = _DisjunctSearch(second, outside, shared, budget)
        while (model := solver.check([negate(d.formula) for d in disjuncts])) is not None:
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
    excluded: tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class _Disjunct:
    """Cubes of the first formula, and conditions that they all satisfy."""

    inside: tuple[Cube, ...]
    parts: tuple[_Part, ...]

    @property
    def formula(self) -> Formula:
        """The conjunction of the conditions."""
        return conjunction(part.formula for part in self.parts)


@dataclass(frozen=True, slots=True)
class _DisjunctSearch:
    """Search for disjuncts that exclude the cubes of the second formula."""

    second: Formula
    outside: Solver
    shared: Sequence[str]
    budget: Budget

    def cover(self, disjuncts: list[_Disjunct], cube: Cube) -> None:
        """Extend a disjunct by the cube, or append a new one."""
        for number, disjunct in enumerate(disjuncts):
            inside = (*disjunct.inside, cube)
            parts = [self._part(inside, part.excluded) for part in disjunct.parts]
            wider = self._disjunct(inside, [part for part in parts if part is not None])
            if wider is not None:
                disjuncts[number] = wider
                return
        own = self._disjunct((cube,), [])
        assert own is not None
        disjuncts.append(own)

    def _disjunct(self, inside: tuple[Cube, ...], parts: list[_Part]) -> _Disjunct | None:
        """Return a conjunction that contains the cubes and contradicts the second formula.

        None where half-spaces do not suffice for several cubes; for one cube there always is one.
        """
        while (model := self.outside.check([part.formula for part in parts])) is not None:
            if not self._exclude(inside, parts, cube_of(self.second, model)):
                return None
        return _Disjunct(inside, tuple(parts))

    def _exclude(self, inside: tuple[Cube, ...], parts: list[_Part], cube: Cube) -> bool:
        """Extend a part, or append one, so that the cube is excluded; return whether it is."""
        for number, part in enumerate(parts):
            wider = self._part(inside, (*part.excluded, cube))
            if wider is not None:
                parts[number] = wider
                return True
        own = self._part(inside, (cube,))
        if own is None and len(inside) == 1:
            own = _Part(self._exact(inside[0], cube), (cube,))
        if own is not None:
            parts.append(own)
        return own is not None

    def _part(self, inside: Sequence[Cube], outside: tuple[Cube, ...]) -> _Part | None:
        """Return a half-space that contains the ones and excludes the others, or None."""
        separator = half_space(inside, outside, self.shared, self.budget.remaining)
        return None if separator is None else _Part(separator, outside)

    def _exact(self, inside: Cube, outside: Cube) -> Formula:
        """Return a residue, or the cube itself without its local variables."""
        separator = residue(inside, outside, self.shared)
        if separator is not None:
            return separator
        local = {name for atom in inside for name in atom.term.variables}.difference(self.shared)
        natural = (at_least(variable(name), 0) for name in sorted(local))
        return eliminate(local, Conjunction((*inside, *natural)), self.budget)
