"""Home spaces that tokens lead to which are always there again, with any others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from petricheck.arithmetic.formulas.json import SUM, JsonForm, items, record
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
    """Tokens that every reachable marking can get again, and traces that need no others.

    Attributes:
        tokens: by place id, without zeros.
        proof: shows that the markings with at least these tokens are a home space, as in
            `evidence.claims.Home`.
        traces: from exactly these tokens, one into each of the formulas of the claim.
    """

    tokens: tuple[tuple[str, int], ...]
    proof: object
    traces: tuple[Trace, ...]


_PROOF = certificate_without(
    ("renewal", "onward", "restarted"),
    "a proof about tokens that are there again holds another one",
)


@dataclass(frozen=True)
class Renewal(OneKey):
    """The tokens, the proof that they can be there again, and the traces."""

    of: ClassVar[type] = RenewedTokens
    keys: ClassVar[tuple[str, ...]] = ("renewal",)
    json: ClassVar[JsonForm[RenewedTokens]] = record(
        RenewedTokens, {"tokens": SUM, "proof": _PROOF, "traces": items(TRACE)}
    )

    def describe(self, certificate: RenewedTokens, form: str) -> Description:
        """Return the description of the proof that the tokens return, with the count of traces."""
        tokens = counted(sum(number for _, number in certificate.tokens), "token")
        places = counted(len(certificate.tokens), "place")
        traces = counted(len(certificate.traces), "trace")
        headline = f"The net can always get {tokens} on {places} again; from there: {traces}."
        return described(certificate.proof, form).within(headline)
