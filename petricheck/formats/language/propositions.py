"""Formulas over propositions: short names of long formulas, replaced when all is read.

That a coloured transition is enabled may be a disjunction of thousands, and a question may repeat
it a hundred times. So the question is first minimised as a formula over propositions, by its truth
table; only then they are replaced by their formulas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import (
    Atom,
    Conjunction,
    Disjunction,
    Formula,
    Negation,
    at_least,
    atoms,
    conjunction,
    disjunction,
    distinct_atoms,
    map_atoms,
)
from petricheck.arithmetic.formulas.terms import variable

_MOST = 10
"""The most atoms of a truth table."""

_Cube: TypeAlias = Mapping[Atom, bool]


class Propositions:
    """Propositions and their formulas, while a question is read."""

    def __init__(self) -> None:
        self._meanings: dict[Atom, Formula] = {}

    def naming(self, formula: Formula) -> Atom:
        """Return a proposition for the formula."""
        name = f"\0{len(self._meanings)}"  # no place is called so
        proposition = at_least(variable(name), 1)
        self._meanings[proposition] = formula
        return proposition

    def spelled_out(self, formula: Formula) -> Formula:
        """Return an equivalent formula without propositions."""
        if self._meanings.keys().isdisjoint(distinct_atoms(formula)):
            return formula
        return map_atoms(self._least(formula), lambda atom: self._meanings.get(atom, atom))

    def _least(self, formula: Formula) -> Formula:
        """Return the equivalent formula, of those computed here, that is shortest when replaced."""
        # In one order, so that formulas with the same table become the same.
        parts = sorted(distinct_atoms(formula), key=str)
        if len(parts) > _MOST:
            match formula:
                case Negation(operand):
                    return Negation(self._least(operand))
                case Conjunction(operands) | Disjunction(operands):
                    return type(formula)(tuple(map(self._least, operands)))
        sizes = {part: sum(1 for _ in atoms(self._meanings.get(part, part))) for part in parts}
        table, full = _table(formula, parts), _full_table(len(parts))
        forms = (formula, _sum(table, parts), Negation(_sum(full & ~table, parts)))
        least = min(forms, key=lambda form: sum(sizes[atom] for atom in atoms(form)))
        assert _table(least, parts) == table
        return least


def _full_table(count: int) -> int:
    """Return the truth table of true: a bit for each way in which so many atoms may hold."""
    return (1 << (1 << count)) - 1


def _table(formula: Formula, parts: Sequence[Atom]) -> int:
    """Return the truth table of the formula; the last atom changes slowest."""
    full, tables = _full_table(len(parts)), dict[Atom, int]()
    for number, part in enumerate(parts):
        run = 1 << number
        tables[part] = full // ((1 << run) + 1) << run

    def table(formula: Formula) -> int:
        match formula:
            case Negation(operand):
                return full & ~table(operand)
            case Conjunction(operands):
                result = full
                for operand in operands:
                    result &= table(operand)
                return result
            case Disjunction(operands):
                result = 0
                for operand in operands:
                    result |= table(operand)
                return result
            case atom:
                return tables[atom]

    return table(formula)


def _sum(table: int, parts: Sequence[Atom]) -> Formula:
    """Return a disjunction of conjunctions of atoms and negated ones with this table."""
    cubes, _ = _cover(table, table, parts)
    return disjunction(
        conjunction(part if holds else Negation(part) for part, holds in cube.items())
        for cube in cubes
    )


def _cover(least: int, most: int, parts: Sequence[Atom]) -> tuple[list[_Cube], int]:
    """Return an irredundant list of cubes whose table lies between two, and that table.

    Minato, "Fast generation of irredundant sum-of-products forms from binary decision diagrams",
    1992: what has to be covered where the last atom is false only, where it is true only, and the
    rest without it.
    """
    if not least:
        return [], 0
    if most == _full_table(len(parts)):
        return [{}], most
    *others, last = parts
    shift = 1 << len(others)
    low = (1 << shift) - 1
    cubes_false, when_false = _cover(least & low & ~(most >> shift), most & low, others)
    cubes_true, when_true = _cover(least >> shift & ~most, most >> shift, others)
    remaining = least & low & ~when_false | least >> shift & ~when_true
    cubes, either = _cover(remaining, most & low & most >> shift, others)
    cubes = [
        *({**cube, last: False} for cube in cubes_false),
        *({**cube, last: True} for cube in cubes_true),
        *cubes,
    ]
    return cubes, when_false | either | (when_true | either) << shift
