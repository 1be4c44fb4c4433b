"""Questions that several claims answer, in batches: asked, compared, kept, told and refused."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import records as made
from click.testing import CliRunner, Result
from folders import NETS
from notation import net_of
from property_files import bound, write_properties

from petricheck.batch.cells import CellLimits, CellOutcome, CellRecord
from petricheck.batch.configurations import DEFAULT, parse_configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.questions.sources import read_sources
from petricheck.batch.reports.layouts import render
from petricheck.batch.reports.measures import arrange, exit_status
from petricheck.batch.reports.page import render_page
from petricheck.batch.reports.plots import points
from petricheck.batch.reports.tables import report
from petricheck.batch.solve import decide
from petricheck.batch.store import Store
from petricheck.commands import main
from petricheck.formats.nets import write_net
from petricheck.laboratory.commands.comparison import comparison, draw_engines, verdicts
from petricheck.questions import UNBOUNDED, kind_of

MOVES = net_of("p=3 q=0 y=0, go: p -> 2 q, tick: -> y")
"""p + q is 3 to 6, y grows without end."""

ENTRIES: Mapping[str, dict[str, Any]] = {
    "bounded": {"kind": "bounded", "expected": "not bounded"},
    "least": {"bound": "min: p + q", "expected": 3},
    "most": {"bound": "p + q", "expected": 6},
    "reach": {"kind": "formula", "formula": "q = 6", "expected": "reachable"},
    "wrong": {"kind": "bound", "bound": "y", "expected": 7},
}


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], prog_name="petricheck")


def index(folder: Path, entries: Mapping[str, dict[str, Any]] = ENTRIES) -> Path:
    write_net(MOVES, folder / "moves.pnml")
    for name, entry in entries.items():
        (folder / f"{name}.json").write_text(json.dumps({"net": "moves.pnml"} | entry))
    return folder


@pytest.fixture(scope="module")
def batch(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder of a batch, and how the command ended."""
    folder = tmp_path_factory.mktemp("batch")
    asked = index(tmp_path_factory.mktemp("index"))
    columns = ("--config", "short=bmc:length=1")
    return folder, run("batch", asked, "--out", folder, *columns, "--check", "--timeout", "60")


def records(folder: Path) -> dict[tuple[str, str], CellRecord]:
    with Store.read(folder) as store:
        return {record.cell.key[1:]: record for record in store.records()}


def question(name: str = "q", expected: str = "unknown", text: str = "p") -> BatchQuestion:
    return made.question(name, expected, kind="bound", text=text)


def answered(verdict: str, status: Any = "decided") -> CellOutcome:
    value = kind_of("bound").answers("").read(verdict) if status == "decided" else None
    return CellOutcome(status, verdict, value, audit=made.EXACT, cpu_seconds=0.2, seconds=0.2)


def test_an_index_asks_by_kind_or_by_words_and_a_fact_is_no_question(tmp_path: Path) -> None:
    fact = {"kind": "formula", "formula": "q = 6", "expected": "reachable", "bounded": False}
    folder = index(tmp_path, ENTRIES | {"fact": fact})
    asked = {q.name: q for q in read_sources([folder]).questions}
    assert (asked["most"].kind, asked["most"].text) == ("bound", "p + q")
    assert (asked["bounded"].kind, asked["bounded"].text) == ("bounded", "")
    assert not asked["bounded"].has_target and asked["reach"].has_target
    assert asked["fact"].has_target and asked["fact"].bounded is False


def test_answers_are_compared_with_those_that_are_known(batch: tuple[Path, Result]) -> None:
    folder, ended = batch
    found = records(folder)
    said = {name: found[name, "short"].outcome.headline for name in ENTRIES}
    assert said == {
        "bounded": "not bounded", "least": "minimum 3", "most": "maximum 6",
        "reach": "reachable", "wrong": "unbounded",
    }  # fmt: skip
    assert [name for name in ENTRIES if found[name, "short"].correct] == [
        "bounded", "least", "most", "reach"
    ]  # fmt: skip
    assert [name for name in ENTRIES if found[name, "short"].wrong] == ["wrong"]
    assert ended.exit_code == 5 and "unbounded WRONG, maximum 7 is expected" in ended.stderr


