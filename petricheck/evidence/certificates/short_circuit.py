"""Home markings by the short-circuited net, which is started again in the home marking."""

from __future__ import annotations

from dataclasses import dataclass

from petricheck.arithmetic.formulas.json import record
from petricheck.evidence.certificates import (
    CERTIFICATE,
    Description,
    OneKey,
    certificate_without,
    described,
)


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


class ShortCircuit(OneKey):
    """The proof and the certificate."""

    of = Restarted
    keys = ("restarted",)
    json = record(Restarted, {"proof": _PROOF, "certificate": CERTIFICATE})

    def describe(self, certificate: Restarted, form: str) -> Description:
        """Describe the home space of that net, and why no token remains."""
        proof = described(certificate.proof, form)
        excess = described(certificate.certificate, form)
        headline = "If the net is restarted whenever it is completed, it is always completed again."
        lines = (proof.headline, proof.body, "It never has more tokens then:")
        body = "\n".join(filter(None, (*lines, excess.headline, excess.body)))
        return Description(headline, body, f"{headline}\n{proof.summary}")
