"""What a page tells of a cell when it is opened: facts, and the evidence as it is in its file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from petricheck.batch.cells import Record
from petricheck.batch.questions.index import Question
from petricheck.batch.reports.page.nets import NetFile
from petricheck.batch.reports.page.overview import expected_answer, limits_text, machine_text
from petricheck.engines import unit
from petricheck.errors import PetricheckError
from petricheck.evidence import SIZE, read_evidence
from petricheck.evidence import Evidence as KeptEvidence
from petricheck.explanation.formula_html import formula_html
from petricheck.explanation.html import nodes_html
from petricheck.explanation.sections import claims_html, missing, without_net
from petricheck.explanation.tree import Line
from petricheck.files import content
from petricheck.page.facts import Fact, printed
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net
from petricheck.questions import kind_of
from petricheck.questions.verification import claimed_question
from petricheck.words import counted, printable

EVIDENCE = 12 << 20
"""Characters of evidence in a page; what is longest in its file is left out beyond."""

LONG = 120
"""Letters of the longest questions that are told as they were put beside the typeset ones."""


@dataclass(frozen=True, slots=True)
class Detail:
    """What is told of a cell.

    Attributes:
        net: number of its net.
        facts: about the answer.
        evidence: number of its evidence.
        run: how it came about.
    """

    net: int
    facts: tuple[Fact, ...]
    evidence: int
    run: tuple[Fact, ...]


ENDS = 200
"""Steps that are told from either end of a longer trace."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is shown.

    Attributes:
        shown: the evidence explained in HTML, or why it is not; empty where there is none.
        target: of the question, where the evidence has it.
    """

    shown: str
    target: Formula | None = None


def gather(
    records: Sequence[Record], nets: Mapping[str, NetFile], files: Path
) -> tuple[tuple[Detail, ...], tuple[Markup, ...]]:
    """The details of the records, and the evidence that they number, read from `files`."""
    evidence = _evidence(records, nets, files)
    numbers: dict[str, int] = {}
    details = []
    for record in records:
        net, own = nets[record.net_sha256], evidence[record.evidence]
        number = numbers.setdefault(own.shown, len(numbers))
        facts = printed(_facts(record, net, own))
        details.append(Detail(net.number, facts, number, printed(_run(record))))
    return tuple(details), tuple(map(Markup, numbers))


def recorded_evidence(record: Record, files: Path, file: NetFile) -> Evidence:
    """The evidence of a cell, read from the folder `files`."""
    if not record.evidence:
        return Evidence("")
    path = files / record.evidence
    try:
        kept = read_evidence(str(path))
        if kept.sha256 not in (None, record.net_sha256):
            return Evidence(missing("it is about another net"))
        if file.net is None and len(kept.claims) == 1:
            return Evidence(without_net(kept.claims[0], file.complaint), kept.target)
        if file.net is None:
            return Evidence(missing(f"the net is not known: {file.complaint}"))
        if kept.target is None:
            return Evidence(_claims(record, path, kept, file.net))
        if not record.outcome.audit:
            return Evidence(missing("no audit of it is recorded"), kept.target)
        return Evidence(claims_html(file.net, kept.claims, target=True, ends=ENDS), kept.target)
    except (PetricheckError, RecursionError) as error:
        return Evidence(missing(str(error).replace(str(path), path.name)))


def _claims(record: Record, path: Path, kept: KeptEvidence, net: Net) -> str:
    """The claims, of the file whose content the audit has accepted, and what they amount to.

    Raises:
        PetricheckError: the file cannot be read, or makes no sense.
    """
    if hashlib.sha256(content(path, SIZE)).hexdigest() != path.stem:
        return missing("its file is not the one that was kept")
    question = claimed_question(net, kept)
    finding = kind_of(question.kind).conclude(net, question.content, kept.claims)
    if finding.value != record.outcome.value:
        return missing("it amounts to something else")
    details = nodes_html(Line((printable(line),)) for line in finding.details)
    return details + claims_html(net, kept.claims, ends=ENDS)


def _evidence(
    records: Sequence[Record], nets: Mapping[str, NetFile], files: Path
) -> dict[str, Evidence]:
    """All evidence by its file; short files first, while there is room."""
    first = {record.evidence: record for record in reversed(records)}
    shown: dict[str, Evidence] = {}
    known: set[str] = set()
    room = EVIDENCE
    for name, record in sorted(first.items(), key=lambda item: _size(files / item[0])):
        net = nets[record.net_sha256]
        evidence = recorded_evidence(record, files, net) if room > 0 else None
        if evidence is not None and evidence.shown not in known:
            room -= len(evidence.shown)
            known.add(evidence.shown)
        if evidence is None or room <= 0:
            evidence = Evidence(missing("it is left out, since the page would be too large"))
        shown[name] = evidence
    return shown


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _facts(record: Record, file: NetFile, evidence: Evidence) -> Iterator[Fact]:
    question, outcome = record.cell.question, record.outcome
    link = Markup('<a href="#net-{}">{}</a>').format(file.number, printable(record.net))
    bounded = {None: "", True: ", bounded", False: ", unbounded"}[question.bounded]
    words = question_text(question)
    yield Fact("Net", link, file.sizes + bounded)
    if evidence.target is not None:
        note = words if len(words) <= LONG else ""
        yield Fact("Question", Markup(formula_html(evidence.target)), note)
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
    attempts = f"; {outcome.attempts} attempts" if outcome.attempts > 1 else ""
    yield Fact("Cost", _cost(record), f"within {limits_text(record.cell.limits)}{attempts}")


def _cost(record: Record) -> str:
    outcome = record.outcome
    parts = [
        "" if outcome.seconds is None else f"{outcome.seconds:.3f} s",
        "" if outcome.cpu_seconds is None else f"{outcome.cpu_seconds:.3f} s of CPU",
        "" if outcome.memory is None else f"{outcome.memory / 2**20:.0f} MiB",
    ]
    return ", ".join(filter(None, parts))


def _run(record: Record) -> Iterator[Fact]:
    question, host = record.cell.question, record.outcome.host
    code = Markup("<code>{}</code>").format
    yield Fact("Configuration", code(printable(record.cell.configuration.definition)))
    if host is not None:
        yield Fact("Host", machine_text(host), ", ".join(map(" ".join, host.versions)))
    yield Fact("Finished", f"{record.finished[:19].replace('T', ' ')} UTC")
    if question.source:
        yield Fact("Source", question.source)
    if record.evidence:
        verify = f"petricheck verify {question.net.name} {record.evidence}"
        where = "in a folder that petricheck batch export --evidence has written"
        yield Fact("Check again", code(printable(verify)), where)


def question_text(question: Question) -> str:
    """What is asked, as it was put."""
    if question.properties is not None:
        return f"property {question.text}"
    return f"{question.kind}: {question.text}" if question.text else question.kind
