"""The page of an answer: verdict, question, evidence explained, net drawn, and how it came about.

All that is said of the evidence is derived from what the audit has accepted, and from the net.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from petricheck.engines import unit
from petricheck.formats import NetFile
from petricheck.page.claims import claims_html
from petricheck.page.facts import Fact, net_facts
from petricheck.page.sheet import Sheet, render
from petricheck.plugins import as_option
from petricheck.questions import Finding, kind_of
from petricheck.words import counted


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and what was asked.

    Attributes:
        file: the net.
        asked: the question as it was put.
        finding: what was found.
        circumstances: of the run: its limits, the machine.
    """

    file: NetFile
    asked: str
    finding: Finding
    circumstances: tuple[Fact, ...]


def answer_page(answered: Answered) -> str:
    """The page."""
    finding = answered.finding
    target = finding.question.target
    meaning = kind_of(finding.question.kind).meaning
    sheet = Sheet(
        net=answered.file.net,
        asked=answered.asked,
        meaning=meaning if target is None else "Is a marking reachable that satisfies this?",
        formula=target,
        remarks=() if target is None else tuple(_remarks(finding)),
        verdict=finding.headline,
        tone="open" if finding.value is None else "decided",
        sentences=tuple(_sentences(finding)),
        facts=(*net_facts(answered.file), *_facts(finding)),
        circumstances=answered.circumstances,
        evidence=claims_html(answered.file.net, finding.claims, target=target is not None),
    )
    return render(sheet)


def _sentences(finding: Finding) -> Iterator[str]:
    yield from finding.conclusion.details
    if finding.question.target is not None:
        match finding.value:
            case True:
                yield "A marking in the target is reachable, by the trace below."
            case False:
                yield "No marking in the target is reachable, as proved below."
            case _:
                yield "There is no verdict."


def _remarks(finding: Finding) -> Iterator[str]:
    question = finding.question
    yield f"{as_option(question.kind)}: {kind_of(question.kind).meaning}"
    if unnamed := len(question.unnamed):
        places = "1 place is" if unnamed == 1 else f"{unnamed} places are"
        yield f"{places} not named by the target and taken as empty."


def _facts(finding: Finding) -> Iterator[Fact]:
    if finding.unknown is not None:
        # A portfolio gives the reason of each engine on a line of its own.
        yield from (Fact("Reason", line) for line in finding.unknown.reason.split("\n"))
        yield from (Fact("Hint", hint) for hint in (finding.unknown.hint,) if hint)
    if finding.audits:
        several = finding.question.target is None
        of = f"of {counted(len(finding.audits), 'claim')}" if several else ""
        yield Fact("Audit", finding.audit, of)
    if name := finding.decider:
        statistics, noun = finding.statistics, unit(name)
        work = counted(statistics.iterations, noun) if noun and statistics.iterations else ""
        yield Fact("Engine", name, work)
    yield Fact("Time", f"{finding.seconds:.3f} s", f"{finding.cpu_seconds:.3f} s of CPU")
