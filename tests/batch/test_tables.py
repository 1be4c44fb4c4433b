"""Tables of a batch, and the scores in them."""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import (
    ABS1,
    ALL,
    CRASH,
    GAVE_UP,
    MEMORY,
    NONE,
    SOLVED,
    TIMEOUT,
    cell,
    many,
    question,
    record,
    records,
    row,
    solved,
)

from petricheck.batch.cells import Cell, CellLimits, CellOutcome, CellRecord
from petricheck.batch.configurations import DEFAULT, Configuration
from petricheck.batch.reports.layouts import Style, render, to_csv
from petricheck.batch.reports.measures import arrange, median_time, par2, spent, time_limit
from petricheck.batch.reports.tables import configurations, every_question, report, sets

BOUNDED = (False, True, None)
MINE = Configuration("mine")
WRONG = replace(SOLVED, verdict="reachable", value=True)


def shown(done: Iterable[CellRecord], style: Style = "text", planned: Sequence[Cell] = ()) -> str:
    return render(report(arrange(done, planned)), style)


# Scores

outcomes = st.one_of(
    st.sampled_from([TIMEOUT, MEMORY, GAVE_UP, CRASH, WRONG]),
    st.floats(0, 100).map(solved),
)
limits = st.builds(
    CellLimits, st.floats(0.1, 100), st.none() | st.floats(0.1, 100), st.none() | st.just(9)
)


@st.composite
def some_records(draw: st.DrawFn) -> list[CellRecord]:
    drawn = draw(st.lists(st.tuples(outcomes, limits), max_size=12))
    return [record(f"q{n}", DEFAULT, *each) for n, each in enumerate(drawn)]


@settings(deadline=None)
@given(some_records())
def test_every_cell_is_counted_once(done: list[CellRecord]) -> None:
    cells, solved, correct, *others = configurations(arrange(done)).rows[0][1:] if done else "000"
    assert int(cells) == len(done) and correct == solved
    assert int(cells) == int(solved) + sum(map(int, others))


@given(some_records())
def test_par2_is_the_mean_over_all_cells_where_unsolved_ones_count_twice_their_limit(
    done: list[CellRecord],
) -> None:
    costs = [
        spent(r) or 0.0
        if r.right
        else 2 * min(r.cell.limits.seconds, r.cell.limits.cpu_seconds or 1e9)
        for r in done
    ]
    assert par2(done) == (pytest.approx(sum(costs) / len(costs)) if costs else None)


@given(some_records())
def test_the_median_is_of_the_solved_cells_alone(done: list[CellRecord]) -> None:
    times = sorted(r.outcome.cpu_seconds or 0.0 for r in done if r.right)
    assert median_time(done) == (statistics.median(times) if times else None)


def test_wall_time_stands_in_for_cpu_time_and_the_smaller_limit_counts() -> None:
    assert spent(record("a", DEFAULT, replace(SOLVED, cpu_seconds=None))) == 0.5
    without = record("a", DEFAULT, replace(SOLVED, cpu_seconds=None, seconds=None))
    assert spent(without) is par2([without]) is None
    assert par2([without, record("b")]) == 0.25
    assert [time_limit(CellLimits(9, cpu)) for cpu in (None, 3.0, 30.0)] == [9, 3, 9]
    both = [CellLimits(600.0, 1.0), CellLimits(9.0, 20.0), CellLimits(10.0)]
    done = [record(f"q{n}", DEFAULT, TIMEOUT, limits) for n, limits in enumerate(both)]
    assert "no answer within 1 s of CPU or 9 s or 10 s." in shown(done)


# Order


def test_rows_and_columns_keep_their_order_whatever_order_the_cells_end_in() -> None:
    done = [*many(20, ["default", "x10", "x9"]), record("q10"), record("q9")]
    assert [c.name for c in arrange(done).configurations] == ["default", "x9", "x10"]
    names = [q.name for q in arrange(done).questions if q.collection == "nets"]
    assert names == ["q9", "q10"]
    assert shown(done) == shown(done[::-1])


def test_what_is_planned_gives_the_order_of_columns_and_tells_what_is_missing() -> None:
    planned = [cell(name, c) for name in "ab" for c in (MINE, DEFAULT, NONE)]
    results = arrange([record(planned[1])], planned)
    assert [c.name for c in results.configurations] == ["mine", "default", "none"]
    assert [q.name for q in results.questions] == ["a", "b"]
    assert results.missing == 5
    assert "Not finished: 1 of 6 cells are done." in shown([record(planned[1])], planned=planned)
    assert arrange([]).missing == 0


# Questions


def test_a_question_has_a_row_and_a_configuration_two_columns() -> None:
    plain = question("plain", "reachable", bounded=False)
    text = shown(
        records(
            [("a", NONE, TIMEOUT), ("a", MINE, GAVE_UP), (plain, MINE, solved(1.25, "reachable"))]
        )
    )
    assert "question     none N  sec  mine N    sec" in text
    assert row(text, "a ") == ["a", "U", "*", "*", "?", "0.125"]
    assert row(text, "plain") == ["plain", "R", "3", "1.25"]
    assert row(text, "solved  ") == ["solved", "0/1", "1/2"]
    assert row(text, "seconds") == ["seconds,", "solved", "0.000", "1.25"]
    assert row(text, "peak") == ["peak", "memory,", "MiB", "60", "50"]
    odd = [line for line in text.splitlines() if line.startswith("- ")]
    assert odd == ["- a (mine): unknown, no progress"]
    assert "no answer within 60 s" in text
    assert "--bound" not in text and "Not finished" not in text


