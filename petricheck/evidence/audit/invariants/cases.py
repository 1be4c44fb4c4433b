"""A disjunction of conjunctions, its *cases*, with numbered linear forms.

The form of an inequality c·m ≤ b is (c, None), of a congruence c·m ≡ b (mod q) it is (c, q).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
)

Direction: TypeAlias = tuple[tuple[str, int], ...]
"""c, by place."""

Form: TypeAlias = tuple[Direction, int | None]

NOTHING: Form = ((), 0)
"""0·m = 0, true in every case: it bounds c·m for c ≤ 0, and is a residue of c·m for c ≡ 0."""


@dataclass(frozen=True, slots=True)
class InvariantCase:
    """One conjunction.

    Attributes:
        bounds: by number of the form c, the least b of its inequalities; 0·m ≤ 0 is one of them.
        residues: by number of the form (c, q), all b of its congruences, with 0 ≤ b < q.
    """

    bounds: Mapping[int, int]
    residues: Mapping[int, Set[int]]


@dataclass(frozen=True, slots=True)
class Cases:
    """All cases of an invariant.

    Attributes:
        forms: by number; the first is `NOTHING`.
        members: the cases, in the order of the formula.
    """

    forms: tuple[Form, ...]
    members: tuple[InvariantCase, ...]


def cases_of(invariant: Formula) -> Cases | None:
    """Return the cases of an invariant; None if it has another form."""
    if not isinstance(invariant, Disjunction):
        return None
    forms = {NOTHING: 0}
    members = [_case(part, forms) for part in invariant.operands]
    proper = tuple(member for member in members if member is not None)
    return Cases(tuple(forms), proper) if len(proper) == len(members) else None


def _case(part: Formula, forms: dict[Form, int]) -> InvariantCase | None:
    """Return the case of a conjunction; add new forms to `forms` with the next numbers."""
    if not isinstance(part, Conjunction):
        return None
    bounds = {0: 0}
    residues: dict[int, set[int]] = {}
    for atom in part.operands:
        match atom:
            case Inequality(term):
                number = forms.setdefault(bound_form(term.coefficients), len(forms))
                bounds[number] = min(-term.constant, bounds.get(number, -term.constant))
            case Congruence(term, modulus):
                number = forms.setdefault((term.coefficients, modulus), len(forms))
                residues.setdefault(number, set()).add(-term.constant % modulus)
            case _:
                return None
    return InvariantCase(bounds, residues)


def bound_form(direction: Direction) -> Form:
    """Return the form of inequalities with this direction."""
    return (direction, None) if direction else NOTHING


def serves(fine: Form, coarse: Form) -> bool:
    """Return whether an atom of form `fine` implies one of form `coarse`, with the same b.

    That is: c'·m ≤ b implies c·m ≤ b for all m ≥ 0; or c'·m ≡ b (mod q') implies c·m ≡ b (mod q).
    """
    (large, finer), (small, modulus) = fine, coarse
    if not modulus:
        return not finer and all(value >= 0 for value in _difference(dict(large), dict(small)))
    if finer is None or finer % modulus:
        return False
    return all(value % modulus == 0 for value in _difference(dict(large), dict(small)))


def _difference(large: Mapping[str, int], small: Mapping[str, int]) -> Iterator[int]:
    """Yield the coefficients of c' − c; some may be 0."""
    return chain(
        (value - small.get(name, 0) for name, value in large.items()),
        (-value for name, value in small.items() if name not in large),
    )
