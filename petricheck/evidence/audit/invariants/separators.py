"""Contradictions between cases and a cube of the target, by separators.

Let S(m) = s·m + s0 = Σ w_r·term_r, over the literals r of the cube.

Inequalities: let w_r ≥ 0 for inequalities and w_r = 0 for congruences. Then S(m) ≤ 0 on the cube.
Let σ ≥ 1, s + σ·c ≥ 0, and m ≥ 0. An atom c·m ≤ b of a case gives
0 ≤ (s + σ·c)·m = S(m) − s0 + σ·c·m ≤ σ·b − s0. So it contradicts the cube if s0 > σ·b.

Congruences: let w_r = 0 for inequalities, and q | w_r·q_r for congruences. Then S(m) ≡ 0 (mod q) on
the cube. An atom c·m ≡ b (mod q') of a case with q | σ·q' and σ·c ≡ s (mod q) gives
S(m) ≡ s0 + σ·b (mod q). So it contradicts the cube if this is not 0 modulo q.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Congruence, Cube, Equality, Inequality
from petricheck.arithmetic.formulas.terms import Term, linear
from petricheck.evidence.audit.invariants.cases import Direction, Form, InvariantCase, bound_form
from petricheck.evidence.audit.limits import integral
from petricheck.evidence.certificates.invariant import Separator
from petricheck.support.budget import Budget, watched

Clash: TypeAlias = tuple[int, int, int]
"""(q, σ, s0): an atom c·m ≡ b contradicts the cube if σ·b ≢ −s0 (mod q)."""


@dataclass(frozen=True, slots=True)
class Wall:
    """The atoms that contradict a cube.

    Attributes:
        bars: by number of the form c, the greatest b for which c·m ≤ b contradicts the cube.
        clashes: by number of the form (c, q'), the conditions on residues that contradict it.
    """

    bars: Mapping[int, int]
    clashes: Mapping[int, Collection[Clash]]

    def stops(self, case: InvariantCase, budget: Budget) -> bool:
        """Return whether an atom of the case contradicts the cube."""
        bounds = case.bounds
        if any(number in bounds and bounds[number] <= bar for number, bar in self.bars.items()):
            return True
        pairs = (
            pair
            for number, residues in case.residues.items()
            for pair in product(self.clashes.get(number, ()), residues)
        )
        return any((scale * b + s0) % q for (q, scale, s0), b in watched(pairs, budget))


def walls(
    separators: Iterable[Separator], cubes: Iterable[Cube], forms: Sequence[Form], budget: Budget
) -> list[Wall]:
    """Return for each cube the atoms that contradict it, by the separators."""
    by_cube: dict[int, list[Separator]] = defaultdict(list)
    for separator in separators:
        by_cube[separator.cube].append(separator)
    numbers = {form: number for number, form in enumerate(forms)}
    return [_wall(by_cube[n], cube, numbers, budget) for n, cube in enumerate(cubes)]


def _wall(
    separators: Iterable[Separator], cube: Cube, numbers: Mapping[Form, int], budget: Budget
) -> Wall:
    bars = {0: -1}
    clashes: dict[int, dict[Clash, None]] = defaultdict(dict)
    for separator in watched(separators, budget):
        modulus, scale = separator.modulus, separator.scale
        total = combination(separator, cube)
        if total is None:
            continue
        if modulus:
            image = _image(total.coefficients, 1, modulus)
            for (direction, form_modulus), number in watched(numbers.items(), budget):
                divides = form_modulus and scale * form_modulus % modulus == 0
                if divides and _image(direction, scale, modulus) == image:
                    clashes[number][modulus, scale, total.constant] = None
            continue
        form = bound_form(separator.direction)
        lifted = total + Term(separator.direction, 0) * scale
        if form in numbers and all(value >= 0 for _, value in lifted.coefficients):
            bar = (total.constant - 1) // scale
            bars[numbers[form]] = max(bar, bars.get(numbers[form], bar))
    return Wall(bars, clashes)


def _image(direction: Direction, scale: int, modulus: int) -> Direction:
    """Return σ·c (mod q), without zeros."""
    products = ((name, (value * scale) % modulus) for name, value in direction)
    return tuple((name, value) for name, value in products if value)


def combination(separator: Separator, cube: Cube) -> Term | None:
    """Return S; None if the scale or a multiplier is not allowed. None of them is trusted."""
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
            case Congruence(_, modulus_r):
                allowed = (multiplier * modulus_r) % modulus == 0 if modulus else multiplier == 0
        if not allowed:
            return None
        coefficients += [(name, value * multiplier) for name, value in literal.term.coefficients]
        constant += literal.term.constant * multiplier
    return linear(coefficients, constant)
