"""Home spaces by home markings, and traces from these into the formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.arithmetic.formulas.json import SUM, items, record
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import TRACE, Description, notation_of
from petricheck.evidence.certificates._certificate import certificate_without
from petricheck.support.words import counted


@dataclass(frozen=True, slots=True)
class OnwardTraces:
    """Home markings, one of which every reachable marking can reach, and traces from each.

    Attributes:
        markings: the home markings, at least one: tokens by place id, without zeros.
        proof: shows that they are a home space, as in `evidence.claims.Home`.
        traces: for each home marking, a trace into each of the formulas of the claim.
    """

    markings: tuple[tuple[tuple[str, int], ...], ...]
    proof: object
    traces: tuple[tuple[Trace, ...], ...]


_PROOF = certificate_without(
    ("onward",), "traces from home markings lead to no other home markings"
)
_ONWARD = record(
    OnwardTraces, {"markings": items(SUM), "proof": _PROOF, "traces": items(items(TRACE))}
)


@dataclass(frozen=True)
class Onward:
    """The markings, the proof that they are a home space, and the traces."""

    of: ClassVar[type] = OnwardTraces
    keys: ClassVar[tuple[str, ...]] = ("onward",)

    def write(self, certificate: OnwardTraces) -> dict[str, Any]:
        """Return an object with all parts."""
        return {"onward": _ONWARD.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> OnwardTraces:
        """Return the proof that `write` has written; raise EvidenceError for other values."""
        return _ONWARD.read(fields["onward"])

    def describe(self, certificate: OnwardTraces, form: str) -> Description:
        """Describe the proof that the markings are a home space, and count the traces."""
        description = notation_of(certificate.proof).describe(certificate.proof, form)
        markings = counted(len(certificate.markings), "marking")
        traces = counted(sum(map(len, certificate.traces)), "trace")
        headline = f"The net can always return to {markings}, and {traces} lead on from there."
        body = "\n".join(filter(None, (description.headline, description.body)))
        return Description(headline, body, f"{headline}\n{description.summary}", description.places)
