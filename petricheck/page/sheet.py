"""What stands on the page of one question, whatever its kind: verdict, facts, evidence, the net."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from petricheck.drawing.svg import to_svg
from petricheck.explanation.formula_html import formula_html
from petricheck.page.document import document
from petricheck.page.facts import Fact, printed
from petricheck.presburger.formulas import Formula
from petricheck.problem import Net
from petricheck.words import printable

LETTERS = 300
"""Letters of the question that are shown as text."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page.

    Attributes:
        net: what was asked about.
        asked: the question as it was put.
        meaning: what it asks for.
        formula: the question as a formula; None where it is none.
        remarks: what is to be known of the question.
        verdict: heads the page.
        tone: whether the question is decided.
        sentences: say the answer.
        facts: about the answer.
        circumstances: of the run.
        evidence: as HTML.
    """

    net: Net
    asked: str
    meaning: str
    formula: Formula | None
    remarks: tuple[str, ...]
    verdict: str
    tone: Literal["decided", "open"]
    sentences: tuple[str, ...]
    facts: tuple[Fact, ...]
    circumstances: tuple[Fact, ...]
    evidence: Markup


def render(sheet: Sheet) -> str:
    """The page."""
    formula = None if sheet.formula is None else Markup(formula_html(sheet.formula))
    values = {
        "title": printable(f"{sheet.verdict}: {_cut(sheet.asked)}"),
        "asked": printable(_cut(sheet.asked)),
        "verdict": printable(sheet.verdict),
        "tone": sheet.tone,
        "sentences": [printable(sentence) for sentence in sheet.sentences],
        "meaning": sheet.meaning,
        "formula": formula,
        "remarks": [printable(remark) for remark in sheet.remarks],
        "facts": printed(sheet.facts),
        "circumstances": printed(sheet.circumstances),
        "evidence": sheet.evidence,
        "picture": Markup(to_svg(sheet.net)),
    }
    return document("petricheck.page", "answer", values)


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[:LETTERS]} …"
