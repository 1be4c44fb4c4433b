"""Evidence file formats. One file each, chosen by the extension of the file's name.

A member is a frozen dataclass with
- `extensions: ClassVar[tuple[str, ...]]`, each with its dot;
- `write(problem, sha256, answer) -> bytes`, the same bytes for the same arguments;
- `read(data, path) -> Evidence`, which raises `EvidenceError` on anything it does not understand.

What is read is a claim: only `petricheck.audit` makes it a proof.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from petricheck.answer import Reachable, Unreachable
from petricheck.errors import EvidenceError, InputError, QueryError
from petricheck.files import write_file
from petricheck.plugins import member, members
from petricheck.presburger.formulas import Formula
from petricheck.problem import Problem

SIZE = 1 << 25
"""Bytes that an evidence file may have."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an evidence file claims.

    Attributes:
        sha256: of the PNML file it is about, in lower-case hexadecimal; None where not said.
        target: the target it is about; None where not said.
        answer: the verdict with its evidence.
    """

    sha256: str | None
    target: Formula | None
    answer: Reachable | Unreachable


def check_evidence_file(path: str) -> None:
    """Refuse a name under which no evidence can be kept, whatever is written to it.

    Raises:
        InputError: a device, pipe or socket is there, or links that lead in a circle.
    """
    target = os.path.realpath(path)
    if os.path.islink(target):
        reason = "it is a link that leads to itself"
        raise InputError(f"cannot be written: {reason}; name another file", path=path)
    if os.path.exists(target) and not os.path.isfile(target):
        reason = "it is no regular file, and evidence is to be read back"
        raise InputError(f"cannot be written: {reason}; name another file", path=path)


def write_evidence(
    path: str, net_file_sha256: str | None, problem: Problem, answer: Reachable | Unreachable
) -> None:
    """Write the evidence; the file appears whole or not at all, where a link leads if it is one.

    Args:
        path: its extension chooses the format.
        net_file_sha256: of the PNML file, in lower-case hexadecimal; None where there is no file.
        problem: the question.
        answer: the verdict.

    Raises:
        QueryError: no format has this extension, or the format cannot hold this evidence, or it
            would be too large to be read back.
        InputError: the file cannot be written.
    """
    data: bytes = _format(path).write(problem, net_file_sha256, answer)
    if len(data) > SIZE:
        raise QueryError(
            f"{path} is not written: the evidence has {len(data)} bytes, and at most {SIZE} are "
            "read back; another engine may find shorter evidence"
        )
    check_evidence_file(path)
    write_file(path, data)


def read_evidence(path: str) -> Evidence:
    """What the file claims; nothing of it is checked against any net.

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
    evidence = chosen.read(data, path)
    assert isinstance(evidence, Evidence)
    return evidence


def _format(path: str) -> Any:
    extension = os.path.splitext(path)[1].lower()
    known: list[str] = []
    for name in members("certificates"):
        cls = member("certificates", name)
        if extension in cls.extensions:
            return cls()
        known += cls.extensions
    raise QueryError(f"{path}: evidence files end in {' or '.join(known)}")
