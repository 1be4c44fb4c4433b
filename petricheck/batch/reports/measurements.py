"""All measurements of a batch as one JSON document, for programs that compare or plot them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import petricheck
from petricheck.batch.cells import Cell, Record
from petricheck.batch.reports.results import arrange, figure
from petricheck.engines import unit


def render_json(records: Iterable[Record], planned: Sequence[Cell] = ()) -> str:
    """Every record with all its figures, and what is needed to repeat the run; no paths."""
    results = arrange(records, planned)
    hosts = dict.fromkeys(r.outcome.host for r in results.records if r.outcome.host is not None)
    timeouts = sorted({record.cell.limits.seconds for record in results.records})
    document = {
        "format": 2,
        "petricheck": petricheck.__version__,
        "versions": {package: version for host in hosts for package, version in host.versions},
        "hosts": [asdict(host) | {"versions": dict(host.versions)} for host in hosts],
        "timeout": timeouts[-1] if timeouts else None,
        "configurations": [
            {"name": c.name, "engine": c.engine, "options": dict(c.options)}
            | ({"tool": c.tool} if c.tool else {})
            for c in results.configurations
        ],
        "records": [_fields(record) for record in results.records],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _fields(record: Record) -> dict[str, Any]:
    question, outcome = record.cell.question, record.outcome
    paper = figure(question, record.cell.configuration)
    return {
        "collection": question.collection,
        "question": question.name,
        "row": question.row,
        "net": record.net,
        "bounded": question.bounded,
        "configuration": record.cell.configuration.name,
        "expected": question.expected_text,
        "wrong": record.wrong,
        "status": outcome.status,
        "verdict": outcome.verdict,
        "engine": outcome.engine,
        "audit": outcome.audit,
        "reason": outcome.reason,
        "error": outcome.error,
        "iterations": outcome.iterations,
        "unit": unit(outcome.engine),
        "states": outcome.states,
        "cpu_seconds": outcome.cpu_seconds,
        "seconds": outcome.seconds,
        "memory": outcome.memory,
        "paper": None if paper is None else [paper.refinements, paper.seconds],
    }
