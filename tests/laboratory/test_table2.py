"""Table 2 of the 2016 paper: its figures stand beside ours."""

from __future__ import annotations

import json
from dataclasses import replace

from records import (
    ABS1,
    ALL,
    GAVE_UP,
    NONE,
    SOLVED,
    TIMEOUT,
    question,
    record,
    records,
    row,
    solved,
)

from petricheck.batch.cells import CellRecord
from petricheck.batch.configurations import DEFAULT, Configuration
from petricheck.batch.reports.layouts import render
from petricheck.batch.reports.measures import arrange
from petricheck.batch.reports.report import as_json_lines
from petricheck.laboratory.commands.table2 import document, overview

MINE = Configuration("mine")
EXPONENTIAL = question("exp", bounded=False, row="Exponential")


def shown(done: tuple[CellRecord, ...]) -> str:
    return render(overview(arrange(done)), "text")


def test_the_table_has_the_shape_of_the_papers() -> None:
    plain = question("plain", "reachable", bounded=False)
    text = shown(
        records([
            (EXPONENTIAL, NONE, SOLVED),
            (EXPONENTIAL, ABS1, TIMEOUT),
            (EXPONENTIAL, ALL, solved(12.34)),
            (EXPONENTIAL, MINE, GAVE_UP),
            (plain, MINE, solved(1.25, "reachable", 0)),
        ])
    )  # fmt: skip
    assert row(text, "question") == [
        "question", "row", "none", "N", "sec", "paper", "abs1", "N", "sec", "paper",
        "all", "N", "sec", "paper", "mine", "N", "sec", "Fast",
    ]  # fmt: skip
    assert row(text, "exp") == [
        "exp", "Exponential", "U", "3", "0.250", "*", "*", "*", "8/3.9", "3", "12.3", "5/5.2",
        "?", "0.125", "*",
    ]  # fmt: skip
    assert row(text, "plain") == ["plain", "R", "0", "1.25"]
    assert row(text, "solved in") == ["solved", "in", "the", "paper", "0/1", "1/1", "1/1"]
    assert "paper: N/sec in Table 2" in text


def test_without_figures_of_the_paper_there_is_no_legend_for_it() -> None:
    for done in (record("plain", NONE), record(EXPONENTIAL, MINE)):
        text = shown((done,))
        assert "paper" not in text and "Fast" not in text


def test_where_the_paper_does_better_is_listed() -> None:
    """Not where ours decide more, nor beside columns that the paper does not have."""
    long = replace(question("long", row="L6000"), source="ours: a net like it")
    text = shown(
        records([
            (EXPONENTIAL, NONE, TIMEOUT),
            (EXPONENTIAL, ABS1, solved(1.0, iterations=9)),
            (EXPONENTIAL, ALL, solved(1.0, iterations=6)),
            (EXPONENTIAL, MINE, solved(1.0, iterations=900)),
            (long, NONE, SOLVED),
            (long, ABS1, TIMEOUT),
            (long, ALL, solved(1.0, iterations=3)),
        ])
    )  # fmt: skip
    assert "Decided in the paper and not here\n\n- abs1: L6000 (ours) U\n" in text
    assert (
        "More refinements than in the paper\n\n"
        "- abs1: Exponential U 9 against 8\n- all: Exponential U 6 against 5\n"
    ) in text


def test_json_has_every_figure() -> None:
    done = records([(EXPONENTIAL, ABS1, SOLVED), (EXPONENTIAL, DEFAULT, TIMEOUT)])
    first, second = json.loads(document(arrange(done)))["records"]
    assert first == json.loads(as_json_lines(done[:1])) | {
        "row": "Exponential", "unit": "refinement", "paper": [8, 3.9],
    }  # fmt: skip
    assert (second["status"], second["paper"]) == ("timeout", None)
    assert json.loads(document(arrange([])))["records"] == []
