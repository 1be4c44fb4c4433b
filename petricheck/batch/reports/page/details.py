"""What the page tells of one cell's evidence, read from its file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from petricheck.analyses import analysis
from petricheck.batch.cells import Record
from petricheck.batch.reports.page.netfiles import NetFile
from petricheck.certificates import SIZE, read_evidence
from petricheck.claim_files import read_claims
from petricheck.claims import claim_of
from petricheck.errors import PetricheckError
from petricheck.files import content
from petricheck.page.claims import claims_html, missing, without_net
from petricheck.presburger.formulas import Formula
from petricheck.words import printable


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is shown.

    Attributes:
        shown: the evidence explained, or why it is not; empty where there is none.
        target: of the question, where the evidence has it.
    """

    shown: Markup
    target: Formula | None = None


def recorded_evidence(record: Record, files: Path, file: NetFile) -> Evidence:
    """The evidence of a cell, read from the folder `files`."""
    if not record.evidence:
        return Evidence(Markup(""))
    path = files / record.evidence
    try:
        if record.cell.question.analysed:
            return Evidence(_claims(record, path, file))
        return _verdict(record, path, file)
    except (PetricheckError, RecursionError) as error:
        return Evidence(missing(str(error).replace(str(path), path.name)))


def _verdict(record: Record, path: Path, file: NetFile) -> Evidence:
    """The evidence of a verdict.

    Raises:
        PetricheckError: the file cannot be read, or makes no sense.
    """
    evidence = read_evidence(str(path))
    if evidence.sha256 not in (None, record.net_sha256):
        return Evidence(missing("it is about another net"))
    if evidence.target is None:
        return Evidence(missing("it names no target"))
    claim = claim_of(evidence.target, evidence.answer)
    if file.net is None:
        return Evidence(without_net(claim, file.complaint), evidence.target)
    if not record.outcome.audit:
        return Evidence(missing("no audit of it is recorded"), evidence.target)
    return Evidence(claims_html(file.net, [claim], target=True), evidence.target)


def _claims(record: Record, path: Path, file: NetFile) -> Markup:
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
    details = map(Markup("<p>{}</p>").format, map(printable, finding.details))
    return Markup("").join(details) + claims_html(file.net, claimed.claims)
