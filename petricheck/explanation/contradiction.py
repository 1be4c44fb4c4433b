"""Why an atom of an invariant and a cube of the target contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from petricheck.answer import Separator
from petricheck.audit.disjuncts import Direction
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
        fixed: places whose tokens it says.
        lower: of places, the least number of tokens.
        upper: of places, the greatest.
    """

    cube: Cube
    fixed: Mapping[str, int]
    lower: Mapping[str, int]
    upper: Mapping[str, int]


def box_of(cube: Cube) -> Box:
    """The cube, looked through."""
    fixed: dict[str, int] = {}
    for atom in cube:
        match atom:
            case Equality(Term(((name, 1 | -1 as sign),), constant)):
                fixed[name] = -constant * sign
    lower, upper = dict(fixed), dict(fixed)
    for atom in cube:
        match atom:
            case Inequality(Term(((name, 1),), constant)):
                upper[name] = min(upper.get(name, -constant), -constant)
            case Inequality(Term(((name, -1),), constant)):
                lower[name] = max(lower.get(name, 0), constant)
    return Box(cube, fixed, lower, upper)


def contradiction(conjunct: Formula, box: Box, separators: Iterable[Separator]) -> Formula | None:
    """What the cube says over the conjunct's own direction, if that contradicts it."""
    if not isinstance(conjunct, Atom):
        return None
    if all(name in box.fixed for name in conjunct.term.variables):
        direction = Term(conjunct.term.coefficients, 0)
        if evaluate(conjunct, box.fixed):
            return None
        return Equality(direction - direction.evaluate(box.fixed))
    for separator in separators:
        if (known := _separated(conjunct, box.cube, separator)) is not None:
            return known
    return _beyond(conjunct, box)


def _separated(conjunct: Atom, cube: Cube, separator: Separator) -> Formula | None:
    """What the separator shows of the cube over the conjunct's direction, if it contradicts it."""
    total = combination(separator, cube)
    if total is None:
        return None
    direction = Term(separator.direction, 0)
    if separator.modulus:
        return _residue(conjunct, direction, separator, total)
    most = None if isinstance(conjunct, Congruence) else _upper(conjunct, separator.direction)
    least = -(-total.constant // separator.scale)
    rest = total + direction * separator.scale
    if most is None or most >= least or any(value < 0 for _, value in rest.coefficients):
        return None
    return Inequality(least - direction)


def _residue(
    conjunct: Atom, direction: Term, separator: Separator, total: Term
) -> Congruence | None:
    """c·m ≡ −S(0), where S ≡ c and the conjunct says another residue."""
    modulus = separator.modulus
    known = Congruence(direction + total.constant, modulus)
    same = isinstance(conjunct, Congruence) and conjunct.modulus == modulus
    if not same or separator.scale != 1 or conjunct.term.coefficients != separator.direction:
        return None
    if any(value % modulus for _, value in (total - direction).coefficients):
        return None
    return known if (total.constant - conjunct.term.constant) % modulus else None


def _upper(conjunct: Inequality | Equality, direction: Direction) -> int | None:
    """U where the conjunct says that direction·m ≤ U."""
    if conjunct.term.coefficients == direction:
        return -conjunct.term.constant
    opposite = tuple((name, -value) for name, value in conjunct.term.coefficients)
    if isinstance(conjunct, Equality) and opposite == direction:
        return conjunct.term.constant
    return None


def _beyond(conjunct: Atom, box: Box) -> Formula | None:
    """Bounds of single places in the cube that push the conjunct's term beyond zero."""
    signs = {Inequality: (1,), Equality: (1, -1), Congruence: ()}[type(conjunct)]
    for sign in signs:
        term = conjunct.term * sign
        least = term.constant
        for name, value in term.coefficients:
            bound = box.lower.get(name, 0) if value > 0 else box.upper.get(name)
            if bound is None:
                break
            least += value * bound
        else:
            if least > 0:
                direction = Term(term.coefficients, 0)
                return Inequality(least - term.constant - direction)
    return None
