"""Exports of a batch: every column, in a fixed order, whatever texts hold."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import records as made
from hypothesis import given
from hypothesis import strategies as st

from petricheck.batch.cells import FIELDS, CellRecord
from petricheck.batch.reports.report import as_csv, as_json_lines

WRONG = made.solved(1.5, "reachable", evidence=b"")


def some() -> tuple[CellRecord, ...]:
    return made.records(
        [
            ("b", made.NONE, made.SOLVED),
            ("a", made.NONE, WRONG),
            (made.question("c", "unknown", None, "mist"), made.ABS1, made.CRASH),
            ("a", made.ABS1, made.TIMEOUT),
        ]
    )


def test_the_lines_are_sorted_by_key_and_have_every_column_in_order() -> None:
    lines = [json.loads(line) for line in as_json_lines(some()).splitlines()]
    rows = list(csv.reader(io.StringIO(as_csv(some()))))
    assert rows[0] == [*FIELDS]
    assert all([*line] == [*FIELDS] for line in lines)
    keys = [(line["collection"], line["question"], line["configuration"]) for line in lines]
    assert keys == [tuple(row[:3]) for row in rows[1:]]
    assert keys == sorted(keys) and len(keys) == 4
    assert as_json_lines(some()[::-1]) == as_json_lines(some())
    assert as_json_lines([]) == "" and as_csv([]).count("\n") == 1


def test_values_are_what_the_records_say() -> None:
    lines = [json.loads(line) for line in as_json_lines(some()).splitlines()]
    crash, late, wrong, solved = (
        next(line for line in lines if line["status"] == status and line["wrong"] == wrong)
        for status, wrong in (("error", 0), ("timeout", 0), ("decided", 1), ("decided", 0))
    )
    assert (solved["verdict"], solved["correct"], solved["iterations"]) == ("unreachable", True, 3)
    assert solved["host"]["versions"] == [["petricheck", "0.1.0"], ["z3-solver", "4.13.0"]]
    assert solved["asked"]["net"] == "/far/away/b.pnml"
    assert solved["limits"] == {"seconds": 60.0, "cpu_seconds": None, "memory": None}
    assert (wrong["correct"], wrong["expected"]) == (False, "unreachable")
    assert (crash["host"], crash["bounded"], crash["seconds"]) == (None, None, None)
    assert (late["correct"], late["evidence"]) == (False, None)


def test_csv_holds_what_json_lines_hold() -> None:
    lines = [json.loads(line) for line in as_json_lines(some()).splitlines()]
    rows = list(csv.DictReader(io.StringIO(as_csv(some()))))
    for line, row in zip(lines, rows, strict=True):
        for key, value in line.items():
            read = row[key] if isinstance(value, str) else json.loads(row[key] or "null")
            assert read == value


@given(st.text(), st.text(st.characters(exclude_categories=())))
def test_any_names_and_reasons_are_read_back(name: str, reason: str) -> None:
    outcome = made.CellOutcome("error", error="Crash", reason=reason)
    question = replace(made.question("net"), name=name)
    (record,) = made.records([(question, made.NONE, outcome)])
    (line,) = as_json_lines([record]).split("\n")[:-1]
    assert json.loads(line)["question"] == name
    (row,) = csv.DictReader(io.StringIO(as_csv([record]), newline=""))
    assert row["question"] in (name, f"'{name}")
