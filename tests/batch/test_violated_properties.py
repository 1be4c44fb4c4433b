"""A batch says whether properties hold in every report, and is a gate for pipelines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from records import CRASH, GAVE_UP, SOLVED, TIMEOUT, question, record

from petricheck.batch.cells import CellOutcome, CellRecord, fields, from_json, to_json
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.reports import tables
from petricheck.batch.reports.layouts import render
from petricheck.batch.reports.measures import arrange, exit_status
from petricheck.batch.reports.page import render_page
from petricheck.formats.language.quantifier import Quantifier

REACHABLE = replace(SOLVED, verdict="reachable", value=True)
HOME = replace(SOLVED, verdict="not a home space", value=False)
REFUSED = CellOutcome("error", reason="property 'q' is refused", error="QueryError")


def decided(
    quantifier: Quantifier, outcome: CellOutcome, expected: str = "unknown", **more: Any
) -> CellRecord:
    """The record of a property."""
    return record(question("q", expected, quantifier=quantifier, **more), outcome=outcome)


AG, EF, AGEF = Quantifier.ALWAYS, Quantifier.POSSIBLE, Quantifier.ALWAYS_POSSIBLE


@pytest.mark.parametrize(
    ("done", "holds", "headline", "status"),
    [
        (decided(AG, SOLVED), True, "holds (unreachable)", 0),
        (decided(AG, REACHABLE), False, "violated (reachable)", 5),
        (decided(EF, SOLVED), False, "violated (unreachable)", 5),
        (decided(EF, REACHABLE), True, "holds (reachable)", 0),
        (decided(AGEF, HOME, kind="home"), False, "violated (not a home space)", 5),
        (decided(AG, REACHABLE, "reachable"), False, "violated (reachable)", 0),
        (decided(AG, SOLVED, "reachable"), True, "holds (unreachable)", 5),
        (decided(AG, TIMEOUT), None, "timeout", 0),
        (record(question("q", "unknown"), outcome=REACHABLE), None, "reachable", 0),
        (decided(AG, REFUSED), None, "error", 2),
    ],
)
def test_a_property_is_told_to_hold_or_to_be_violated_everywhere(
    done: CellRecord, holds: bool | None, headline: str, status: int
) -> None:
    assert (done.holds, done.headline, exit_status([done])) == (holds, headline, status)
    told = fields(done)
    assert (told["holds"], told["verdict"]) == (holds, done.outcome.verdict)
    assert told["quantifier"] == done.cell.question.quantifier
    if done.outcome.value is not None:
        assert tables.outcome_text(done).startswith(headline)
        assert headline in render(tables.report(arrange([done])), "text") or holds is None
    assert headline in render_page("t", [done], ())


def test_a_violated_property_is_counted_and_marked_where_properties_are_asked() -> None:
    done = [decided(AG, REACHABLE), record("other")]
    page = render_page("t", done, ())
    assert "<b>✗</b> violated (reachable)" in page
    (heads, row) = render([tables.configurations(arrange(done))], "text").splitlines()[2:4]
    assert "violated" in heads and row.split()[4:6] == ["0", "1"]
    assert "violated" not in render([tables.configurations(arrange(done[1:]))], "text")


def test_the_gravest_cell_determines_the_status_and_undecided_ones_where_it_is_asked() -> None:
    holds, violated = (
        decided(AG, SOLVED),
        record(question("v", "unknown", quantifier=AG), outcome=REACHABLE),
    )
    open_ones = [record(f"open{n}", outcome=o) for n, o in enumerate((GAVE_UP, TIMEOUT))]
    refused, crash = record("refused", outcome=REFUSED), record("crash", outcome=CRASH)
    for done, status, all_decided in (
        ([holds], 0, 0),
        ([holds, open_ones[0]], 0, 1),
        ([open_ones[1], holds], 0, 1),
        ([*open_ones, refused], 2, 2),
        ([*open_ones, refused, crash], 4, 4),
        ([crash, violated, refused, *open_ones], 5, 5),
    ):
        assert (exit_status(done), exit_status(done, all_decided=True)) == (status, all_decided)


def test_the_quantifier_is_kept_and_what_was_written_before_has_none() -> None:
    asked = question("q", "unknown", quantifier=AGEF, kind="home")
    assert from_json(to_json(asked), BatchQuestion) == asked
    assert from_json(to_json(asked, without="quantifier"), BatchQuestion).quantifier is None
