"""Certificates inside proofs."""

from __future__ import annotations

from typing import Any

from petricheck.arithmetic.formulas.json import JsonForm, read_object
from petricheck.evidence.certificates import notation_of, read_certificate
from petricheck.support.errors import EvidenceError


def certificate_without(keys: tuple[str, ...], refusal: str) -> JsonForm[object]:
    """Return the form of certificates that have none of these keys; others are refused so."""

    def read(value: Any) -> object:
        if not read_object(value).keys().isdisjoint(keys):
            raise EvidenceError(refusal)
        return read_certificate(value)

    return JsonForm(lambda value: notation_of(value).write(value), read)


CERTIFICATE = certificate_without(
    ("onward", "renewal", "descent", "reversal", "restarted"),
    "a proof of a home space stands where a certificate belongs",
)
