"""The tier of the audit without a solver for a disjunction of cases, with hints.

All arithmetic is on integers. Hints are suggestions: they name the atoms to compare. A firing of t
leads from m ≥ u to m + δ = (m − u) + v. Every case has the atoms 0·m ≤ 0 and 0·m ≡ 0.
- Successor: t leads from a case A into the case B that the hint names. An atom c·m ≤ b of B holds
  after t if A has c'·m ≤ b' with c' ≥ c componentwise and b' − c'·u + c·v ≤ b, since
  c·(m + δ) = c·(m − u) + c·v ≤ c'·(m − u) + c·v ≤ b' − c'·u + c·v. An atom c·m ≡ b (mod q) of B
  holds after t if A has c'·m ≡ b' (mod q') with q | q', c' ≡ c and b' − c'·u + c·v ≡ b (mod q).
- Disabled: t cannot fire in A if A has c·m ≤ b with c ≥ 0 and c·u > b, since m ≥ u.
- Target: A contradicts each cube, as `separators` explains.
The invariant is the disjunction of the cases, so each case needs this for every t and every cube.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, repeat
from typing import TypeAlias

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import Disjunction, Formula
from petricheck.evidence.audit.invariants.cases import Cases, InvariantCase, cases_of, serves
from petricheck.evidence.audit.invariants.obligation import AuditObligation, exclusion, preservation
from petricheck.evidence.audit.invariants.separators import walls
from petricheck.evidence.certificates.invariant import Hints
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget, watched

CUBES = 64
"""The most cubes of a target; with more, the solver decides."""

Sums: TypeAlias = dict[int, int]
Products: TypeAlias = tuple[Sums, Sums]
"""c·u and c·v of a transition, by number of the form c, for forms that share its places."""


def open_obligations(
    problem: Problem, invariant: Formula, hints: Hints, budget: Budget
) -> Iterator[AuditObligation]:
    """Yield the obligations that this tier does not discharge, for the cases concerned."""
    parts = invariant.operands if isinstance(invariant, Disjunction) else (invariant,)
    exact = exact_tier(invariant, hints, budget)
    settled = [False] * len(parts)

    def others() -> Formula:
        pairs = zip(parts, settled, strict=True)
        return Disjunction(tuple(part for part, is_settled in pairs if not is_settled))

    net = problem.net
    flags = repeat(settled) if exact is None else exact.preserved(net)
    for transition, settled in zip(watched(net.transitions, budget), flags, strict=False):
        if transition.pre == transition.post:
            continue  # It changes no marking, so it keeps every invariant.
        if not all(settled):
            yield preservation(net, transition, others(), invariant)
    if exact is not None:
        settled = exact.excluded(problem.target)
    if not all(settled):
        yield exclusion(problem, others())


def exact_tier(invariant: Formula, hints: Hints, budget: Budget) -> Exact | None:
    """Return the invariant with its hints; None if its form or the hints do not fit."""
    cases = cases_of(invariant)
    if cases is None or len(hints.successors) != len(cases.members):
        return None
    return Exact(cases, hints, budget)


@dataclass(frozen=True)
class Exact:
    """The tier without a solver; its methods return flags, where False means "not proved".

    Attributes:
        hints: one row of successors for each case.
    """

    cases: Cases
    hints: Hints
    budget: Budget

    def preserved(self, net: Net) -> Iterator[list[bool]]:
        """Yield for each transition a list: by case, whether it is disabled or leads as hinted."""
        products, rows = self._products(net), self.hints.successors
        settled, size = [True] * len(rows), len(net.transitions)
        # A transition that shares no place with a form stays in each case.
        special = {n for case, row in enumerate(rows) for n, hint in enumerate(row) if hint != case}
        special.update(products, range(min(map(len, rows), default=size), size))
        for number in range(size):
            if number not in special:
                yield settled
                continue
            shared = products.get(number, ({}, {}))
            pairs = zip(self.cases.members, rows, strict=True)
            yield [
                self._is_settled(before, row[number] if number < len(row) else None, shared)
                for before, row in watched(pairs, self.budget)
            ]

    def excluded(self, target: Formula) -> list[bool]:
        """Return for each case whether it excludes every cube of the target."""
        members = self.cases.members
        listed = list(watched(islice(cubes(target), CUBES + 1), self.budget, 1))
        if len(listed) > CUBES:
            return [False] * len(members)
        barriers = walls(self.hints.separators, listed, self.cases.forms, self.budget)
        return [
            all(wall.stops(member, self.budget) for wall in barriers)
            for member in watched(members, self.budget)
        ]

    def _is_settled(self, before: InvariantCase, hint: int | None, products: Products) -> bool:
        """Return whether the transition is disabled or leads into a case, as the hint says."""
        if hint == -1:
            return self._disables(before, products[0])
        if hint is None or not 0 <= hint < len(self.cases.members):
            return False
        after = self.cases.members[hint]
        return self._bounded(before, after, *products) and self._congruent(before, after, *products)

    def _bounded(self, before: InvariantCase, after: InvariantCase, pre: Sums, post: Sums) -> bool:
        def is_bounded(number: int, slack: int) -> bool:
            bound = before.bounds.get(number)
            return bound is not None and bound - pre.get(number, 0) <= slack

        # In the same case, forms on which the transition does not act keep their bounds.
        numbers = {*pre, *post} & after.bounds.keys() if before is after else after.bounds.keys()
        for number in watched(numbers, self.budget):
            slack = after.bounds[number] - post.get(number, 0)
            if is_bounded(number, slack):
                continue
            if not any(is_bounded(source, slack) for source in self._sources(number)):
                return False
        return True

    def _congruent(
        self, before: InvariantCase, after: InvariantCase, pre: Sums, post: Sums
    ) -> bool:
        residues = after.residues
        numbers = {*pre, *post} & residues.keys() if before is after else residues.keys()
        differences = ((n, b - post.get(n, 0)) for n in numbers for b in residues[n])
        for number, difference in watched(differences, self.budget):
            modulus = self.cases.forms[number][1] or 1
            if (difference + pre.get(number, 0)) % modulus in before.residues.get(number, ()):
                continue
            values = (
                residue - pre.get(source, 0)
                for source in self._sources(number)
                for residue in before.residues.get(source, () if source else (0,))
            )
            if all((value - difference) % modulus for value in watched(values, self.budget)):
                return False
        return True

    def _disables(self, case: InvariantCase, taken: Sums) -> bool:
        def is_exceeded(number: int) -> bool:
            return taken.get(number, 0) > case.bounds[number] and self._positive[number]

        likely = taken.keys() & case.bounds.keys()
        return any(map(is_exceeded, likely)) or any(map(is_exceeded, case.bounds))

    def _sources(self, number: int) -> list[int]:
        """Return the numbers of the forms that imply this one; see `serves`."""
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
        """A list with one entry for each form: whether it has no negative coefficient."""
        return [all(value >= 0 for _, value in direction) for direction, _ in self.cases.forms]

    def _products(self, net: Net) -> dict[int, Products]:
        """Return the products of the transitions that share places with forms, by number."""
        uses: dict[int, list[tuple[int, int]]] = {}
        for form, (direction, _) in enumerate(self.cases.forms):
            for name, value in direction:
                place = net.place_numbers.get(name, -1)
                uses.setdefault(place, []).append((form, value))
        products: dict[int, Products] = {}
        for number, transition in enumerate(watched(net.transitions, self.budget)):
            for side, weights in enumerate((transition.pre, transition.post)):
                for place, weight in weights:
                    if place in uses:
                        sums = products.setdefault(number, ({}, {}))[side]
                        for form, value in uses[place]:
                            sums[form] = sums.get(form, 0) + value * weight
        return products
