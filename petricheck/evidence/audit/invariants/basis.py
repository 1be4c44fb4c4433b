"""The tier of the audit without a solver for conjunctions of clauses and half-spaces.

A *clause* is a disjunction of atoms c·m ≤ k with c ≥ 0. It excludes an upward-closed set of
markings; B is the set of the minimal elements of these sets. An atom p ≤ k, or c·m ≤ 0 with c ≥ 0,
is a clause as well. The other inequalities, Y·m ≤ K, are *half-spaces*. A sum of half-spaces with
positive multipliers, such as the hints name, gives S·m ≤ S0 wherever the invariant holds.

A row r stands for all m ≥ r. Row r is *excluded* if r ≥ b for some b in B, or if S·r > S0 for a
half-space or sum with S ≥ 0. Then no m ≥ r satisfies the invariant. Hence
- t never fires if u_t is excluded;
- t preserves a clause if for each minimal element b of its set the row max(u_t, b − δ_t) is
  excluded. This is the least marking from which t leads to a marking ≥ b. Where δ_t adds nothing
  to the places of b, this row is ≥ b, hence excluded;
- t preserves Y·m ≤ K if Y·δ_t ≤ 0; or if Y ≤ 0 and Y·v_t ≤ K, since with m ≥ u_t
  Y·(m + δ_t) = Y·(m − u_t) + Y·v_t ≤ Y·v_t;
- a cube of the target is excluded if all minimal elements r of its literals c·m ≥ k are excluded
  (other literals are dropped). Half-spaces may raise r before: Y·m ≤ K and m ≥ r ≥ 0 imply
  Σ_{Y(p) < 0} |Y(p)|·m(p) ≥ Σ_{Y(p) > 0} Y(p)·r(p) − K.

All arithmetic is on integers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeVar

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
)
from petricheck.evidence.audit.invariants.obligation import AuditObligation, exclusion, preservation
from petricheck.evidence.audit.invariants.table import BasisTable
from petricheck.evidence.audit.invariants.upward import (
    BasisBound,
    Demand,
    Row,
    bound_of_sum,
    least,
    weights_of,
)
from petricheck.evidence.certificates.invariant import CoverHints
from petricheck.model.net import Net, Transition
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget, watched

T = TypeVar("T")

ROWS = 200_000
"""The most minimal elements of an invariant; with more, the solver decides."""

ENTRIES = 1 << 25
"""The most entries of the table of minimal elements; with more, the solver decides."""

CUBES = 20_000
"""The most cubes of a target, and minimal elements of a cube; with more, the solver decides."""

CASES = 1_000
"""The most cases into which the demands of half-spaces split a marking."""


def open_obligations(
    problem: Problem, invariant: Formula, hints: CoverHints, budget: Budget
) -> Iterator[AuditObligation]:
    """Yield the obligations that this tier does not discharge.

    For a transition these are about the conjuncts that it may violate; for the target, about the
    cubes that the invariant may satisfy.
    """
    net, target = problem.net, problem.target
    tier = basis_tier(net, invariant, hints.sums, budget)
    for transition in net.transitions:
        budget.check()
        after = invariant if tier is None else Conjunction(tuple(tier.unpreserved(transition)))
        if after != TRUE:
            yield preservation(net, transition, invariant, after)
    if tier is not None:
        target = Disjunction(tuple(tier.unexcluded_cubes(target)))
    if target != FALSE:
        yield exclusion(Problem(net, target), invariant)


def basis_tier(
    net: Net, invariant: Formula, sums: Sequence[Sequence[tuple[int, int]]], budget: Budget
) -> Basis | None:
    """Return the invariant as clauses and half-spaces; None if it has another form.

    Sums that name no half-spaces, or multipliers below 1, are ignored.
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
            bounds.append(BasisBound(weights_of(net, part.term), -part.term.constant, number))
        else:
            return None
    elements = [row for _, row in rows if len(row) > 1]
    if len(elements) * len({place for row in elements for place in row}) > ENTRIES:
        return None
    added = (bound_of_sum(net, parts, terms, budget) for terms in watched(sums, budget))
    proper = tuple(bound for bound in added if bound is not None)
    return Basis(net, parts, tuple(rows), tuple(bounds), proper, budget)


