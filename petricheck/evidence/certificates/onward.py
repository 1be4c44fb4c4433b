"""Home spaces by home markings, and traces from these into the formulas."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.arithmetic.formulas.json import SUM, items, record
from petricheck.evidence.answer import Trace
from petricheck.evidence.certificates import (
    TRACE,
    Description,
    OneKey,
    certificate_without,
    described,
)
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


class Onward(OneKey):
    """The markings, the proof that they are a home space, and the traces."""

    of = OnwardTraces
    keys = ("onward",)
    json = record(
        OnwardTraces, {"markings": items(SUM), "proof": _PROOF, "traces": items(items(TRACE))}
    )

    def describe(self, certificate: OnwardTraces, form: str) -> Description:
        """Describe the proof that the markings are a home space, and count the traces."""
        markings = counted(len(certificate.markings), "marking")
        traces = counted(sum(map(len, certificate.traces)), "trace")
        headline = f"The net can always return to {markings}, and {traces} lead on from there."
        return described(certificate.proof, form).within(headline)
