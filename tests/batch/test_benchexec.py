"""BenchExec: the tool-info module, and the definitions that are written for it.

BenchExec's own classes read what is written here; runs are started without it, since its executor
needs cgroups, and their output is given back to it.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from benchexec import result
from benchexec.benchexec import BenchExec
from benchexec.model import Benchmark, Run
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException
from benchexec.util import ProcessExitCode
from click.testing import CliRunner
from folders import ROOT
from property_files import ef, write_properties

from petricheck.arithmetic.formulas.formulas import equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.batch.benchexec.tasks import COLUMNS, write_tasks
from petricheck.batch.benchexec.tool import Tool
from petricheck.batch.cells import CellLimits
from petricheck.batch.configurations import CONFIGURATIONS, Configuration
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.questions.sources import read_sources
from petricheck.commands import main
from petricheck.formats.nets import write_net
from petricheck.model.net import make_net
from petricheck.support.errors import InputError, QueryError

NETS = ROOT / "nets"
BIN = Path(sys.executable).parent
TOOL = "petricheck.batch.benchexec.tool"
NONE = CellLimits()
PLAIN = Configuration("d")
CEGAR = Configuration("mine", "cegar", (("guide", "lattice"), ("heuristics", "")))


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(BIN), prepend=os.pathsep)


def loaded(benchmark: Path) -> Benchmark:
    """The benchmark as `benchexec --no-container` reads it."""
    config = BenchExec().create_argument_parser().parse_args(["--no-container", str(benchmark)])
    config.name = config.name or None
    config.output_path = f"{benchmark.parent / 'results'}/"
    loaded = Benchmark(str(benchmark), config, datetime.now().astimezone())
    loaded.executable = str(BIN / "petricheck")
    return loaded


def runs(benchmark: Benchmark) -> dict[str, Run]:
    """All runs of the first run definition, by the names of the tasks without their hashes."""
    named = ((Path(run.identifier).stem, run) for run in benchmark.run_sets[0].runs)
    return {name.rpartition("-")[0]: run for name, run in named}


def executed(run: Run, *more: str) -> tuple[str, str]:
    """What BenchExec makes of the run: its status and category."""
    program, *arguments = run.cmdline()
    assert program == str(BIN / "petricheck")
    told = CliRunner().invoke(main, [*more, *arguments])
    return judged(run, told.output, told.exit_code)


def judged(run: Run, text: str, ended: int) -> tuple[str, str]:
    """What BenchExec makes of a run that told this and ended with this exit status."""
    output = BaseTool2.RunOutput(text.splitlines(keepends=True))
    status = run._analyze_result(ProcessExitCode.create(value=ended), output, None)
    return status, result.get_result_category(run.expected_results, status, run.properties)


def output_of(text: str, status: int = 0, signal: int | None = None) -> Any:
    """A run that told this and ended so."""
    code = ProcessExitCode.create(signal=signal) if signal else ProcessExitCode.create(value=status)
    lines = BaseTool2.RunOutput(text.splitlines(keepends=True))
    return BaseTool2.Run(["petricheck"], code, lines, None)


def question(name: str, **changes: Any) -> BatchQuestion:
    """One of ours."""
    (found,) = read_sources([NETS / f"{name}.json"]).questions
    return replace(found, **changes)


def written(
    folder: Path, *questions: BatchQuestion, columns: Sequence[Configuration] = (PLAIN,)
) -> Any:
    """The benchmark of these questions, loaded."""
    return loaded(write_tasks(questions, columns, NONE, folder / "out"))


def only(benchmark: Benchmark) -> Run:
    (run,) = runs(benchmark).values()
    return run


def checked(folder: Path, *words: str) -> str:
    """What BenchExec's own check says of the module."""
    line = [sys.executable, "-m", "benchexec.test_tool_info", TOOL, "--no-container"]
    line += ["--tool-directory", str(BIN), *words]
    done = subprocess.run(line, capture_output=True, text=True, cwd=folder, timeout=60)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stderr


