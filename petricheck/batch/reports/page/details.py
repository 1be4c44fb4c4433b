"""What the page tells of one cell's evidence, read from its file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from petricheck.analyses import analysis
from petricheck.batch.cells import Record
from petricheck.batch.reports.page.netfiles import NetFile
from petricheck.certificates import SIZE, read_evidence
from petricheck.claim_files import read_claims
from petricheck.errors import PetricheckError
from petricheck.files import content
from petricheck.page.claims import sections
from petricheck.page.evidence import evidence_data, evidence_without_net, missing
from petricheck.page.words import Names
from petricheck.words import printable


def recorded_evidence(record: Record, files: Path, file: NetFile, names: Names) -> dict[str, Any]:
    """The evidence as data; where there is none to show, why."""
    if not record.evidence:
        return {"kind": "none"}
    path = files / record.evidence
    try:
        if record.cell.question.analysed:
            return _claims(record, path, file, names)
        evidence = read_evidence(str(path))
        if evidence.sha256 not in (None, record.net_sha256):
            return missing("it is about another net")
        if file.net is None:
            return evidence_without_net(evidence, file.complaint, names)
        return evidence_data(evidence, file.net, bool(record.outcome.audit), names)
    except (PetricheckError, RecursionError) as error:
        return missing(str(error).replace(str(path), path.name))


def _claims(record: Record, path: Path, file: NetFile, names: Names) -> dict[str, Any]:
    """The claims, of the file whose content the audit has accepted, and what they amount to.

    Raises:
        PetricheckError: the file cannot be read, or makes no sense.
    """
    if hashlib.sha256(content(path, SIZE)).hexdigest() != path.stem:
        return missing("its file is not the one that was kept")
    claimed = read_claims(str(path))
    if claimed.sha256 != record.net_sha256:
        return missing("it is about another net")
    if file.net is None:
        return missing(f"the net is not known: {file.complaint}")
    asked = analysis(claimed.analysis)
    finding = asked.conclude(file.net, claimed.question, claimed.claims)
    if finding.value != record.outcome.value:
        return missing("it amounts to something else")
    shown = list(sections(claimed.claims, file.net, names))
    return {
        "kind": "claims",
        "says": list(map(printable, finding.details)),
        "claims": shown,
        "left": len(claimed.claims) - len(shown),
    }