@pytest.fixture(scope="module")
def files(batch: tuple[Path, Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The nets and the evidence of the batch."""
    folder = tmp_path_factory.mktemp("files")
    assert run("batch", "export", batch[0], "--evidence", folder).exit_code == 0
    return folder


def test_evidence_is_verified(batch: tuple[Path, Result], files: Path) -> None:
    for name in ("bounded", "most", "wrong"):
        record = records(batch[0])[name, "short"]
        assert record.evidence and record.outcome.audit
        verified = run("verify", files / record.cell.question.net, files / record.evidence)
        assert verified.stdout.startswith(f"accepted: {record.outcome.verdict}\n")


def test_maxima_of_the_contest_are_asked_and_compared(tmp_path: Path) -> None:
    write_net(MOVES, tmp_path / "model.pnml")
    write_properties(tmp_path / "UpperBounds.xml", most=bound("p", "q"))
    (tmp_path / "results.out").write_text("FORMULA most 7 TECHNIQUES CONSENSUS\n")
    (asked,) = read_sources([tmp_path]).questions
    outcome = decide(made.cell(asked), lambda _: None)
    assert (outcome.status, outcome.verdict) == ("decided", "maximum 6")
    assert made.record(asked, outcome=outcome).wrong
    (tmp_path / "results.out").write_text("FORMULA most +inf TECHNIQUES PORTFOLIO\n")
    assert [q.expected for q in read_sources([tmp_path]).questions] == [UNBOUNDED]


def test_what_is_proved_of_an_open_question_is_kept(tmp_path: Path) -> None:
    asked = replace(question(text="p1"), net=NETS / "long_4_U.pnml")
    short = parse_configuration("short=bmc:length=1")
    outcome = decide(made.cell(asked, short, CellLimits(1.0)), lambda _: None)
    assert outcome.status in ("timeout", "unknown") and outcome.reason
    assert re.match("maximum (at least|between) 60000", outcome.verdict)
    assert outcome.headline == f"{outcome.status}, {outcome.verdict}"
    (tmp_path / "open.json").write_bytes(outcome.evidence)
    verified = run("verify", asked.net, tmp_path / "open.json")
    assert verified.stdout.startswith(f"accepted: {outcome.verdict}\n")


def evidence_on_page(record: CellRecord, files: Path) -> str:
    """The text of the evidence."""
    page = render_page("Batch", [record], (), files)
    (shown,) = re.findall(r'<template id="evidence-0">(.*?)</template>', page, re.S)
    return html.unescape(re.sub(r"<[^>]*>", "", shown))


def test_page_shows_the_claims(batch: tuple[Path, Result], files: Path) -> None:
    found = records(batch[0])
    most = evidence_on_page(found["most", "short"], files)
    assert "Never: " in most and re.search(r"A trace of .* reaches|Initially: ", most)
    assert "Unbounded: y" in evidence_on_page(found["bounded", "short"], files)


def test_page_shows_no_claims_but_those_that_were_audited(
    batch: tuple[Path, Result], files: Path, tmp_path: Path
) -> None:
    record = records(batch[0])["most", "short"]
    other = replace(record, outcome=replace(record.outcome, value=7))
    assert "it amounts to something else" in evidence_on_page(other, files)
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    changed = tmp_path / record.evidence
    changed.write_bytes(b" " + changed.read_bytes())
    assert "not the one that was kept" in evidence_on_page(record, tmp_path)


def test_reports_tell_answers_and_contradictions() -> None:
    lame = made.NONE
    rows = made.records(
        [
            (question("apart"), DEFAULT, answered("maximum 3")),
            (question("apart"), lame, answered("unbounded")),
            (question("open"), DEFAULT, answered("maximum between 3 and 7", "timeout")),
            (question("same", "maximum 4"), DEFAULT, answered("maximum 4")),
            (question("same", "maximum 4"), lame, answered("maximum 5")),
        ]
    )
    assert exit_status(rows[:2]) == 5 and exit_status(rows[2:4]) == 0
    text = render(report(arrange(rows)), "text")
    assert "apart: unbounded (none), maximum 3 (default)" in text
    assert re.search(r"open .*\* maximum between 3 and 7", text)
    assert "Of a question such as --bound N is the answer" in text
    assert re.search(r"same +maximum 4 +WRONG .* maximum 4 ", text)
    matrix = re.findall(r'<tr class="(\w*)"><th[^>]*>(\w+)<', render_page("batch", rows, ()))
    assert matrix == [("contradict", "apart"), ("", "open"), ("contradict", "same")]
    assert re.search(r"wrong answers +1 +0\n", render(comparison(arrange(rows)), "text"))
    kinds = [verdict for _, _, verdict in points(arrange(rows), "default", "none")]
    assert sorted(kinds) == ["wrong", "wrong"]
    agreed = made.records([(question(), c, answered("maximum 3")) for c in (DEFAULT, lame)])
    assert [kind for _, _, kind in points(arrange(agreed), "default", "none")] == ["other"]


def test_what_is_true_or_false_of_a_net_is_neither_alarm_nor_proof() -> None:
    safe = made.question("q", "safe", kind="safe", text="")
    outcomes = CellOutcome("decided", "safe", True), CellOutcome("decided", "not safe", False)
    rows = arrange(
        [made.record(safe, c, o) for c, o in zip((DEFAULT, made.NONE), outcomes, strict=True)]
    )
    counts = {row[0].strip(): row[1:] for row in verdicts(rows).rows}
    assert counts["correct results"] == counts["wrong answers"][::-1] == ("0", "1")
    none = ("0", "0")
    for name in ("proofs", "alarms", "wrong proofs", "wrong alarms"):
        assert counts[name] == none
    assert not [plot for plot in draw_engines(rows) if plot.name.startswith("quantile")]


def test_tasks_are_written_of_the_other_questions(tmp_path: Path) -> None:
    folder = index(tmp_path)
    ended = run("batch", "tasks", folder, "--out", tmp_path / "tasks")
    assert "left out 4 questions with --bounded, --bound" in ended.stderr
    tasks = (tmp_path / "tasks" / "tasks").iterdir()
    assert [path.name.rpartition("-")[0] for path in tasks] == [f"{folder.name}+reach"]
    none = run("batch", "tasks", folder / "most.json", "--out", tmp_path / "none")
    assert none.exit_code == 2 and "no task is left" in none.stderr


@pytest.mark.parametrize("words", [("--bound", "p"), ("--bounded",)])
def test_what_has_no_target_is_not_converted(words: tuple[str, ...], tmp_path: Path) -> None:
    net = index(tmp_path, {}) / "moves.pnml"
    ended = run("convert", net, tmp_path / "out.net", *words)
    assert ended.exit_code == 2 and f"{words[0]} is no question after one target" in ended.stderr
    assert not (tmp_path / "out.net").exists()


def test_nets_are_asked_from_the_command_line(tmp_path: Path) -> None:
    asked = index(tmp_path, {}) / "moves.pnml"
    ended = run("batch", asked, "--bounded", "--out", tmp_path / "run", "--check")
    assert ended.exit_code == 0
    (record,) = records(tmp_path / "run").values()
    assert (record.outcome.verdict, record.cell.question.kind) == ("not bounded", "bounded")
    empty = run("batch", asked, "--bound", " ", "--out", tmp_path / "none")
    assert empty.exit_code == 2 and "--bound is empty" in empty.stderr
