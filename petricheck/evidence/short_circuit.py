"""Completion: what leads back from the final marking to the initial one never ends for good."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from petricheck.errors import EvidenceError
from petricheck.evidence import Told, notation_of, read_certificate
from petricheck.evidence._certificate import CERTIFICATE
from petricheck.presburger.json import Form, read_object, record


@dataclass(frozen=True, slots=True)
class Restarted:
    """That a net which is started again whenever it is completed is completed again and again.

    It has one more transition, from the home marking to the initial one.

    Attributes:
        proof: that in this net the markings that enable it are a home space, as in `claims.Home`.
        certificate: that this net reaches no marking with more tokens than the home marking.
    """

    proof: object
    certificate: object


def _read_proof(value: Any) -> object:
    if {"restarted", "onward"} & read_object(value).keys():
        raise EvidenceError("a proof about a net that is started again holds another one")
    return read_certificate(value)


_PROOF: Form[object] = Form(lambda proof: notation_of(proof).write(proof), _read_proof)
_RESTARTED = record(Restarted, {"proof": _PROOF, "certificate": CERTIFICATE})


@dataclass(frozen=True)
class ShortCircuit:
    """The proof, and the certificate."""

    of: ClassVar[type] = Restarted
    keys: ClassVar[tuple[str, ...]] = ("restarted",)

    def write(self, certificate: Restarted) -> dict[str, Any]:
        """An object with both."""
        return {"restarted": _RESTARTED.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> Restarted:
        """The inverse of `write`; EvidenceError where it is none."""
        return _RESTARTED.read(fields["restarted"])

    def told(self, certificate: Restarted, form: str) -> Told:
        """Why the net with the transition back is completed, and that nothing is left over."""
        proof, excess = (
            notation_of(part).told(part, form)
            for part in (certificate.proof, certificate.certificate)
        )
        headline = "If the net is started again whenever it is completed, it is so again and again."
        lines = (proof.headline, proof.body, "It never has more tokens then:")
        body = "\n".join(filter(None, (*lines, excess.headline, excess.body)))
        return Told(headline, body, f"{headline}\n{proof.summary}", proof.places)
