"""Reports of a batch, and the commands that write and compare them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from folders import NETS
from records import ABS1, NONE, TIMEOUT, cell, keep, many, question, record, solved

from petricheck.batch.reports.measures import arrange
from petricheck.batch.reports.report import write_report
from petricheck.batch.store import Store
from petricheck.commands import main
from petricheck.support.errors import InputError
from petricheck.support.outputs import write_file


def batch(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["batch", *map(str, words)])


def files(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


PLOTS = ["plots/quantile.svg", "plots/scatter-1-a-default.svg"]
TABLES = [
    "cells.csv", "cells.jsonl", "index.html", "questions.csv", "tables.csv", "tables.md",
]  # fmt: skip


@pytest.mark.slow
def test_the_command_reports_a_batch_even_while_it_runs_over_an_older_report(
    tmp_path: Path,
) -> None:
    run, report = tmp_path / "run *one*", tmp_path / "x" / "y"
    keep(run, many(6, ["default", "a"]))
    write_report(arrange(many(6, ["default", "b"])), report)
    (report / "plots" / "mine.svg").write_text("mine")
    with Store.resume(run):
        done = batch("report", run, "--out", report)
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Sets and configurations\n")
    assert f"12 cells; 8 files, to look at: {report}/index.html" in done.stdout
    assert files(report) == sorted([*TABLES, *PLOTS, "plots/mine.svg"])
    texts = {name: (report / name).read_text("utf-8") for name in TABLES}
    assert "Batch run *one*" in texts["index.html"]
    assert texts["tables.md"].startswith("# Batch run \\*one\\*\n\n### Sets and configurations\n")
    assert "![Cells solved within a time](plots/quantile.svg)" in texts["tables.md"]
    assert len(texts["cells.jsonl"].splitlines()) == 12
    assert len(texts["questions.csv"].splitlines()) == 7


def test_without_matplotlib_a_report_has_no_plots_and_says_how_to_get_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.support.extras.find_spec", lambda name: None)
    keep(tmp_path, many(2, ["default"]))
    result = batch("report", tmp_path)
    assert result.exit_code == 0
    remedy = "matplotlib is not installed: pip install 'petricheck[plots]'"
    assert result.stderr == f"petricheck: no plots: {remedy}\n"
    assert files(tmp_path / "report") == TABLES
    assert not (tmp_path / "report" / "plots").exists()
    assert "No plots: matplotlib" in (tmp_path / "report" / "tables.md").read_text("utf-8")
    net = NETS / "fig8_U.json"
    asked = CliRunner().invoke(main, ["bench", str(net), "--plots", str(tmp_path / "plots")])
    assert (asked.exit_code, remedy in asked.stderr) == (2, True)
    assert not (tmp_path / "plots").exists()


def test_the_same_records_give_the_same_files(tmp_path: Path) -> None:
    done = many(6, ["default", "a"])
    for name, order in (("one", done), ("two", done[::-1])):
        write_report(arrange(order), tmp_path / name)
    for name in TABLES + PLOTS:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made"):
        write_report(arrange([record("q")]), tmp_path / "file" / "report")
    with pytest.raises(InputError, match="cannot be written"):
        write_file(tmp_path / "none" / "out.csv", "three")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_the_report_of_an_unfinished_batch_tells_how_much_is_missing_and_keeps_the_order(
    tmp_path: Path,
) -> None:
    late = [cell("r", ABS1), cell("q", ABS1), cell("r", NONE)]
    keep(tmp_path / "run", [record("q", ABS1), record("q", NONE)], late)
    done = batch("report", tmp_path / "run")
    assert "Not finished: 2 of 4 cells are done." in done.stdout
    text = (tmp_path / "run" / "report" / "tables.md").read_text("utf-8")
    assert "Not finished: 2 of 4 cells are done." in text
    assert "abs1 N | sec | none N | sec |" in text


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    missing = batch("report", tmp_path)
    assert missing.exit_code == 3 and "holds no batch" in missing.stderr
    keep(tmp_path / "run", [])
    empty = batch("report", tmp_path / "run")
    assert empty.exit_code == 3 and "no cell is recorded yet" in empty.stderr


def test_the_comparison_ends_with_status_5_where_it_is_to_check_and_a_verdict_is_lost(
    tmp_path: Path,
) -> None:
    asked = question("q|r")
    keep(tmp_path / "one", [record(asked, NONE, solved(1)), record(asked)])
    keep(tmp_path / "two", [record(asked, NONE, TIMEOUT), record(asked)])
    one, two, text = (tmp_path / name for name in ("one", "two", "changes.md"))
    told = batch("compare", one, two, "--markdown", text)
    assert told.exit_code == 0 and "Worse: 1 lost." in told.stdout
    assert "q\\|r" in text.read_text("utf-8")
    assert batch("compare", one, two, "--check").exit_code == 5
    assert batch("compare", two, one, "--check").exit_code == 0
    assert "Not worse: 1 solved now." in batch("compare", two, one).stdout


def test_slower_is_told_and_is_no_failure(tmp_path: Path) -> None:
    for name, seconds in (("one", 1), ("two", 30)):
        keep(tmp_path / name, [record("q", outcome=solved(seconds))])
    done = batch("compare", tmp_path / "one", tmp_path / "two", "--check")
    assert done.exit_code == 0 and "Slowed down most" in done.stdout


def test_a_comparison_with_nothing_is_refused(tmp_path: Path) -> None:
    keep(tmp_path / "one", [record("q")])
    done = batch("compare", tmp_path / "one", tmp_path / "two")
    assert done.exit_code == 3 and "holds no batch" in done.stderr
    keep(tmp_path / "two", [record("r")])
    done = batch("compare", tmp_path / "one", tmp_path / "two")
    assert done.exit_code == 2 and "have no cell in common" in done.stderr
