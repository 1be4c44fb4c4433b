"""The gallery: the questions of nets/, decided while the site is built.

Each answer is a page of its own, as `--html` writes it. Small nets are drawn in the gallery too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from commands import escaped

import petricheck
from petricheck.arithmetic.formulas.shown import shown_formula
from petricheck.batch.questions.index import BatchQuestion, question_about, read_questions
from petricheck.formats.nets import NetFile, read_net
from petricheck.questions import Finding
from petricheck.reports.page.answer import answer_page
from petricheck.reports.page.document import Fact
from petricheck.support.words import counted

SECONDS = 30.0
"""Limit on each question."""

DRAWN = 26
"""Places and transitions of the nets that are drawn in the gallery."""

TITLE = """\
# Gallery

The nets of `nets/`, each with a question and its answer, audited. Every name leads to the page of
the answer: the net drawn where it is not too large, and a trace to step through, or an invariant
explained.
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A question of the gallery.

    Attributes:
        question: as the index has it.
        file: its net.
        result: what was found.
    """

    question: BatchQuestion
    file: NetFile
    finding: Finding

    @property
    def words(self) -> str:
        """The target, as it is shown."""
        return shown_formula(self.finding.problem.target)

    @property
    def verdict(self) -> str:
        """In a word."""
        return type(self.finding.answer).__name__.lower()

    @property
    def title(self) -> str:
        """With a link to the page."""
        return f"[{self.question.name}](gallery/{self.question.name}.html)"


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """The gallery, and the page of each answer."""
    paths = sorted(folder.glob("*.json"))
    entries = [_decided(question) for path in paths for question in read_questions(path)]
    yield "gallery.md", "\n".join((TITLE, *_drawn(entries), *_listed(entries)))
    for entry in entries:
        circumstances = (Fact("Limit", f"{SECONDS:g} s"),)
        page = answer_page(entry.file, entry.words, entry.finding, circumstances)
        yield f"gallery/{entry.question.name}.html", page


def _decided(question: BatchQuestion) -> Entry:
    folder, name = question.net.parts[-2:]
    file = replace(read_net(question.net, None), path=f"{folder}/{name}")
    asked = question_about(question, file.net)
    return Entry(question, file, petricheck.check(asked, budget=petricheck.Budget(SECONDS)))


def _size(entry: Entry) -> int:
    return len(entry.file.source.places) + len(entry.file.source.transitions)


def _drawn(entries: list[Entry]) -> Iterator[str]:
    """Small nets, the smallest first, each with one of its questions."""
    seen = set()
    for entry in sorted(entries, key=_size):
        picture = entry.file.net.draw("svg") if _size(entry) <= DRAWN else ""
        if picture and picture not in seen:
            seen.add(picture)
            yield f"## {entry.title}\n"
            yield f"{escaped(entry.words)}: *{entry.verdict}*. {_why(entry)}\n"
            yield f'<div class="gallery">{picture}</div>\n'


def _listed(entries: list[Entry]) -> Iterator[str]:
    yield "## All nets\n"
    yield "| question | net | verdict | why |"
    yield "|---|---|---|---|"
    for entry in entries:
        net = entry.file.source
        size = f"{counted(len(net.places), 'place')}, {counted(len(net.transitions), 'transition')}"
        yield f"| {entry.title} | {size} | {entry.verdict} | {_why(entry)} |"
    yield ""


def _why(entry: Entry) -> str:
    """What the index says of it."""
    return escaped(entry.question.why)
