"""Home spaces that tokens lead to which are always there again, with any others."""

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
class RenewedTokens:
    """Markings, the tokens of one of which can always be there again, and traces from each.

    Attributes:
        markings: at least one: tokens by place id, without zeros.
        proof: shows that the markings with at least the tokens of one of them are a home space, as
            in `evidence.claims.Home`.
        traces: from exactly each of the markings, one into each of the formulas of the claim.
    """

    markings: tuple[tuple[tuple[str, int], ...], ...]
    proof: object
    traces: tuple[tuple[Trace, ...], ...]


_PROOF = certificate_without(
    ("renewal", "onward", "restarted"),
    "a proof about tokens that are there again holds another one",
)


class Renewal(OneKey):
    """The markings, the proof that the tokens of one can be there again, and the traces."""

    of = RenewedTokens
    keys = ("renewal",)
    json = record(
        RenewedTokens, {"markings": items(SUM), "proof": _PROOF, "traces": items(items(TRACE))}
    )

    def describe(self, certificate: RenewedTokens, form: str) -> Description:
        """Return the description of the proof that the tokens return, with the count of traces."""
        match certificate.markings:
            case [marking]:
                tokens = counted(sum(number for _, number in marking), "token")
                again = f"{tokens} on {counted(len(marking), 'place')}"
            case markings:
                again = f"the tokens of one of {counted(len(markings), 'marking')}"
        traces = counted(sum(map(len, certificate.traces)), "trace")
        headline = f"The net can always get {again} again; from there: {traces}."
        return described(certificate.proof, form).within(headline)
