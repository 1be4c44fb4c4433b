"""An invariant that is a disjunction of conjunctions, with its linear forms numbered."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import TypeAlias

from petricheck.presburger.formulas import Congruence, Conjunction, Disjunction, Formula, Inequality

Direction: TypeAlias = tuple[tuple[str, int], ...]
"""c of an atom c·m ≤ U, by place."""

Ring: TypeAlias = tuple[Direction, int]
"""c and q of an atom c·m + r ≡ 0 (mod q)."""


@dataclass(frozen=True, slots=True)
class Disjunct:
    """One conjunction.

    Attributes:
        bounds: the least U of its atoms c·m ≤ U by number of direction; 0·m ≤ 0 is among them.
        residues: every r, from 0 to q − 1, of its atoms c·m + r ≡ 0 (mod q) by number of ring.
    """

    bounds: Mapping[int, int]
    residues: Mapping[int, Set[int]]


@dataclass(frozen=True, slots=True)
class Disjuncts:
    """All of them.

    Attributes:
        directions: in the order of their numbers; the first is 0.
        rings: in the order of their numbers.
        members: the disjuncts, in the order of the formula.
    """

    directions: tuple[Direction, ...]
    rings: tuple[Ring, ...]
    members: tuple[Disjunct, ...]


def disjuncts_of(invariant: Formula) -> Disjuncts | None:
    """The invariant taken apart; None where it has another shape."""
    if not isinstance(invariant, Disjunction):
        return None
    directions: dict[Direction, int] = {(): 0}
    rings: dict[Ring, int] = {}
    members = []
    for part in invariant.operands:
        member = _disjunct(part, directions, rings)
        if member is None:
            return None
        members.append(member)
    return Disjuncts(tuple(directions), tuple(rings), tuple(members))


def _disjunct(
    part: Formula, directions: dict[Direction, int], rings: dict[Ring, int]
) -> Disjunct | None:
    """The conjunction; directions and rings that are new get the next numbers."""
    if not isinstance(part, Conjunction):
        return None
    bounds = {0: 0}
    residues: dict[int, set[int]] = {}
    for atom in part.operands:
        match atom:
            case Inequality(term):
                number = directions.setdefault(term.coefficients, len(directions))
                bounds[number] = min(-term.constant, bounds.get(number, -term.constant))
            case Congruence(term, modulus):
                number = rings.setdefault((term.coefficients, modulus), len(rings))
                residues.setdefault(number, set()).add(term.constant % modulus)
            case _:
                return None
    return Disjunct(bounds, residues)
