"""The page of an answer: verdict, question, evidence explained, net drawn, and how it came about.

All that is said of the evidence is derived from what the audit has accepted, and from the net.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.claims import claim_of
from petricheck.engines import unit
from petricheck.formats import NetFile
from petricheck.page.claims import claims_html
from petricheck.page.facts import Fact, net_facts
from petricheck.page.sheet import Sheet, render
from petricheck.result import Result
from petricheck.words import counted


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and what was asked.

    Attributes:
        file: the net.
        asked: the question as it was put.
        result: what was found.
        remarks: what is to be known of the question.
        circumstances: of the run: its limits, the machine.
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
    sheet = Sheet(
        net=answered.result.problem.net,
        asked=answered.asked,
        meaning="Is a marking reachable that satisfies this?",
        formula=answered.result.problem.target,
        remarks=answered.remarks,
        verdict=verdict,
        tone="open" if isinstance(answer, Unknown) else "decided",
        sentences=(sentence,),
        facts=(*net_facts(answered.file), *_facts(answered.result)),
        circumstances=answered.circumstances,
        evidence=_evidence(answered.result),
    )
    return render(sheet)


def _headline(answer: Answer) -> tuple[str, str]:
    match answer:
        case Reachable():
            return "reachable", "A marking in the target is reachable, by the trace below."
        case Unreachable():
            return "unreachable", "No marking in the target is reachable, as proved below."
        case Unknown():
            return "unknown", "There is no verdict."


def _evidence(result: Result) -> Markup:
    if isinstance(result.answer, Unknown):
        return Markup("")
    claim = claim_of(result.problem.target, result.answer)
    return claims_html(result.problem.net, [claim], target=True)


def _facts(result: Result) -> Iterator[Fact]:
    if result.audit:
        yield Fact("Audit", result.audit)
    if isinstance(result.answer, Unknown):
        # A portfolio gives the reason of each engine on a line of its own.
        yield from (Fact("Reason", line) for line in result.answer.reason.split("\n"))
        yield from (Fact("Hint", hint) for hint in (result.answer.hint,) if hint)
    statistics = result.answer.statistics
    name = result.decider
    noun = unit(name)
    work = counted(statistics.iterations, noun) if noun and statistics.iterations else ""
    yield Fact("Engine", name, work)
    yield Fact("Time", f"{result.seconds:.3f} s", f"{result.cpu_seconds:.3f} s of CPU")