def test_sets_are_apart_and_in_them_nets_by_what_is_known_of_their_bounds() -> None:
    done = [record(question(name, bounded=b)) for name, b in zip("ubn", BOUNDED, strict=True)]
    text = shown(done)
    parts = ("\nBounded nets", "\nb ", "Unbounded nets", "\nu ", "Nets not known", "\nn ")
    assert sorted(map(text.index, parts)) == [text.index(part) for part in parts]
    text = shown([record(question("q", collection=c)) for c in ("one", "two")])
    assert "one: bounded\n" in text and "two: bounded\n" in text
    rows = [line.split() for line in text.splitlines() if line.startswith("q ")]
    assert rows == [["q", "U", "3", "0.250"]] * 2


@pytest.mark.parametrize(
    ("outcome", "entries"),
    [
        (SOLVED, ["3", "0.250"]),
        (WRONG, ["WRONG", "0.250"]),
        (TIMEOUT, ["*", "*"]),
        (MEMORY, ["memory"]),
        (GAVE_UP, ["?", "0.125"]),
        (CRASH, ["error"]),
        (CellOutcome("decided", "unreachable", False), []),
    ],
)
def test_a_cell_tells_what_came_of_it(outcome: CellOutcome, entries: list[str]) -> None:
    done = [record("a", DEFAULT, outcome), record("b", NONE)]
    assert row(shown(done), "a ") == ["a", "U", *entries]


def test_failures_of_one_kind_are_told_once_with_the_first_of_their_cells() -> None:
    text = shown([record(f"q{n}", NONE, CRASH) for n in range(25)])
    assert text.count("killed") == 1
    assert "- q0 (none), q1 (none)," in text
    assert "q19 (none) and 5 more: error, Crash: killed" in text


def test_a_wrong_verdict_stands_out() -> None:
    done = [record("odd|*name", DEFAULT, WRONG)]
    markdown = shown(done, "markdown")
    assert "| odd\\|\\*name | U | **WRONG** | 0.250 |" in markdown
    assert "- odd\\|\\*name (default): reachable WRONG, unreachable is expected" in markdown
    assert "| wrong | **1** |" in markdown


# Sets


def test_each_set_has_a_row_for_each_configuration_bounded_and_unbounded_apart() -> None:
    done = [
        record(question("a", collection="one"), DEFAULT, solved(1.0)),
        record(question("b", collection="one"), DEFAULT, TIMEOUT, CellLimits(10)),
        record(question("a", collection="one"), NONE, WRONG, CellLimits(10)),
        record(question("c", collection="two", bounded=False), DEFAULT, solved(3.0)),
    ]
    table = sets(arrange(done))
    assert [row[:3] for row in table.rows] == [
        ("one", "bounded", "none"), ("one", "bounded", "default"),
        ("two", "unbounded", "default"),
        ("all sets", "bounded", "none"), ("all sets", "bounded", "default"),
        ("all sets", "unbounded", "default"),
    ]  # fmt: skip
    none, default = (dict(zip(table.heads, row, strict=True)) for row in table.rows[:2])
    assert default == {
        "set": "one", "nets": "bounded", "configuration": "default", "cells": "2", "solved": "1",
        "correct": "1/2", "wrong": "0", "unknown": "0", "timeout": "1", "memory": "0",
        "error": "0", "median, s": "1.00", "PAR2, s": "10.5",
    }  # fmt: skip
    assert (none["wrong"], none["solved"], none["median, s"]) == ("1", "0", "")


def test_one_set_alone_is_not_summed_up_again_and_numbers_are_defined() -> None:
    done = [record(question("a", "unknown"))]
    (row,) = sets(arrange(done)).rows
    assert row[3:7] == ("1", "1", "0/0", "0"), "what nobody knows is solved but not correct"
    text = shown(done)
    assert "median: of the CPU seconds of the solved cells" in text
    assert "PAR2: mean over all cells" in text
    assert shown([])


# For programs


def test_csv_of_all_questions_names_every_column() -> None:
    done = [record(question("a", bounded=False), ABS1), record("b", MINE)]
    head, *rows = csv.reader(io.StringIO(to_csv(every_question(arrange(done)))))
    assert head[:4] == ["set", "nets", "question", "expected"]
    assert head[4:] == ["abs1 N", "abs1 sec", "mine N", "mine sec"]
    assert [row[:3] for row in rows] == [["nets", "bounded", "b"], ["nets", "unbounded", "a"]]


def test_verdicts_that_contradict_each_other_are_told_where_nobody_knows_better() -> None:
    asked, known = question("open", "unknown"), question("known")
    disputed = [record(asked, NONE, SOLVED), record(asked, ALL, WRONG), record(asked, ABS1, CRASH)]
    text = shown([*disputed, record(known, NONE, SOLVED), record(known, ALL, WRONG)])
    told = [line for line in text.splitlines() if line.startswith("- ") and "all" in line]
    assert told[0] == "- open: unreachable (none), reachable (all)"
    assert told[1].startswith("- known (all): reachable WRONG")
    assert "Disputed" not in shown([record(asked, NONE), record(known, ALL, WRONG)])
