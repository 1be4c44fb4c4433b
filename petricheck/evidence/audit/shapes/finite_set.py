"""Finite sets of markings, listed in a packed table.

(1) The initial marking is a row. (2) Every firing in a row leads to a row. (3) No row satisfies the
target. All three are checked by look-ups (`evidence.audit.tables.rows`), without a solver.

A row stands for all markings that agree with it on the places of the table. So other places never
disable a transition here, and literals of the target about other places count as true. Both only
add firings and markings of the target.

A field may count tokens of further places, with weights. Then the numbers of a row are L·m for some
L ≥ 0, and the rows stand for all m with L·m among them. A transition that m enables has
L·pre ≤ L·m, and leads from L·m to L·m + L·effect. So all firings are checked, and perhaps more.
The target is about m. Rows determine the tokens of a place if it is counted alone, or if the
target requires its companions to be empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from petricheck.arithmetic.formulas.emptied import emptied, without
from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import constant
from petricheck.evidence.audit.limits import checked
from petricheck.evidence.certificates.finite_set import BITS, MarkingTable
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError


class FiniteSet:
    """Rows that are closed under firing, none of which satisfies the target."""

    of = MarkingTable

    def discharge(
        self, problem: Problem, certificate: MarkingTable, budget: Budget, second_solver: bool
    ) -> str:
        """Check every row, and every firing in it."""
        from petricheck.evidence.audit.tables.rows import check_rows  # numpy is slow to import.

        check_layout(problem.net, certificate)
        target = checked("the target", problem.net, problem.target, budget)
        if not certificate.determined() >= set(variables(target)):
            target = about_rows(target, certificate, shared_numbers(certificate, budget))
        check_rows(Problem(problem.net, target), certificate, budget)
        return "checked marking by marking"


def about_rows(target: Formula, table: MarkingTable, numbers: Mapping[str, int]) -> Formula:
    """Return a formula that the target implies, about places that rows determine where it holds.

    There columns of the table have these numbers, if a marking is in the table.
    """
    determined, empty = determined_places(target, table, numbers)
    return about(determined, without(target, empty - determined) if empty else target)


def shared_numbers(table: MarkingTable, budget: Budget) -> Mapping[str, int]:
    """Return numbers that all rows share, by place, if some place is not counted alone."""
    if not table.counted:
        return {}
    from petricheck.evidence.audit.tables.rows import constant_places  # numpy is slow to import.

    return constant_places(table, budget)


def determined_places(
    target: Formula, table: MarkingTable, numbers: Mapping[str, int]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the places that rows determine in the target, and those that it empties.

    Numbers are substituted in the target, which may require further places to be empty. If every
    place is counted alone, no companions are needed, and none are returned.
    """
    if not table.counted:
        return table.determined(), frozenset()
    empty = frozenset[str]()
    while True:
        determined = table.determined(empty)
        constants = {place: constant(numbers[place]) for place in determined & numbers.keys()}
        further = emptied(substitute(target, constants | dict.fromkeys(empty, constant(0))))
        if not further:
            return determined, empty
        empty |= further


def check_layout(net: Net, table: MarkingTable) -> None:
    """Require that the table has rows, all complete, and one field for each of its places."""
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
    """Require that fields count further places, each at most once, with weights ≥ 1."""
    columns = [column for column, _ in table.counted]
    if len(set(columns)) != len(columns) or not {p for p, _ in table.layout} >= set(columns):
        raise EvidenceError("the table counts further places where it has no field, or twice")
    for column, further in table.counted:
        names = [place for place, _ in further]
        if len({column, *names}) != 1 + len(names) or not net.place_numbers.keys() >= set(names):
            raise EvidenceError(f"further places count at {column!r} twice, or are none of the net")
        if not all(type(weight) is int and weight >= 1 for _, weight in further):
            raise EvidenceError(f"a token counts at {column!r} less than once")


def about(places: Set[str], formula: Formula) -> Formula:
    """Return a formula about these places that the given one implies: other literals are true."""
    match formula:
        case Conjunction(operands):
            return Conjunction(tuple(about(places, operand) for operand in operands))
        case Disjunction(operands):
            return Disjunction(tuple(about(places, operand) for operand in operands))
        case other:
            return other if places >= set(variables(other)) else TRUE
