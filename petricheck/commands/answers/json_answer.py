"""The answer as one JSON object, with the same keys for every kind of question.

The keys are those of the JSON Schema `schemas/answer.json`; tests compare each object with it.
`exit_status` prints the object of a command that was refused.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from functools import cache
from typing import Any

from petricheck.arithmetic.formulas.formulas import variables
from petricheck.arithmetic.formulas.json import write_facts
from petricheck.arithmetic.formulas.shown import formula_text
from petricheck.commands.answers.reports import Report
from petricheck.evidence.answer import Unknown
from petricheck.evidence.files.json import write_claim
from petricheck.formats.language.sums import summed
from petricheck.formats.nets import NetFile
from petricheck.model.node_names import with_names
from petricheck.questions import UNKNOWN, Finding
from petricheck.support.version import __version__, installed

_SOLVERS = ("z3-solver", "highspy", "python-flint")


def record(report: Report) -> dict[str, Any]:
    """Return the object."""
    named = named_fields(report)
    finding, file = report.result, report.file
    if file is None or isinstance(finding, Unknown):
        return named | {"verdict": UNKNOWN, "value": None, **reason_fields(report.unknown)}
    evidence: dict[str, Any] | None = None
    if report.evidence is not None:
        evidence = {"file": report.evidence}
    elif finding.claims:
        evidence = {"claims": list(map(write_claim, finding.claims))}
    fields = {
        **conclusion_fields(finding),
        **reason_fields(finding.unknown),
        "engine": finding.decider or None,
        "net": net_fields(file),
        "target": target_text(finding),
        "unnamed_places": len(finding.question.unnamed),
        "evidence": evidence,
        "audits": list(finding.audits),
        "failures": list(finding.failures),
        "seconds": round(finding.seconds, 6),
        "cpu_seconds": round(finding.cpu_seconds, 6),
        "iterations": finding.statistics.iterations,
        "states": finding.statistics.states,
        "versions": versions(),
    }
    fields |= {} if finding.reused is None else {"reused": finding.reused}
    target = finding.question.target
    in_target = () if target is None else variables(target)
    return named | with_names(finding.question.net.shown, fields, in_target)


def named_fields(report: Report) -> dict[str, Any]:
    """Return the fields of a property, and whether it holds; none for the only question."""
    named: dict[str, Any] = {"property": report.subject.name} if report.subject.name else {}
    if report.is_property:
        named |= {"quantifier": report.subject.quantifier, "holds": report.holds}
    return named


def overview_fields(file: NetFile) -> dict[str, Any]:
    """Return the fields of a net without a question; the properties are null."""
    from petricheck.reports.overview import PROPERTIES, structure  # other answers need no numpy

    facts: dict[str, Any] = dict.fromkeys(("places", "transitions", "arcs", "tokens", "classes"))
    if file.colours != "none":
        survey = structure(file.net)
        facts |= {"places": len(file.net.places), "transitions": len(file.net.transitions)}
        facts |= {"arcs": survey.arcs, "tokens": survey.tokens, "classes": survey.classes}
    return {"net": net_fields(file), **write_facts(facts), **dict.fromkeys(PROPERTIES)}


def property_fields(report: Report) -> dict[str, Any]:
    """Return the fields of a property in that object."""
    finding = report.result
    if isinstance(finding, Unknown):
        return {"verdict": UNKNOWN, "value": None, **reason_fields(finding)}
    ending = reason_fields(finding.unknown)
    fields = conclusion_fields(finding) | ending | {"seconds": round(finding.seconds, 6)}
    return with_names(finding.question.net.shown, fields)


def reason_fields(unknown: Unknown | None) -> dict[str, str | None]:
    """Return the reason why there is no answer; nulls where there is one."""
    if unknown is None:
        return dict.fromkeys(("reason", "hint", "ending"))
    return {"reason": unknown.reason, "hint": unknown.hint, "ending": unknown.ending.value}


def conclusion_fields(finding: Finding) -> dict[str, Any]:
    """Return the fields of the question and its answer."""
    question, conclusion = finding.question, finding.conclusion
    return {
        "verdict": conclusion.answers.describe(conclusion.value),
        "value": write_facts(conclusion.value),
        "kind": question.kind,
        "question": question.text,
        "partial": conclusion.partial or None,
        "complete": conclusion.complete and not conclusion.facts.get("open"),
        "details": write_facts(conclusion.facts),
    }


def target_text(finding: Finding) -> str | None:
    """Return the target in the syntax of --formula, over ids; None without a target."""
    target = finding.question.target
    return None if target is None else formula_text(summed(finding.question.net, target))


def net_fields(file: NetFile) -> dict[str, Any]:
    """Return the fields that identify the net."""
    return {
        "file": file.path,
        "name": file.source.name,
        "sha256": file.sha256,
        "warnings": list(file.warnings),
    } | ({} if file.initial is None else {"initial": formula_text(file.initial)})


def json_lines(fields: Mapping[str, Any]) -> str:
    """Return a JSON object with each key on its own line."""
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(v)}" for key, v in fields.items())
    return f"{{\n{lines}\n}}"


@cache
def versions() -> Mapping[str, str]:
    """Return the versions of petricheck, Python and the solvers."""
    own = {"petricheck": __version__, "python": platform.python_version()}
    return own | installed(_SOLVERS)
