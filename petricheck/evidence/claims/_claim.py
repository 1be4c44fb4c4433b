"""What all claims are, and the form of those with a certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from petricheck.arithmetic.formulas.json import JsonForm
from petricheck.evidence.certificates import notation_of, read_certificate


class Claim:
    """A claim about one net, with its evidence; the types of claims are immutable values."""

    __slots__ = ()


Value = TypeVar("Value", bound=Claim)


def certified(make: Callable[..., Value], forms: Mapping[str, JsonForm[Any]]) -> JsonForm[Value]:
    """Return the form of claims whose last field is a certificate or proof.

    Args:
        make: the dataclass.
        forms: the key and the form of each other field; the keys of the certificate follow them.
    """
    *names, last = (field.name for field in fields(make))  # type: ignore[arg-type]

    def write(claim: Value) -> dict[str, Any]:
        entries = zip(forms.items(), names, strict=True)
        parts = {key: form.write(getattr(claim, name)) for (key, form), name in entries}
        certificate = getattr(claim, last)
        return parts | notation_of(certificate).write(certificate)

    def read(value: Any) -> Value:
        parts = [form.read(value[key]) for key, form in forms.items()]
        return make(*parts, read_certificate({k: v for k, v in value.items() if k not in forms}))

    return JsonForm(write, read)
