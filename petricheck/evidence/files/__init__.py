"""Evidence in files: a question, its answer, and the claims that the answer follows from.

A family with one file for each format, chosen by the extension of the evidence's file. A member is
a frozen dataclass with
- `extensions: ClassVar[tuple[str, ...]]`, each with its dot;
- `write(net, evidence) -> bytes`, the same bytes for the same arguments;
- `read(data, target) -> Evidence`, which raises `EvidenceError` on anything it does not understand.

Nothing that is read is trusted: `questions.verification` says what it proves.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from petricheck.claims import Claim
from petricheck.errors import EvidenceError, InputError, QueryError
from petricheck.files import write_file
from petricheck.plugins import by_extension
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net

SIZE = 1 << 25
"""Bytes that an evidence file may have."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an evidence file says.

    Attributes:
        sha256: of the net's file, in lower-case hexadecimal; None where not said.
        kind: of the question.
        text: the question's words; empty where it has none, or where the target says it all.
        target: the formula whose reachability is the question; None where that is not the question.
        said: what the claims amount to, as JSON: the "answer" and its "details", either only where
            the file says it.
        claims: each with its evidence.
    """

    sha256: str | None
    kind: str
    text: str
    target: Formula | None
    said: Mapping[str, Any]
    claims: tuple[Claim, ...]


def check_evidence_file(path: str) -> None:
    """Refuse a name under which no evidence can be kept, whatever is written to it.

    Raises:
        InputError: a device, pipe or socket is there, or links that lead in a circle.
    """
    target, reason = os.path.realpath(path), ""
    if os.path.islink(target):
        reason = "it is a link that leads to itself"
    elif os.path.exists(target) and not os.path.isfile(target):
        reason = "it is no regular file, and evidence is to be read back"
    if reason:
        raise InputError(f"cannot be written: {reason}; name another file", path=path)


def write_evidence(path: str, net: Net, evidence: Evidence) -> None:
    """Write the file about the net; it appears whole or not at all, where a link leads if any.

    The extension chooses the format.

    Raises:
        QueryError: no format has this extension, or the format cannot hold this evidence, or it
            would be too large to be read back.
        InputError: the file cannot be written.
    """
    data = evidence_data(path, net, evidence)
    check_evidence_file(path)
    write_file(path, data)


def evidence_data(path: str, net: Net, evidence: Evidence) -> bytes:
    """What `write_evidence` writes.

    Raises:
        QueryError: as `write_evidence` raises it.
    """
    data: bytes = _format(path).write(net, evidence)
    if len(data) > SIZE:
        raise QueryError(
            f"{path} is not written: the evidence has {len(data)} bytes, and at most {SIZE} are "
            "read back; another engine may find shorter evidence"
        )
    return data


def read_evidence(path: str, target: Formula | None = None) -> Evidence:
    """What the file says, about this target if it names none; nothing is checked against any net.

    Raises:
        QueryError: no format has this extension.
        InputError: the file cannot be read.
        EvidenceError: the file is malformed, or too large.
    """
    chosen = _format(path)
    try:
        with open(path, "rb") as file:
            data = file.read(SIZE + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    if len(data) > SIZE:
        raise EvidenceError(f"{path}: larger than {SIZE} bytes")
    try:
        evidence: Evidence = chosen.read(data, target)
    except EvidenceError as error:
        raise EvidenceError(f"{path}: {error}") from None
    return evidence


def named_target(named: Formula | None, wanted: Formula | None) -> Formula:
    """The target that a certificate or trace is about.

    Raises:
        EvidenceError: neither the file nor the question names one.
    """
    target = wanted if named is None else named
    if target is None:
        raise EvidenceError("it names no target; give the question, e.g. with --target")
    return target


def _format(path: str) -> Any:
    extensions = by_extension("evidence.files")
    if (chosen := extensions.get(os.path.splitext(path)[1].lower())) is None:
        raise QueryError(f"{path}: evidence files end in {' or '.join(extensions)}")
    return chosen()
