"""Table 2 of Leroux, Rümmer and Subotić (2016): what the paper reports, by row and verdict.

The file `table2.json` has an entry for each row: the columns' refinements and seconds, null for the
paper's timeout of an hour, and the last column as printed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from petricheck.batch.questions.index import Question

PAPER_COLUMNS = ("none", "abs1", "abs2", "abs3", "all")
"""The columns of Table 2 that have refinements and seconds."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What the paper reports for one row and configuration."""

    refinements: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Published:
    """A row of the paper's Table 2.

    Attributes:
        figures: one for each of `PAPER_COLUMNS`; None is the paper's timeout.
        fast: the last column as printed.
    """

    figures: tuple[Figure | None, ...]
    fast: str


def published(question: Question) -> Published | None:
    """The row that the question names, where the paper has it with the verdict expected."""
    if not isinstance(question.expected, bool):
        return None
    return table().get(f"{question.row} {'R' if question.expected else 'U'}")


@cache
def table() -> Mapping[str, Published]:
    """The rows by their names, each followed by U for unreachable or R for reachable."""
    entries = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return {
        name: Published(
            tuple(None if entry[c] is None else Figure(*entry[c]) for c in PAPER_COLUMNS),
            entry["fast"],
        )
        for name, entry in entries.items()
    }
