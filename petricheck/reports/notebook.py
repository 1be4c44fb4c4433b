"""A finding in a notebook, the report in HTML with its own style and without scripts; or drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.shown import brief_lines, shown_formula, shown_lines
from petricheck.model.drawing.svg import NODES, to_svg
from petricheck.reports.explanation.html import formula_html
from petricheck.reports.explanation.sections import claims_html
from petricheck.reports.report import last_marking, report_lines
from petricheck.support.errors import QueryError
from petricheck.support.markup import heading, lines, note
from petricheck.support.words import printable

if TYPE_CHECKING:
    from petricheck.questions.finding import Finding

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


class Notebook:
    """A finding in a notebook."""

    def html(self, finding: Finding) -> str:
        """Return the report in HTML, with the net drawn if it is small."""
        question, (meaning, formula) = finding.question, finding.question.asked
        first, *details = report_lines(finding, claims=False)
        words = lines([printable(question.text)]) if formula is None else _formula_html(formula)
        claims = claims_html(question.net, finding.claims, target=formula is not None, ends=ENDS)
        opening = (heading(first), note(meaning), words, claims)
        parts = (*opening, *map(note, details), _picture(finding))
        return f'<div class="petricheck">{STYLE}{"".join(parts)}</div>'

    def draw(self, finding: Finding) -> str:
        """Return the net as a picture (SVG), with the question, the answer and its reason below."""
        question, (meaning, formula) = finding.question, finding.question.asked
        words = question.text if formula is None else shown_formula(formula)
        text = (f"{meaning} {words}", *report_lines(replace(finding, seconds=0.0)))
        picture = to_svg(question.net, last_marking(finding), text)
        if not picture:
            raise QueryError(f"only nets of at most {NODES} places and transitions are drawn")
        return picture


def _formula_html(formula: Formula) -> str:
    """Return the formula typeset, or of a long one the first lines."""
    brief = brief_lines(formula)
    return formula_html(formula) if brief == shown_lines(formula) else lines(brief)


def _picture(finding: Finding) -> str:
    marking = last_marking(finding)
    title = "The net with the marking that the trace ends in:" if marking else "The net:"
    picture = to_svg(finding.question.net, marking)
    return f'{note(title)}<div class="drawing">{picture}</div>' if picture else ""
