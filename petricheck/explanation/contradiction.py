"""Why an atom of an invariant and a cube of the target contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from petricheck.answer import Separator
from petricheck.audit.separators import combination
from petricheck.presburger.formulas import (
    Atom,
    Congruence,
    Cube,
    Equality,
    Formula,
    Inequality,
    evaluate,
)
from petricheck.presburger.terms import Term


@dataclass(frozen=True, slots=True)
class Box:
    """A cube of the target, and what it says of single places.

    Attributes:
        cube: the cube.
        lower: of places, the least number of tokens.
        upper: of places, the greatest.
    """

    cube: Cube
    lower: Mapping[str, int]
    upper: Mapping[str, int]

    def range(self, term: Term) -> tuple[int | None, int | None]:
        """The least and the greatest value that the bounds leave a term; None without a limit."""
        least: int | None = term.constant
        most: int | None = term.constant
        for name, value in term.coefficients:
            ends = self.lower.get(name, 0), self.upper.get(name)
            low, high = ends if value > 0 else ends[::-1]
            least = None if least is None or low is None else least + value * low
            most = None if most is None or high is None else most + value * high
        return least, most


def box_of(cube: Cube) -> Box:
    """The cube, looked through."""
    lower: dict[str, int] = {}
    upper: dict[str, int] = {}
    for atom in cube:
        match atom:
            case Equality(Term(((name, 1 | -1 as sign),), constant)):
                lower[name] = upper[name] = -constant * sign
    for atom in cube:
        match atom:
            case Inequality(Term(((name, 1),), constant)):
                upper[name] = min(upper.get(name, -constant), -constant)
            case Inequality(Term(((name, -1),), constant)):
                lower[name] = max(lower.get(name, 0), constant)
    return Box(cube, lower, upper)


def contradiction(conjunct: Formula, box: Box, separators: Iterable[Separator]) -> Formula | None:
    """What the cube says over the conjunct's own direction, if that contradicts it."""
    if not isinstance(conjunct, Atom):
        return None
    direction, constant = Term(conjunct.term.coefficients, 0), conjunct.term.constant
    least, most = box.range(direction)
    fixed = all(name in box.lower and name in box.upper for name in direction.variables)
    if fixed and least is not None and least == most:
        holds = evaluate(replace(conjunct, term=Term((), least + constant)), {})
        return None if holds else Equality(direction - least)
    for separator in separators:
        if (known := _separated(conjunct, box.cube, separator)) is not None:
            return known
    if not isinstance(conjunct, Congruence) and least is not None and least + constant > 0:
        return Inequality(least - direction)
    if isinstance(conjunct, Equality) and most is not None and most + constant < 0:
        return Inequality(direction - most)
    return None


def _separated(conjunct: Atom, cube: Cube, separator: Separator) -> Formula | None:
    """What the separator shows of the cube over the conjunct's direction, if it contradicts it."""
    total = combination(separator, cube)
    if total is None:
        return None
    direction, modulus = Term(separator.direction, 0), separator.modulus
    own, constant = Term(conjunct.term.coefficients, 0), conjunct.term.constant
    if isinstance(conjunct, Congruence):
        # c·m ≡ −S(0), where S ≡ c and the conjunct says another residue.
        fits = conjunct.modulus == modulus and separator.scale == 1 and own == direction
        if not fits or any(value % modulus for _, value in (total - direction).coefficients):
            return None
        differs = (total.constant - constant) % modulus
        return Congruence(direction + total.constant, modulus) if differs else None
    if modulus or own not in ((direction, -direction)[: 1 + isinstance(conjunct, Equality)]):
        return None
    most = -constant if own == direction else constant
    least = -(-total.constant // separator.scale)
    rest = total + direction * separator.scale
    contradicts = most < least and all(value >= 0 for _, value in rest.coefficients)
    return Inequality(least - direction) if contradicts else None