@pytest.mark.slow
def test_benchexecs_own_check_passes_and_understands_the_output(tmp_path: Path) -> None:
    write_tasks([question("fig8_U")], [CEGAR], NONE, tmp_path / "out")
    (task,) = (tmp_path / "out" / "tasks").glob("nets+fig8_U-*.yml")
    said = checked(tmp_path, "--task-definition", str(task))
    assert "Name of tool: “petricheck”" in said and "Version: “0." in said
    assert f"Command line for {task} with property" in said and "'--formula=@" in said
    told = tmp_path / "told.txt"
    line = [str(NETS / "fig8_U.pnml"), "--target", "p1=1", "--json"]
    told.write_text(CliRunner().invoke(main, line).output)
    assert "“true”" in checked(tmp_path, "--tool-output", str(told))


def test_every_question_is_a_run_and_every_configuration_a_run_definition(tmp_path: Path) -> None:
    questions = read_sources([NETS]).questions
    benchmark = loaded(write_tasks(questions, [*CONFIGURATIONS, CEGAR], NONE, tmp_path / "out"))
    assert [each.real_name for each in benchmark.run_sets] == [
        *(each.name for each in CONFIGURATIONS),
        "mine",
    ]
    for run_set in benchmark.run_sets:
        assert len(run_set.runs) == len(questions)
    assert benchmark.run_sets[-1].options == [
        *("--engine", "cegar", "-o", "guide=lattice", "-o", "heuristics=")
    ]
    expected = {each.name: each.expected is False for each in questions}
    for name, run in runs(benchmark).items():
        (verdict,) = run.expected_results.values()
        assert verdict.result is expected[name.removeprefix("nets+")]


def test_limits_and_cores_are_those_that_were_asked_for(tmp_path: Path) -> None:
    limits = CellLimits(1.5, 90.0, 2048)
    path = write_tasks([question("fig8_U")], [CEGAR], limits, tmp_path / "two", cores=2)
    given = loaded(path).rlimits
    assert (given.walltime, given.cputime, given.cpu_cores) == (2, 90, 2)
    assert given.memory == 2048 << 20
    without = written(tmp_path, question("fig8_U")).rlimits
    assert (without.cputime, without.memory) == (None, None)


@pytest.mark.parametrize(
    ("name", "expected", "status", "category"),
    [
        ("fig8_U", False, "true", "correct"),
        ("finkel_km_R", True, "false(reachable)", "correct"),
        ("fig8_U", True, "true", "wrong"),
        ("finkel_km_R", False, "false(reachable)", "wrong"),
        ("basic_me_U", None, "true", "missing"),
    ],
)
def test_runs_are_right_where_the_verdict_is_the_expected_one(
    tmp_path: Path, name: str, expected: bool | None, status: str, category: str
) -> None:
    run = only(written(tmp_path, question(name, expected=expected)))
    assert executed(run) == (status, category)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("target", "p12=2, p13=1"), "true"),
        (("cover", "p12=1"), "false(reachable)"),
        (("formula", "p12 >= 1 and p13 >= 1"), "true"),
        (("deadlock", ""), "true"),
        (("property", "one-machine"), "true"),
        (("property", "busy-and-ready"), "false(reachable)"),
        (("property", "at-once"), "unknown"),
        (("formula", "nowhere = 1"), "ERROR (question refused)"),
        (("formula", "@/etc/passwd"), "ERROR (question refused)"),
        (("formula", "\ud800 = 1"), "ERROR (question refused)"),
    ],
)
def test_every_kind_of_question_is_asked_as_it_is_meant(
    tmp_path: Path, words: tuple[str, str], status: str
) -> None:
    kind, text = words
    asked = question("fms_U", kind=kind, text=text)
    if kind == "property":
        asked = replace(asked, kind="formula", properties=NETS / "fms_U.xml")
    assert executed(only(written(tmp_path, asked)))[0] == status


