"""What firings lower, so that they end: a sum of tokens, and ranks of markings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from petricheck.arithmetic.formulas.json import SUM, JsonForm, record
from petricheck.arithmetic.formulas.terms import linear
from petricheck.arithmetic.formulas.text import term_to_text
from petricheck.evidence.certificates import Description, OneKey, notation_of, read_certificate
from petricheck.evidence.certificates.ranked_set import RankedTable
from petricheck.model.net import Net
from petricheck.support.errors import EvidenceError
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class RankingFunction:
    """A sum of tokens, and ranks of markings, that firings lower.

    Each firing of the transitions that it is about lowers the sum, or leaves it as it is and leads
    to a row of a lower rank.

    Attributes:
        weights: of the sum, by place id, positive.
        table: rows that are closed under firing, maybe with fields for some places only; its
            transitions and names are not used. None where every firing lowers the sum.
    """

    weights: tuple[tuple[str, int], ...]
    table: RankedTable | None = None

    def changes(self, net: Net) -> tuple[int, ...]:
        """Return by how much each transition of the net changes the sum."""
        weights = {net.place_numbers[place]: weight for place, weight in self.weights}
        return tuple(
            sum(weights.get(place, 0) * change for place, change in t.effect)
            for t in net.transitions
        )


def _read_table(value: Any) -> RankedTable | None:
    if value is None:
        return None
    table = read_certificate(value)
    if not isinstance(table, RankedTable):
        raise EvidenceError("the table of a ranking is one of markings with ranks")
    return table


_TABLE: JsonForm[RankedTable | None] = JsonForm(
    lambda table: None if table is None else notation_of(table).write(table), _read_table
)


class Ranking(OneKey):
    """A sum, and a table or none."""

    of = RankingFunction
    keys = ("ranking",)
    json = record(RankingFunction, {"sum": SUM, "table": _TABLE})

    def describe(self, certificate: RankingFunction, form: str) -> Description:
        """Describe the sum and the table."""
        total = term_to_text(linear(certificate.weights))
        if certificate.table is None:
            return Description("Each firing lowers this sum:", f"  {total}", "Each lowers a sum.")
        rows = counted(certificate.table.table.count, "marking")
        rank = f"lowers the rank in a table of {rows}, which no firing leaves."
        if not certificate.weights:
            return Description(f"Each firing {rank}", "", f"Each firing {rank}")
        both = f"Each firing lowers this sum, or leaves it as it is and {rank}"
        return Description(both, f"  {total}", both.replace("this sum", "a sum"))
