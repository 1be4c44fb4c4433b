"""What the 2016 paper's Table 2 says of a question: the keys `row` and `paper` of an index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from petricheck.batch.questions._fields import shown, text
from petricheck.errors import InputError

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


def published(entry: dict[str, Any]) -> Published | None:
    """The figures of an entry, if it has any.

    Raises:
        InputError: they do not have their shape.
    """
    paper = entry.get("paper")
    if paper is None:
        return None
    if not isinstance(paper, dict):
        raise InputError(f"paper: an object is expected, not {shown(paper)}")
    if missing := [name for name in PAPER_COLUMNS if name not in paper]:
        raise InputError(f"paper: no figures for {', '.join(missing)}")
    figures = tuple(_figure(name, paper[name]) for name in PAPER_COLUMNS)
    return Published(figures, text(paper, "fast", ""))


def _figure(name: str, value: object) -> Figure | None:
    match value:
        case None:
            return None
        case [int(refinements), int(seconds) | float(seconds)]:
            return Figure(refinements, float(seconds))
        case _:
            raise InputError(
                f"paper: {name}: [refinements, seconds] is expected, not {shown(value)}"
            )
