"""An audited answer in text and in HTML, as Python prints it and as a notebook shows it."""

from __future__ import annotations

from collections.abc import Iterator

from petricheck.answer import Answer, Reachable, Unknown, Unreachable
from petricheck.claims import claim_of
from petricheck.drawing.svg import to_svg
from petricheck.explanation.claims import explain
from petricheck.explanation.formula_html import formula_html
from petricheck.explanation.html import nodes_html, words_html
from petricheck.explanation.text import BRIEF, claim_lines
from petricheck.markup import folded, heading, lines, note
from petricheck.problem import Marking, Net, Problem

ENDS = 30
"""Steps of a trace that are shown at its beginning, and at its end."""

STYLE = """\
<style>
.petricheck table { border-collapse: collapse; }
.petricheck th, .petricheck td { text-align: left; padding: .1em .6em; }
.petricheck .trace td { text-align: right; }
.petricheck .scroll, .petricheck .drawing { overflow: auto; max-height: 40em; }
.petricheck .moved { background: rgba(220,130,40,.22); }
.petricheck .note { opacity: .7; }
.petricheck .or > .operand { display: block; }
.petricheck sub, .petricheck sup { font-size: .75em; }
</style>"""


def answer_lines(problem: Problem, answer: Answer) -> Iterator[str]:
    """The verdict and its evidence, or why there is none."""
    if isinstance(answer, Unknown):
        yield from str(answer).split("\n")
        return
    yield "unreachable" if isinstance(answer, Unreachable) else "reachable"
    claim = claim_of(problem.target, answer)
    yield from claim_lines(explain(problem.net, claim, target=True, reasons=False), BRIEF)


def answer_html(problem: Problem, answer: Answer) -> str:
    """The verdict, the question, the evidence explained, and the net drawn if it is small."""
    verdict, *rest = answer_lines(problem, answer)
    asked = note("Is a marking reachable that satisfies this?") + formula_html(problem.target)
    head = f'<div class="petricheck">{STYLE}{heading(verdict)}{asked}'
    match answer:
        case Unknown():
            return f"{head}{lines(rest)}{_drawn(problem.net, 'The net:', None)}</div>"
        case Reachable(trace):
            last = problem.net.after(trace.steps)
            drawn = _drawn(problem.net, "The net with the marking that the trace ends in:", last)
        case Unreachable():
            drawn = _drawn(problem.net, "The net:", None)
    claim = claim_of(problem.target, answer)
    told = explain(problem.net, claim, target=True, ends=ENDS)
    reasons = nodes_html(told.reasons)
    if isinstance(answer, Unreachable):
        reasons = folded("Explained", reasons)
    says = f"<p>{words_html(told.says)}</p>"
    return f"{head}{says}{nodes_html(told.evidence)}{reasons}{drawn}</div>"


def _drawn(net: Net, title: str, marking: Marking | None) -> str:
    picture = to_svg(net, marking)
    return f'{note(title)}<div class="drawing">{picture}</div>' if picture else ""
