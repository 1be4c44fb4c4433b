"""The tier of the audit without a solver for complements of bases: clauses and half-spaces.

The invariant is a conjunction. A *clause*, a disjunction of atoms c·m ≤ k with c ≥ 0, keeps m out
of an upward-closed set; B is the minimal elements of these sets. An atom p ≤ k, or c·m ≤ 0 with
c ≥ 0, is a clause as well. The other inequalities, Y·m ≤ K, are *half-spaces*; a sum of half-spaces
with positive multipliers, such as the hints name, is S·m ≤ S0 wherever the invariant holds.

A row r stands for all m ≥ r. None of them satisfies the invariant where r ≥ b for some b of B, or
where S·r > S0 for a half-space or sum with S ≥ 0. Then r is *excluded*. Hence
- t never fires where u_t is excluded;
- t keeps a clause, if max(u_t, b − δ_t), the least marking from which t leads above b, is excluded
  for each minimal element b of its set; where δ_t adds nothing to b's places, that is above b;
- t keeps Y·m ≤ K, if Y·δ_t ≤ 0, or if Y ≤ 0 and Y·v_t ≤ K, since Y·(m + δ_t) = Y·(m − u_t) + Y·v_t;
- a cube of the target is missed, if all minimal elements of its literals c·m ≥ k (other literals
  are dropped) are excluded, if need be after what half-spaces demand: Y·m ≤ K and m ≥ r ≥ 0 make
  the places where Y is negative hold Σ |Y(p)|·m(p) ≥ Σ_{Y(p) > 0} Y(p)·r(p) − K.

Integers only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeVar

from petricheck.audit.obligation import Obligation, exclusion, preservation
from petricheck.audit.table import Table
from petricheck.audit.upward import Bound, Demand, Row, bound_of_sum, least, weights_of
from petricheck.budget import Budget, watched
from petricheck.evidence.invariant import CoverHints
from petricheck.presburger.cubes import cubes
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
)
from petricheck.problem import Net, Problem, Transition

T = TypeVar("T")

ROWS = 200_000
"""Invariants with more minimal elements are left to the solver."""

ENTRIES = 1 << 25
"""Nor are they computed with where their table would have more entries."""

CUBES = 20_000
"""Targets with more cubes are left to the solver, and so are cubes with more minimal elements."""

CASES = 1_000
"""A marking is not split into more cases than this by what the half-spaces demand."""


def left_open(
    problem: Problem, invariant: Formula, hints: CoverHints, budget: Budget
) -> Iterator[Obligation]:
    """What this tier does not settle: transitions and conjuncts, and cubes of the target.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    net, target = problem.net, problem.target
    tier = basis_tier(net, invariant, hints.sums, budget)
    for transition in net.transitions:
        budget.check()
        after = invariant if tier is None else Conjunction(tuple(tier.leaving(transition)))
        if after != TRUE:
            yield preservation(net, transition, invariant, after)
    if tier is not None:
        target = Disjunction(tuple(tier.meeting(target)))
    if target != FALSE:
        yield exclusion(Problem(net, target), invariant)


