"""A finite set of markings, each with a rank and a transition that leads to a lower one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from petricheck.evidence import Told
from petricheck.evidence._columns import read_columns, write_columns
from petricheck.evidence.finite_set import FiniteSet, MarkingTable
from petricheck.presburger.json import TEXT, items, read_object, require_keys
from petricheck.words import counted

NUMBER = 4
"""Bytes of a rank, and of a transition's number, with its most significant byte first."""


@dataclass(frozen=True, slots=True)
class RankedTable:
    """A table of markings, and for each row a rank and a transition.

    The transition of a row, fired forwards or backwards, leads to a row of a lower rank; which of
    both, and what holds of the rows of rank 0, says the claim that has the table. So from every row
    a firing sequence leads to one of rank 0, or from one of rank 0 to every row.

    Attributes:
        table: has a field for every place, and nothing `counted` besides.
        ranks: by row its rank, `NUMBER` bytes each.
        transitions: by row the number of the transition in `names`, `NUMBER` bytes each; of rows of
            rank 0 it says nothing.
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


@dataclass(frozen=True)
class RankedSet:
    """The table, ranks, numbers of transitions, and what they number."""

    of: ClassVar[type] = RankedTable
    keys: ClassVar[tuple[str, ...]] = ("ranked",)

    def write(self, certificate: RankedTable) -> dict[str, Any]:
        """An object with all of it.

        Raises:
            QueryError: the rows are too large to be read back.
        """
        return {
            "ranked": {
                **_MARKINGS.write(certificate.table),
                "ranks": write_columns(certificate.ranks, NUMBER),
                "transitions": write_columns(certificate.transitions, NUMBER),
                "names": _NAMES.write(certificate.names),
            }
        }

    def read(self, fields: Mapping[str, Any]) -> RankedTable:
        """The inverse of `write`; EvidenceError where it is none."""
        value = read_object(fields["ranked"])
        require_keys(value, *_MARKINGS.keys, "ranks", "transitions", "names")
        table = _MARKINGS.read(value)
        ranks, transitions = (
            read_columns(value[key], table.count, NUMBER) for key in ("ranks", "transitions")
        )
        return RankedTable(table, ranks, transitions, _NAMES.read(value["names"]))

    def told(self, certificate: RankedTable, form: str) -> Told:
        """How large it is; always as text."""
        layout = certificate.table.layout
        bits = counted(sum(size for _, size in layout), "bit")
        rows = counted(certificate.table.count, "marking")
        headline = f"A table of {rows}, each with a rank and a transition."
        return Told(headline, f"  {bits} each, for {counted(len(layout), 'place')}", headline)
