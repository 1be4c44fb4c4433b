"""Home markings by the short-circuited net, which is started again in the home marking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.arithmetic.formulas.json import record
from petricheck.evidence.certificates import Description, notation_of
from petricheck.evidence.certificates._certificate import CERTIFICATE, certificate_without


@dataclass(frozen=True, slots=True)
class Restarted:
    """A proof about the net with one more transition, from the home marking to the initial one.

    Attributes:
        proof: shows that the markings that enable this transition are a home space of that net, as
            in `evidence.claims.Home`.
        certificate: excludes markings of that net with more tokens than the home marking.
    """

    proof: object
    certificate: object


_PROOF = certificate_without(
    ("restarted", "onward"), "a proof about a net that is started again holds another one"
)
_RESTARTED = record(Restarted, {"proof": _PROOF, "certificate": CERTIFICATE})


@dataclass(frozen=True)
class ShortCircuit:
    """The proof and the certificate."""

    of: ClassVar[type] = Restarted
    keys: ClassVar[tuple[str, ...]] = ("restarted",)

    def write(self, certificate: Restarted) -> dict[str, Any]:
        """Return an object with both."""
        return {"restarted": _RESTARTED.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> Restarted:
        """Return the proof that `write` has written; raise EvidenceError for other values."""
        return _RESTARTED.read(fields["restarted"])

    def describe(self, certificate: Restarted, form: str) -> Description:
        """Describe the home space of that net, and why no token remains."""
        proof, excess = (
            notation_of(part).describe(part, form)
            for part in (certificate.proof, certificate.certificate)
        )
        headline = "If the net is restarted whenever it is completed, it is always completed again."
        lines = (proof.headline, proof.body, "It never has more tokens then:")
        body = "\n".join(filter(None, (*lines, excess.headline, excess.body)))
        return Description(headline, body, f"{headline}\n{proof.summary}", proof.places)
