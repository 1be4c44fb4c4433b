"""Whether an abstract state may meet the target.

A target with few cubes is tested cube by cube: a state misses a cube where, for some direction, a
lower bound of c·m over the cube exceeds the state's upper bound, or a residue contradicts the
cube (`bounds`). Cubes with congruences of large modulus get a lower bound beside each, a literal at
the end; a separator that needs one is not told to the audit, which then asks its solver. A target
with many cubes (thirty conjoined p ≠ 1 have 2^30) is left to an incremental solver, whose model
names the one cube that is met.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from petricheck.arithmetic.formulas.cubes import cube_of, listed_cubes
from petricheck.arithmetic.formulas.formulas import Congruence, Cube, Formula, Inequality
from petricheck.arithmetic.solvers.solver import Solver
from petricheck.engines.abstraction.bounds import BoundedCube
from petricheck.engines.abstraction.domain import Domain, States
from petricheck.evidence.certificates.invariant import Separator
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget


@dataclass(frozen=True, slots=True)
class Goal:
    """A cube that a state may meet, and its number in `cubes(target)`, if the cubes are listed."""

    cube: Cube
    number: int | None


class TargetTest(ABC):
    """A comparison of states with a target; `reasons` are numbers as in `numbered_atoms`."""

    def learn(self, separators: Iterable[Separator]) -> None:
        """Store separators that a refinement already knows, where they are of use."""
        return

    @abstractmethod
    def prepare(self, domain: Domain) -> None:
        """Compile the test for the states of `domain`."""

    @abstractmethod
    def meets(self, state: States) -> Goal | None:
        """Return the first cube that the state may meet, or None where it misses the target."""

    @abstractmethod
    def reasons_for(self, state: States, goal: Goal) -> tuple[int, ...] | None:
        """Return atoms of the state that exclude the cube; None where it may meet it."""

    @abstractmethod
    def reasons(self, state: States) -> tuple[int, ...] | None:
        """Return atoms of the state that exclude the target, or None."""

    def misses(self, state: States, goal: Goal) -> bool:
        """Return whether the state misses that cube."""
        return self.reasons_for(state, goal) is not None

    def separators(self) -> tuple[Separator, ...] | None:
        """Return all separators in use, or None where a solver must check the exclusion."""
        return None


def target_test(problem: Problem, budget: Budget | None = None) -> TargetTest:
    """Return the test for the problem's target; the budget limits its solvers."""
    listed = listed_cubes(problem.target, budget)
    if listed is None:
        return SolverTest(problem.net, problem.target, budget)
    return CubeTest(listed, budget)


class CubeTest(TargetTest):
    """A test that compares a state with each cube, by exact bounds."""

    def __init__(self, listed: Sequence[Cube], budget: Budget | None = None) -> None:
        self._cubes = tuple(BoundedCube(number, cube, budget) for number, cube in enumerate(listed))
        self._least: list[list[tuple[int, int]]] = []
        self._residues: list[list[tuple[int, int]]] = []
        self._infinity = 0

    def learn(self, separators: Iterable[Separator]) -> None:
        """Store the separators that prove more than the stored ones."""
        for separator in separators:
            self._cubes[separator.cube].learn(separator)

    def prepare(self, domain: Domain) -> None:
        """Find what the cubes say of the domain's directions, with their numbers."""
        self._infinity = domain.infinity
        count = len(domain.directions)
        named = [term.coefficients for term in domain.terms]
        moduli = [(count + r, residue.modulus) for r, residue in enumerate(domain.residues)]
        self._least, self._residues = [], []
        for cube in self._cubes:
            least = ((n, cube.least(named[n])) for n in range(count))
            self._least.append([(n, bound) for n, bound in least if bound is not None])
            residues = ((n, cube.residue(named[n], modulus)) for n, modulus in moduli)
            self._residues.append([(n, r) for n, r in residues if r is not None])

    def meets(self, state: States) -> Goal | None:
        """Return the first cube that no bound and no residue excludes."""
        for number, cube in enumerate(self._cubes):
            if self._reason(state, number) is None:
                return Goal(cube.literals, number)
        return None

    def reasons_for(self, state: States, goal: Goal) -> tuple[int, ...] | None:
        """Return one direction."""
        assert goal.number is not None
        reason = self._reason(state, goal.number)
        return None if reason is None else (reason,)

    def reasons(self, state: States) -> tuple[int, ...] | None:
        """Return a direction for each cube; None where no single one excludes some cube."""
        reasons = [self._reason(state, number) for number in range(len(self._cubes))]
        distinct = tuple(dict.fromkeys(reason for reason in reasons if reason is not None))
        return None if None in reasons else distinct

    def separators(self) -> tuple[Separator, ...] | None:
        """Return all separators that need only the target, in a fixed order."""
        return tuple(separator for cube in self._cubes for separator in cube.separators())

    def _reason(self, state: States, number: int) -> int | None:
        for position, least in self._least[number]:
            if state[position] < least and state[position] != self._infinity:
                return position
        for position, residue in self._residues[number]:
            if state[position] not in (residue, self._infinity):
                return position
        return None


class SolverTest(TargetTest):
    """A test by an incremental solver, for targets with many cubes."""

    def __init__(self, net: Net, target: Formula, budget: Budget | None = None) -> None:
        self._net = net
        self._target = target
        self._solver = Solver(budget, net.places)
        self._solver.add(target)
        self._domain: Domain | None = None

    def prepare(self, domain: Domain) -> None:
        """Store the domain that gives states their meaning."""
        self._domain = domain

    def meets(self, state: States) -> Goal | None:
        """Return the cube of a model."""
        model = self._solver.check([atom for _, atom in self._atoms(state)])
        if model is None:
            return None
        values = {place: model.get(place, 0) for place in self._net.places}
        return Goal(cube_of(self._target, values), None)

    def reasons_for(self, state: States, goal: Goal) -> tuple[int, ...] | None:
        """Return the atoms in an unsatisfiable core with the cube."""
        return self._core(state, goal.cube)

    def reasons(self, state: States) -> tuple[int, ...] | None:
        """Return the atoms in an unsatisfiable core with the target."""
        return self._core(state, ())

    def _core(self, state: States, more: Cube) -> tuple[int, ...] | None:
        atoms = self._atoms(state)
        if self._solver.check([*(atom for _, atom in atoms), *more]) is not None:
            return None
        core = set(self._solver.core)
        return tuple(number for number, atom in atoms if atom in core)

    def _atoms(self, state: States) -> tuple[tuple[int, Inequality | Congruence], ...]:
        assert self._domain is not None
        return numbered_atoms(self._domain, state)


def numbered_atoms(
    domain: Domain, state: States
) -> tuple[tuple[int, Inequality | Congruence], ...]:
    """Return the state's atoms with the numbers of directions, K + r for residue r.

    None for directions that it does not bound, nor for the direction 0.
    """
    numbered: list[tuple[int, Inequality | Congruence]] = []
    for number, bound in enumerate(domain.bounds(state)):
        term = domain.terms[number]
        if bound is not None and term.coefficients:
            numbered.append((number, Inequality(term - bound)))
    for position, value in enumerate(domain.residues_of(state)):
        number = len(domain.directions) + position
        if value is not None:
            modulus = domain.residues[position].modulus
            numbered.append((number, Congruence(domain.terms[number] - value, modulus)))
    return tuple(numbered)


def state_atoms(domain: Domain, state: States) -> tuple[Inequality | Congruence, ...]:
    """Return the state's atoms."""
    return tuple(atom for _, atom in numbered_atoms(domain, state))
