"""Home spaces that tokens lead to which are always there again, with any others."""

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
_RENEWED = record(RenewedTokens, {"tokens": SUM, "proof": _PROOF, "traces": items(TRACE)})


@dataclass(frozen=True)
class Renewal:
    """The tokens, the proof that they can be there again, and the traces."""

    of: ClassVar[type] = RenewedTokens
    keys: ClassVar[tuple[str, ...]] = ("renewal",)

    def write(self, certificate: RenewedTokens) -> dict[str, Any]:
        """Return an object with all parts."""
        return {"renewal": _RENEWED.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> RenewedTokens:
        """Return the proof that `write` has written; raise EvidenceError for other values."""
        return _RENEWED.read(fields["renewal"])

    def describe(self, certificate: RenewedTokens, form: str) -> Description:
        """Return the description of the proof that the tokens return, with the count of traces."""
        description = notation_of(certificate.proof).describe(certificate.proof, form)
        tokens = counted(sum(number for _, number in certificate.tokens), "token")
        places = counted(len(certificate.tokens), "place")
        traces = counted(len(certificate.traces), "trace")
        headline = f"The net can always get {tokens} on {places} again; from there: {traces}."
        body = "\n".join(filter(None, (description.headline, description.body)))
        return Description(headline, body, f"{headline}\n{description.summary}", description.places)
