"""The questions of a folder of indexes."""

from __future__ import annotations

from pathlib import Path

from petricheck.batch.questions.index import Question, read_question


def questions_of(folder: Path) -> tuple[Question, ...]:
    """What the indexes of the folder ask, sorted by name."""
    found = (read_question(path) for path in sorted(folder.glob("*.json"), key=lambda f: f.stem))
    return tuple(question for question in found if question is not None)
