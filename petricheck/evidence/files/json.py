"""Evidence as one JSON object, in version 2; files of version 1 are read as well.

`docs/evidence-formats.md` describes it, and `petricheck/evidence/schemas/evidence.json` is its JSON
Schema. In a claim "target" may stand for the target of the question. The reader refuses anything
else than what is written: unknown and repeated keys, fractions, too deep nesting, integers of more
than `BITS` bits; the message says what is wrong. Integers of more than `LONG` bits are strings in
hexadecimal, "0x1f" or "-0x1f", since JSON readers differ on long numbers.
"""

from __future__ import annotations

import json
from typing import Any

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.json import (
    JsonForm,
    parse,
    read_digest,
    read_formula,
    read_items,
    read_text,
    require_keys,
    write_formula,
)
from petricheck.arithmetic.solvers.smtlib import written_alike
from petricheck.evidence.certificates import TRACE, read_certificate
from petricheck.evidence.claims import (
    Claim,
    Excluded,
    Reached,
    presentation_of,
    reached,
    read_claims,
)
from petricheck.evidence.files import SIZE, Evidence, named_target
from petricheck.model.net import Net
from petricheck.support.errors import EvidenceError

FORMAT, CLAIMS = "petricheck evidence", "petricheck claims"
"""Formats of files; the second is for several claims in version 1."""

VERSION = 2

TARGET = "target"
"""The word that stands in a claim for the target of the question."""

_BOUNDS = "bounds"
"""The key of the bounds of a guarded net; other nets have none."""

_HEAD = ("format", "version", "petricheck", "net", "sha256")


def _target_form(target: Formula | None) -> JsonForm[Formula]:
    """Return the form of formulas in which `TARGET` may stand for this target."""

    def write(formula: Formula) -> Any:
        same = target is not None and written_alike(formula, target)
        return TARGET if same else write_formula(formula)

    def read(value: Any) -> Formula:
        return target if value == TARGET and target is not None else read_formula(value)

    return JsonForm(write, read)


def write_claim(claim: Claim, target: Formula | None = None) -> dict[str, Any]:
    """Return a claim as an object, in which `TARGET` stands for this target.

    QueryError where a formula is nested too deeply, or a number too long, to be read back.
    """
    fields: dict[str, Any] = presentation_of(claim).form(_target_form(target)).write(claim)
    return fields


class Json:
    """All evidence; the audit needs no solver for certificates with hints."""

    extensions = (".json",)

    def write(self, net: Net, evidence: Evidence) -> bytes:
        """Return the file, with one key or claim a line; errors as those of `write_claim`."""
        target = evidence.target
        formula = None if target is None else write_formula(target)
        fields = {
            "format": FORMAT,
            "version": VERSION,
            "petricheck": _own_version(),
            "net": net.name,
            "sha256": evidence.sha256,
            "question": {
                "kind": evidence.kind,
                "text": evidence.text,
                "target": formula,
                **({} if evidence.initial is None else {"initial": evidence.initial}),
            },
            "answer": evidence.results["answer"],
            "details": evidence.results["details"],
        }
        if evidence.bounds is not None:
            fields[_BOUNDS] = [write_formula(bound) for bound in evidence.bounds]
        head = "".join(f'"{key}": {json.dumps(value)},\n' for key, value in fields.items())
        claims = ",\n".join(json.dumps(write_claim(claim, target)) for claim in evidence.claims)
        return f'{{\n{head}"claims": [\n{claims}\n]\n}}\n'.encode("ascii")

    def read(self, data: bytes, target: Formula | None = None) -> Evidence:
        """Return the content of a file; `target` is for files of version 1 that name none."""
        value = parse(data, SIZE)
        form, version = (
            (value.get("format"), value.get("version")) if isinstance(value, dict) else (None, None)
        )
        if form not in (FORMAT, CLAIMS):
            raise EvidenceError(f'this is no evidence: its "format" is not "{FORMAT}"')
        if type(version) is not int or version not in ((1, VERSION) if form == FORMAT else (1,)):
            raise EvidenceError(f'the "version" is neither 1 nor {VERSION}')
        if form == CLAIMS:
            return _read_first_claims(value)
        return _read_first_verdict(value, target) if version == 1 else _read(value)


def _read(value: dict[str, Any]) -> Evidence:
    optional = (_BOUNDS,) * (_BOUNDS in value)
    require_keys(value, *_HEAD, "question", "answer", "details", "claims", *optional)
    sha256, question = _read_head(value), value["question"]
    initial = question.pop("initial", None) if isinstance(question, dict) else None
    require_keys(question, "kind", "text", "target")
    target = None if question["target"] is None else read_formula(question["target"])
    return Evidence(
        sha256,
        read_text(question["kind"]),
        read_text(question["text"]),
        target,
        {"answer": value["answer"], "details": value["details"]},
        read_claims(value["claims"], _target_form(target)),
        read_items(value[_BOUNDS], read_formula) if optional else None,
        None if initial is None else _read_initial(initial),
    )


def _read_initial(value: Any) -> dict[str, Any]:
    """Return what `initial_fields` has written; only its formula is looked at."""
    require_keys(value, "formula", "least", "added")
    return {**value, "formula": write_formula(read_formula(value["formula"]))}


def _read_first_verdict(value: dict[str, Any], default: Formula | None) -> Evidence:
    """Return a verdict of version 1, about `default` if the file names no target."""
    evidence = {key: value[key] for key in value if key not in (*_HEAD, "target", "verdict")}
    require_keys(value, *_HEAD, "target", "verdict", *evidence)
    named = None if value["target"] is None else read_formula(value["target"])
    target = named_target(named, default)
    claim: Claim
    match value["verdict"]:
        case "reachable":
            require_keys(evidence, "trace")
            claim = reached(target, TRACE.read(evidence["trace"]))
        case "unreachable":
            claim = Excluded(target, read_certificate(evidence))
        case _:
            raise EvidenceError('the "verdict" is neither "reachable" nor "unreachable"')
    results = {"answer": isinstance(claim, Reached)}
    return Evidence(_read_head(value), "formula", "", target, results, (claim,))


def _read_first_claims(value: dict[str, Any]) -> Evidence:
    """Return claims of version 1, for a question without a target."""
    require_keys(value, *_HEAD, "analysis", "question", "finding", "claims")
    kind, text = read_text(value["analysis"]), read_text(value["question"])
    claims = read_claims(value["claims"], _target_form(None))
    return Evidence(_read_head(value), kind, text, None, {"details": value["finding"]}, claims)


def _read_head(value: dict[str, Any]) -> str | None:
    """Return the checksum."""
    read_text(value["petricheck"])
    read_text(value["net"])
    return read_digest(value["sha256"])


def _own_version() -> str:
    """Return the installed version; the package above is not imported for it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("petricheck")
    except PackageNotFoundError:
        return "not installed"
