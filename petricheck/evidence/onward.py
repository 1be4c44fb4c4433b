"""Home markings, and traces that lead on from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.answer import Trace
from petricheck.errors import EvidenceError
from petricheck.evidence import Told, notation_of, read_certificate
from petricheck.evidence._trace import TRACE
from petricheck.presburger.json import SUM, Form, items, read_object, record
from petricheck.words import counted


@dataclass(frozen=True, slots=True)
class OnwardTraces:
    """Markings one of which can be reached from every reachable marking, and traces from each.

    Attributes:
        markings: tokens by place id, without zeros, of each; at least one.
        proof: that they are a home space, as in `claims.Home`.
        traces: from each of the markings, a trace into each of the formulas of the claim.
    """

    markings: tuple[tuple[tuple[str, int], ...], ...]
    proof: object
    traces: tuple[tuple[Trace, ...], ...]


def _read_proof(value: Any) -> object:
    if "onward" in read_object(value):
        raise EvidenceError("traces from home markings lead to no other home markings")
    return read_certificate(value)


_PROOF: Form[object] = Form(lambda proof: notation_of(proof).write(proof), _read_proof)
_ONWARD = record(
    OnwardTraces, {"markings": items(SUM), "proof": _PROOF, "traces": items(items(TRACE))}
)


@dataclass(frozen=True)
class Onward:
    """The markings, the proof that they are a home space, and the traces."""

    of: ClassVar[type] = OnwardTraces
    keys: ClassVar[tuple[str, ...]] = ("onward",)

    def write(self, certificate: OnwardTraces) -> dict[str, Any]:
        """An object with all of it."""
        return {"onward": _ONWARD.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> OnwardTraces:
        """The inverse of `write`; EvidenceError where it is none."""
        return _ONWARD.read(fields["onward"])

    def told(self, certificate: OnwardTraces, form: str) -> Told:
        """The proof that the markings are a home space, and how many traces there are."""
        description = notation_of(certificate.proof).told(certificate.proof, form)
        markings = counted(len(certificate.markings), "marking")
        traces = counted(sum(map(len, certificate.traces)), "trace")
        headline = f"The net can always return to {markings}, and {traces} lead on from there."
        body = "\n".join(filter(None, (description.headline, description.body)))
        return Told(headline, body, f"{headline}\n{description.summary}", description.places)
