"""The page of an answer: the finding, the question, evidence explained, the net, how it came about.

All that is said of the evidence is derived from what the audit has accepted, and from the net.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from markupsafe import Markup

from petricheck.arithmetic.formulas.formulas import FALSE
from petricheck.explicit.covering.state_graph import marking_graph, state_graph
from petricheck.formats.nets import NetFile
from petricheck.model.drawing import states
from petricheck.model.drawing.forms import sizes
from petricheck.model.drawing.svg import to_svg
from petricheck.questions import Finding, kind_of, read_question
from petricheck.reports.explanation.html import formula_html
from petricheck.reports.explanation.sections import claims_html
from petricheck.reports.page.document import Fact, document, printed
from petricheck.reports.report import last_marking, remarks, work
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, QueryError
from petricheck.support.plugins import as_option
from petricheck.support.words import counted, printable

SECONDS = 2.0
"""Spent on the graph of markings, at most."""

LETTERS = 300
"""Letters of the question that are shown as text."""


def answer_page(
    file: NetFile, question: str, finding: Finding, circumstances: Iterable[Fact]
) -> str:
    """Return the page; the question is as it was put, circumstances are the limits and so on."""
    member, (meaning, formula) = kind_of(finding.question.kind), finding.question.asked
    about = finding.question.subject is not None
    title = printable(question if len(question) <= LETTERS else f"{question[:LETTERS]} …")
    option = f"{as_option(finding.question.kind)}: {member.meaning}"
    values = {
        "title": f"{finding.headline}: {title}",
        "question": title,
        "verdict": finding.headline,
        "tone": finding.tone,
        "sentences": [printable(sentence) for sentence in _sentences(finding)],
        "meaning": meaning,
        "formula": None if formula is None else Markup(formula_html(formula)),
        "remarks": [*(() if formula is None else (option,)), *remarks(finding)],
        "facts": printed((*_net_facts(file), *_facts(finding))),
        "circumstances": printed(circumstances),
        "evidence": Markup(claims_html(file.net, finding.claims, target=about)),
        "picture": Markup(to_svg(file.net)),
        "failure": Markup(_failure(finding)),
        "states": Markup(_states(finding)),
        "wanted": member.drawn,
    }
    return document("petricheck.reports.page", "answer", values)


def _failure(finding: Finding) -> str:
    """Return the net with the marking in which a property fails; empty where none is known."""
    marking = last_marking(finding) if finding.tone == "bad" else None
    return "" if marking is None else to_svg(finding.question.net, marking)


def _states(finding: Finding) -> str:
    """Return the reachability or coverability graph with the target marked; empty if large."""
    net, target = finding.question.net, finding.question.target or FALSE
    with suppress(BudgetExhausted, QueryError):
        read_question(net, "state_space", "")  # Refused where colours are lost or merged.
        graph = marking_graph(net, states.STATES, Budget(SECONDS))
        return states.to_svg(state_graph(graph, target)) if graph else ""
    return ""


def _sentences(finding: Finding) -> Iterator[str]:
    yield from finding.conclusion.details
    if finding.question.target is not None:
        match finding.value:
            case None:
                yield "There is no verdict."
            case value if value is finding.question.reached:
                yield "A marking in the target is reachable, by the trace below."
            case _:
                yield "No marking in the target is reachable, as proved below."


def _facts(finding: Finding) -> Iterator[Fact]:
    if finding.unknown is not None:
        # A portfolio gives the reason of each engine on a line of its own.
        yield from (Fact("Reason", line) for line in finding.unknown.reason.split("\n"))
        yield from (Fact("Hint", hint) for hint in (finding.unknown.hint,) if hint)
    if finding.audits:
        several = finding.question.target is None
        of = f"of {counted(len(finding.audits), 'claim')}" if several else ""
        yield Fact("Audit", finding.audit, of)
    if finding.decider:
        yield Fact("Engine", finding.decider, work(finding))
    yield Fact("Time", f"{finding.seconds:.3f} s", f"{finding.cpu_seconds:.3f} s of CPU")


def _net_facts(file: NetFile) -> Iterator[Fact]:
    made = "unfolded to" if file.net.is_unfolded else "with complement places"
    ordinary = "" if file.net is file.source else f", {made} {sizes(file.net)}"
    yield Fact("Net", file.path, f"{sizes(file.source)}{ordinary}")
    for warning in file.warnings:
        yield Fact("Warning", warning)
