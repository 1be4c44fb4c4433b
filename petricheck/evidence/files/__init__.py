"""Files of evidence: a question, its answer, and the claims from which the answer follows.

A family with one file for each format; the extension of the evidence's file selects it. A member is
a class with
- `extensions`, a tuple, each with its dot;
- `write(net, evidence) -> bytes`, the same bytes for the same arguments;
- `read(data, target) -> Evidence`, which raises `EvidenceError` on all other input.

Reading proves nothing; `questions.verification` checks the claims.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import write_formula
from petricheck.evidence.claims import Claim
from petricheck.model.net import Net
from petricheck.support.errors import EvidenceError, InputError, QueryError
from petricheck.support.outputs import write_file
from petricheck.support.plugins import by_extension

SIZE = 1 << 25
"""The most bytes of an evidence file."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The content of an evidence file.

    Attributes:
        sha256: of the net's file, in lower-case hexadecimal; None if missing.
        kind: of the question.
        text: the words of the question; empty if it has none, or has only a target.
        target: the formula whose reachability is the question; None for other questions.
        results: JSON values of "answer" and "details", as far as the file has them.
        claims: the claims, each with its evidence.
        bounds: of sums of places of a guarded net, with which the claims are about an ordinary one;
            None of other nets.
        initial: what `initial_fields` returns for the question's net.
    """

    sha256: str | None
    kind: str
    text: str
    target: Formula | None
    results: Mapping[str, Any]
    claims: tuple[Claim, ...]
    bounds: tuple[Formula, ...] | None = None
    initial: Mapping[str, Any] | None = None


def initial_fields(net: Net) -> Mapping[str, Any] | None:
    """Return the initial markings that a question has, as JSON; None where it has none.

    The formula; what is on the places before added transitions fire; and what each of these adds.
    """
    if net.initials is None or not net.initials.asked:
        return None
    added = (t for t in net.transitions if t.name in net.added)
    return {
        "formula": write_formula(net.initials.formula),
        "least": {place: n for place, n in net.values(net.initial).items() if n},
        "added": {t.name: {net.places[place]: n for place, n in t.post} for t in added},
    }


def check_evidence_file(path: str) -> None:
    """Refuse a path to which evidence cannot be written, by an InputError."""
    target, reason = os.path.realpath(path), ""
    if os.path.islink(target):
        reason = "it is a link that leads to itself"
    elif os.path.exists(target) and not os.path.isfile(target):
        reason = "it is no regular file, and evidence is to be read back"
    if reason:
        raise InputError(f"cannot be written: {reason}; name another file", path=path)


def write_evidence(path: str, net: Net, evidence: Evidence) -> None:
    """Write the file, completely or not at all; follow links.

    The extension selects the format. QueryError where no format has it, the format cannot express
    this evidence, or the file would be too large to be read back.
    """
    data = evidence_data(path, net, evidence)
    check_evidence_file(path)
    write_file(path, data)


def evidence_data(path: str, net: Net, evidence: Evidence) -> bytes:
    """Return the bytes that `write_evidence` writes."""
    data: bytes = _format(path).write(net, evidence)
    if len(data) > SIZE:
        raise QueryError(
            f"{path} is not written: the evidence has {len(data)} bytes, and at most {SIZE} are "
            "read back; another engine may find shorter evidence"
        )
    return data


def read_evidence(path: str, target: Formula | None = None) -> Evidence:
    """Return the content of the file, about this target if it names none; verify nothing.

    QueryError where no format has this extension; EvidenceError where the file is malformed, or too
    large.
    """
    file_format = _format(path)
    try:
        with open(path, "rb") as file:
            data = file.read(SIZE + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error
    if len(data) > SIZE:
        raise EvidenceError(f"{path}: larger than {SIZE} bytes")
    try:
        evidence: Evidence = file_format.read(data, target)
    except EvidenceError as error:
        raise EvidenceError(f"{path}: {error}") from None
    return evidence


def named_target(named: Formula | None, default: Formula | None) -> Formula:
    """Return the target of a certificate or trace, by default that of the question.

    EvidenceError where neither names one.
    """
    target = default if named is None else named
    if target is None:
        raise EvidenceError("it names no target; give the question, e.g. with --target")
    return target


def _format(path: str) -> Any:
    extensions = by_extension("evidence.files")
    if (file_format := extensions.get(os.path.splitext(path)[1].lower())) is None:
        raise QueryError(f"{path}: evidence files end in {' or '.join(extensions)}")
    return file_format()
