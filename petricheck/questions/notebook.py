"""A finding in a notebook: the report in HTML with its own style and without scripts."""

from __future__ import annotations

from petricheck.claims import Reached
from petricheck.drawing.svg import to_svg
from petricheck.explanation.html import formula_html
from petricheck.explanation.sections import claims_html
from petricheck.explanation.text import BRIEF
from petricheck.markup import heading, lines, note
from petricheck.questions.finding import Finding
from petricheck.questions.kind import kind_of
from petricheck.questions.report import REACHABILITY, report_lines
from petricheck.words import printable

ENDS = 30
"""The most steps of a trace that are shown at its beginning, and at its end."""

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


def report_html(finding: Finding) -> str:
    """Return the report for a notebook, with the net drawn if it is small."""
    question, target = finding.question, finding.question.shown_target
    first, *details = report_lines(finding, BRIEF, claims=False)
    meaning = kind_of(question.kind).meaning if target is None else REACHABILITY
    words = lines([printable(question.text)]) if target is None else formula_html(target)
    claims = claims_html(question.net, finding.claims, target=target is not None, ends=ENDS)
    parts = (heading(first), note(meaning), words, claims, *map(note, details), _picture(finding))
    return f'<div class="petricheck">{STYLE}{"".join(parts)}</div>'


def _picture(finding: Finding) -> str:
    net, marking, title = finding.question.net, None, "The net:"
    match finding.claims:
        case (Reached(trace),):
            marking = net.after(trace.steps)
            title = "The net with the marking that the trace ends in:"
    picture = to_svg(net, marking)
    return f'{note(title)}<div class="drawing">{picture}</div>' if picture else ""
