"""What the page tells of one cell's evidence, read from its file."""

from __future__ import annotations

from typing import Any

from petricheck.batch.cells import Record
from petricheck.batch.reports.page.netfiles import NetFile
from petricheck.certificates import read_evidence
from petricheck.errors import PetricheckError
from petricheck.page.evidence import evidence_data, evidence_without_net, missing
from petricheck.page.words import Names


def recorded_evidence(record: Record, file: NetFile, names: Names) -> dict[str, Any]:
    """The evidence as data; where there is none to show, why."""
    if record.evidence is None:
        return {"kind": "none"}
    try:
        evidence = read_evidence(str(record.evidence))
        if evidence.sha256 not in (None, record.net_sha256):
            return missing("it is about another net")
        if file.net is None:
            return evidence_without_net(evidence, file.complaint, names)
        return evidence_data(evidence, file.net, bool(record.outcome.audit), names)
    except (PetricheckError, RecursionError) as error:
        return missing(str(error).replace(str(record.evidence), record.evidence.name))
