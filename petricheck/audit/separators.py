"""Why disjuncts miss a cube of the target: what the separators of the cube contradict.

On the cube S(m) = s·m + s0 = Σ w_r·term_r is ≤ 0, for w_r is ≥ 0 on inequalities, free on
equalities and 0 on congruences. With s + σ·c ≥ 0, σ ≥ 1 and m ≥ 0,
0 ≤ (s + σ·c)·m = S(m) − s0 + σ·c·m ≤ σ·U − s0 for an atom c·m ≤ U, so s0 > σ·U, that is,
U ≤ ⌊(s0 − 1)/σ⌋, is a contradiction.

Modulo q, S(m) ≡ 0 where w_r is 0 on inequalities and q divides w_r·q_r on congruences. An atom
c·m + r ≡ 0 (mod q') with q | σ·q' and σ·c ≡ s gives S(m) ≡ s0 − σ·r (mod q): a contradiction
where that is not 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from petricheck.audit.disjuncts import Direction, Disjunct, Disjuncts
from petricheck.audit.limits import integral, watched
from petricheck.budget import Budget
from petricheck.evidence.invariant import Separator
from petricheck.presburger.formulas import Congruence, Cube, Equality, Inequality
from petricheck.presburger.terms import Term, linear


@dataclass(frozen=True, slots=True)
class Clash:
    """With σ·r ≢ s0 (mod q), c·m + r ≡ 0 is contradicted."""

    scale: int
    modulus: int
    constant: int

    def stops(self, residue: int) -> bool:
        """Whether this residue is contradicted."""
        return (self.constant - self.scale * residue) % self.modulus != 0


@dataclass(frozen=True, slots=True)
class Wall:
    """What a cube contradicts.

    Attributes:
        bars: by number of direction the greatest U for which c·m ≤ U is contradicted.
        clashes: what residues are contradicted, by number of ring.
    """

    bars: dict[int, int] = field(default_factory=lambda: {0: -1})
    clashes: dict[int, dict[Clash, None]] = field(default_factory=lambda: defaultdict(dict))

    def stops(self, disjunct: Disjunct, budget: Budget) -> bool:
        """Whether an atom of the disjunct is contradicted.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        bounds = disjunct.bounds
        if any(number in bounds and bounds[number] <= bar for number, bar in self.bars.items()):
            return True
        pairs = (
            pair
            for number, residues in disjunct.residues.items()
            for pair in product(self.clashes.get(number, ()), residues)
        )
        return any(clash.stops(residue) for clash, residue in watched(pairs, budget))


def walls(
    separators: Iterable[Separator], found: Iterable[Cube], disjuncts: Disjuncts, budget: Budget
) -> list[Wall]:
    """What the separators contradict, cube by cube.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    by_cube: dict[int, list[Separator]] = defaultdict(list)
    for separator in separators:
        by_cube[separator.cube].append(separator)
    builder = _Builder(disjuncts, budget)
    return [builder.wall(by_cube[number], cube) for number, cube in enumerate(found)]


@dataclass(frozen=True)
class _Builder:
    """The forms that separators may speak of."""

    disjuncts: Disjuncts
    budget: Budget

    def wall(self, separators: Iterable[Separator], cube: Cube) -> Wall:
        wall = Wall()
        for separator in watched(separators, self.budget):
            total = combination(separator, cube)
            if total is None:
                continue
            if separator.modulus:
                self._add_clashes(wall, separator, total)
            else:
                self._add_bar(wall, separator, total)
        return wall

    def _add_bar(self, wall: Wall, separator: Separator, total: Term) -> None:
        number = self._numbers.get(separator.direction)
        if number is None:
            return
        lifted = total + Term(self.disjuncts.directions[number], 0) * separator.scale
        if all(value >= 0 for _, value in lifted.coefficients):
            bar = (total.constant - 1) // separator.scale
            wall.bars[number] = max(bar, wall.bars.get(number, bar))

    def _add_clashes(self, wall: Wall, separator: Separator, total: Term) -> None:
        scale, modulus = separator.scale, separator.modulus
        clash = Clash(scale, modulus, total.constant)
        image = _image(total.coefficients, 1, modulus)
        for number in watched(self._rings(scale, modulus).get(image, ()), self.budget):
            wall.clashes[number][clash] = None

    @cached_property
    def _numbers(self) -> Mapping[Direction, int]:
        """The numbers of the directions."""
        return {direction: number for number, direction in enumerate(self.disjuncts.directions)}

    @cached_property
    def _found_rings(self) -> dict[tuple[int, int], dict[Direction, list[int]]]:
        """What `_rings` has found last."""
        return {}

    def _rings(self, scale: int, modulus: int) -> Mapping[Direction, list[int]]:
        """By σ·c (mod q) the rings with q | σ·q'."""
        key = (scale, modulus)
        if key not in self._found_rings:
            found: dict[Direction, list[int]] = {}
            for number, (direction, own) in enumerate(watched(self.disjuncts.rings, self.budget)):
                if (scale * own) % modulus == 0:
                    found.setdefault(_image(direction, scale, modulus), []).append(number)
            self._found_rings.clear()
            self._found_rings[key] = found
        return self._found_rings[key]


def _image(direction: Direction, scale: int, modulus: int) -> Direction:
    """σ·c (mod q), without zeros."""
    products = ((name, (value * scale) % modulus) for name, value in direction)
    return tuple((name, value) for name, value in products if value)


def combination(separator: Separator, cube: Cube) -> Term | None:
    """S; None where the multipliers, none of which is trusted, or the scale are not allowed."""
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