def _demands(net: Net, part: Formula) -> list[Demand] | None:
    """Return the demands that a clause forbids to hold together; None if it is no clause."""
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
    """An invariant of clauses and half-spaces; its methods return what they cannot prove.

    Attributes:
        parts: the conjuncts of the invariant.
        rows: the elements of B, each with the number of its clause.
        bounds: the half-spaces.
        sums: sums of half-spaces.
    """

    net: Net
    parts: tuple[Formula, ...]
    rows: tuple[tuple[int, Row], ...]
    bounds: tuple[BasisBound, ...]
    sums: tuple[BasisBound, ...]
    budget: Budget

    def unpreserved(self, transition: Transition) -> list[Formula]:
        """Return the conjuncts that may be false after the transition has fired."""
        if self.excludes(dict(transition.pre)):
            return []
        touched = (bound for place, _ in transition.effect for bound in self._bounds_of[place])
        more = (place for place, change in transition.effect if change > 0)
        grown = (item for place in more for item in self._singles_of[place])
        unpreserved = {
            b.conjunct for b in watched(touched, self.budget) if not b.is_preserved_by(transition)
        }
        for clause, row in watched(grown, self.budget):
            if not self._excludes_before(row, transition):
                unpreserved.add(clause)
        unpreserved |= self._table.unpreserved(transition, self.budget)
        return [self.parts[number] for number in sorted(unpreserved)]

    def unexcluded_cubes(self, target: Formula) -> list[Formula]:
        """Return the cubes of the target that the invariant may satisfy."""
        some_cubes = watched(islice(cubes(target), CUBES + 1), self.budget)
        if sum(1 for _ in some_cubes) > CUBES:
            return [target]
        all_cubes = watched(cubes(target), self.budget)
        return [Conjunction(cube) for cube in all_cubes if not self._excludes_cube(cube)]

    def excludes(self, row: Row) -> bool:
        """Return whether the row is excluded: no marking at or above it satisfies the invariant."""
        if any(tokens >= self._limits.get(place, tokens + 1) for place, tokens in row.items()):
            return True
        sums: dict[int, int] = defaultdict(int)
        for place, tokens in row.items():
            for number, weight in self._uses[place]:
                sums[number] += weight * tokens
        if any(self._ceilings[number].most < total for number, total in sums.items()):
            return True
        return self._is_empty or self._table.below(row)

    @cached_property
    def _is_empty(self) -> bool:
        """Return whether no marking at all satisfies the invariant."""
        return any(not row for _, row in self.rows) or any(b.most < 0 for b in self._ceilings)

    @cached_property
    def _limits(self) -> Row:
        """The least number of tokens that an element of B on this place alone has, by place."""
        limits: Row = {}
        for place, tokens in (
            item for _, row in self.rows if len(row) == 1 for item in row.items()
        ):
            limits[place] = min(tokens, limits.get(place, tokens))
        return limits

    @cached_property
    def _ceilings(self) -> tuple[BasisBound, ...]:
        """The half-spaces and sums with Y ≥ 0."""
        return tuple(bound for bound in (*self.bounds, *self.sums) if bound.positive)

    @cached_property
    def _uses(self) -> Mapping[int, list[tuple[int, int]]]:
        """The numbers of the ceilings with a weight on a place, and this weight, by place."""
        uses: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for number, bound in enumerate(self._ceilings):
            for place, weight in bound.weights.items():
                uses[place].append((number, weight))
        return uses

    @cached_property
    def _bounds_of(self) -> Mapping[int, list[BasisBound]]:
        return _by_place((bound, bound.weights) for bound in self.bounds)

    @cached_property
    def _singles_of(self) -> Mapping[int, list[tuple[int, Row]]]:
        """The elements of B on this place alone, by place."""
        return _by_place(((clause, row), row) for clause, row in self.rows if len(row) == 1)

    @cached_property
    def _table(self) -> BasisTable:
        """The elements of B on several places."""
        several = tuple((clause, row) for clause, row in self.rows if len(row) > 1)
        tokens = [w for t in self.net.transitions for _, w in (*t.pre, *t.post)]
        tokens += [count for _, row in self.rows for count in row.values()]
        return BasisTable(several, self._limits, self._ceilings, max(tokens, default=0))

    def _excludes_before(self, row: Row, transition: Transition) -> bool:
        before = dict(transition.pre)
        change = dict(transition.effect)
        for place, tokens in row.items():
            needed = max(before.get(place, 0), tokens - change.get(place, 0))
            if needed:
                before[place] = needed
        return self.excludes(before)

    def _excludes_cube(self, cube: Cube) -> bool:
        demands = [demand for literal in cube for demand in _literal_demands(self.net, literal)]
        rows = least(demands, CUBES, {}, self.budget)
        return rows is not None and all(map(self._excludes_cases, watched(rows, self.budget)))

    def _excludes_cases(self, row: Row) -> bool:
        """Return whether the row, raised as half-spaces demand, is excluded in every case."""
        if self.excludes(row):
            return True
        bounds = watched(self.bounds, self.budget)
        demands = [demand for bound in bounds for demand in bound.demands(row)]
        cases = least(demands, CASES, row, self.budget)
        return cases is not None and all(map(self.excludes, watched(cases, self.budget)))


def _by_place(items: Iterable[tuple[T, Iterable[int]]]) -> Mapping[int, list[T]]:
    lists: dict[int, list[T]] = defaultdict(list)
    for item, places in items:
        for place in places:
            lists[place].append(item)
    return lists


def _literal_demands(net: Net, literal: Formula) -> Iterator[Demand]:
    """Yield the demand c·m ≥ k for c·m ≥ k + d·m with c, d ≥ 0; two for an equality."""
    match literal:
        case Inequality(term):
            weights = ((net.place_numbers[name], -v) for name, v in term.coefficients if v < 0)
            yield tuple(weights), term.constant
        case Equality(term):
            yield from _literal_demands(net, Inequality(term))
            yield from _literal_demands(net, Inequality(-term))
