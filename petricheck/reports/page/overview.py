"""The page of a net without a question: its properties, what fails first; evidence, structure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from petricheck.evidence.answer import Unknown
from petricheck.formats.nets import NetFile
from petricheck.model.drawing.svg import to_svg
from petricheck.questions import Finding
from petricheck.reports.explanation.sections import claims_html
from petricheck.reports.overview import (
    PROPERTIES,
    Result,
    head,
    property_line,
    surveyed,
    tone_of,
)
from petricheck.reports.page.answer import SECONDS
from petricheck.reports.page.document import document
from petricheck.reports.report import last_marking
from petricheck.reports.survey.forms import survey_lines
from petricheck.support.budget import Budget
from petricheck.support.words import printable

_ORDER = ("bad", "open", "neutral", "good")
"""The tones of answers: what fails stands first."""


@dataclass(frozen=True, slots=True)
class PropertyRow:
    """A property on the page."""

    title: str
    answer: str
    reason: str
    tone: str
    evidence: Markup


def overview_page(file: NetFile, results: Mapping[str, Result]) -> str:
    """Return the page, from the results by kind of question."""
    rows = sorted(_rows(file, results), key=lambda row: _ORDER.index(row.tone))
    failed, failure = _failure(results)
    structure = survey_lines(file, surveyed(file.net, Budget(SECONDS)))
    values = {
        "title": printable(file.source.name) or printable(file.path),
        "head": [line.replace("\n", " ") for line in head(file)],
        "failed": failed,
        "failure": Markup(failure),
        "rows": rows,
        "picture": Markup(to_svg(file.source)),
        "structure": "\n".join(structure),
    }
    return document("petricheck.reports.page", "overview", values)


def _failure(results: Mapping[str, Result]) -> tuple[str, str]:
    """Return the net with a marking in which it fails, after a heading; empty without one."""
    for kind in reversed(PROPERTIES):
        result = results.get(kind)
        if not isinstance(result, Finding) or tone_of(kind, result, results) in ("good", "open"):
            continue
        stuck = kind == "deadlock" and result.value and "sound" not in results
        if not stuck and tone_of(kind, result, results) != "bad":
            continue
        marking = last_marking(result)
        if marking is not None and (picture := to_svg(result.question.net, marking)):
            fault = "deadlock" if stuck else result.headline
            return f"{fault}: this marking is reachable", picture
    return "", ""


def _rows(file: NetFile, results: Mapping[str, Result]) -> Iterator[PropertyRow]:
    for kind, result in results.items():
        title, answer, rest = property_line(kind, result)
        reason = " ".join(rest.split()).removeprefix("— ").removeprefix(": ")
        if isinstance(result, Unknown):
            yield PropertyRow(title.rstrip(": "), answer, reason, "open", Markup())
            continue
        evidence = Markup(claims_html(file.net, result.claims, target=True))
        tone = tone_of(kind, result, results)
        yield PropertyRow(title.rstrip(": "), answer, reason, tone, evidence)
