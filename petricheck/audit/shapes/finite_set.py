"""A finite set of markings, listed in a packed table.

(1) The initial marking is a row. (2) Whatever fires in a row leads to a row. (3) The target is
false in every row. All of it is looked up (`audit.rows`), and nothing is left for a solver.

A row stands for all markings that agree with it on the places of the table. So other places disable
nothing, and whatever the target says of them counts as true.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from petricheck.answer import MarkingTable
from petricheck.audit.claims import checked
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.presburger.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    variables,
)
from petricheck.problem import Net, Problem

BITS = 63
"""The longest field: its numbers fit signed words."""


@dataclass(frozen=True)
class FiniteSet:
    """Rows that the net does not leave, and none of which is in the target."""

    of: ClassVar[type] = MarkingTable

    def discharge(
        self, problem: Problem, certificate: MarkingTable, budget: Budget, second_solver: bool
    ) -> str:
        """Look at every row, and at every firing in it."""
        from petricheck.audit.rows import check_rows  # numpy takes its time to be imported.

        _check_layout(problem.net, certificate)
        target = checked("the target", problem.net, problem.target, budget)
        places = {place for place, _ in certificate.layout}
        if not places.issuperset(variables(target)):
            target = _about(places, target)
        check_rows(Problem(problem.net, target), certificate, budget)
        return "checked marking by marking"


def _check_layout(net: Net, table: MarkingTable) -> None:
    """That the rows can be read: there are some, whole, and each field is of another place."""
    places = [place for place, _ in table.layout]
    unknown = [place for place in places if place not in net.place_numbers]
    if unknown:
        raise EvidenceError(f"the table names {unknown[0]!r}, which is no place of the net")
    if len(set(places)) != len(places):
        raise EvidenceError("the table has two fields for one place")
    if not all(type(bits) is int and 0 <= bits <= BITS for _, bits in table.layout):
        raise EvidenceError(f"the table has a field of less than 0 or more than {BITS} bits")
    if not table.rows or len(table.rows) != table.count * table.width:
        raise EvidenceError("the table is empty, or ends within a row")


def _about(places: Set[str], formula: Formula) -> Formula:
    """What a formula implies about these places: what it says, or denies, of others is true."""
    match formula:
        case Conjunction(operands):
            return Conjunction(tuple(_about(places, operand) for operand in operands))
        case Disjunction(operands):
            return Disjunction(tuple(_about(places, operand) for operand in operands))
        case other:
            return other if places >= set(variables(other)) else TRUE
