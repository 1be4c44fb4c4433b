"""Certificates and proofs: how each type is written, read and described. One member and file each.

Values of its type are keys of a JSON object; where a member is `Scripted`, a script for SMT solvers
as well. Reading proves nothing: `audit.shapes` checks certificates, `audit.homes` proofs of home
spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import (
    INTEGER,
    TEXT,
    JsonForm,
    items,
    pair,
    read_object,
    require_keys,
)
from petricheck.evidence.answer import Trace
from petricheck.model.problem import Problem
from petricheck.support import plugins
from petricheck.support.errors import EvidenceError, QueryError

_STEPS = items(pair(TEXT, INTEGER, "[transition, how often]"))

TRACE: JsonForm[Trace] = JsonForm(
    lambda trace: _STEPS.write(trace.steps), lambda value: Trace(_STEPS.read(value))
)
"""The form of traces in files of evidence."""


@dataclass(frozen=True, slots=True)
class Description:
    """A certificate as text for people.

    Attributes:
        headline: one line, which says what it proves and how.
        body: the certificate itself, which may be long; empty if there is no more to say.
        summary: the text instead of both if the body is too long.
        formula: the formula that the body is, for renderers that typeset it; None if it is none.
    """

    headline: str
    body: str
    summary: str
    formula: Formula | None = None

    def within(
        self, headline: str, lines: Iterable[str] = (), summary: Iterable[str] = ()
    ) -> Description:
        """Return the description of a proof that holds this one, after these lines."""
        body = filter(None, (*lines, self.headline, self.body))
        short = filter(None, (headline, *summary, self.summary))
        return Description(headline, "\n".join(body), "\n".join(short))


class Notation(Protocol):
    """The contract of every member of this family.

    Attributes:
        of: the type of certificates.
        keys: the keys of the JSON object of a certificate; no other member has the first one.
    """

    of: ClassVar[type]
    keys: ClassVar[tuple[str, ...]]

    def write(self, certificate: Any) -> dict[str, Any]:
        """Return some of the keys with their values; the first key is always present.

        Raises:
            QueryError: the certificate could not be read back.
        """

    def read(self, fields: Mapping[str, Any]) -> Any:
        """Return the certificate that `write` has written as these keys.

        Raises:
            EvidenceError: the values are not of that form.
        """

    def describe(self, certificate: Any, form: str) -> Description:
        """Return the certificate as text for people; its formulas as `form`: text, latex or smt."""


class OneKey:
    """What is the same in all notations with a single key, whose value has the form `json`."""

    keys: ClassVar[tuple[str, ...]]
    json: ClassVar[JsonForm[Any]]

    def write(self, certificate: Any) -> dict[str, Any]:
        """Return the object with the key."""
        return {self.keys[0]: self.json.write(certificate)}

    def read(self, fields: Mapping[str, Any]) -> Any:
        """Return what `write` has written; raise EvidenceError for other values."""
        return self.json.read(fields[self.keys[0]])


@runtime_checkable
class Scripted(Notation, Protocol):
    """A notation that also writes certificates for SMT solvers.

    Attributes:
        functions: the functions that a script defines for the certificate, besides `target`.
    """

    functions: ClassVar[tuple[str, ...]]

    def lines(self, problem: Problem, certificate: Any) -> Iterator[str]:
        """Yield a script without its header; a solver prints `unsat` for each `check-sat`."""

    def from_definitions(self, bodies: Mapping[str, Formula]) -> Any:
        """Return the certificate, given the definitions of all these functions.

        Raises:
            EvidenceError: they define none.
        """


def notations() -> Iterator[Notation]:
    """Yield all members."""
    for name in plugins.all_members("evidence"):
        yield plugins.build("evidence", name)


def notation_of(certificate: object) -> Notation:
    """Return the member for certificates of this type; QueryError where there is none."""
    notation: Notation | None = plugins.about("evidence", certificate)
    if notation is None:
        raise QueryError(f"nothing writes certificates of type {type(certificate).__name__!r}")
    return notation


def read_certificate(fields: Mapping[str, Any]) -> Any:
    """Return the certificate in an object that has no other keys, or EvidenceError."""
    for notation in notations():
        if notation.keys[0] in fields:
            require_keys(fields, *(key for key in notation.keys if key in fields))
            return notation.read(fields)
    keys = " or ".join(f'"{notation.keys[0]}"' for notation in notations())
    raise EvidenceError(f"there is no {keys}")


def described(certificate: object, form: str) -> Description:
    """Return the description by the member for this type."""
    return notation_of(certificate).describe(certificate, form)


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
