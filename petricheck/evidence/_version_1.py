"""Files of version 1, of which there were two kinds: of one verdict, and of several claims."""

from __future__ import annotations

from typing import Any

from petricheck.claims import Excluded, reached
from petricheck.errors import EvidenceError
from petricheck.evidence import Evidence, named_target
from petricheck.evidence._claims import read_certificate, read_claim, read_trace
from petricheck.presburger.formulas import Formula
from petricheck.presburger.json import (
    read_digest,
    read_formula,
    read_items,
    read_text,
    require_keys,
)

CLAIMS = "petricheck claims"
"""The format of a file of several claims."""

_HEAD = ("format", "version", "petricheck", "net", "sha256")
_QUESTION = ("analysis", "question", "finding", "claims")


def read_verdict(value: Any, asked: Formula | None) -> Evidence:
    """A verdict on a target, or where the file names none, on what is asked.

    Raises:
        EvidenceError: the file is not of this kind.
    """
    evidence = {key: value[key] for key in value if key not in (*_HEAD, "target", "verdict")}
    require_keys(value, *_HEAD, "target", "verdict", *evidence)
    sha256 = _read_head(value)
    named = None if value["target"] is None else read_formula(value["target"])
    target = named_target(named, asked)
    match value["verdict"]:
        case "reachable":
            require_keys(evidence, "trace")
            claims = (reached(target, read_trace(evidence["trace"])),)
            return Evidence(sha256, "formula", "", target, {"answer": True}, claims)
        case "unreachable":
            never = (Excluded(target, read_certificate(evidence)),)
            return Evidence(sha256, "formula", "", target, {"answer": False}, never)
        case _:
            raise EvidenceError('the "verdict" is neither "reachable" nor "unreachable"')


def read_claims(value: Any) -> Evidence:
    """The claims that answer a question which is not after one target.

    Raises:
        EvidenceError: the file is not of this kind.
    """
    require_keys(value, *_HEAD, *_QUESTION)
    sha256, said = _read_head(value), {"details": value["finding"]}
    claims = read_items(value["claims"], read_claim)
    kind, text = read_text(value["analysis"]), read_text(value["question"])
    return Evidence(sha256, kind, text, None, said, claims)


def _read_head(value: Any) -> str | None:
    """The checksum."""
    read_text(value["petricheck"])
    read_text(value["net"])
    return read_digest(value["sha256"])