def basis_tier(
    net: Net, invariant: Formula, sums: Sequence[Sequence[tuple[int, int]]], budget: Budget
) -> Basis | None:
    """The invariant as this tier sees it; None where it has another shape.

    Sums that make no sense are passed over.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    parts = invariant.operands if isinstance(invariant, Conjunction) else (invariant,)
    rows: list[tuple[int, Row]] = []
    bounds = []
    for number, part in enumerate(watched(parts, budget)):
        demands = _demands(net, part)
        if demands is not None:
            least_rows = least(demands, ROWS - len(rows), {}, budget)
            if least_rows is None:
                return None
            rows += [(number, row) for row in least_rows]
        elif isinstance(part, Inequality):
            bounds.append(Bound(weights_of(net, part.term), -part.term.constant, number))
        else:
            return None
    if _entries(rows) > ENTRIES:
        return None
    added = (bound_of_sum(net, parts, terms, budget) for terms in watched(sums, budget))
    proper = tuple(bound for bound in added if bound is not None)
    return Basis(net, parts, tuple(rows), tuple(bounds), proper, budget)


def _entries(rows: Sequence[tuple[int, Row]]) -> int:
    """The size of the table of those on several places."""
    several = [row for _, row in rows if len(row) > 1]
    return len(several) * len({place for row in several for place in row})


def _demands(net: Net, part: Formula) -> list[Demand] | None:
    """What a clause forbids to be met all at once; None where the formula is no clause."""
    atoms = part.operands if isinstance(part, Disjunction) else (part,)
    demands = []
    for atom in atoms:
        if not isinstance(atom, Inequality) or any(c < 0 for _, c in atom.term.coefficients):
            return None
        demands.append((tuple(weights_of(net, atom.term).items()), 1 - atom.term.constant))
    if isinstance(part, Disjunction) or len(demands[0][0]) == 1 or demands[0][1] == 1:
        return demands
    return None


@dataclass(frozen=True)
class Basis:
    """The tier: what it returns is what it could not show.

    Attributes:
        net: the net.
        parts: the conjuncts of the invariant.
        rows: B, each with the number of its clause.
        bounds: the half-spaces.
        sums: more bounds that follow from them.
        budget: limits.
    """

    net: Net
    parts: tuple[Formula, ...]
    rows: tuple[tuple[int, Row], ...]
    bounds: tuple[Bound, ...]
    sums: tuple[Bound, ...]
    budget: Budget

    def leaving(self, transition: Transition) -> list[Formula]:
        """The conjuncts that might not hold after the transition has fired."""
        if self.excludes(dict(transition.pre)):
            return []
        touched = (bound for place, _ in transition.effect for bound in self._bounds_of[place])
        more = (place for place, change in transition.effect if change > 0)
        grown = (item for place in more for item in self._narrow_of[place])
        lost = {b.conjunct for b in watched(touched, self.budget) if not b.kept_by(transition)}
        for clause, row in watched(grown, self.budget):
            if not self._kept(row, transition):
                lost.add(clause)
        lost |= self._table.lost(transition, self.budget)
        return [self.parts[number] for number in sorted(lost)]

    def meeting(self, target: Formula) -> list[Formula]:
        """Cubes of the target that the invariant might meet."""
        listed = watched(islice(cubes(target), CUBES + 1), self.budget)
        if sum(1 for _ in listed) > CUBES:
            return [target]
        several = watched(cubes(target), self.budget)
        return [Conjunction(cube) for cube in several if not self._misses(cube)]

    def excludes(self, row: Row) -> bool:
        """Whether the invariant holds nowhere above the row."""
        if any(tokens >= self._limits.get(place, tokens + 1) for place, tokens in row.items()):
            return True
        sums: dict[int, int] = defaultdict(int)
        for place, tokens in row.items():
            for number, weight in self._uses[place]:
                sums[number] += weight * tokens
        if any(self._ceilings[number].most < total for number, total in sums.items()):
            return True
        return self._always or self._table.below(row)

    @cached_property
    def _always(self) -> bool:
        """Whether the invariant holds nowhere at all."""
        return any(not row for _, row in self.rows) or any(b.most < 0 for b in self._ceilings)

    @cached_property
    def _limits(self) -> Row:
        """The elements of B on one place: so many tokens are too many."""
        limits: Row = {}
        for place, tokens in (
            item for _, row in self.rows if len(row) == 1 for item in row.items()
        ):
            limits[place] = min(tokens, limits.get(place, tokens))
        return limits

    @cached_property
    def _ceilings(self) -> tuple[Bound, ...]:
        """The bounds with Y ≥ 0."""
        return tuple(bound for bound in (*self.bounds, *self.sums) if bound.positive)

    @cached_property
    def _uses(self) -> Mapping[int, list[tuple[int, int]]]:
        """By place, the numbers of the ceilings that weigh it, with its weight."""
        uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, bound in enumerate(self._ceilings):
            for place, weight in bound.weights.items():
                uses[place].append((number, weight))
        return uses

    @cached_property
    def _bounds_of(self) -> Mapping[int, list[Bound]]:
        return _by_place((bound, bound.weights) for bound in self.bounds)

    @cached_property
    def _narrow_of(self) -> Mapping[int, list[tuple[int, Row]]]:
        """By place, the elements of B that have this place alone."""
        return _by_place(((clause, row), row) for clause, row in self.rows if len(row) == 1)

    @cached_property
    def _table(self) -> Table:
        """The elements of B on several places."""
        several = tuple((clause, row) for clause, row in self.rows if len(row) > 1)
        tokens = [w for t in self.net.transitions for _, w in (*t.pre, *t.post)]
        tokens += [count for _, row in self.rows for count in row.values()]
        return Table(several, self._limits, self._ceilings, max(tokens, default=0))

    def _kept(self, row: Row, transition: Transition) -> bool:
        """Whether max(u, b − δ) is excluded."""
        before = dict(transition.pre)
        change = dict(transition.effect)
        for place, tokens in row.items():
            needed = max(before.get(place, 0), tokens - change.get(place, 0))
            if needed:
                before[place] = needed
        return self.excludes(before)

    def _misses(self, cube: Cube) -> bool:
        demands = [demand for literal in cube for demand in _wanted(self.net, literal)]
        rows = least(demands, CUBES, {}, self.budget)
        return rows is not None and all(map(self._unmet, watched(rows, self.budget)))

    def _unmet(self, row: Row) -> bool:
        """Whether the row is excluded, at least after what half-spaces demand."""
        if self.excludes(row):
            return True
        bounds = watched(self.bounds, self.budget)
        demands = [demand for bound in bounds for demand in bound.demands(row)]
        cases = least(demands, CASES, row, self.budget)
        return cases is not None and all(map(self.excludes, watched(cases, self.budget)))


def _by_place(items: Iterable[tuple[T, Iterable[int]]]) -> Mapping[int, list[T]]:
    """The items by each of their places."""
    lists: dict[int, list[T]] = defaultdict(list)
    for item, places in items:
        for place in places:
            lists[place].append(item)
    return lists


def _wanted(net: Net, literal: Formula) -> Iterator[Demand]:
    """The demand c·m ≥ k of c·m ≥ k + d·m with c, d ≥ 0; for an equality, both ways."""
    match literal:
        case Inequality(term):
            weights = ((net.place_numbers[name], -v) for name, v in term.coefficients if v < 0)
            yield tuple(weights), term.constant
        case Equality(term):
            yield from _wanted(net, Inequality(term))
            yield from _wanted(net, Inequality(-term))
