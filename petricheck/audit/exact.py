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
- Separator: on the cube S(m) = s·m + s0 = Σ w_r·term_r is ≤ 0, for w_r is ≥ 0 on inequalities,
  free on equalities and 0 on congruences. With s + σ·c ≥ 0, σ ≥ 1 and m ≥ 0,
  0 ≤ (s + σ·c)·m = S(m) − s0 + σ·c·m ≤ σ·U − s0, so s0 > σ·U is a contradiction.
  Modulo q, S(m) ≡ 0 where w_r is 0 on inequalities and q divides w_r·q_r on congruences. An atom
  c·m + r ≡ 0 (mod q') with q | σ·q' and σ·c ≡ s gives S(m) ≡ s0 − σ·r (mod q): a contradiction
  where that is not 0.
Every disjunct must be settled for every transition and cube, since I holds where any of them does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from petricheck.answer import Hints, Separator
from petricheck.audit.obligation import Obligation, exclusion, preservation
from petricheck.budget import Budget
from petricheck.presburger.formulas import (
    Congruence,
    Conjunction,
    Cube,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    cubes,
)
from petricheck.presburger.terms import Term, linear
from petricheck.problem import Net, Problem, Transition

CUBES = 64
"""Targets with more cubes than this are left to the solver."""

Direction = tuple[tuple[str, int], ...]


def left_open(
    problem: Problem, invariant: Formula, hints: Hints, budget: Budget
) -> Iterator[Obligation]:
    """What this tier does not settle, for the disjuncts that it concerns.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    parts = invariant.operands if isinstance(invariant, Disjunction) else (invariant,)
    exact = exact_tier(invariant, hints)
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


def exact_tier(invariant: Formula, hints: Hints) -> Exact | None:
    """The invariant as the exact tier sees it; None where its shape or the hints do not fit."""
    if not isinstance(invariant, Disjunction) or len(hints.successors) != len(invariant.operands):
        return None
    directions: dict[Direction, int] = {(): 0}
    congruences: dict[Congruence, int] = {}
    disjuncts = []
    for part in invariant.operands:
        if not isinstance(part, Conjunction):
            return None
        bounds, residues = {0: 0}, []
        for atom in part.operands:
            match atom:
                case Inequality(term):
                    number = directions.setdefault(term.coefficients, len(directions))
                    bounds[number] = min(-term.constant, bounds.get(number, -term.constant))
                case Congruence():
                    residues.append(congruences.setdefault(atom, len(congruences)))
                case _:
                    return None
        disjuncts.append(_Disjunct(bounds, tuple(residues)))
    return Exact(tuple(directions), tuple(congruences), tuple(disjuncts), hints)


@dataclass(frozen=True, slots=True)
class _Disjunct:
    """Least upper bounds by number of direction (0·m ≤ 0 always), and numbers of congruences."""

    bounds: dict[int, int]
    congruences: tuple[int, ...]


@dataclass(frozen=True)
class Exact:
    """The tier without a solver: answers per disjunct, where False means "not shown"."""

    directions: tuple[Direction, ...]
    congruences: tuple[Congruence, ...]
    disjuncts: tuple[_Disjunct, ...]
    hints: Hints

    @cached_property
    def vectors(self) -> list[dict[str, int]]:
        """The directions by place."""
        return [dict(direction) for direction in self.directions]

    @cached_property
    def uses(self) -> dict[str, list[tuple[int, int]]]:
        """By place, the directions that have it, with their coefficients."""
        return _uses(self.directions)

    @cached_property
    def residue_uses(self) -> dict[str, list[tuple[int, int]]]:
        """The same for the congruences."""
        return _uses(atom.term.coefficients for atom in self.congruences)

    @cached_property
    def numbers(self) -> dict[Direction, int]:
        """The numbers of the directions."""
        return {direction: number for number, direction in enumerate(self.directions)}

    @cached_property
    def positive(self) -> list[bool]:
        """Which directions have no negative coefficient."""
        return [all(value >= 0 for _, value in direction) for direction in self.directions]

    @cached_property
    def dominators(self) -> dict[int, list[int]]:
        """For directions asked for, the others that are at least it in every place."""
        return {}

    def others(self, number: int) -> list[int]:
        """The directions that are at least this one in every place, without itself."""
        if number not in self.dominators:
            small = self.vectors[number]
            found = (i for i, c in enumerate(self.vectors) if i != number and _dominates(c, small))
            self.dominators[number] = list(found)
        return self.dominators[number]

    def preserved(self, net: Net, transition: Transition, number: int) -> list[bool]:
        """Whether firing the transition from each disjunct ends in the hinted one."""
        pre, post, effect = (
            {net.places[place]: weight for place, weight in weights}
            for weights in (transition.pre, transition.post, transition.effect)
        )
        hurdle = _products(self.uses, pre, len(self.directions))
        lift = _products(self.uses, post, len(self.directions))
        change = _products(self.residue_uses, effect, len(self.congruences))
        answers = []
        for before, row in zip(self.disjuncts, self.hints.successors, strict=True):
            hint = row[number] if number < len(row) else len(self.disjuncts)
            if hint == -1:
                answers.append(self._disables(before, hurdle))
            elif 0 <= hint < len(self.disjuncts):
                after = self.disjuncts[hint]
                bounded = self._bounded(before, after, hurdle, lift)
                answers.append(bounded and self._congruent(before, after, change))
            else:
                answers.append(False)
        return answers

    def excluded(self, target: Formula) -> list[bool]:
        """Whether each disjunct misses every cube of the target."""
        found = list(islice(cubes(target), CUBES + 1))
        if len(found) > CUBES:
            return [False] * len(self.disjuncts)
        walls = [self._wall(number, cube) for number, cube in enumerate(found)]
        return [all(wall.stops(disjunct) for wall in walls) for disjunct in self.disjuncts]

    def _disables(self, disjunct: _Disjunct, hurdle: list[int]) -> bool:
        return any(
            hurdle[number] > bound and self.positive[number]
            for number, bound in disjunct.bounds.items()
        )

    def _bounded(
        self, before: _Disjunct, after: _Disjunct, hurdle: list[int], lift: list[int]
    ) -> bool:
        slack = {number: bound - hurdle[number] for number, bound in before.bounds.items()}
        for number, bound in after.bounds.items():
            room = bound - lift[number]
            if number in slack and slack[number] <= room:
                continue
            if not any(n in slack and slack[n] <= room for n in self.others(number)):
                return False
        return True

    def _congruent(self, before: _Disjunct, after: _Disjunct, change: list[int]) -> bool:
        sources = [self.congruences[number] for number in before.congruences]
        for number in after.congruences:
            atom = self.congruences[number]
            shifted = Congruence(atom.term + change[number], atom.modulus)
            trivial = Congruence(linear(()), atom.modulus)
            if not any(_entails(source, shifted) for source in (*sources, trivial)):
                return False
        return True

    def _wall(self, number: int, cube: Cube) -> _Wall:
        """What the separators of this cube contradict."""
        bars = [(0, 1, 0)]
        clashes: set[int] = set()
        for separator in self.hints.separators:
            if separator.cube != number or (total := _combination(separator, cube)) is None:
                continue
            if separator.modulus:
                found = (n for n, a in enumerate(self.congruences) if _clash(separator, total, a))
                clashes.update(found)
            elif separator.direction in self.numbers:
                direction = self.numbers[separator.direction]
                lifted = total + Term(self.directions[direction], 0) * separator.scale
                if all(value >= 0 for _, value in lifted.coefficients):
                    bars.append((direction, separator.scale, total.constant))
        return _Wall(tuple(bars), frozenset(clashes))


@dataclass(frozen=True, slots=True)
class _Wall:
    """Contradicted by a target cube: (c, σ, s0) bounds c·m ≤ U with σ·U < s0, and congruences."""

    bars: tuple[tuple[int, int, int], ...]
    clashes: frozenset[int]

    def stops(self, disjunct: _Disjunct) -> bool:
        """Whether an atom of the disjunct is contradicted."""
        bounds = disjunct.bounds
        return any(n in bounds and scale * bounds[n] < least for n, scale, least in self.bars) or (
            not self.clashes.isdisjoint(disjunct.congruences)
        )


def _combination(separator: Separator, cube: Cube) -> Term | None:
    """S; None where the multipliers or the scale are not allowed."""
    modulus, scale, multipliers = separator.modulus, separator.scale, separator.multipliers
    if not integral(modulus, scale, *multipliers) or modulus < 0 or scale < 1:
        return None
    if len(multipliers) != len(cube):
        return None
    coefficients: list[tuple[str, int]] = []
    constant = 0
    for literal, multiplier in zip(cube, multipliers, strict=True):
        match literal:
            case Inequality():
                allowed = multiplier == 0 if modulus else multiplier >= 0
            case Equality():
                allowed = True
            case Congruence(_, own):
                allowed = (multiplier * own) % modulus == 0 if modulus else multiplier == 0
        if not allowed:
            return None
        coefficients += [(name, value * multiplier) for name, value in literal.term.coefficients]
        constant += literal.term.constant * multiplier
    return linear(coefficients, constant)


def _clash(separator: Separator, total: Term, atom: Congruence) -> bool:
    """Whether S ≡ 0 and the atom contradict each other."""
    modulus, scale = separator.modulus, separator.scale
    gap = atom.term * scale - total
    divides = (scale * atom.modulus) % modulus == 0
    return divides and _vanishes(gap, modulus) and gap.constant % modulus != 0


def _entails(source: Congruence, atom: Congruence) -> bool:
    gap = source.term - atom.term
    divides = source.modulus % atom.modulus == 0
    return divides and _vanishes(gap, atom.modulus) and gap.constant % atom.modulus == 0


def _vanishes(term: Term, modulus: int) -> bool:
    """Whether every coefficient is 0 modulo the modulus."""
    return all(value % modulus == 0 for _, value in term.coefficients)


def _dominates(large: Mapping[str, int], small: Mapping[str, int]) -> bool:
    return all(large.get(name, 0) >= value for name, value in small.items()) and all(
        value >= small.get(name, 0) for name, value in large.items()
    )


def _uses(vectors: Iterable[Direction]) -> dict[str, list[tuple[int, int]]]:
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


def integral(*numbers: object) -> bool:
    """Whether all are plain integers, which cannot overflow."""
    return all(type(number) is int for number in numbers)
