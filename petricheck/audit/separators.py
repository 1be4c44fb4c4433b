"""Why cases miss a cube of the target: what the separators of the cube contradict.

On the cube S(m) = s·m + s0 = Σ w_r·term_r is ≤ 0, for w_r is ≥ 0 on inequalities, free on
equalities and 0 on congruences. With s + σ·c ≥ 0, σ ≥ 1 and m ≥ 0,
0 ≤ (s + σ·c)·m = S(m) − s0 + σ·c·m ≤ σ·b − s0 for an atom c·m ≤ b, so s0 > σ·b is a contradiction.

Modulo q, S(m) ≡ 0 where w_r is 0 on inequalities and q divides w_r·q_r on congruences. An atom
c·m ≡ b (mod q') with q | σ·q' and σ·c ≡ s gives S(m) ≡ s0 + σ·b (mod q): a contradiction where that
is not 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from petricheck.audit.cases import Case, Direction, Form, bound_form
from petricheck.audit.limits import integral
from petricheck.budget import Budget, watched
from petricheck.evidence.invariant import Separator
from petricheck.presburger.formulas import Congruence, Cube, Equality, Inequality
from petricheck.presburger.terms import Term, linear

Clash: TypeAlias = tuple[int, int, int]
"""(q, σ, s0): with σ·b ≢ −s0 (mod q), c·m ≡ b is contradicted."""


@dataclass(frozen=True, slots=True)
class Wall:
    """What a cube contradicts.

    Attributes:
        bars: by number of form the greatest b for which c·m ≤ b is contradicted.
        clashes: what residues are contradicted, by number of form.
    """

    bars: Mapping[int, int]
    clashes: Mapping[int, Collection[Clash]]

    def stops(self, case: Case, budget: Budget) -> bool:
        """Whether an atom of the case is contradicted.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
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
    """What the separators contradict, cube by cube.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
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
            for (direction, own), number in watched(numbers.items(), budget):
                divides = own and scale * own % modulus == 0
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
