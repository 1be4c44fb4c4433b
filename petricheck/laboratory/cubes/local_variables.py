"""Cubes without the local variables that their equations define."""

from __future__ import annotations

from collections.abc import Collection

from petricheck.laboratory.elimination import eliminate
from petricheck.presburger.formulas import (
    TRUE,
    Atom,
    Conjunction,
    Cube,
    Equality,
    Formula,
    Inequality,
    conjunction,
    map_terms,
    tighten,
)
from petricheck.presburger.terms import Term


def resolved(cube: Cube, shared: Collection[str]) -> Cube:
    """The cube where equations y = t with local y are used up; variables are natural numbers.

    The same values of the shared variables satisfy it, with some natural values of the others.
    Local variables that no equation with a coefficient of ±1 defines remain.
    """
    values, rest = _definitions(cube, shared)
    natural = [Inequality(-value) for value in values.values()]
    atoms: dict[Atom, None] = {}
    for atom in (*rest, *natural):
        inlined = tighten(map_terms(atom, lambda term: term.substitute(values)))
        if not _is_natural(inlined):
            atoms[inlined] = None  # type: ignore[index]
    return tuple(atoms)


def _definitions(cube: Cube, shared: Collection[str]) -> tuple[dict[str, Term], list[Atom]]:
    """What local variables are in terms of others, and the atoms that do not define any."""
    values: dict[str, Term] = {}
    uses: dict[str, set[str]] = {}
    rest: list[Atom] = []
    for atom in cube:
        found = None
        if isinstance(atom, Equality):
            term = atom.term.substitute(values)
            found = next((n for n, v in term.coefficients if abs(v) == 1 and n not in shared), None)
        if found is None:
            rest.append(atom)
            continue
        value = _solved(term, found)
        for user in uses.pop(found, set()):
            values[user] = values[user].substitute({found: value})
            for name in value.variables:
                uses.setdefault(name, set()).add(user)
        values[found] = value
        for name in value.variables:
            uses.setdefault(name, set()).add(found)
    return values, rest


def _solved(term: Term, name: str) -> Term:
    """The variable, whose coefficient is ±1, where term = 0."""
    sign = dict(term.coefficients)[name]
    kept = tuple((n, value) for n, value in term.coefficients if n != name)
    return Term(kept, term.constant) * -sign


def _is_natural(atom: Formula) -> bool:
    """Whether the atom is true of natural numbers."""
    match atom:
        case Inequality(term):
            return term.constant <= 0 and all(value < 0 for _, value in term.coefficients)
        case _:
            return atom == TRUE


def projected(cube: Cube, shared: Collection[str], *, seconds: float | None = None) -> Formula:
    """The cube without any local variable, by quantifier elimination where it is needed.

    Raises:
        BudgetExhausted: the solver gave up.
    """
    local = {name for atom in cube for name in atom.term.variables}.difference(shared)
    if not local:
        return conjunction(cube)
    natural = tuple(Inequality(Term(((name, -1),), 0)) for name in sorted(local))
    return eliminate(local, Conjunction((*cube, *natural)), seconds=seconds)
