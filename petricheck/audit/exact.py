"""The tier of the audit without a solver: a disjunction of conjunctions, with hints.

Integers only. Inequalities read c·m ≤ U,
congruences c·m + r ≡ 0 (mod q). Hints only say where to look.
- Successor: t leads from disjunct i into disjunct k. For an atom c·m ≤ U of k and a source
  c_i·m ≤ U_i in i with c_i ≥ c componentwise, m − u ≥ 0 gives
  c·(m + δ) = c·(m − u) + c·v ≤ c_i·(m − u) + c·v ≤ U_i − c_i·u + c·v, which must be ≤ U. For an
  atom c·m + r ≡ 0 (mod q) of k and a source c'·m + r' ≡ 0 (mod q') in i with c' ≡ c (mod q) and q
  a divisor of q', c·(m + δ) + r ≡ −r' + c·δ + r (mod q), which must be 0. The trivial sources
  0·m ≤ 0 and 0·m ≡ 0 are always there.
- Disabled: c ≥ 0 and c·u > U contradict m ≥ u and c·m ≤ U.
- Target: a contradiction between an atom and each of its cubes, as `separators` explains.
Every disjunct must be settled for every transition and cube, since I holds where any of them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from petricheck.audit.disjuncts import Direction, Disjunct, Disjuncts, Ring, disjuncts_of
from petricheck.audit.limits import watched
from petricheck.audit.obligation import Obligation, exclusion, preservation
from petricheck.audit.separators import walls
from petricheck.budget import Budget
from petricheck.evidence.invariant import Hints
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import Disjunction, Formula
from petricheck.presburger.terms import Term
from petricheck.problem import Net, Problem, Transition

CUBES = 64
"""Targets with more cubes than this are left to the solver."""


def left_open(
    problem: Problem, invariant: Formula, hints: Hints, budget: Budget
) -> Iterator[Obligation]:
    """What this tier does not settle, for the disjuncts that it concerns.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    parts = invariant.operands if isinstance(invariant, Disjunction) else (invariant,)
    exact = exact_tier(invariant, hints, budget)
    settled = [False] * len(parts)
    for number, transition in enumerate(problem.net.transitions):
        budget.check()
        if exact is not None:
            settled = exact.preserved(problem.net, transition, number)
        if not all(settled):
            yield preservation(problem.net, transition, _others(parts, settled), invariant)
    if exact is not None:
        settled = exact.excluded(problem.target)
    if not all(settled):
        yield exclusion(problem, _others(parts, settled))


def _others(parts: tuple[Formula, ...], settled: list[bool]) -> Formula:
    return Disjunction(tuple(p for p, done in zip(parts, settled, strict=True) if not done))


def exact_tier(invariant: Formula, hints: Hints, budget: Budget) -> Exact | None:
    """The invariant as the exact tier sees it; None where its shape or the hints do not fit."""
    disjuncts = disjuncts_of(invariant)
    if disjuncts is None or len(hints.successors) != len(disjuncts.members):
        return None
    return Exact(disjuncts, hints, budget)


@dataclass(frozen=True)
class Exact:
    """The tier without a solver: answers per disjunct, where False means "not shown".

    Attributes:
        disjuncts: the invariant.
        hints: one row of successors for each disjunct.
        budget: limits; every method raises `BudgetExhausted` where one is reached.
    """

    disjuncts: Disjuncts
    hints: Hints
    budget: Budget

    def preserved(self, net: Net, transition: Transition, number: int) -> list[bool]:
        """Whether firing the transition from each disjunct ends in the hinted one."""
        pre, post, effect = (
            {net.places[place]: weight for place, weight in weights}
            for weights in (transition.pre, transition.post, transition.effect)
        )
        step = _Step(
            _products(self._uses, pre, len(self.disjuncts.directions)),
            _products(self._uses, post, len(self.disjuncts.directions)),
            _products(self._ring_uses, effect, len(self.disjuncts.rings)),
        )
        rows = zip(self.disjuncts.members, self.hints.successors, strict=True)
        return [
            self._settled(before, row[number] if number < len(row) else None, step)
            for before, row in watched(rows, self.budget)
        ]

    def excluded(self, target: Formula) -> list[bool]:
        """Whether each disjunct misses every cube of the target."""
        members = self.disjuncts.members
        found = list(watched(islice(cubes(target), CUBES + 1), self.budget, 1))
        if len(found) > CUBES:
            return [False] * len(members)
        barriers = walls(self.hints.separators, found, self.disjuncts, self.budget)
        return [
            all(wall.stops(member, self.budget) for wall in barriers)
            for member in watched(members, self.budget)
        ]

    def _settled(self, before: Disjunct, hint: int | None, step: _Step) -> bool:
        """Whether the step is disabled or leads into the disjunct, as the hint says."""
        members = self.disjuncts.members
        if hint == -1:
            return self._disables(before, step)
        if hint is None or not 0 <= hint < len(members):
            return False
        after = members[hint]
        return self._bounded(before, after, step) and self._congruent(before, after, step)

    def _disables(self, disjunct: Disjunct, step: _Step) -> bool:
        return any(
            step.taken[number] > bound and self._positive[number]
            for number, bound in disjunct.bounds.items()
        )

    def _bounded(self, before: Disjunct, after: Disjunct, step: _Step) -> bool:
        slack = {number: bound - step.taken[number] for number, bound in before.bounds.items()}
        for number, bound in watched(after.bounds.items(), self.budget):
            room = bound - step.put[number]
            if number in slack and slack[number] <= room:
                continue
            if not any(n in slack and slack[n] <= room for n in self._greater(number)):
                return False
        return True

    def _congruent(self, before: Disjunct, after: Disjunct, step: _Step) -> bool:
        moved = (
            (number, residue + step.change[number])
            for number, residues in after.residues.items()
            for residue in residues
        )
        return all(
            self._entails(before, number, residue)
            for number, residue in watched(moved, self.budget)
        )

    def _entails(self, disjunct: Disjunct, number: int, residue: int) -> bool:
        """Whether c·m + residue ≡ 0 in the ring of this number."""
        direction, modulus = self.disjuncts.rings[number]
        if residue % modulus in disjunct.residues.get(number, ()):
            return True
        if residue % modulus == 0 and _vanishes(direction, modulus):
            return True
        known = (disjunct.residues.get(source, ()) for source in self._finer(number))
        sources = watched(chain.from_iterable(known), self.budget)
        return any((source - residue) % modulus == 0 for source in sources)

    @cached_property
    def _vectors(self) -> list[dict[str, int]]:
        """The directions by place."""
        return [dict(direction) for direction in self.disjuncts.directions]

    @cached_property
    def _uses(self) -> dict[str, list[tuple[int, int]]]:
        """By place, the directions that have it, with their coefficients."""
        return _by_place(self.disjuncts.directions)

    @cached_property
    def _ring_uses(self) -> dict[str, list[tuple[int, int]]]:
        """The same for the rings."""
        return _by_place(direction for direction, _ in self.disjuncts.rings)

    @cached_property
    def _positive(self) -> list[bool]:
        """Which directions have no negative coefficient."""
        return [
            all(value >= 0 for _, value in direction) for direction in self.disjuncts.directions
        ]

    @cached_property
    def _found_greater(self) -> dict[int, list[int]]:
        """What `_greater` has found."""
        return {}

    @cached_property
    def _found_finer(self) -> dict[int, list[int]]:
        """What `_finer` has found."""
        return {}

    def _greater(self, number: int) -> list[int]:
        """The directions that are at least this one in every place, without itself."""
        if number not in self._found_greater:
            small = self._vectors[number]
            vectors = enumerate(watched(self._vectors, self.budget))
            found = (n for n, large in vectors if n != number and _dominates(large, small))
            self._found_greater[number] = list(found)
        return self._found_greater[number]

    def _finer(self, number: int) -> list[int]:
        """The rings in which c·m says what it is in this one, without itself."""
        if number not in self._found_finer:
            rings = enumerate(watched(self.disjuncts.rings, self.budget))
            coarse = self.disjuncts.rings[number]
            found = (n for n, fine in rings if n != number and _refines(fine, coarse))
            self._found_finer[number] = list(found)
        return self._found_finer[number]


@dataclass(frozen=True, slots=True)
class _Step:
    """A transition's products: c·u and c·v by number of direction, c·δ by number of ring."""

    taken: list[int]
    put: list[int]
    change: list[int]


def _refines(fine: Ring, coarse: Ring) -> bool:
    (fine_direction, fine_modulus), (direction, modulus) = fine, coarse
    if fine_modulus % modulus != 0:
        return False
    return _vanishes((Term(fine_direction, 0) - Term(direction, 0)).coefficients, modulus)


def _vanishes(direction: Direction, modulus: int) -> bool:
    """Whether every coefficient is 0 modulo the modulus."""
    return all(value % modulus == 0 for _, value in direction)


def _dominates(large: Mapping[str, int], small: Mapping[str, int]) -> bool:
    return all(large.get(name, 0) >= value for name, value in small.items()) and all(
        value >= small.get(name, 0) for name, value in large.items()
    )


def _by_place(vectors: Iterable[Direction]) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = {}
    for number, vector in enumerate(vectors):
        for name, value in vector:
            found.setdefault(name, []).append((number, value))
    return found


def _products(
    uses: Mapping[str, list[tuple[int, int]]], vector: Mapping[str, int], count: int
) -> list[int]:
    """The scalar products of a sparse vector with `count` others, given where these are not 0."""
    products = [0] * count
    for name, weight in vector.items():
        for number, value in uses.get(name, ()):
            products[number] += value * weight
    return products
