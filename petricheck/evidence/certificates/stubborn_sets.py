"""Finite sets of markings, which no firing of their stubborn sets leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from petricheck.arithmetic.formulas.json import JsonForm, read_object, require_keys
from petricheck.evidence.certificates import Description, OneKey
from petricheck.evidence.certificates.finite_set import FiniteSet, MarkingTable
from petricheck.support.words import counted

_MARKINGS = FiniteSet()


@dataclass(frozen=True, slots=True)
class StubbornTable:
    """A table of markings that only firings leave which do not help to reach the target.

    The initial marking is a row. Each row has a stubborn set of transitions, without which the
    target is not reached, and whose firings lead to rows. The sets are not listed: the greatest one
    with such firings is as good as any (`evidence.audit.shapes.stubborn_sets`).
    """

    table: MarkingTable

    def __str__(self) -> str:
        return f"{counted(self.table.count, 'marking')} with stubborn sets"


def _read(value: Any) -> StubbornTable:
    fields = read_object(value)
    require_keys(fields, *_MARKINGS.keys)
    return StubbornTable(_MARKINGS.read(fields))


class StubbornSets(OneKey):
    """The table."""

    of = StubbornTable
    keys = ("stubborn",)
    json = JsonForm(lambda certificate: _MARKINGS.write(certificate.table), _read)

    def describe(self, certificate: StubbornTable, form: str) -> Description:
        """Describe the size of the table, in every form as text."""
        rows = counted(certificate.table.count, "marking")
        headline = f"Stubborn sets lead from {rows} to no others, and none is in the target."
        return Description(headline, _MARKINGS.describe(certificate.table, form).body, headline)
