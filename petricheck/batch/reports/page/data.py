"""What the page's script works on: cells, nets, evidence, and the names in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from petricheck.batch.cells import Host, Limits, Record
from petricheck.batch.questions.index import Question
from petricheck.batch.reports.page.details import recorded_evidence
from petricheck.batch.reports.page.netfiles import NetFile
from petricheck.batch.reports.page.summary import state
from petricheck.engines import unit
from petricheck.page.document import embedded
from petricheck.page.nets import drawing_data, sizes
from petricheck.page.words import Names
from petricheck.words import printable

EVIDENCE = 5 << 20
"""Characters of evidence in a page; what is longest in its file is left out beyond."""

DRAWINGS = 2 << 20
"""Characters of drawings in a page; later nets are not drawn beyond."""


@dataclass(frozen=True, slots=True)
class Data:
    """Everything that is embedded.

    Attributes:
        nets: for people: what heads each net.
        json: the data, safe between the tags of a script element.
    """

    nets: tuple[dict[str, Any], ...]
    json: str


def gather(records: Sequence[Record], nets: Mapping[str, NetFile], files: Path) -> Data:
    """The data of the page; evidence is read from the folder `files`."""
    names = Names()
    numbers = {sha256: number for number, sha256 in enumerate(nets)}
    shown = _nets(records, nets, names)
    evidence, where = _evidence(records, nets, files, names)
    hosts = list(dict.fromkeys(r.outcome.host for r in records if r.outcome.host))
    limits = list(dict.fromkeys(record.cell.limits for record in records))
    cells = [
        _cell(record, names)
        | {
            "net": numbers[record.net_sha256],
            "host": None if record.outcome.host is None else hosts.index(record.outcome.host),
            "limits": limits.index(record.cell.limits),
            "evidence": where[record.evidence],
        }
        for record in records
    ]
    whole = {
        "cells": cells,
        "nets": shown,
        "hosts": [_host(host) for host in hosts],
        "limits": [_limits(each) for each in limits],
        "evidence": evidence,
        "names": [printable(text) for text in names.texts],
    }
    return Data(tuple(shown), embedded(whole))


def _evidence(
    records: Sequence[Record], nets: Mapping[str, NetFile], files: Path, names: Names
) -> tuple[list[Any], dict[str, int]]:
    """All evidence, and which of it is each file's; short files first, while there is room."""
    first = {record.evidence: record for record in reversed(records)}
    found: list[Any] = []
    where: dict[str, int] = {}
    room = EVIDENCE
    for name, record in sorted(first.items(), key=lambda item: _size(files / item[0])):
        if room > 0:
            data = recorded_evidence(record, files, nets[record.net_sha256], names)
        if room <= 0 or (room := room - len(json.dumps(data))) <= 0:
            data = {"kind": "missing", "why": "it is left out, since the page would be too large"}
        where[name] = len(found)
        found.append(data)
    return found, where


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _nets(
    records: Sequence[Record], files: Mapping[str, NetFile], names: Names
) -> list[dict[str, Any]]:
    asked: dict[str, list[str]] = {sha256: [] for sha256 in files}
    for record in records:
        asked[record.net_sha256].append(printable(record.net))
    room = DRAWINGS
    nets = []
    for sha256, file in files.items():
        shown = None if file.net is None or room <= 0 else drawing_data(file.net, names)
        room -= 0 if shown is None else len(json.dumps(shown))
        called = ", ".join(dict.fromkeys(asked[sha256]))
        head = {"file": called, "sha256": sha256, "cells": len(asked[sha256])}
        nets.append(head | _sizes(file) | {"drawing": shown})
    return nets


def _sizes(file: NetFile) -> dict[str, Any]:
    if file.net is None:
        return {"complaint": printable(file.complaint)}
    return {"complaint": ""} | sizes(file.net)


def _cell(record: Record, names: Names) -> dict[str, Any]:
    question, outcome = record.cell.question, record.outcome
    fields = {
        "definition": record.cell.configuration.definition,
        "asked": question_text(question),
        "target": outcome.target,
        "why": question.why,
        "source": question.source,
        "audit": outcome.audit,
        "reason": outcome.reason,
        "error": outcome.error,
    }
    return {
        "state": state(record),
        "bounded": question.bounded,
        "iterations": outcome.iterations,
        "unit": unit(outcome.engine) or "iteration",
        "states": outcome.states,
        "seconds": _rounded(outcome.seconds),
        "cpu": _rounded(outcome.cpu_seconds),
        "memory": outcome.memory,
        "attempts": outcome.attempts,
        "finished": record.finished,
        "file": record.evidence,
        "copy": question.net.name,
        **{key: names.number(text) for key, text in fields.items() if text},
    }


def question_text(question: Question) -> str:
    """What is asked, as it was put."""
    if question.properties is not None:
        return f"property {question.text}"
    return f"{question.kind}: {question.text}" if question.text else question.kind


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


def _host(host: Host) -> dict[str, Any]:
    return {
        "name": printable(host.name),
        "system": printable(host.system),
        "cores": host.cores,
        "memory": host.memory,
        "versions": [f"{printable(name)} {printable(version)}" for name, version in host.versions],
    }


def _limits(limits: Limits) -> dict[str, Any]:
    return {"seconds": limits.seconds, "cpu": limits.cpu_seconds, "memory": limits.memory}
