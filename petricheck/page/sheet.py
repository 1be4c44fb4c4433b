"""What stands on the page of one question, whatever its kind: verdict, facts, evidence, the net."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from petricheck.page.document import document, embedded
from petricheck.page.evidence import formula_data
from petricheck.page.facts import Fact, printed
from petricheck.page.nets import drawing_data
from petricheck.page.words import Names
from petricheck.presburger.formulas import Formula
from petricheck.presburger.shown import shown_formula
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
        sections: the evidence, as data whose names are numbered.
        names: these names.
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
    sections: tuple[dict[str, Any], ...]
    names: Names


def render(sheet: Sheet) -> str:
    """The page."""
    formula = None if sheet.formula is None else shown_formula(sheet.formula)
    values = {
        "title": printable(f"{sheet.verdict}: {_cut(sheet.asked)}"),
        "asked": printable(_cut(sheet.asked)),
        "verdict": printable(sheet.verdict),
        "tone": sheet.tone,
        "sentences": [printable(sentence) for sentence in sheet.sentences],
        "meaning": sheet.meaning,
        "formula": None if formula is None else _cut(formula),
        "remarks": [printable(remark) for remark in sheet.remarks],
        "facts": printed(sheet.facts),
        "circumstances": printed(sheet.circumstances),
        "data": embedded(_data(sheet)),
    }
    return document("petricheck.page", "answer", values)


def _data(sheet: Sheet) -> dict[str, Any]:
    """What the page's script works on; names are numbered before they are told."""
    drawing = drawing_data(sheet.net, sheet.names)
    question = None if sheet.formula is None else formula_data(sheet.formula, sheet.names)
    return {
        "net": {"drawing": drawing, "file": printable(sheet.net.name)},
        "question": question,
        "sections": sheet.sections,
        "names": [printable(text) for text in sheet.names.texts],
    }


def _cut(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[:LETTERS]} …"
