"""The page of one answer: verdict, question, evidence explained, net drawn, and how it came about.

Verdict and facts are plain HTML; the script shows the evidence. All that is said of the evidence is
derived from what the audit has accepted, and from the net; see `evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.certificates import Evidence
from petricheck.engines import unit
from petricheck.formats import NetFile
from petricheck.page.document import document, embedded
from petricheck.page.evidence import evidence_data, formula_data
from petricheck.page.facts import Fact, printed
from petricheck.page.nets import drawing_data, sizes
from petricheck.page.words import Names
from petricheck.presburger.shown import counted, shown_formula
from petricheck.presburger.text import printable
from petricheck.result import Result

LETTERS = 300
"""Letters of the question that are shown as text."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and what was asked.

    Attributes:
        file: the net.
        asked: the question as it was put.
        result: what was found.
        remarks: what is to be known of the question.
        circumstances: of the run: the command, its limits, the machine.
    """

    file: NetFile
    asked: str
    result: Result
    remarks: tuple[str, ...]
    circumstances: tuple[Fact, ...]


def answer_page(answered: Answered) -> str:
    """The page."""
    answer = answered.result.answer
    verdict, sentence = _headline(answer)
    values = {
        "title": f"{verdict}: {answered.asked}",
        "asked": printable(_cut(answered.asked)),
        "verdict": verdict,
        "sentence": sentence,
        "formula": printable(_cut(shown_formula(answered.result.problem.target))),
        "remarks": [printable(remark) for remark in answered.remarks],
        "facts": printed(_facts(answered)),
        "circumstances": printed(_circumstances(answered)),
        "data": embedded(_data(answered)),
    }
    return document("petricheck.page", "answer", values)


def _headline(answer: Answer) -> tuple[str, str]:
    match answer:
        case Reachable():
            return "reachable", "A marking in the target is reachable, by the trace below."
        case Unreachable():
            return (
                "unreachable",
                "No marking in the target is reachable, as proved below.",
            )
        case Unknown():
            return "unknown", "There is no verdict."


def _data(answered: Answered) -> dict[str, Any]:
    """What the page's script works on."""
    names = Names()
    problem, answer = answered.result.problem, answered.result.answer
    evidence: dict[str, Any] = {"kind": "none"}
    if not isinstance(answer, Unknown):
        claim = Evidence(answered.file.sha256, problem.target, answer)
        evidence = evidence_data(claim, problem.net, bool(answered.result.audit), names)
    return {
        "net": {"drawing": drawing_data(problem.net, names), "file": printable(problem.net.name)},
        "question": formula_data(problem.target, names),
        "evidence": evidence,
        "names": [printable(text) for text in names.texts],
    }


def _facts(answered: Answered) -> Iterator[Fact]:
    result = answered.result
    size = sizes(result.problem.net)
    counts = (counted(size[noun + "s"], noun) for noun in ("place", "transition", "arc"))
    yield Fact("Net", answered.file.path, ", ".join(counts))
    for warning in answered.file.warnings:
        yield Fact("Warning", warning)
    if result.audit:
        yield Fact("Audit", result.audit)
    if isinstance(result.answer, Unknown):
        # A portfolio gives the reason of each engine on a line of its own.
        yield from (Fact("Reason", line) for line in result.answer.reason.split("\n"))
        yield from (Fact("Hint", hint) for hint in (result.answer.hint,) if hint)
    statistics = result.answer.statistics
    name = statistics.engine or result.engine
    noun = unit(name)
    work = counted(statistics.iterations, noun) if noun and statistics.iterations else ""
    yield Fact("Engine", name, work)
    yield Fact("Time", f"{result.seconds:.3f} s", f"{result.cpu_seconds:.3f} s of CPU")


def _circumstances(answered: Answered) -> Iterator[Fact]:
    yield from answered.circumstances
    yield Fact("SHA-256", answered.file.sha256, "of the net's file")


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[:LETTERS]} …"
