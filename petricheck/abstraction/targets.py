"""Whether an abstract state may meet the target.

A target with few cubes is tested cube by cube: a state misses a cube where, for some direction, a
lower bound of c·m over the cube exceeds the state's upper bound, or a residue contradicts the
cube. Each bound comes from exact multipliers (a `Separator`), computed once per direction and cube.
Cubes with congruences of large modulus get a lower bound beside each, a literal at the end;
a separator that needs one is not told to the audit, which then asks its solver. A target with many
cubes (thirty conjoined p ≠ 1 have 2^30) is left to an incremental solver, whose model names the one
cube that is met.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import Protocol

from petricheck.abstraction.bounds import (
    box_bound,
    box_of,
    combination,
    floors,
    pinned,
    program_bound,
    proved_bound,
)
from petricheck.abstraction.domain import Domain, States
from petricheck.budget import Budget
from petricheck.evidence.invariant import Separator
from petricheck.linear import Residue, direction_of, term_of
from petricheck.presburger.cubes import cube_of, listed_cubes
from petricheck.presburger.formulas import Congruence, Cube, Formula, Inequality
from petricheck.presburger.terms import Term
from petricheck.problem import Net, Problem, Weights


@dataclass(frozen=True, slots=True)
class Met:
    """A cube that a state may meet.

    Attributes:
        cube: its literals.
        number: its position in `cubes(target)`, or None where the cubes are not listed.
    """

    cube: Cube
    number: int | None


class TargetTest(Protocol):
    """What the abstract graph asks of a target."""

    def learn(self, separators: Iterable[Separator]) -> None:
        """Remember separators that a refinement already knows."""

    def prepare(self, domain: Domain) -> None:
        """Compile the test for the states of `domain`."""

    def meets(self, state: States) -> Met | None:
        """The first cube that the state may meet, or None where it misses the target."""

    def misses(self, state: States, met: Met) -> bool:
        """Whether the state misses that cube."""

    def reasons_for(self, state: States, met: Met) -> tuple[int, ...] | None:
        """What suffices to miss that cube, as in `reasons`; None where the state may meet it."""

    def reasons(self, state: States) -> tuple[int, ...] | None:
        """Directions (by number; K + r for residue r) that suffice to miss the target.

        None where that is not known.
        """

    def separators(self) -> tuple[Separator, ...] | None:
        """All separators in use, or None where a solver must check the exclusion."""


def target_test(problem: Problem, budget: Budget | None = None) -> TargetTest:
    """The test that fits the problem's target; the budget limits its solver, if it has one."""
    listed = listed_cubes(problem.target, budget)
    if listed is not None:
        return CubeTest(problem.net, listed)
    return SolverTest(problem.net, problem.target, budget)


class CubeTest:
    """Cube by cube, by exact bounds."""

    def __init__(self, net: Net, listed: Sequence[Cube]) -> None:
        self._net = net
        self._cubes = tuple((*cube, *floors(cube)) for cube in listed)
        self._lengths = tuple(len(cube) for cube in listed)
        self._boxes = tuple(box_of(cube) for cube in self._cubes)
        self._known: dict[tuple[int, Weights, int], Separator | None] = {}
        self._order: list[list[tuple[int, int]]] = []
        self._allowed: list[list[tuple[int, int]]] = []
        self._count = 0
        self._infinity = 0

    def learn(self, separators: Iterable[Separator]) -> None:
        """Remember separators that a refinement already knows."""
        for separator in separators:
            direction = direction_of(self._net, Term(separator.direction, 0))
            key = (separator.cube, direction, separator.modulus)
            known = self._known.get(key)
            if known is None or (not separator.modulus and self._stronger(separator, known)):
                self._known[key] = separator

    def _stronger(self, new: Separator, old: Separator) -> bool:
        return proved_bound(new, self._cubes) > proved_bound(old, self._cubes)

    def prepare(self, domain: Domain) -> None:
        """Compile the test for the states of `domain`."""
        self._count = len(domain.directions)
        self._infinity = domain.infinity
        self._order, self._allowed = [], []
        for number in range(len(self._cubes)):
            bounds = []
            for position, direction in enumerate(domain.directions):
                separator = self._separator(number, direction)
                if separator is not None:
                    bounds.append((position, proved_bound(separator, self._cubes)))
            self._order.append(bounds)
            self._allowed.append(self._residues(number, domain.residues))

    def meets(self, state: States) -> Met | None:
        """The first cube that the state may meet, or None where it misses the target."""
        for number, cube in enumerate(self._cubes):
            if self._reason(state, number) is None:
                return Met(cube, number)
        return None

    def misses(self, state: States, met: Met) -> bool:
        """Whether the state misses that cube."""
        return self.reasons_for(state, met) is not None

    def reasons_for(self, state: States, met: Met) -> tuple[int, ...] | None:
        """One direction, where the state misses the cube."""
        assert met.number is not None
        reason = self._reason(state, met.number)
        return None if reason is None else (reason,)

    def reasons(self, state: States) -> tuple[int, ...] | None:
        """One direction for each cube."""
        found = (self._reason(state, number) for number in range(len(self._cubes)))
        return tuple(dict.fromkeys(reason for reason in found if reason is not None))

    def separators(self) -> tuple[Separator, ...] | None:
        """All separators known, in a fixed order, but for those that need more than the target."""
        found = []
        for separator in self._known.values():
            if separator is not None:
                length = self._lengths[separator.cube]
                if not any(separator.multipliers[length:]):
                    found.append(replace(separator, multipliers=separator.multipliers[:length]))
        return tuple(found)

    def _reason(self, state: States, number: int) -> int | None:
        for position, bound in self._order[number]:
            if state[position] < bound and state[position] != self._infinity:
                return position
        for position, residue in self._allowed[number]:
            if state[self._count + position] not in (residue, self._infinity):
                return self._count + position
        return None

    def _separator(self, number: int, direction: Weights) -> Separator | None:
        key = (number, direction, 0)
        if key not in self._known:
            named = term_of(self._net, direction).coefficients
            box = self._boxes[number]
            cube = self._cubes[number]
            found = box_bound(named, box, cube) if box else program_bound(named, cube)
            self._known[key] = (
                None if found is None else Separator(number, named, 0, found[0], found[1])
            )
        return self._known[key]

    def _residues(self, number: int, residues: Sequence[Residue]) -> list[tuple[int, int]]:
        """(position, the only residue that the cube allows), where there is one."""
        allowed = []
        for position, residue in enumerate(residues):
            key = (number, residue.direction, residue.modulus)
            if key not in self._known:
                named = term_of(self._net, residue.direction).coefficients
                self._known[key] = pinned(number, named, residue.modulus, self._cubes[number])
            separator = self._known[key]
            if separator is not None and gcd(separator.scale, separator.modulus) == 1:
                constant = combination(self._cubes[number], separator.multipliers).constant
                inverse = pow(separator.scale, -1, separator.modulus)
                allowed.append((position, -constant * inverse % separator.modulus))
        return allowed


