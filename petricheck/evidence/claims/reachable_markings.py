"""Claims that these markings are reachable and no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import JsonForm, read_integer, require_keys, write_integer
from petricheck.evidence.certificates import notation_of, read_certificate
from petricheck.evidence.claims._claim import Claim
from petricheck.model.net import Net

if TYPE_CHECKING:
    from petricheck.evidence.explanation import Outline, Words

_COUNTS = ("markings", "firings", "tokens in a place", "tokens in a marking")
"""Keys of the numbers."""


@dataclass(frozen=True, slots=True)
class ReachabilitySet(Claim):
    """The numbers of reachable markings and of firings between them, and the largest markings.

    Attributes:
        markings: how many are reachable.
        firings: how many pairs there are of a reachable marking and a transition that it enables:
            the arcs of the reachability graph.
        in_place: the most tokens that a place holds in any of them.
        in_marking: the most tokens that all places hold together in any of them.
        certificate: the markings themselves; `audit.reachability_set` says of what type.
    """

    markings: int
    firings: int
    in_place: int
    in_marking: int
    certificate: object


def _write(claim: ReachabilitySet) -> dict[str, Any]:
    numbers = (claim.markings, claim.firings, claim.in_place, claim.in_marking)
    counts = {key: write_integer(n) for key, n in zip(_COUNTS, numbers, strict=True)}
    certificate = notation_of(claim.certificate).write(claim.certificate)
    return {"reachability set": counts, **certificate}


def _read(value: Any) -> ReachabilitySet:
    certificate = dict(value)
    counts = certificate.pop("reachability set")
    require_keys(counts, *_COUNTS)
    markings, firings, in_place, in_marking = (read_integer(counts[key]) for key in _COUNTS)
    table = read_certificate(certificate)
    return ReachabilitySet(markings, firings, in_place, in_marking, table)


class ReachableMarkings:
    """The table of the markings, and their numbers."""

    of = ReachabilitySet
    keys = ("reachability set",)
    rank = 70
    noun = "table"
    technique = "EXPLICIT"

    def form(self, formula: JsonForm[Formula]) -> JsonForm[ReachabilitySet]:
        """Return the form with the numbers."""
        return JsonForm(_write, _read)

    def statement(self, claim: ReachabilitySet, *, target: bool) -> Words:
        """Return the sentence before the table."""
        return ("Reachable are these markings and no others:",)

    def evidence(self, net: Net, claim: ReachabilitySet, *, target: bool) -> Iterator[Outline]:
        """Yield the table."""
        from petricheck.evidence.explanation import Stated

        yield Stated(claim.certificate)

    def reasons(self, net: Net, claim: ReachabilitySet) -> Iterator[Outline]:
        """Yield why no marking is missing, and why each is reachable."""
        from petricheck.evidence.explanation import Line

        yield Line(("The initial marking is in the table, and no firing leads out of it.",))
        lower = "from a marking of a lower rank, down to the initial one"
        yield Line((f"To each other marking of the table a transition leads {lower}.",))
