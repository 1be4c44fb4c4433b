"""The bench: what is measured, what is shown, and that nothing gets away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner, Result

from petricheck.batch import _server
from petricheck.batch._cell import Cell, Measurement
from petricheck.batch.bench import (
    CONFIGURATIONS,
    Configuration,
    Record,
    exit_status,
    parse_configuration,
    parse_configurations,
    run,
    select,
)
from petricheck.batch.index import CONFIGURATIONS as COLUMNS
from petricheck.batch.index import Figure, Published, Question, Words, read_index, read_question
from petricheck.batch._bench_tables import Report, render, render_json
from petricheck.cli import main
from petricheck.errors import QueryError

NETS = Path(__file__).resolve().parent.parent / "nets"
DEFAULT = parse_configuration("default")
NONE = parse_configuration("none")
NOWHERE = parse_configuration("nowhere=cegar:guide=nowhere")

PAPER = Published((None, Figure(8, 3.9), Figure(8, 3.4), Figure(6, 5.1), Figure(5, 5.25)), "*")
SOLVED = Measurement("decided", "unreachable", "checked", "", "", 3, 7, 0.25, 0.5, 50 << 20)
TIMEOUT = Measurement("timeout", reason="the limit", cpu_seconds=1.0, memory=60 << 20)
GAVE_UP = Measurement("unknown", reason="no progress", refinements=4, cpu_seconds=0.125)
CRASH = Measurement("error", reason="killed", error="Crash")


def asked(name: str) -> Question:
    question = read_question(NETS / f"{name}.json")
    assert question is not None
    return question


def made_up(name: str, expected: str = "unreachable", bounded: bool | None = True) -> Question:
    net, target = Path("/far/away") / f"{name}.pnml", Words("formula", "p = 1")
    return Question(name, net, target, "reach", expected, bounded=bounded)


def reported(
    cells: Sequence[tuple[Question, Configuration, Measurement]], timeout: float = 9
) -> Report:
    questions = tuple(dict.fromkeys(question for question, _, _ in cells))
    configurations = tuple(dict.fromkeys(configuration for _, configuration, _ in cells))
    return Report(questions, configurations, timeout, [Record(*cell) for cell in cells])


def row(text: str, name: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return line.split()


def stuck(folder: Path) -> Configuration:
    """The engine waits for ever, deaf to its budget: nobody writes into the pipe it reads."""
    os.mkfifo(folder / "pipe")
    return parse_configuration(f"stuck=cegar:predicates={folder / 'pipe'}")


def descendants() -> list[psutil.Process]:
    return list(psutil.Process().children(recursive=True))


def when_a_cell_runs(act: Callable[[psutil.Process, psutil.Process], None]) -> threading.Thread:
    """Once a cell is there, `act` on its server and itself, from a thread."""

    def watch() -> None:
        while True:
            with suppress(psutil.NoSuchProcess):
                for server in psutil.Process().children():
                    for cell in server.children():
                        return act(server, cell)
            time.sleep(0.01)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


# Configurations


def test_the_built_in_configurations_cover_the_columns_of_the_paper_in_its_order() -> None:
    assert tuple(c.column for c in CONFIGURATIONS if c.column) == COLUMNS
    assert [c.name for c in CONFIGURATIONS] == [*COLUMNS, "optimal", "default"]


def test_a_configuration_is_named_or_defined() -> None:
    assert parse_configuration("abs2") in CONFIGURATIONS
    assert parse_configuration("mine=cegar") == Configuration("mine", "cegar")
    defined = parse_configuration("mine=cegar:heuristics=parikh,place_invariants,guide=none")
    assert defined.options == (("heuristics", "parikh,place_invariants"), ("guide", "none"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("abs9", "unknown configuration 'abs9'; known: none, abs1"),
        ("mine=nothing", "unknown name 'nothing' among the engines"),
        ("mine=cegar:color=red", "cegar has no option 'color'"),
        ("mine=cegar:fast", "FIELD=VALUE is expected, not 'fast'"),
        ("=cegar", "has no name"),
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(QueryError, match=complaint):
        parse_configuration(text)


def test_without_a_choice_all_built_in_configurations_are_run() -> None:
    assert parse_configurations([]) == CONFIGURATIONS
    assert parse_configurations(["default", "none", "default"]) == (DEFAULT, NONE)


def test_two_configurations_of_one_name_are_refused() -> None:
    with pytest.raises(QueryError, match="two configurations are named 'none'"):
        parse_configurations(["none", "none=cegar:guide=optimal"])


def test_questions_are_selected_by_a_pattern_and_each_once() -> None:
    questions = read_index(NETS).questions
    chosen = select((*questions, *questions), "finkel_km_?")
    assert [question.name for question in chosen] == ["finkel_km_R", "finkel_km_U"]


# Measuring


def test_every_cell_is_measured_under_its_configuration() -> None:
    questions = (asked("finkel_km_R"), asked("parity_U"))
    lines: list[str] = []
    records = list(run(questions, (NONE, DEFAULT), 0.5, report=lines.append))
    assert [(r.question, r.configuration) for r in records] == [
        (question, configuration) for question in questions for configuration in (NONE, DEFAULT)
    ]
    reached, _, diverged, proved = (record.measurement for record in records)
    assert (reached.status, reached.verdict) == ("decided", "reachable")
    assert (proved.status, proved.verdict) == ("decided", "unreachable")
    for measurement in (reached, proved):
        assert measurement.audit
        assert measurement.refinements is not None and measurement.refinements >= 1
        assert measurement.states is not None
        assert measurement.cpu_seconds is not None and measurement.cpu_seconds > 0
        assert measurement.seconds is not None and measurement.seconds > 0
        assert measurement.memory is not None and 1 << 20 < measurement.memory < 1 << 32
    assert (diverged.status, diverged.verdict) == ("timeout", "unknown")
    assert diverged.refinements is None
    assert [line.split(":")[0] for line in lines] == [
        "1/4 finkel_km_R none", "2/4 finkel_km_R default", "3/4 parity_U none",
        "4/4 parity_U default",
    ]  # fmt: skip
    assert exit_status(records) == 0
    assert not descendants()


def test_two_jobs_find_what_one_finds() -> None:
    questions = (asked("parity_U"), asked("finkel_km_R"), asked("basic_me_U"))
    found = [
        {(r.question.name, r.measurement.verdict, r.measurement.refinements) for r in records}
        for records in (run(questions, (DEFAULT,), 20, jobs) for jobs in (1, 2))
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 3


def test_a_verdict_that_contradicts_the_index_is_wrong_and_gives_status_5(tmp_path: Path) -> None:
    entry = json.loads((NETS / "parity_U.json").read_text())
    entry |= {"net": str(NETS / "parity_U.pnml"), "expected": "reachable"}
    (tmp_path / "mistaken.json").write_text(json.dumps(entry))
    questions = read_index(tmp_path).questions
    records = list(run(questions, (DEFAULT, NOWHERE), 20))
    assert [record.wrong for record in records] == [True, False]
    assert exit_status(records) == 5
    shown = render(Report(questions, (DEFAULT, NOWHERE), 20, records), "text")
    assert row(shown, "mistaken ")[2] == "WRONG"
    assert "mistaken (default): unreachable WRONG, reachable is expected" in shown
    assert row(shown, "wrong") == ["wrong", "1", "0"]


def test_where_no_verdict_is_expected_none_is_wrong() -> None:
    record = Record(made_up("open", "unknown"), DEFAULT, SOLVED)
    assert record.right and not record.wrong


def test_a_cell_that_fails_costs_no_other_cell() -> None:
    records = list(run((asked("parity_U"),), (NOWHERE, DEFAULT), 20))
    failed, solved = (record.measurement for record in records)
    assert (failed.status, failed.error) == ("error", "QueryError")
    assert "'nowhere'" in failed.reason
    assert solved.verdict == "unreachable"
    assert exit_status(records) == 2


def test_a_net_that_is_refused_is_named_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "bad.pnml").write_text("<pnml>")
    question = replace(asked("parity_U"), net=tmp_path / "bad.pnml")
    (record,) = run((question,), (DEFAULT,), 20)
    assert record.measurement.error == "InputError"
    assert record.measurement.reason.startswith("bad.pnml: ")
    assert str(tmp_path) not in record.measurement.reason
    assert exit_status([record]) == 3


def test_a_cell_that_ignores_its_limit_is_killed_and_the_next_one_measured(tmp_path: Path) -> None:
    records = list(run((asked("parity_U"),), (stuck(tmp_path), DEFAULT), 0.3))
    killed, solved = (record.measurement for record in records)
    assert killed.status == "timeout"
    assert killed.reason.startswith("killed")
    assert killed.seconds is not None and killed.seconds > 0.3
    assert killed.cpu_seconds is not None and killed.memory is not None
    assert solved.verdict == "unreachable"
    assert exit_status(records) == 0
    assert not descendants()


def test_a_cell_that_crashes_is_an_error_and_gives_status_4(tmp_path: Path) -> None:
    thread = when_a_cell_runs(lambda _, cell: cell.send_signal(signal.SIGSEGV))
    records = list(run((asked("parity_U"),), (stuck(tmp_path), DEFAULT), 60))
    thread.join()
    crashed, solved = (record.measurement for record in records)
    assert (crashed.status, crashed.error) == ("error", "Crash")
    assert crashed.reason == "the process was killed by SIGSEGV"
    assert solved.verdict == "unreachable"
    assert exit_status(records) == 4


def test_a_server_that_dies_is_replaced_and_leaves_no_cell_behind(tmp_path: Path) -> None:
    thread = when_a_cell_runs(lambda server, _: server.kill())
    records = list(run((asked("parity_U"),), (stuck(tmp_path), DEFAULT), 60))
    thread.join()
    lost, solved = (record.measurement for record in records)
    assert (lost.status, lost.error) == ("error", "Crash")
    assert "status -9" in lost.reason
    assert solved.verdict == "unreachable"
    assert not descendants()


def test_an_interrupted_bench_keeps_its_records_and_kills_its_processes(tmp_path: Path) -> None:
    seen: list[psutil.Process] = []

    def interrupt(server: psutil.Process, cell: psutil.Process) -> None:
        seen.extend((server, cell))
        os.kill(os.getpid(), signal.SIGINT)

    records: list[Record] = []
    with pytest.raises(KeyboardInterrupt):
        for record in run((asked("parity_U"),), (DEFAULT, stuck(tmp_path), NONE), 60):
            records.append(record)
            when_a_cell_runs(interrupt)
    assert [record.configuration for record in records] == [DEFAULT]
    assert len(seen) == 2
    _, alive = psutil.wait_procs(seen, timeout=5)
    assert not alive


def test_reading_a_question_is_limited_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_server, "READING", 0.2)
    os.mkfifo(tmp_path / "net.pnml")
    question = replace(asked("parity_U"), net=tmp_path / "net.pnml")
    ours, theirs = Pipe()
    measurement = _server.supervise(Cell(question, "cegar", (), 60), theirs)
    assert (measurement.status, measurement.error) == ("error", "Overrun")
    ours.close()


def test_a_cell_that_nobody_waits_for_is_killed(tmp_path: Path) -> None:
    ours, theirs = Pipe()
    ours.close()
    with pytest.raises(EOFError):
        _server.supervise(Cell(asked("parity_U"), "cegar", stuck(tmp_path).options, 60), theirs)
    assert not descendants()


def test_what_is_undecided_is_no_failure_but_petricheck_contradicting_itself_is() -> None:
    question = made_up("q")
    undecided = [Record(question, DEFAULT, m) for m in (TIMEOUT, GAVE_UP)]
    assert exit_status([]) == 0
    assert exit_status(undecided) == 0
    internal = Record(question, DEFAULT, Measurement("error", error="InternalError"))
    refused = Record(question, DEFAULT, Measurement("error", error="InputError"))
    assert exit_status([*undecided, internal, refused]) == 4


# Showing


def test_the_table_has_the_shape_of_the_papers() -> None:
    mine = Configuration("mine")
    paper = replace(made_up("exp"), row="Exponential", paper=PAPER, bounded=False)
    abs1, all_ = parse_configuration("abs1"), parse_configuration("all")
    plain = made_up("plain", "reachable", bounded=False)
    report = reported(
        [
            (paper, NONE, SOLVED),
            (paper, abs1, TIMEOUT),
            (paper, all_, replace(SOLVED, cpu_seconds=12.34)),
            (paper, mine, GAVE_UP),
            (plain, mine, replace(SOLVED, verdict="reachable", refinements=0, cpu_seconds=1.25)),
        ]
    )
    text = render(report, "text")
    assert row(text, "question") == [
        "question", "row", "none", "N", "sec", "paper", "abs1", "N", "sec", "paper",
        "all", "N", "sec", "paper", "mine", "N", "sec",
    ]  # fmt: skip
    assert row(text, "exp") == [
        "exp", "Exponential", "U", "3", "0.250", "*", "*", "*", "8/3.9", "3", "12.3", "5/5.25",
        "?", "0.125",
    ]  # fmt: skip
    assert row(text, "plain") == ["plain", "R", "0", "1.25"]
    assert row(text, "solved  ") == ["solved", "1/1", "0/1", "1/1", "1/2"]
    assert row(text, "solved in") == ["solved", "in", "the", "paper", "0/1", "1/1", "1/1"]
    assert row(text, "seconds") == ["seconds,", "solved", "0.250", "0.000", "12.3", "1.25"]
    assert row(text, "peak") == ["peak", "memory,", "MiB", "50", "60", "50", "50"]
    assert "exp (mine): unknown, no progress" in text
    assert "no answer within 9 s" in text


def test_bounded_and_unbounded_nets_are_apart_and_nets_nobody_knows_too() -> None:
    questions = [made_up("u", bounded=False), made_up("b"), made_up("n", bounded=None)]
    text = render(reported([(question, NONE, SOLVED) for question in questions]), "text")
    places = [
        text.index(part)
        for part in ("Bounded nets", "\nb ", "Unbounded nets", "\nu ", "not known", "\nn ")
    ]
    assert places == sorted(places)
    assert "paper" not in text.split("Totals")[0].split("\n", 2)[2]


def test_rows_keep_their_order_whatever_order_the_cells_end_in() -> None:
    report = reported([(made_up(name), c, SOLVED) for name in "ab" for c in (NONE, DEFAULT)])
    mixed = replace(report, records=report.records[::-1])
    assert render(mixed, "text") == render(report, "text")
    assert render_json(mixed) == render_json(report)


def test_cells_that_were_not_measured_are_empty() -> None:
    report = replace(reported([(made_up("a"), NONE, SOLVED), (made_up("b"), NONE, SOLVED)]),
                     records=[])  # fmt: skip
    text = render(report, "text")
    assert row(text, "a ") == ["a", "U"]
    assert row(text, "solved  ") == ["solved", "0/0"]


def test_failures_of_one_kind_are_told_once_with_their_cells() -> None:
    text = render(reported([(made_up(name), NONE, CRASH) for name in "ab"]), "text")
    assert row(text, "a ") == ["a", "U", "error"]
    assert text.count("killed") == 1
    assert "- a (none), b (none): error, Crash: killed" in text


def test_markdown_tables_are_well_formed() -> None:
    odd = replace(made_up("odd|*name"), row="Odd", paper=PAPER)
    wrong = replace(SOLVED, verdict="reachable")
    markdown = render(
        reported([(odd, NONE, SOLVED), (odd, DEFAULT, wrong), (made_up("b"), NONE, TIMEOUT)]),
        "markdown",
    )
    tables = [part for part in markdown.split("\n\n") if part.startswith("|")]
    assert len(tables) == 2
    for table in tables:
        lines = [line.replace("\\|", "").split("|") for line in table.splitlines()]
        assert len({len(line) for line in lines}) == 1
        assert set(lines[1][1:-1]) <= {" :--- ", " ---: "}
    assert "### Bounded nets" in markdown
    assert "**WRONG**" in tables[0]
    assert "\n\\*: no answer within 9 s" in markdown
    assert "- odd\\|\\*name (default): reachable WRONG" in markdown
    assert "| odd\\|\\*name | Odd | U | 3 | 0.250 | \\* |" in tables[0]


def test_json_holds_every_figure_and_no_path() -> None:
    exp = replace(made_up("exp"), paper=PAPER)
    abs1 = parse_configuration("abs1")
    text = render_json(reported([(exp, abs1, SOLVED), (exp, DEFAULT, TIMEOUT)], timeout=60))
    assert "/far" not in text
    document = json.loads(text)
    assert document["timeout"] == 60
    assert set(document["versions"]) >= {"python", "z3-solver", "highspy"}
    assert document["configurations"][0] == {
        "name": "abs1",
        "engine": "cegar",
        "options": {"guide": "lattice", "heuristics": "place_invariants"},
    }
    first, second = document["records"]
    assert first == {
        "question": "exp", "row": "", "net": "exp.pnml", "bounded": True, "configuration": "abs1",
        "expected": "unreachable", "wrong": False, "status": "decided", "verdict": "unreachable",
        "audit": "checked", "reason": "", "error": "", "refinements": 3, "states": 7,
        "cpu_seconds": 0.25, "seconds": 0.5, "memory": 50 << 20, "paper": [8, 3.9],
    }  # fmt: skip
    assert (second["status"], second["paper"]) == ("timeout", None)


# The command


def bench(*words: str) -> Result:
    return CliRunner().invoke(main, ["bench", *words])


def test_the_command_prints_the_table_and_writes_both_files(tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("bench.json", "bench.md")]
    done = bench(str(NETS), "--only", "parity_?", "--config", "default",
                 "--json", files[0], "--markdown", files[1])  # fmt: skip
    assert done.exit_code == 0
    assert row(done.stdout, "parity_U")[:2] == ["parity_U", "U"]
    assert done.stderr == ""
    assert json.loads(Path(files[0]).read_text())["records"][0]["verdict"] == "unreachable"
    assert "| parity_U |" in Path(files[1]).read_text()


def test_the_command_ends_with_status_5_where_a_verdict_is_wrong(tmp_path: Path) -> None:
    entry = json.loads((NETS / "parity_U.json").read_text())
    entry |= {"net": str(NETS / "parity_U.pnml"), "expected": "reachable"}
    (tmp_path / "mistaken.json").write_text(json.dumps(entry))
    done = bench(str(tmp_path / "mistaken.json"), "--config", "default")
    assert done.exit_code == 5
    assert "WRONG, reachable is expected" in done.stdout


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["--only", "nothing"], 2, "no question has a name that matches 'nothing'"),
        (["--config", "abs9"], 2, "unknown configuration 'abs9'"),
        (["--json", "/no/such/folder/file"], 3, "no such folder"),
        (["--jobs", "0"], 2, "x>=1"),
    ],
)
def test_a_command_that_makes_no_sense_is_refused_at_once(
    words: list[str], status: int, complaint: str
) -> None:
    done = bench(str(NETS), *words)
    assert (done.exit_code, done.stdout) == (status, "")
    assert complaint in done.stderr


def test_an_interrupted_command_prints_what_it_has_and_ends_with_status_130(
    tmp_path: Path,
) -> None:
    predicates = stuck(tmp_path).options[0][1]
    process = subprocess.Popen(
        [sys.executable, "-m", "petricheck", "bench", str(NETS / "parity_U.json"),
         "--config", "default", "--config", f"stuck=cegar:predicates={predicates}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    # Opening the pipe to write waits for the stuck cell; the first cell is then measured.
    with open(predicates, "w"):
        started = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        shown, complaints = process.communicate(timeout=30)
    assert process.returncode == 130
    name, _, refinements, _ = row(shown, "parity_U")
    assert (name, refinements.isdigit()) == ("parity_U", True)
    assert "interrupted after 1 of 2 cells" in complaints
    assert len(started) == 2
    _, alive = psutil.wait_procs(started, timeout=5)
    assert not alive
