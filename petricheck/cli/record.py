"""What was found, told to programs: one JSON object, of the same keys for every kind of question.

Keys: `verdict` (the answer in words, or unknown), `value` (the answer: true for reachable or yes,
false, a number, "unbounded", or null), `kind` (of question: target, bound, safe, …), `question`
(its words; empty where it has none, or where a file says it in another way), `partial` (what is
proved of an answer that is open, in words, or null), `complete` (whether there is an answer, and
every place or transition that may bear it out is decided), `details` (facts, which each kind has
its own keys for: `marking` is the one that a trace ends in, by place id, without empty places),
`reason`, `hint` and `ending` (why there is no answer, else null; the last is one of the words of
`errors.Ending`: time, memory, gave up, …), `engine` (that answered; `reductions` where they left
nothing for one; null of several), `net` (file, name, sha256, warnings), `target` (text, in the
syntax of --formula, or null), `unnamed_places` (how many --target leaves out), `evidence` (null, or
`{"claims": …}` as in evidence files, or `{"file": …}`), `audits` (how each claim was checked),
`seconds`, `cpu_seconds`, `iterations` (how many of what the engine counts: refinements,
rounds, …), `states`, `versions`.

For each of several properties there is one line, an object with `property` (its id) before these
keys, and `holds` (true, false or null) where it is true or false. Of what was not looked for,
or of what nothing is proved where the command is ended in the midst of something, there are only
`verdict`, `value`, `reason`, `hint` and `ending`. Where a limit ends the command before all is told
of an answer, `evidence` is null and `report` says why. What is refused altogether is told by
`outcomes`: an object with `error` and `status`.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from petricheck import __version__
from petricheck.answer import Unknown
from petricheck.cli.forms import Form
from petricheck.cli.reports import Report
from petricheck.cli.terminal import say
from petricheck.evidence.json import write_claim
from petricheck.formats import NetFile
from petricheck.presburger.json import write_facts
from petricheck.presburger.shown import formula_text
from petricheck.questions import UNKNOWN, Finding

_SOLVERS = ("z3-solver", "highspy", "python-flint")


class Json(Form):
    """One JSON object; of several questions each is a line."""

    def tell(self, report: Report) -> None:
        """The object."""
        fields = record(report)
        say(json.dumps(fields) if report.subject.name else json_lines(fields))

    def tell_late(self, report: Report) -> None:
        """Where nothing is proved the reason alone: targets may be long, and questions many."""
        nothing = isinstance(report.result, Finding) and not report.result.claims
        self.tell(replace(report, result=report.unknown or report.result) if nothing else report)

    def tell_briefly(self, report: Report, late: Unknown) -> None:
        """The answer alone."""
        say(json.dumps(brief_record(report, late)))

    def tell_unread(self, unknown: Unknown) -> None:
        """The reason alone."""
        say(json.dumps(unknown_fields(unknown)))


def record(report: Report) -> dict[str, Any]:
    """The object."""
    named: dict[str, Any] = {"property": report.subject.name} if report.subject.name else {}
    if report.is_property:
        named["holds"] = report.holds
    match report.result:
        case Unknown() as unknown:
            return named | unknown_fields(unknown)
        case finding:
            return named | _fields(report, finding)


def brief_record(report: Report, late: Unknown) -> dict[str, Any]:
    """The object where there was no time for the evidence."""
    assert isinstance(report.result, Finding)
    return conclusion_fields(report.result) | {"evidence": None, "report": late.reason}


def unknown_fields(unknown: Unknown) -> dict[str, Any]:
    """Why a question has no answer, where nothing more is known of it."""
    return {"verdict": UNKNOWN, "value": None, **_why(unknown)}


def conclusion_fields(finding: Finding) -> dict[str, Any]:
    """The question and its answer."""
    question, conclusion = finding.question, finding.conclusion
    return {
        "verdict": conclusion.answers.tell(conclusion.value),
        "value": write_facts(conclusion.value),
        "kind": question.kind,
        "question": question.text,
        "partial": conclusion.partial or None,
        "complete": conclusion.complete and not conclusion.facts.get("open"),
        "details": write_facts(conclusion.facts),
    }


def target_text(finding: Finding) -> str | None:
    """The target in the syntax of --formula; None where the question is not after one."""
    target = finding.question.target
    return None if target is None else formula_text(target)


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


@cache
def versions() -> Mapping[str, str]:
    """Of petricheck, Python and the solvers."""
    from importlib.metadata import PackageNotFoundError, version

    versions = {"petricheck": __version__, "python": platform.python_version()}
    for package in _SOLVERS:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            continue
    return versions


def _fields(report: Report, finding: Finding) -> dict[str, Any]:
    statistics = finding.statistics
    return {
        **conclusion_fields(finding),
        **_why(finding.unknown),
        "engine": finding.decider or None,
        "net": net_fields(report.file),
        "target": target_text(finding),
        "unnamed_places": len(finding.question.unnamed),
        "evidence": _evidence(report, finding),
        "audits": list(finding.audits),
        "seconds": round(finding.seconds, 6),
        "cpu_seconds": round(finding.cpu_seconds, 6),
        "iterations": statistics.iterations,
        "states": statistics.states,
        "versions": versions(),
    }


def _why(unknown: Unknown | None) -> dict[str, str | None]:
    """Why there is no answer; nulls where there is one."""
    if unknown is None:
        return dict.fromkeys(("reason", "hint", "ending"))
    return {"reason": unknown.reason, "hint": unknown.hint, "ending": unknown.ending.value}


def _evidence(report: Report, finding: Finding) -> dict[str, Any] | None:
    if report.evidence is not None:
        return {"file": report.evidence}
    return {"claims": list(map(write_claim, finding.claims))} if finding.claims else None
