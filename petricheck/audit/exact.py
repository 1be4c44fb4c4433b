"""The tier of the audit without a solver: a disjunction of cases, with hints.

Integers only. Atoms read c·m ≤ b, or c·m ≡ b (mod q). Hints only say where to look.
- Successor: t leads from a case into the hinted one. An atom c·m ≤ b of that is kept if the case
  before says c'·m ≤ b' with c' ≥ c componentwise: m − u ≥ 0 gives
  c·(m + δ) = c·(m − u) + c·v ≤ c'·(m − u) + c·v ≤ b' − c'·u + c·v, which must be ≤ b. An atom
  c·m ≡ b (mod q) is kept if it says c'·m ≡ b' (mod q') with c' ≡ c (mod q) and q a divisor of q':
  then c·(m + δ) ≡ b' − c'·u + c·v (mod q), which must be b. 0·m = 0 is always said.
- Disabled: c ≥ 0 and c·u > b contradict m ≥ u and c·m ≤ b.
- Target: a contradiction between an atom and each of its cubes, as `separators` explains.
Every case must be settled for every transition and cube, since I holds where any of them does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from petricheck.audit.cases import Case, Cases, cases_of, serves
from petricheck.audit.obligation import Obligation, exclusion, preservation
from petricheck.audit.separators import walls
from petricheck.budget import Budget, watched
from petricheck.evidence.invariant import Hints
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import Disjunction, Formula
from petricheck.problem import Net, Problem, Transition

CUBES = 64
"""Targets with more cubes than this are left to the solver."""

Products: TypeAlias = tuple[Counter[int], Counter[int]]
"""c·u and c·v of a transition, by number of form, where it is about a place of the form."""


def left_open(
    problem: Problem, invariant: Formula, hints: Hints, budget: Budget
) -> Iterator[Obligation]:
    """What this tier does not settle, for the cases that it concerns.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    parts = invariant.operands if isinstance(invariant, Disjunction) else (invariant,)
    exact = exact_tier(invariant, hints, budget)
    settled = [False] * len(parts)

    def others() -> Formula:
        pairs = zip(parts, settled, strict=True)
        return Disjunction(tuple(part for part, done in pairs if not done))

    for number, transition in enumerate(problem.net.transitions):
        budget.check()
        if exact is not None:
            settled = exact.preserved(problem.net, transition, number)
        if not all(settled):
            yield preservation(problem.net, transition, others(), invariant)
    if exact is not None:
        settled = exact.excluded(problem.target)
    if not all(settled):
        yield exclusion(problem, others())


def exact_tier(invariant: Formula, hints: Hints, budget: Budget) -> Exact | None:
    """The invariant as the exact tier sees it; None where its shape or the hints do not fit."""
    cases = cases_of(invariant)
    if cases is None or len(hints.successors) != len(cases.members):
        return None
    return Exact(cases, hints, budget)


@dataclass(frozen=True)
class Exact:
    """The tier without a solver: answers per case, where False means "not shown".

    Attributes:
        cases: the invariant.
        hints: one row of successors for each case.
        budget: limits; every method raises `BudgetExhausted` where one is reached.
    """

    cases: Cases
    hints: Hints
    budget: Budget

    def preserved(self, net: Net, transition: Transition, number: int) -> list[bool]:
        """Whether firing the transition from each case ends in the hinted one."""
        products = (
            self._products((net.places[place], weight) for place, weight in transition.pre),
            self._products((net.places[place], weight) for place, weight in transition.post),
        )
        rows = zip(self.cases.members, self.hints.successors, strict=True)
        return [
            self._settled(before, row[number] if number < len(row) else None, products)
            for before, row in watched(rows, self.budget)
        ]

    def excluded(self, target: Formula) -> list[bool]:
        """Whether each case misses every cube of the target."""
        members = self.cases.members
        listed = list(watched(islice(cubes(target), CUBES + 1), self.budget, 1))
        if len(listed) > CUBES:
            return [False] * len(members)
        barriers = walls(self.hints.separators, listed, self.cases.forms, self.budget)
        return [
            all(wall.stops(member, self.budget) for wall in barriers)
            for member in watched(members, self.budget)
        ]

    def _settled(self, before: Case, hint: int | None, products: Products) -> bool:
        """Whether the step is disabled or leads into the case, as the hint says."""
        if hint == -1:
            return self._disables(before, products[0])
        if hint is None or not 0 <= hint < len(self.cases.members):
            return False
        after = self.cases.members[hint]
        return self._bounded(before, after, *products) and self._congruent(before, after, *products)

    def _bounded(self, before: Case, after: Case, taken: Counter[int], put: Counter[int]) -> bool:
        def is_bounded(number: int, slack: int) -> bool:
            bound = before.bounds.get(number)
            return bound is not None and bound - taken[number] <= slack

        # A case knows its own bounds where the transition moves none of their places.
        numbers = {*taken, *put} & after.bounds.keys() if before is after else after.bounds.keys()
        for number in watched(numbers, self.budget):
            slack = after.bounds[number] - put[number]
            if is_bounded(number, slack):
                continue
            if not any(is_bounded(source, slack) for source in self._sources(number)):
                return False
        return True

    def _congruent(self, before: Case, after: Case, taken: Counter[int], put: Counter[int]) -> bool:
        residues = after.residues
        numbers = {*taken, *put} & residues.keys() if before is after else residues.keys()
        moved = ((n, b - put[n]) for n in numbers for b in residues[n])
        for number, needed in watched(moved, self.budget):
            modulus = self.cases.forms[number][1] or 1
            if (needed + taken[number]) % modulus in before.residues.get(number, ()):
                continue
            values = (
                residue - taken[source]
                for source in self._sources(number)
                for residue in before.residues.get(source, () if source else (0,))
            )
            if all((value - needed) % modulus for value in watched(values, self.budget)):
                return False
        return True

    def _disables(self, case: Case, taken: Counter[int]) -> bool:
        bounds = case.bounds.items()
        return any(taken[number] > bound and self._positive[number] for number, bound in bounds)

    def _sources(self, number: int) -> list[int]:
        """The forms that serve in the place of this one."""
        if number not in self._sources_cache:
            goal = self.cases.forms[number]
            forms = enumerate(watched(self.cases.forms, self.budget))
            self._sources_cache[number] = [n for n, form in forms if serves(form, goal)]
        return self._sources_cache[number]

    @cached_property
    def _sources_cache(self) -> dict[int, list[int]]:
        return {}

    @cached_property
    def _positive(self) -> list[bool]:
        """Which forms have no negative coefficient."""
        return [all(value >= 0 for _, value in direction) for direction, _ in self.cases.forms]

    @cached_property
    def _uses(self) -> dict[str, list[tuple[int, int]]]:
        """By place, the forms that have it, with their coefficients."""
        uses: dict[str, list[tuple[int, int]]] = {}
        for number, (direction, _) in enumerate(self.cases.forms):
            for name, value in direction:
                uses.setdefault(name, []).append((number, value))
        return uses

    def _products(self, vector: Iterable[tuple[str, int]]) -> Counter[int]:
        """The scalar products of a sparse vector with the forms that have its places."""
        products = Counter[int]()
        for name, weight in vector:
            for number, value in self._uses.get(name, ()):
                products[number] += value * weight
        return products
