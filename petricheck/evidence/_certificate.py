"""Certificates inside proofs."""

from __future__ import annotations

from typing import Any

from petricheck.errors import EvidenceError
from petricheck.evidence import notation_of, read_certificate
from petricheck.presburger.json import Form, read_object

_PROOFS = frozenset(("onward", "renewal", "descent", "reversal", "restarted"))


def _read(value: Any) -> object:
    if _PROOFS & read_object(value).keys():
        raise EvidenceError("a proof of a home space stands where a certificate belongs")
    return read_certificate(value)


CERTIFICATE: Form[object] = Form(lambda value: notation_of(value).write(value), _read)
