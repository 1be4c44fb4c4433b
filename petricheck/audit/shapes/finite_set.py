"""A finite set of markings, listed in a packed table.

(1) The initial marking is a row. (2) Whatever fires in a row leads to a row. (3) The target is
false in every row. All of it is looked up (`audit.rows`), and nothing is left for a solver.

A row stands for all markings that agree with it on the places of the table. So other places disable
nothing, and whatever the target says of them counts as true.

Where further places count in the numbers of a row, these are L·m for some L ≥ 0, and the set is
that of all m with L·m among the rows. What fires in m has L·pre ≤ L·m, and leads from L·m to
L·m + L·effect: more firings than these are looked at, never fewer. The target is about m, of which
the rows tell the places that count alone, and those whose companions the target itself wants empty.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from petricheck.audit.limits import checked
from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.evidence.finite_set import BITS, MarkingTable
from petricheck.presburger.emptied import emptied, without
from petricheck.presburger.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    substitute,
    variables,
)
from petricheck.presburger.terms import constant
from petricheck.problem import Net, Problem


@dataclass(frozen=True)
class FiniteSet:
    """Rows that the net does not leave, and none of which is in the target."""

    of: ClassVar[type] = MarkingTable

    def discharge(
        self, problem: Problem, certificate: MarkingTable, budget: Budget, second_solver: bool
    ) -> str:
        """Look at every row, and at every firing in it."""
        from petricheck.audit.rows import check_rows  # numpy takes its time to be imported.

        check_layout(problem.net, certificate)
        target = checked("the target", problem.net, problem.target, budget)
        if not certificate.known() >= set(variables(target)):
            determined, empty = seen(target, certificate, budget)
            target = _about(determined, without(target, empty - determined) if empty else target)
        check_rows(Problem(problem.net, target), certificate, budget)
        return "checked marking by marking"


def seen(
    target: Formula, table: MarkingTable, budget: Budget
) -> tuple[frozenset[str], frozenset[str]]:
    """The places whose tokens rows tell of markings in the target, and those it empties.

    A number that is the same in all rows may be what leaves a clause of the target no choice.
    Where nothing counts besides, no companion has to be empty, and none is looked for.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    if not table.counted:
        return table.known(), frozenset()
    from petricheck.audit.rows import steady  # numpy takes its time to be imported.

    numbers, empty = steady(table, budget), frozenset[str]()
    while True:
        determined = table.known(empty)
        steadily = {place: constant(numbers[place]) for place in determined & numbers.keys()}
        further = emptied(substitute(target, steadily | dict.fromkeys(empty, constant(0))))
        if not further:
            return determined, empty
        empty |= further


def check_layout(net: Net, table: MarkingTable) -> None:
    """That the rows can be read: there are some, whole, and each field is of another place."""
    places = [place for place, _ in table.layout]
    unknown = [place for place in places if place not in net.place_numbers]
    if unknown:
        raise EvidenceError(f"the table names {unknown[0]!r}, which is no place of the net")
    if len(set(places)) != len(places):
        raise EvidenceError("the table has two fields for one place")
    _check_counted(net, table)
    if not all(type(bits) is int and 0 <= bits <= BITS for _, bits in table.layout):
        raise EvidenceError(f"the table has a field of less than 0 or more than {BITS} bits")
    if not table.rows or len(table.rows) != table.count * table.width:
        raise EvidenceError("the table is empty, or ends within a row")


def _check_counted(net: Net, table: MarkingTable) -> None:
    """That numbers of places of the layout count further places, each once and at least once."""
    columns = [column for column, _ in table.counted]
    if len(set(columns)) != len(columns) or not {p for p, _ in table.layout} >= set(columns):
        raise EvidenceError("the table counts further places where it has no field, or twice")
    for column, further in table.counted:
        names = [place for place, _ in further]
        if len({column, *names}) != 1 + len(names) or not net.place_numbers.keys() >= set(names):
            raise EvidenceError(f"further places count at {column!r} twice, or are none of the net")
        if not all(type(weight) is int and weight >= 1 for _, weight in further):
            raise EvidenceError(f"a token counts at {column!r} less than once")


def _about(places: Set[str], formula: Formula) -> Formula:
    """What a formula implies about these places: what it says, or denies, of others is true."""
    match formula:
        case Conjunction(operands):
            return Conjunction(tuple(_about(places, operand) for operand in operands))
        case Disjunction(operands):
            return Disjunction(tuple(_about(places, operand) for operand in operands))
        case other:
            return other if places >= set(variables(other)) else TRUE
