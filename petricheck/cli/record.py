"""What was found, told to programs: one JSON object.

Keys: `verdict` (reachable, unreachable, unknown), `reason`, `hint` and `ending` (of unknown, else
null; the last is one of the words of `errors.Ending`: time, memory, gave up, …),
`engine` (that answered; `reductions` where they left nothing for one), `net` (file, name, sha256,
warnings), `target` (text, in the syntax of --formula), `unnamed_places` (how many --target leaves
out), `marking` (that a trace ends in, by place id, without empty places; else null), `evidence`
(null, or `{"trace": …}`, or `{"invariant": …, "hints": …}`, or `{"state equation": …}`, or
`{"markings": …}`, as in evidence files, or `{"file": …}`), `audit` (how the evidence was checked,
or null), `seconds`, `cpu_seconds`, `iterations` (how many of what the engine counts: refinements,
rounds, …), `states`, `versions`.

For each of several properties there is one line, an object with `property` (its id) and `holds`
(true, false or null) before these keys; of a property that is refused only `verdict`, `reason`,
`hint` and `ending` follow. They are all there is, too, where the time limit ends the command in the
midst of something. What is refused altogether is told by `outcomes`: an object with `error` and
`status`.
"""

from __future__ import annotations

import json
import platform
from typing import TYPE_CHECKING, Any

from petricheck import __version__
from petricheck.answer import Answer, Reachable, Unknown
from petricheck.certificates.json import evidence_fields
from petricheck.claim_files import plain
from petricheck.cli.findings import Findings, verdict
from petricheck.formats import NetFile
from petricheck.presburger.shown import formula_text
from petricheck.result import Result

if TYPE_CHECKING:
    from petricheck.analyses import Finding

_SOLVERS = ("z3-solver", "highspy", "python-flint")


def record(findings: Findings) -> str:
    """The object, one key a line."""
    return json_lines(_fields(findings))


def property_record(name: str, holds: bool | None, found: Findings | Unknown) -> str:
    """One line about a property: what was found, or why it was not even asked."""
    match found:
        case Unknown():
            fields = _unknown_fields(found)
        case Findings():
            fields = _fields(found)
    return json.dumps({"property": name, "holds": holds, **fields})


def unknown_record(answer: Unknown) -> str:
    """One line that says why there is no verdict, and nothing else."""
    return json.dumps(_unknown_fields(answer))


def _unknown_fields(answer: Unknown) -> dict[str, Any]:
    return {"verdict": verdict(answer), **_why(answer)}


def json_lines(fields: dict[str, Any]) -> str:
    """A JSON object with each key on its own line."""
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(v)}" for key, v in fields.items())
    return f"{{\n{lines}\n}}"


def net_fields(file: NetFile) -> dict[str, Any]:
    """What identifies the net."""
    return {
        "file": file.path,
        "name": file.net.name,
        "sha256": file.sha256,
        "warnings": list(file.warnings),
    }


def finding_fields(finding: Finding) -> dict[str, Any]:
    """What claims amount to.

    Keys: `answer` (in a few words), `answered` (whether it is an answer to the question),
    `complete` (whether it is, and every place or transition that may bear it out is decided),
    `finding` (the facts, which each analysis has its own keys for).
    """
    return {
        "answer": finding.headline,
        "answered": finding.complete,
        "complete": finding.complete and not finding.facts.get("open"),
        "finding": plain(finding.facts),
    }


def _fields(findings: Findings) -> dict[str, Any]:
    result = findings.result
    answer, statistics = result.answer, result.answer.statistics
    return {
        "verdict": verdict(answer),
        **_why(answer),
        "engine": result.decider,
        "net": net_fields(findings.file),
        "target": formula_text(result.problem.target),
        "unnamed_places": len(findings.question.unnamed),
        "marking": _marking(result),
        "evidence": _evidence(findings),
        "audit": result.audit or None,
        "seconds": round(result.seconds, 6),
        "cpu_seconds": round(result.cpu_seconds, 6),
        "iterations": statistics.iterations,
        "states": statistics.states,
        "versions": versions(),
    }


def _why(answer: Answer) -> dict[str, str | None]:
    """Why there is no verdict; nulls where there is one."""
    match answer:
        case Unknown(reason, hint, ending=ending):
            return {"reason": reason, "hint": hint, "ending": ending.value}
        case _:
            return dict.fromkeys(("reason", "hint", "ending"))


def _evidence(findings: Findings) -> dict[str, Any] | None:
    answer = findings.result.answer
    if isinstance(answer, Unknown):
        return None
    if findings.evidence is not None:
        return {"file": findings.evidence}
    return {key: value for key, value in evidence_fields(answer).items() if key != "origins"}


def _marking(result: Result) -> dict[str, int] | None:
    """The marking that the trace ends in, without empty places; None without a trace."""
    if not isinstance(result.answer, Reachable):
        return None
    net = result.problem.net
    marking = net.after(result.answer.trace.steps)
    return {place: tokens for place, tokens in net.values(marking).items() if tokens}


def versions() -> dict[str, str]:
    """Of petricheck, Python and the solvers."""
    from importlib.metadata import PackageNotFoundError, version

    versions = {"petricheck": __version__, "python": platform.python_version()}
    for package in _SOLVERS:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions
