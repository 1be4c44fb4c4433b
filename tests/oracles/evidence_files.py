"""Evidence about one target, as files of either version and scripts hold it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from petricheck.arithmetic.formulas.formulas import TRUE, Formula
from petricheck.arithmetic.formulas.json import write_facts, write_formula
from petricheck.evidence import files
from petricheck.evidence.answer import Reachable, Trace, Unreachable
from petricheck.evidence.claims import Claim, Excluded, Reached, reached
from petricheck.evidence.files import Evidence
from petricheck.evidence.files.json import Json, write_claim
from petricheck.evidence.files.smt2 import Smt2
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.questions import kind_of, read_question
from petricheck.support.errors import EvidenceError

Verdict = Reachable | Unreachable


class Read(NamedTuple):
    """What is read of a file about one target."""

    sha256: str | None
    target: Formula
    answer: Verdict


def about(problem: Problem, sha256: str | None, answer: Verdict) -> Evidence:
    """The evidence of an answer, be it true or not."""
    traced, target = isinstance(answer, Reachable), problem.target
    claim = reached(target, answer.trace) if traced else Excluded(target, answer.certificate)
    marking = _end(problem.net, answer.trace) if traced else None
    said = {"answer": traced, "details": write_facts({"marking": marking})}
    return Evidence(sha256, "formula", "", target, said, (claim,))


def several(net: Net, kind: str, text: str, claims: tuple[Claim, ...]) -> Evidence:
    """The evidence of claims that answer a question of another kind, with what they amount to."""
    conclusion = kind_of(kind).conclude(net, read_question(net, kind, text).content, claims)
    said = {"answer": write_facts(conclusion.value), "details": write_facts(conclusion.facts)}
    return Evidence(None, kind, text, None, said, claims)


def write_json(problem: Problem, sha256: str | None, answer: Verdict) -> bytes:
    return Json().write(problem.net, about(problem, sha256, answer))


def write_smt2(problem: Problem, sha256: str | None, answer: Verdict) -> bytes:
    return Smt2().write(problem.net, about(problem, sha256, answer))


def write_evidence(path: Path | str, sha256: str | None, problem: Problem, answer: Verdict) -> None:
    files.write_evidence(str(path), problem.net, about(problem, sha256, answer))


def read_json(data: bytes) -> Read:
    return _read(Json().read(data))


def read_smt2(data: bytes, target: Formula = TRUE) -> Read:
    return _read(Smt2().read(data, target))


def read_evidence(path: Path | str) -> Read:
    return _read(files.read_evidence(str(path)))


def first_version(problem: Problem, sha256: str | None, answer: Verdict) -> dict[str, Any]:
    """The same in version 1."""
    claim = write_claim(about(problem, sha256, answer).claims[0])
    return {
        "format": "petricheck evidence",
        "version": 1,
        "petricheck": "0.1.0",
        "net": problem.net.name,
        "sha256": sha256,
        "target": write_formula(problem.target),
        "verdict": "reachable" if isinstance(answer, Reachable) else "unreachable",
        **{key: claim[key] for key in claim if key not in ("stops", "excluded")},
    }


MALFORMED: dict[str, list[Any]] = {
    "format": ["evidence", "petricheck"],
    "version": [0, 3, 2.0, "0x2"],
    "petricheck": [None],
    "net": [1],
    "verdict": ["reachable"],
    "kind": [None],
    "text": [0],
    "question": ["p = 1"],
    "sha256": ["0123456789ABCDEF" * 4, "0123456789abcdef" * 4 + "\n", "0" * 63, "0" * 65, 0],
    "stops": [[["target", 1]], [[1, "t"]], [[True, "target"]], {"1": "target"}],
    "trace": [
        *([["t", 1, 1]], [["t"]], [[1, "t"]], [["t", 1], "t1"], {"t": 1}, "t", None),
        *([["t", 2.0]], [["t", True], ["t", 1]]),
    ],
    "target": [
        *([], {}, {"and": {}}, {"or": "ab"}, {"not": []}, {"and": [], "or": []}),
        {"sum": [["p", 1]], "at most": 1},
        *({"sum": {"p": 1}, "at most": number} for number in (True, 1.0, None, "1")),
        {"sum": {"p": 1}, "at least": 1},
        *({"sum": {"p": -1, place: 0}, "at most": -2} for place in ("p2", "nowhere")),
        {"sum": {"p": 1}, "at most": 1, "equals": 1},
        *({"sum": {"p": 1}, "residue": 1, "modulus": number} for number in (0, -3)),
        {"sum": {"p": 1}, "residue": 1},
        {"sum": {"p": 1}, "modulus": 3},
    ],
}
"""By key what evidence of a trace of `t` may not have as its value."""

CLAIM = (
    "trace",
    "stops",
    "excluded",
    "invariant",
    "hints",
    "origins",
    "markings",
    "state equation",
)
"""Keys of claims about a target."""


def changed(value: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A file of version 2 with other values, wherever in it their keys belong."""
    new = json.loads(json.dumps(value))
    for key, part in change.items():
        where = new["claims"][0] if key in CLAIM else new
        (new["question"] if key in ("kind", "text", "target") else where)[key] = part
    return new


def _end(net: Net, trace: Trace) -> dict[str, int] | None:
    """Where a trace leads, if it names transitions of the net."""
    if any(name not in net.transition_numbers for name, _ in trace.steps):
        return None
    return {place: n for place, n in net.values(net.after(trace.steps)).items() if n}


def _read(evidence: Evidence) -> Read:
    target = evidence.target
    match evidence.claims:
        case (Reached(trace, ((after, goal),)),) if after == len(trace.steps) and goal is target:
            answer: Verdict = Reachable(trace)
        case (Excluded(formula, certificate),) if formula is target:
            answer = Unreachable(certificate)
        case _:
            raise EvidenceError("there is no verdict")
    if target is None or evidence.results["answer"] is not isinstance(answer, Reachable):
        raise EvidenceError("there is another verdict")
    return Read(evidence.sha256, target, answer)
