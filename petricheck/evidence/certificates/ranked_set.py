"""Finite sets of markings, with a rank and a transition to a lower rank for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from petricheck.arithmetic.formulas.json import TEXT, items, read_object, require_keys
from petricheck.evidence.certificates import Description
from petricheck.evidence.certificates.finite_set import (
    FiniteSet,
    MarkingTable,
    read_columns,
    write_columns,
)
from petricheck.support.words import counted

NUMBER = 4
"""Bytes of a rank, and of a transition's number, with its most significant byte first."""


@dataclass(frozen=True, slots=True)
class RankedTable:
    """A table of markings, with a rank and a transition for each row.

    The transition of a row leads to a row of a lower rank: forwards in a home space, so a firing
    sequence leads from every row to one of rank 0; backwards in a reachability set, so one leads
    from rank 0 to every row. The claim states what holds for rows of rank 0.

    Attributes:
        table: has a field for every place, and no `counted` places.
        ranks: the rank of each row, `NUMBER` bytes each.
        transitions: by row, the position of its transition in `names`, `NUMBER` bytes each; without
            meaning for rows of rank 0.
        names: ids of transitions.
    """

    table: MarkingTable
    ranks: bytes = field(repr=False)
    transitions: bytes = field(repr=False)
    names: tuple[str, ...]

    def __str__(self) -> str:
        return f"{counted(self.table.count, 'marking')} with ranks"


_NAMES = items(TEXT)
_MARKINGS = FiniteSet()


class RankedSet:
    """The table, ranks, transitions, and names of transitions."""

    of = RankedTable
    keys = ("ranked",)

    def write(self, certificate: RankedTable) -> dict[str, Any]:
        """Return an object with all parts."""
        return {
            "ranked": {
                **_MARKINGS.write(certificate.table),
                "ranks": write_columns(certificate.ranks, NUMBER),
                "transitions": write_columns(certificate.transitions, NUMBER),
                "names": _NAMES.write(certificate.names),
            }
        }

    def read(self, fields: Mapping[str, Any]) -> RankedTable:
        """Return the table that `write` has written; raise EvidenceError for other values."""
        value = read_object(fields["ranked"])
        require_keys(value, *_MARKINGS.keys, "ranks", "transitions", "names")
        table = _MARKINGS.read(value)
        ranks, transitions = (
            read_columns(value[key], table.count, NUMBER) for key in ("ranks", "transitions")
        )
        return RankedTable(table, ranks, transitions, _NAMES.read(value["names"]))

    def describe(self, certificate: RankedTable, form: str) -> Description:
        """Describe the size of the table, in every form as text."""
        layout = certificate.table.layout
        bits = counted(sum(size for _, size in layout), "bit")
        rows = counted(certificate.table.count, "marking")
        headline = f"A table of {rows}, each with a rank and a transition."
        size = f"  {bits} each, for {counted(len(layout), 'place')}"
        return Description(headline, size, headline)
