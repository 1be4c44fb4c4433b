"""A batch as one HTML page: summary, plots, a table of all cells, their evidence, and the nets.

All of it is plain HTML; what is told of a cell when it is opened stands in templates, which its
script copies. Plots are images within the page, so that nothing in them can reach out of them. Nets
and evidence are read from files, each once; what cannot be read is told.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from markupsafe import Markup

from petricheck.batch.cells import STATES, CellRecord
from petricheck.batch.reports.measures import grouped
from petricheck.batch.reports.plots import Plot
from petricheck.batch.reports.tables import machine
from petricheck.engines import unit
from petricheck.evidence.explanation import Line
from petricheck.evidence.files import SIZE, Evidence, read_evidence
from petricheck.formats.nets import read_net
from petricheck.model.drawing.forms import sizes
from petricheck.model.drawing.svg import to_svg
from petricheck.model.net import Net
from petricheck.questions.verification import claimed_question, started_net
from petricheck.reports.explanation.html import formula_html, nodes_html
from petricheck.reports.explanation.sections import claims_html, missing
from petricheck.reports.page.document import document
from petricheck.support.budget import MEBIBYTE
from petricheck.support.errors import EvidenceError, InputError, PetricheckError
from petricheck.support.files import content
from petricheck.support.words import counted, printable

BYTES = 8 << 20
"""Larger files of nets are not read: a page is to be made in seconds."""

DRAWINGS = 4 << 20
"""Characters of drawings in a page; later nets are not drawn beyond."""

EVIDENCE = 12 << 20
"""Characters of evidence in a page; what is longest in its file is left out beyond."""

ENDS = 200
"""Steps that are told from either end of a longer trace."""

MARKS = dict.fromkeys(STATES, "–") | {"correct": "✓", "solved": "✓", "wrong": "✗", "error": "!"}
"""Of cells by state, seen without colours."""

Explained: TypeAlias = tuple[Markup, Markup]
"""Evidence explained, or why it is not, or nothing where there is none; and the target of the
question, where the evidence has it."""


def render_page(
    title: str, records: Sequence[CellRecord], plots: Sequence[Plot], files: Path = Path()
) -> str:
    """Return the page; the records' nets and evidence are read from a folder.

    A file that is missing or refused costs what it would have told, and is told itself.
    """
    net_records = grouped(records, lambda record: record.net_sha256)
    nets = {
        sha256: _read(files / own[0].cell.question.net, sha256)
        for sha256, own in net_records.items()
    }
    evidence = explain_evidence(records, nets, files)
    values = {
        "title": title,
        "records": records,
        "finished": sorted(record.finished for record in records),
        "states": STATES,
        "marks": MARKS,
        "mark": lambda record: MARKS["wrong" if record.fails else record.state],
        "summary": [
            (own[0].cell.configuration, own, Counter(record.state for record in own))
            for own in grouped(records, lambda record: record.cell.configuration.name).values()
        ],
        "limits": Counter(record.cell.limits for record in records),
        "hosts": Counter(record.outcome.host for record in records),
        "pictures": [(plot, b64encode(plot.svg.encode()).decode()) for plot in plots],
        "matrix": _matrix(records),
        "evidence": evidence,
        "evidence_number": [*evidence].index,
        "nets": nets,
        "net_number": [*nets].index,
        "net_records": net_records,
        "drawings": draw_nets(nets),
        "sizes": sizes,
        "mebibyte": MEBIBYTE,
        "machine": machine,
        "unit": unit,
        "printable": printable,
        "counted": counted,
    }
    return document("petricheck.batch.reports", "batch", values)


def _matrix(records: Sequence[CellRecord]) -> list[tuple[str, str, str, Mapping[str, int]]]:
    """Return for each question its collection, name, disagreement, and cells by configuration."""
    questions = grouped(enumerate(records), lambda cell: cell[1].cell.key[:2])
    return [
        (
            *key,
            _difference(record for _, record in cells),
            {record.cell.configuration.name: number for number, record in cells},
        )
        for key, cells in questions.items()
    ]


def _difference(records: Iterable[CellRecord]) -> str:
    """Return a class of the style: verdicts contradict each other, or outcomes differ."""
    cells = [*records]
    if len({record.outcome.value for record in cells} - {None}) > 1:
        return "contradict"
    return "differ" if len({record.headline for record in cells}) > 1 else ""


def _read(path: Path, sha256: str) -> Net | str:
    """Return the net; or why it is not known."""
    try:
        if path.stat().st_size > BYTES:
            return f"its file is larger than {BYTES >> 20} MiB, the most that is read here"
        file = read_net(path)
    except OSError as error:
        return f"its file cannot be read: {error.strerror}"
    except InputError as error:
        prefix = "" if error.line is None else f"line {error.line}: "
        return f"its file is refused: {prefix}{error.message}"
    return file.net if file.sha256 == sha256 else "its file is not the one that was asked about"


def draw_nets(nets: Mapping[str, Net | str]) -> dict[str, Markup]:
    """Return a picture of each net; empty where it is not drawn."""
    pictures: dict[str, Markup] = {}
    remaining = DRAWINGS
    for sha256, net in nets.items():
        pictures[sha256] = Markup("" if isinstance(net, str) or remaining <= 0 else to_svg(net))
        remaining -= len(pictures[sha256])
    return pictures


def explain_evidence(
    records: Sequence[CellRecord], nets: Mapping[str, Net | str], files: Path
) -> dict[str, Explained]:
    """Return all evidence by its file, in the order of the records; short files first have room."""
    first = {record.evidence: record for record in reversed(records)}
    left_out = _not_shown("it is left out, since the page would be too large")
    explained: dict[str, Explained] = dict.fromkeys((r.evidence for r in records), left_out)
    remaining = EVIDENCE
    for name, record in sorted(first.items(), key=lambda item: _size(files / item[0])):
        if remaining > 0:
            own = recorded_evidence(record, files, nets[record.net_sha256])
            remaining -= len(own[0])
            explained[name] = own if remaining > 0 else left_out
    return explained


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def recorded_evidence(record: CellRecord, files: Path, net: Net | str) -> Explained:
    """Return the evidence of a cell, from the folder `files`; the net, or why it is missing."""
    if not record.evidence:
        return Markup(), Markup()
    path = files / record.evidence
    try:
        evidence = read_evidence(str(path))
        target = Markup() if evidence.target is None else Markup(formula_html(evidence.target))
        return _explained(record, path, evidence, net), target
    except (PetricheckError, RecursionError) as error:
        return _not_shown(str(error).replace(str(path), path.name))


def _not_shown(reason: str) -> Explained:
    return Markup(missing(reason)), Markup()


def _explained(record: CellRecord, path: Path, evidence: Evidence, net: Net | str) -> Markup:
    """Return the explained claims that the audit accepted; PetricheckError for another file."""
    if evidence.sha256 not in (None, record.net_sha256):
        raise EvidenceError("it is about another net")
    if isinstance(net, str):
        raise EvidenceError(f"the net is not known: {net}")
    if hashlib.sha256(content(path, SIZE)).hexdigest() != path.stem:
        raise EvidenceError("its file is not the one that was kept")
    if not record.outcome.audit:
        raise EvidenceError("no audit of it is recorded")
    net = started_net(net, evidence)
    question = claimed_question(net, evidence)
    conclusion = question.conclude(evidence.claims)
    if conclusion.value != record.outcome.value:
        raise EvidenceError("it amounts to something else")
    claims = claims_html(net, evidence.claims, target=question.subject is not None, ends=ENDS)
    if evidence.target is None:
        claims = nodes_html(Line((printable(line),)) for line in conclusion.details) + claims
    return Markup(claims)
