"""What a page tells of a cell when it is opened: facts, its evidence explained, its net drawn.

Nets and evidence are read from files, each once; what cannot be read is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from markupsafe import Markup

from petricheck.batch.cells import Record
from petricheck.batch.questions.index import Question
from petricheck.batch.reports.tables import limits_text, machine
from petricheck.budget import MEBIBYTE
from petricheck.drawing.forms import sizes
from petricheck.drawing.svg import to_svg
from petricheck.engines import unit
from petricheck.errors import EvidenceError, InputError, PetricheckError
from petricheck.evidence import SIZE, Evidence, read_evidence
from petricheck.explanation.html import formula_html, nodes_html
from petricheck.explanation.sections import claims_html, missing
from petricheck.explanation.tree import Line
from petricheck.files import content
from petricheck.formats import read_net
from petricheck.page.document import Fact
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net
from petricheck.questions.verification import claimed_question
from petricheck.words import counted, printable

BYTES = 8 << 20
"""Larger files of nets are not read: a page is to be made in seconds."""

DRAWINGS = 4 << 20
"""Characters of drawings in a page; later nets are not drawn beyond."""

EVIDENCE = 12 << 20
"""Characters of evidence in a page; what is longest in its file is left out beyond."""

LONG = 120
"""Letters of the longest questions that are told as they were put beside the typeset ones."""

ENDS = 200
"""Steps that are told from either end of a longer trace."""

Explained: TypeAlias = tuple[str, Formula | None]
"""Evidence explained in HTML, or why it is not, or nothing where there is none; and the target of
the question, where the evidence has it."""


def read_nets(records: Iterable[Record], files: Path) -> dict[str, Net | str]:
    """The nets of the records by hash, in their order; or why one is not known."""
    nets: dict[str, Net | str] = {}
    for record in records:
        if record.net_sha256 not in nets:
            nets[record.net_sha256] = _read(files / record.cell.question.net, record.net_sha256)
    return nets


def _read(path: Path, sha256: str) -> Net | str:
    try:
        if path.stat().st_size > BYTES:
            return f"its file is larger than {BYTES >> 20} MiB, the most that is read here"
        file = read_net(path)
    except OSError as error:
        return f"its file cannot be read: {error.strerror}"
    except InputError as error:
        where = "" if error.line is None else f"line {error.line}: "
        return f"its file is refused: {where}{error.message}"
    return file.net if file.sha256 == sha256 else "its file is not the one that was asked about"


def net_sizes(net: Net | str) -> str:
    """How much there is of everything, or why it is not known."""
    if isinstance(net, str):
        return printable(net)
    return f"{sizes(net)}, {counted(sum(net.initial), 'token')}"


def draw_nets(nets: Iterable[Net | str]) -> Iterator[Markup]:
    """A picture of each net; empty where it is not drawn."""
    room = DRAWINGS
    for net in nets:
        picture = "" if isinstance(net, str) or room <= 0 else to_svg(net)
        room -= len(picture)
        yield Markup(picture)


def explain_evidence(
    records: Sequence[Record], nets: Mapping[str, Net | str], files: Path
) -> dict[str, Explained]:
    """All evidence by its file, in the order of the records; short files first have room."""
    first = {record.evidence: record for record in reversed(records)}
    left_out = missing("it is left out, since the page would be too large"), None
    explained: dict[str, Explained] = dict.fromkeys((r.evidence for r in records), left_out)
    room = EVIDENCE
    for name, record in sorted(first.items(), key=lambda item: _size(files / item[0])):
        if room > 0:
            own = recorded_evidence(record, files, nets[record.net_sha256])
            room -= len(own[0])
            explained[name] = own if room > 0 else left_out
    return explained


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def recorded_evidence(record: Record, files: Path, net: Net | str) -> Explained:
    """The evidence of a cell, read from the folder `files`; the net, or why it is not known."""
    if not record.evidence:
        return "", None
    path = files / record.evidence
    try:
        kept = read_evidence(str(path))
        return _explained(record, path, kept, net), kept.target
    except (PetricheckError, RecursionError) as error:
        return missing(str(error).replace(str(path), path.name)), None


def _explained(record: Record, path: Path, kept: Evidence, net: Net | str) -> str:
    """What the claims amount to, and each explained: those of the file that the audit accepted.

    Raises:
        PetricheckError: the file is not the one that was kept, or makes no sense.
    """
    if kept.sha256 not in (None, record.net_sha256):
        raise EvidenceError("it is about another net")
    if isinstance(net, str):
        raise EvidenceError(f"the net is not known: {net}")
    if hashlib.sha256(content(path, SIZE)).hexdigest() != path.stem:
        raise EvidenceError("its file is not the one that was kept")
    if not record.outcome.audit:
        raise EvidenceError("no audit of it is recorded")
    conclusion = claimed_question(net, kept).conclude(kept.claims)
    if conclusion.value != record.outcome.value:
        raise EvidenceError("it amounts to something else")
    details = nodes_html(Line((printable(line),)) for line in conclusion.details)
    target = kept.target is not None
    return ("" if target else details) + claims_html(net, kept.claims, target=target, ends=ENDS)


def answer_facts(
    record: Record, number: int, net: Net | str, target: Formula | None
) -> Iterator[Fact]:
    """The question and its answer.

    Args:
        record: the cell.
        number: of its net in the page.
        net: the net, or why it is not known.
        target: of the question, where the evidence has it.
    """
    question, outcome = record.cell.question, record.outcome
    link = Markup('<a href="#net-{}">{}</a>').format(number, printable(record.net))
    bounded = {None: "", True: ", bounded", False: ", unbounded"}[question.bounded]
    words = question_text(question)
    yield Fact("Net", link, net_sizes(net) + bounded)
    if target is not None:
        yield Fact("Question", Markup(formula_html(target)), words if len(words) <= LONG else "")
    else:
        yield Fact("Question", outcome.target or words)
    work = [(outcome.iterations, unit(outcome.engine) or "iteration"), (outcome.states, "state")]
    facts = (
        Fact("Expected", expected_answer(question), question.why),
        Fact("Audit", outcome.audit),
        Fact("Reason", outcome.reason),
        Fact("Error", outcome.error),
        Fact("Engine", outcome.engine, ", ".join(counted(n, noun) for n, noun in work if n)),
    )
    yield from (fact for fact in facts if fact.text)
    costs = ((outcome.seconds, "{:.3f} s"), (outcome.cpu_seconds, "{:.3f} s of CPU"))
    parts = [form.format(cost) for cost, form in costs if cost is not None]
    parts += [] if outcome.memory is None else [f"{outcome.memory / MEBIBYTE:.0f} MiB"]
    attempts = f"; {outcome.attempts} attempts" if outcome.attempts > 1 else ""
    yield Fact("Cost", ", ".join(parts), f"within {limits_text(record.cell.limits)}{attempts}")


def run_facts(record: Record) -> Iterator[Fact]:
    """How the answer came about."""
    question, host = record.cell.question, record.outcome.host
    code = Markup("<code>{}</code>").format
    yield Fact("Configuration", code(printable(record.cell.configuration.definition)))
    if host is not None:
        yield Fact("Host", machine(host), ", ".join(map(" ".join, host.versions)))
    yield Fact("Finished", f"{record.finished[:19].replace('T', ' ')} UTC")
    if question.source:
        yield Fact("Source", question.source)
    if record.evidence:
        verify = f"petricheck verify {question.net.name} {record.evidence}"
        where = "in a folder that petricheck batch export --evidence has written"
        yield Fact("Check again", code(printable(verify)), where)


def expected_answer(question: Question) -> str:
    """The answer that is known; empty where none is."""
    return "" if question.expected is None else question.expected_text


def question_text(question: Question) -> str:
    """What is asked, as it was put."""
    if question.properties is not None:
        return f"property {question.text}"
    return f"{question.kind}: {question.text}" if question.text else question.kind