class SolverTest:
    """By an incremental solver, for targets with many cubes."""

    def __init__(self, net: Net, target: Formula, budget: Budget | None = None) -> None:
        from petricheck.presburger.solver import Solver

        self._net = net
        self._target = target
        self._solver = Solver(budget, net.places)
        self._solver.add(target)
        self._domain: Domain | None = None

    def learn(self, separators: Iterable[Separator]) -> None:
        """Nothing: the solver finds its own reasons."""

    def prepare(self, domain: Domain) -> None:
        """Remember how to read states."""
        self._domain = domain

    def meets(self, state: States) -> Met | None:
        """The cube of a model, or None where the state contradicts the target."""
        model = self._check(atom for _, atom in self._atoms(state))
        if model is None:
            return None
        values = {place: model.get(place, 0) for place in self._net.places}
        return Met(cube_of(self._target, values), None)

    def misses(self, state: States, met: Met) -> bool:
        """Whether the state contradicts the cube."""
        return self.reasons_for(state, met) is not None

    def reasons_for(self, state: States, met: Met) -> tuple[int, ...] | None:
        """The numbers of the atoms in an unsatisfiable core with the cube."""
        return self._core(state, met.cube)

    def reasons(self, state: States) -> tuple[int, ...] | None:
        """The numbers of the atoms in an unsatisfiable core with the target."""
        return self._core(state, ())

    def _core(self, state: States, more: Cube) -> tuple[int, ...] | None:
        atoms = self._atoms(state)
        if self._check([*(atom for _, atom in atoms), *more]) is not None:
            return None
        core = {assumption.formula for assumption in self._solver.core}
        return tuple(number for number, atom in atoms if atom in core)

    def separators(self) -> tuple[Separator, ...] | None:
        """None: a solver must check."""
        return None

    def _check(self, assumptions: Iterable[Formula]) -> dict[str, int] | None:
        return self._solver.check(tuple(assumptions))

    def _atoms(self, state: States) -> tuple[tuple[int, Inequality | Congruence], ...]:
        assert self._domain is not None
        return numbered_atoms(self._domain, state)


def numbered_atoms(
    domain: Domain, state: States
) -> tuple[tuple[int, Inequality | Congruence], ...]:
    """What the state says, as atoms with the numbers of directions, K + r for residue r.

    None for directions that it does not bound, nor for the direction 0.
    """
    found: list[tuple[int, Inequality | Congruence]] = []
    for number, bound in enumerate(domain.bounds(state)):
        term = domain.terms[number]
        if bound is not None and term.coefficients:
            found.append((number, Inequality(term - bound)))
    for position, value in enumerate(domain.residues_of(state)):
        number = len(domain.directions) + position
        if value is not None:
            modulus = domain.residues[position].modulus
            found.append((number, Congruence(domain.terms[number] - value, modulus)))
    return tuple(found)


def state_atoms(domain: Domain, state: States) -> tuple[Inequality | Congruence, ...]:
    """What the state says, as atoms."""
    return tuple(atom for _, atom in numbered_atoms(domain, state))
