"""What a page tells of its cells, their evidence and their nets when one is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from petricheck.batch.cells import Record
from petricheck.batch.questions.index import Question
from petricheck.batch.reports.page.circumstances import limits_text, machine_text
from petricheck.batch.reports.page.details import Evidence, recorded_evidence
from petricheck.batch.reports.page.netfiles import NetFile
from petricheck.drawing.svg import to_svg
from petricheck.engines import unit
from petricheck.explanation.formula_html import formula_html
from petricheck.page.claims import missing
from petricheck.page.facts import Fact, printed, sizes
from petricheck.words import counted, number_text, printable

EVIDENCE = 12 << 20
"""Characters of evidence in a page; what is longest in its file is left out beyond."""

DRAWINGS = 4 << 20
"""Characters of drawings in a page; later nets are not drawn beyond."""

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


@dataclass(frozen=True, slots=True)
class ShownNet:
    """A net of the page.

    Attributes:
        file: names that it was asked about by.
        sha256: of its file.
        cells: how many ask about it.
        sizes: how much there is of everything, or why it is not known.
        picture: empty where it is not drawn.
    """

    file: str
    sha256: str
    cells: int
    sizes: str
    picture: Markup


@dataclass(frozen=True, slots=True)
class Data:
    """All of it: details by cell, evidence and nets by number."""

    details: tuple[Detail, ...]
    evidence: tuple[Markup, ...]
    nets: tuple[ShownNet, ...]


def gather(records: Sequence[Record], nets: Mapping[str, NetFile], files: Path) -> Data:
    """What the page holds; evidence is read from the folder `files`."""
    numbers = {sha256: number for number, sha256 in enumerate(nets)}
    evidence = _evidence(records, nets, files)
    texts = {shown: n for n, shown in enumerate(dict.fromkeys(e.shown for e in evidence.values()))}
    details = (
        Detail(
            numbers[record.net_sha256],
            printed(_facts(record, nets[record.net_sha256], numbers, evidence[record.evidence])),
            texts[evidence[record.evidence].shown],
            printed(_run(record)),
        )
        for record in records
    )
    return Data(tuple(details), tuple(texts), tuple(_nets(records, nets)))


def _evidence(
    records: Sequence[Record], nets: Mapping[str, NetFile], files: Path
) -> dict[str, Evidence]:
    """All evidence by its file; short files first, while there is room."""
    first = {record.evidence: record for record in reversed(records)}
    shown: dict[str, Evidence] = {}
    known: set[Markup] = set()
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


def _nets(records: Sequence[Record], files: Mapping[str, NetFile]) -> Iterator[ShownNet]:
    asked: dict[str, list[str]] = {sha256: [] for sha256 in files}
    for record in records:
        asked[record.net_sha256].append(printable(record.net))
    room = DRAWINGS
    for sha256, file in files.items():
        picture = to_svg(file.net) if file.net is not None and room > 0 else ""
        room -= len(picture)
        names = ", ".join(dict.fromkeys(asked[sha256]))
        yield ShownNet(names, sha256, len(asked[sha256]), _sizes(file), Markup(picture))


def _sizes(file: NetFile) -> str:
    if file.net is None:
        return printable(file.complaint)
    tokens = sum(file.net.initial)
    return f"{sizes(file.net)}, {number_text(tokens)} token{'' if tokens == 1 else 's'}"


def _facts(
    record: Record, file: NetFile, numbers: Mapping[str, int], evidence: Evidence
) -> Iterator[Fact]:
    question, outcome = record.cell.question, record.outcome
    link = Markup('<a href="#net-{}">{}</a>').format(numbers[file.sha256], printable(record.net))
    bounded = {None: "", True: ", bounded", False: ", unbounded"}[question.bounded]
    asked = question_text(question)
    yield Fact("Net", link, _sizes(file) + bounded)
    if evidence.target is not None:
        told = asked if len(asked) <= LONG else ""
        yield Fact("Question", Markup(formula_html(evidence.target)), told)
    else:
        yield Fact("Question", outcome.target or asked)
    expected = "" if question.expected is None else question.expected_text
    work = [(outcome.iterations, unit(outcome.engine) or "iteration"), (outcome.states, "state")]
    facts = (
        Fact("Expected", expected, question.why),
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