def test_names_survive_files_yaml_and_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("X", "expanded")
    place = '~$X "quoted" \\ ü\u2028 [a]*?'
    net = make_net("odd", {place: 1}, {"t": ({place: 1}, {})})
    path = tmp_path / "-[x]* $X ~.pnml"
    write_net(net, path)
    text = to_text(equal(variable(place), 0))
    name = "~ü\udcff/$X: [a]*\n" + "long" * 100
    asked = BatchQuestion(name, path, "formula", text, collection="-/#c")
    other = replace(asked, name=asked.name + "!", expected=True)
    benchmark = write_tasks([asked, other], [Configuration("${c}/<&>")], NONE, tmp_path / "out")
    found = runs(loaded(benchmark))
    assert [executed(run) for run in found.values()] == [
        ("false(reachable)", "missing"),
        ("false(reachable)", "correct"),
    ]
    assert all(len(path.name) < 255 for path in (tmp_path / "out").rglob("*"))


def test_ids_of_properties_survive(tmp_path: Path) -> None:
    name = "\"a' \\b~ü €😀: #-"
    file = tmp_path / "p.xml"
    write_properties(file, **{name: ef("<deadlock/>")})
    asked = question("fms_U", text=name, properties=file)
    assert executed(only(written(tmp_path, asked)))[0] == "true"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"text": "$HOME", "properties": NETS / "fms_U.xml"}, r"'\$HOME' has a \$ in its id"),
        ({"net": Path("missing.pnml")}, r"missing\.pnml: cannot be copied or written: No such"),
    ],
)
def test_what_cannot_be_asked_or_copied_is_refused_and_nothing_is_left(
    tmp_path: Path, changes: dict[str, Any], complaint: str
) -> None:
    asked = [question("fig8_U"), question("fms_U", **changes)]
    with pytest.raises((InputError, QueryError), match=complaint):
        write_tasks(asked, [PLAIN], NONE, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(InputError, match="is not empty; name a new folder"):
        write_tasks([question("fig8_U")], [CEGAR], NONE, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.slow
def test_benchexec_itself_runs_what_is_written(tmp_path: Path) -> None:
    questions = [question("fig8_U"), question("finkel_km_R")]
    path = write_tasks(questions, [PLAIN], NONE, tmp_path / "out")
    line = [str(BIN / "benchexec"), str(path), "--no-container"]
    told = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    if told.returncode and "cgroup" in told.stderr.lower():
        pytest.skip(f"BenchExec cannot measure on this system: {told.stderr}")
    assert " ".join(told.stdout.split("Statistics:")[1].split()[:5]) == "2 Files correct: 2 correct"


def test_limits_of_petricheck_itself_count_as_benchexecs(tmp_path: Path) -> None:
    asked = question("fig8_U", kind="target", text="p1=1")
    run = only(written(tmp_path, asked, columns=[CONFIGURATIONS[0]]))
    assert executed(run, "--timeout", "0.2") == ("TIMEOUT", "error")
    assert executed(run, "--memory", "1") == ("OUT OF MEMORY", "error")


@pytest.mark.parametrize(
    ("text", "ended", "status"),
    [
        ("", {"status": 0}, "ERROR"),
        ("", {"status": 2}, "ERROR (question refused)"),
        ('{"error": "x", "status": 3}', {"status": 3}, "ERROR (file refused)"),
        ("petricheck: internal error: x", {"status": 4}, "ERROR (internal error)"),
        ('{"error": "unknown: interrupted", "status": 130}', {"status": 130}, "unknown"),
        ('{"error": "x", "status": 1, "ending": "memory"}', {"status": 1}, "OUT OF MEMORY"),
        ('{"error": "the memory limit", "status": 1}', {"status": 1}, "unknown"),
        ("", {"signal": 9}, "ERROR"),
        ('{\n  "verdict": "unreachable",\n', {"signal": 9}, "ERROR"),
        ('{\n  "verdict": "reachable",\n  "reason": null,\n', {"status": 0}, "false(reachable)"),
        ('{\n  "verdict": "reachable"\n}\n', {"status": 5}, "false(reachable)"),
        ('{\n  "verdict": "reachable"\n}\n', {"status": 4}, "ERROR (internal error)"),
        ("[" * 100_000, {"status": 0}, "ERROR"),
        ("{" + '"a":{' * 100_000, {"status": 0}, "ERROR"),
    ],
)
def test_other_ends_are_told_apart(text: str, ended: dict[str, int], status: str) -> None:
    assert Tool().determine_result(output_of(text, **ended)) == status


@pytest.mark.parametrize("key", ["property", "question"])
def test_what_a_hostile_file_says_is_no_verdict(key: str) -> None:
    fake = '", "quantifier": "EF", "holds": true, "verdict": "reachable'
    told = {
        "property": "x",
        "quantifier": "EF",
        "holds": True,
        "verdict": "unreachable",
        "question": "",
    }
    told |= {key: f"x{fake}"}
    text = f'petricheck: net: warning: "verdict": "reachable"\n{json.dumps(told)}'
    assert Tool().determine_result(output_of(text)) == "true"


def test_columns_hold_figures_of_the_run(tmp_path: Path) -> None:
    run = only(written(tmp_path, question("fig8_U"), columns=[Configuration("c", "cegar")]))
    told = CliRunner().invoke(main, run.cmdline()[1:]).output
    lines = BaseTool2.RunOutput(told.splitlines(keepends=True))
    values = {each.text: Tool().get_value_from_output(lines, each.text) for each in run.columns}
    assert values["engine"] == "cegar"
    assert values[COLUMNS[-1]] == "checked in exact integer arithmetic"
    assert int(values["iterations"]) > 0
    assert Tool().get_value_from_output(lines, "evidence") is None
    assert Tool().get_value_from_output(lines, "no such key") is None


@pytest.mark.parametrize(
    "options", [{"language": "C"}, {"question": "property"}, {"question": "x"}]
)
def test_tasks_of_other_tools_are_refused(options: dict[str, str]) -> None:
    task = BaseTool2.Task.with_files(["a.c"], options=options)
    with pytest.raises(UnsupportedFeatureException, match="petricheck needs a net"):
        Tool().cmdline("petricheck", [], task, BaseTool2.ResourceLimits())


def test_a_net_alone_is_asked_by_the_options_of_the_run_definition() -> None:
    task = BaseTool2.Task.with_files(["-a.pnml"])
    line = Tool().cmdline("petricheck", ["--deadlock"], task, BaseTool2.ResourceLimits())
    assert line == ["petricheck", "--deadlock", "--json", "--", "-a.pnml"]


def test_the_task_definition_of_the_docs_is_understood(tmp_path: Path) -> None:
    doc = (ROOT / "docs" / "batch.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(.*?)```", doc, re.DOTALL)
    benchmark = write_tasks([question("fig8_U")], [PLAIN], NONE, tmp_path)
    (run,) = runs(loaded(benchmark)).values()
    net = make_net("ring", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
    write_net(net, tmp_path / "tasks" / "ring.pnml")
    (tmp_path / "tasks" / "question.txt").write_text("q = 2")
    text = text.replace("unreachable.prp", "../unreachable.prp")
    Path(run.identifier).rename(tmp_path / "tasks" / "old")
    Path(run.identifier).with_name("mine.yml").write_text(text)
    (tmp_path / "nets.set").write_text("tasks/mine.yml\n")
    (run,) = runs(loaded(benchmark)).values()
    assert executed(run) == ("true", "correct")


def test_the_command_says_how_to_run_what_it_wrote(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [str(NETS / "fig8_U.json"), str(NETS / "fms_U.json"), "--out", str(out)]
    options = ["--config", "none", "--timeout", "5", "--memory", "1000", "--cores", "1"]
    told = CliRunner().invoke(main, ["batch", "tasks", *arguments, *options])
    assert told.exit_code == 0, told.output
    line = "Written: 2 tasks; run with: "
    assert told.output.startswith(line)
    assert shlex.split(told.output.removeprefix(line)) == ["benchexec", str(out / "petricheck.xml")]
    benchmark = loaded(out / "petricheck.xml")
    assert [each.real_name for each in benchmark.run_sets] == ["none"]
    assert benchmark.rlimits.walltime == 5


def test_petricheck_does_without_benchexec() -> None:
    hidden = "import sys; sys.modules['benchexec'] = None; "
    modules = ("commands", "batch.benchexec.tasks", "commands.batches.benchexec")
    imports = f"import {', '.join(f'petricheck.{module}' for module in modules)}"
    subprocess.run([sys.executable, "-c", hidden + imports], check=True, timeout=60)
