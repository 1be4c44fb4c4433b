"""How certificates are written, read and told: a member for each type of certificate or proof.

One file each. A member names the type (`of`), and knows it as keys of a JSON object and as a text
for people; where it is also `Scripted`, as a script for SMT solvers. What is read is a claim:
`audit.shapes` says what makes certificates of a type a proof, and `audit.homes` of home spaces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

from petricheck import plugins
from petricheck.errors import EvidenceError, QueryError
from petricheck.presburger.formulas import Formula
from petricheck.presburger.json import require_keys
from petricheck.problem import Problem


@dataclass(frozen=True, slots=True)
class Told:
    """A certificate for people.

    Attributes:
        headline: what it proves and how, in a line.
        body: the certificate itself, maybe long; may be empty.
        summary: what is said instead of both where the body is too long.
        places: ids of those that the body speaks of, in the order of their names.
        formula: that the body is, for those who typeset it; None where it is none.
    """

    headline: str
    body: str
    summary: str
    places: tuple[str, ...] = ()
    formula: Formula | None = None


class Notation(Protocol):
    """The frame of every member of this family.

    Attributes:
        of: the type of certificates.
        keys: of the JSON object that holds one; the first is in no other.
    """

    of: ClassVar[type]
    keys: ClassVar[tuple[str, ...]]

    def write(self, certificate: Any) -> dict[str, Any]:
        """Some of the keys, the first among them, with their values.

        Raises:
            QueryError: the certificate could not be read back.
        """

    def read(self, fields: Mapping[str, Any]) -> Any:
        """The inverse of `write`.

        Raises:
            EvidenceError: the values are not of that form.
        """

    def told(self, certificate: Any, form: str) -> Told:
        """The certificate for people, its formulas as text, latex or smt."""


@runtime_checkable
class Scripted(Notation, Protocol):
    """A notation for SMT solvers as well.

    Attributes:
        functions: what a script defines, beside `target`, for the certificate to be read back.
    """

    functions: ClassVar[tuple[str, ...]]

    def lines(self, problem: Problem, certificate: Any) -> Iterator[str]:
        """A script without its header, each of whose `check-sat` is expected to print `unsat`."""

    def defined(self, bodies: Mapping[str, Formula]) -> Any:
        """The certificate that definitions of all these functions stand for.

        Raises:
            EvidenceError: they stand for none.
        """


def notations() -> Iterator[Notation]:
    """All members."""
    for name in plugins.everywhere("evidence"):
        yield plugins.build("evidence", name)


def notation_of(certificate: object) -> Notation:
    """The member for such certificates.

    Raises:
        QueryError: there is none.
    """
    notation: Notation | None = plugins.about("evidence", certificate)
    if notation is None:
        raise QueryError(f"nothing writes certificates of type {type(certificate).__name__!r}")
    return notation


def read_certificate(fields: Mapping[str, Any]) -> Any:
    """The certificate that an object holds, and nothing else.

    Raises:
        EvidenceError: it holds none.
    """
    for notation in notations():
        if notation.keys[0] in fields:
            require_keys(fields, *(key for key in notation.keys if key in fields))
            return notation.read(fields)
    keys = " or ".join(f'"{notation.keys[0]}"' for notation in notations())
    raise EvidenceError(f"there is no {keys}")
