"""docs/answers.py and docs/curves.py, with programs that print what they are to answer."""

from __future__ import annotations

import json
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

Run: TypeAlias = Callable[..., tuple[object, list[str]]]

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "answers.py"

PROGRAM = """
log="$1/$2 $4" value=$3 seconds=$4
shift 4
for pair in "$@"; do
    case $pair in "$seconds":*) counts=${pair#*:} ;; esac
done
number=${counts%/*}
test -e "$log" && number=${counts#*/}
touch "$log"
while test "$number" -gt 0; do
    echo "FORMULA f$number $value TECHNIQUES AUDITED"
    number=$((number - 1))
done
echo "FORMULA open CANNOT_COMPUTE"
"""
"""Prints as many answers as SECONDS:NUMBER says for its limit, or SECONDS:FIRST/AGAIN."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("small/one", "two"):
        model = tmp_path / name
        model.mkdir(parents=True)
        (model / "model.pnml.gz").touch()
        (model / "ReachabilityCardinality.xml").touch()
    (tmp_path / "models.txt").write_text("one\ntwo\n")
    (tmp_path / "program").write_text(PROGRAM)
    return tmp_path


def new(folder: Path, counts: str) -> list[str]:
    return ["--command", f"sh {folder}/program {{folder}} new TRUE {{seconds}} {counts}"]


def other(folder: Path, counts: str, value: str = "TRUE", seconds: str = "{seconds}") -> list[str]:
    return ["--against", f"sh {folder}/program {{folder}} other {value} {seconds} {counts}"]


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the script with these options; returns its exit status, and its lines below the head."""

    def run(*arguments: str) -> tuple[object, list[str]]:
        words = [str(folder), "--models", str(folder / "models.txt"), "--seconds", "2,1"]
        monkeypatch.setattr("sys.argv", [str(SCRIPT), *words, *arguments])
        with pytest.raises(SystemExit) as end:
            runpy.run_path(str(SCRIPT), run_name="__main__")
        return end.value.code, capsys.readouterr().out.splitlines()[2:]

    return run


def test_answers_are_counted_by_model_and_limit(folder: Path, run: Run) -> None:
    status, lines = run(*new(folder, "1:3 2:4"))
    assert status == 0
    assert lines == [
        "| one | ReachabilityCardinality | 3 | 4 |",
        "| two | ReachabilityCardinality | 3 | 4 |",
        "| *all* |  | 6 | 8 |",
        "",
    ]


def test_more_time_that_answers_less_is_a_loss(folder: Path, run: Run) -> None:
    status, lines = run(*new(folder, "1:4 2:2"))
    loss = "ReachabilityCardinality: more time answers less: 4 in 1 s, 2 in 2 s"
    assert (status, lines[-2:]) == (1, [f"one, {loss}", f"two, {loss}"])


def test_fewer_answers_than_the_other_are_a_loss(folder: Path, run: Run) -> None:
    status, lines = run(*new(folder, "1:3 2:4"), *other(folder, "1:2 2:6"))
    assert lines[0] == "| one | ReachabilityCardinality | 3 | 4 | 2 | 6 |"
    loss = "ReachabilityCardinality: less than the other: new 4, other 6 in 2 s"
    assert (status, lines[-2:]) == (1, [f"one, {loss}", f"two, {loss}"])


@pytest.mark.parametrize(("counts", "status", "losses"), [("2:3/4", 0, 0), ("2:3/3", 1, 2)])
def test_one_answer_less_counts_only_if_it_happens_twice(
    folder: Path, run: Run, counts: str, status: int, losses: int
) -> None:
    ended, lines = run(*new(folder, f"1:1 {counts}"), *other(folder, "1:1 2:4/0"))
    assert (ended, len(lines)) == (status, 4 + losses)


def test_a_command_without_a_limit_runs_once(folder: Path, run: Run) -> None:
    status, lines = run(*new(folder, "1:2 2:2"), *other(folder, "9:2/0", seconds="9"))
    assert (status, lines[0]) == (0, "| one | ReachabilityCardinality | 2 | 2 | 2 | 2 |")


def test_a_contradiction_is_a_loss(folder: Path, run: Run) -> None:
    status, lines = run(*new(folder, "1:1 2:1"), *other(folder, "1:1 2:1", "FALSE"))
    loss = "ReachabilityCardinality: contradiction: f1 is FALSE and TRUE"
    assert (status, lines[-2:]) == (1, [f"one, {loss}", f"two, {loss}"])


def test_a_program_that_does_not_end_is_ended_after_the_limit(folder: Path, run: Run) -> None:
    command = "sh -c 'echo FORMULA f TRUE; sleep 60'"
    status, lines = run("--command", command, "--seconds", "0.05,0.1")
    assert (status, lines[0]) == (0, "| one | ReachabilityCardinality | 1 | 1 |")


def test_a_model_that_is_missing_ends_it(folder: Path, run: Run) -> None:
    (folder / "models.txt").write_text("three\n")
    status, _ = run()
    assert "holds no model three" in str(status)


def test_curves_count_answers_beside_those_of_the_contests_tools(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts = {"f1": ["TRUE", ["B", "A"]], "f2": ["FALSE", ["A"]], "f9": ["?", []]}
    contest, picture = folder / "verdicts.json", folder / "curves.svg"
    contest.write_text(json.dumps({"two": {"ReachabilityCardinality": verdicts}}))
    files = [
        "--verdicts",
        str(contest),
        "--picture",
        str(picture),
        "--seconds",
        "20",
        "--together",
        "2",
    ]
    command = new(folder, "20:3")
    monkeypatch.setattr("sys.argv", ["curves.py", str(folder), "one", "two", *files, *command])
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    runpy.run_path(str(SCRIPT.with_name("curves.py")), run_name="__main__")
    assert capsys.readouterr().out.splitlines() == [
        "| model and examination | 10 s | 20 s | in the contest |",
        "| --- | ---: | ---: | --- |",
        "| one, Cardinality | 3 | 3 |  |",
        "| two, Cardinality | 3 | 3 | A 2, B 1 |",
    ]
    shown = picture.read_text("utf-8")
    assert all(
        f"<!-- {text} -->" in shown for text in ("one, Cardinality", "two, Cardinality", "A")
    )
