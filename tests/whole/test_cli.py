"""The command line, from end to end: verdicts, exit statuses, evidence, refusals, interruption."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from folders import NETS
from invoked import run, settled

from petricheck import __version__
from petricheck.commands import main
from petricheck.commands.shell.command_group import CommandGroup
from petricheck.formats.nets import read_net
from petricheck.questions.checking import Checker
from petricheck.support.errors import EvidenceError, InternalError

FIG8 = str(NETS / "fig8_U.pnml")
FINKEL = str(NETS / "finkel_km_R.pnml")
EXPONENTIAL = str(NETS / "exponential_U.pnml")
DIVERGING = [FIG8, "--target", "p1=1", "--guide", "none"]
COMMAND = [sys.executable, "-m", "petricheck"]


def spawn(*arguments: str, **settings: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=60, **settings
    )


def test_a_question_may_come_from_a_file_even_one_that_can_be_read_only_once() -> None:
    command = f"{sys.executable} -m petricheck {FIG8} --target @<(echo p1=1)"
    answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert answer.stdout.startswith("unreachable\n")
    assert "1 place is not named" in answer.stdout


def test_a_net_named_like_a_command_is_reached_by_its_path(tmp_path: Path) -> None:
    (tmp_path / "verify").write_bytes(Path(FIG8).read_bytes())
    answer = spawn("./verify", "--target", "p1=1", "--quiet", cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (0, "unreachable\n")
    assert spawn("verify", "--target", "p1=1", cwd=tmp_path).returncode == 2


@pytest.mark.parametrize("seconds", ["nan", "inf", "-inf", "1e999", "0"])
def test_a_limit_is_a_finite_number_above_zero(seconds: str) -> None:
    for words in ((FIG8, "--target", "p1=1"), ("verify", FIG8, "e.json"), ("bench", str(NETS))):
        assert settled(run(*words, f"--timeout={seconds}"), 2).stdout == ""


@pytest.mark.parametrize(
    ("words", "reason", "ending"),
    [
        (
            ["--timeout", "0.2"],
            r"the time limit of 0\.2 s is reached(, after .*)?",
            "time",
        ),
        (["--memory", "1"], "the memory limit of 1 MiB is reached, after 1 refinement", "memory"),
    ],
)
def test_a_limit_ends_as_unknown_with_a_reason_and_a_hint(
    words: list[str], reason: str, ending: str
) -> None:
    answer = settled(run(*DIVERGING, *words, "--expect", "reachable"), 1)
    assert re.match(f"unknown: {reason}\nHint: ", answer.stdout)
    fields = json.loads(settled(run(*DIVERGING, *words, "--json"), 1).stdout)
    assert (fields["verdict"], fields["value"], fields["complete"]) == ("unknown", None, False)
    assert re.fullmatch(reason, fields["reason"]) and fields["ending"] == ending
    assert (fields["evidence"], fields["audits"]) == (None, [])
    assert {"petricheck", "python", "z3-solver"} <= fields["versions"].keys()


def test_a_limit_of_ages_is_no_obstacle_to_any_solver() -> None:
    pytest.importorskip("cvc5")
    settled(run(FIG8, "--target", "p1=1", "--timeout", "1e300", "--second-solver"), 0)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--target", "p1=1", "--expect", "unreachable"], 0),
        (["--target", "p1=1", "--expect", "reachable"], 5),
        (["--bound", "7", "--expect", "7"], 0),
        (["--bound", "7", "--expect", "8"], 5),
        (["--bound", "7", "--expect", "unbounded"], 5),
        (["--bounded", "--expect", "no"], 0),
        (["--bounded", "--expect", "bounded"], 5),
        (["--target", "p1=1", "--expect", "unknown"], 2),
    ],
)
def test_any_answer_of_the_question_may_be_expected(words: list[str], status: int) -> None:
    answer = settled(run(FIG8, *words), status)
    assert (status == 5) == ("was expected" in answer.stderr)
    assert (status == 2) == (answer.stdout == "")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ([FIG8, "--colour", "red"], 2),
        ([FIG8, "--timeout", "soon"], 2),
        ([FIG8, "--target", "p1=1", "--jobs", "0"], 2),
        (["verify", FIG8], 2),
        ([FIG8, "--target", "p1=1", "--engine", "nobody"], 2),
        ([FIG8, "--properties", "missing.xml"], 3),
        (["verify", "missing.pnml", "e.json"], 3),
        (["verify", FIG8, "missing.json"], 3),
        (["info", "missing.pnml"], 3),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_a_refusal_is_told_to_programs_too(words: list[str], status: int) -> None:
    answer = settled(run(*words, "--json"), status)
    (line,) = answer.stdout.splitlines()
    fields = json.loads(line)
    assert set(fields) == {"error", "status"}
    assert fields["status"] == status and fields["error"].splitlines()[0] in answer.stderr
    assert settled(run(*words), status).stdout == ""


def test_programs_are_told_where_the_option_stands_before_the_words_that_follow() -> None:
    fields = json.loads(settled(run("--json"), 2).stdout)
    assert fields["status"] == 2 and fields["error"]
    assert settled(run(FIG8, "--colour", "--", "--json"), 2).stdout == ""


def test_a_second_solver_takes_part_where_asked(tmp_path: Path) -> None:
    pytest.importorskip("cvc5")
    path = str(tmp_path / "e.json")
    asked = [FIG8, "--target", "p1=1", "--evidence", path, "--second-solver"]
    assert "cvc5" in settled(run(*asked), 0).stdout
    assert "cvc5" in settled(run("verify", FIG8, path, "--second-solver"), 0).stdout


def test_a_missing_second_solver_is_said_before_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("petricheck.support.extras.find_spec", lambda _: None)
    answer = settled(run(FIG8, "--target", "p1=1", "--second-solver"), 2)
    assert "pip install 'petricheck[second-solver]'" in answer.stderr
    assert answer.stdout == ""


PROVED = [FIG8, "--target", "p1=1", "--engine", "state_equation"]
REACHED = [FINKEL, "--target", "p2=7, p3=5", "--engine", "directed_search"]


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Evidence that the target p1 = 1, p2 = 0 of Fig. 8 is unreachable."""
    path = tmp_path / "e.json"
    settled(run(*PROVED, "--evidence", path), 0)
    return path


def rejected(net: str, path: Path, *words: str) -> str:
    """Why `verify` rejects the file."""
    answer = settled(run("verify", net, path, *words), 4)
    assert answer.stdout.startswith("rejected: ")
    return answer.stdout


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (PROVED, '"at most": 0', '"at most": -1'),
        (PROVED, '"at most": 0', '"at most": 1'),
        (PROVED, '{"p1": 1, "p2": -1}', '{"p1": 1, "p2": -2}'),
        (PROVED, '{"p1": 1, "p2": -1}', '{"p1": 1}'),
        (PROVED, '{"p1": 1, "p2": -1}', '{"p1": 1, "p9": -1}'),
        (PROVED, '"equals": 1', '"equals": 0'),
        (PROVED, '"answer": false', '"answer": true'),
        (PROVED, '"answer": false', '"answer": 0'),
        (PROVED, '"answer": false', '"answer": null'),
        (PROVED, '"marking": null', '"marking": {}'),
        (PROVED, '"text": "p1=1"', '"text": "p1=2"'),
        (PROVED, '"text": "p1=1"', '"text": ""'),
        (PROVED, '"kind": "target"', '"kind": "cover"'),
        (PROVED, '"kind": "target"', '"kind": "deadlock"'),
        (PROVED, '"kind": "target"', '"kind": "bound"'),
        (PROVED, '"kind": "target"', '"kind": "os"'),
        (PROVED, '"excluded": "target"', '"excluded": {"sum": {"p1": 1}, "equals": 5}'),
        (PROVED, '"version": 2', '"version": 3'),
        (PROVED, '"version": 2', '"version": 1'),
        (PROVED, '"or"', '"nor"'),
        (PROVED, "{", "["),
        (REACHED, '["t4", 3]]', '["t4", 2]]'),
        (REACHED, '["t4", 3]]', '["t4", 4]]'),
        (REACHED, '["t4", 3]]', '["t4", 0]]'),
        (REACHED, '["t4", 3]]', '["t3", 3]]'),
        (REACHED, '["t4", 3]]', '["t9", 3]]'),
        (REACHED, '"equals": 7', '"equals": 8'),
    ],
)
def test_mutated_evidence_is_rejected(
    words: list[str], before: str, after: str, tmp_path: Path
) -> None:
    path = tmp_path / "e.json"
    settled(run(*words, "--evidence", path), 0)
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))
    rejected(words[0], path)


def test_an_smt2_file_is_believed_in_nothing_but_the_invariant(tmp_path: Path) -> None:
    path = tmp_path / "e.smt2"
    settled(run(FIG8, "--target", "p1=1", "--evidence", str(path)), 0)
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if line.startswith((";", "(define-fun"))]
    path.write_text("".join(kept))
    settled(run("verify", FIG8, str(path)), 0)
    weaker = "".join(kept).replace("define-fun invariant (", "define-fun unused (")
    path.write_text(weaker + "(define-fun invariant () Bool true)\n")
    assert "the invariant meets the target" in rejected(FIG8, path)


def test_without_a_checksum_the_net_itself_decides(written: Path, tmp_path: Path) -> None:
    text = written.read_text()
    written.write_text(text.replace(f'"{read_net(FIG8).sha256}"', "null"))
    answer = settled(run("verify", FIG8, str(written)), 0)
    assert "which the evidence does not mention" in answer.stdout
    rejected(FINKEL, written)


def test_a_question_that_means_the_same_is_accepted(written: Path) -> None:
    settled(run("verify", FIG8, str(written), "--formula", "p1 - 1 = p2 and p2 < 1"), 0)


def test_evidence_without_a_target_needs_a_question(written: Path) -> None:
    """Only files of version 1 need name none."""
    fields = json.loads(written.read_text())
    head = {key: fields[key] for key in ("format", "petricheck", "net", "sha256")}
    claim = {key: fields["claims"][0][key] for key in ("invariant", "hints")}
    first = head | {"version": 1, "target": None, "verdict": "unreachable"} | claim
    written.write_text(json.dumps(first))
    assert "--target" in rejected(FIG8, written)
    settled(run("verify", FIG8, str(written), "--target", "p1=1"), 0)
    assert "meets the target" in rejected(FIG8, written, "--target", "p1=0")


def test_evidence_that_cannot_be_written_after_all_keeps_the_verdict(tmp_path: Path) -> None:
    path = tmp_path / f"{'e' * 300}.json"
    answer = settled(run(FIG8, "--target", "p1=1", "--evidence", str(path)), 3)
    assert answer.stdout.startswith("unreachable\n")
    assert "e.json: cannot be written" in answer.stderr
    told = settled(run(FIG8, "--target", "p1=1", "--evidence", str(path), "--json"), 3).stdout
    assert json.loads(told)["verdict"] == "unreachable"


def test_evidence_too_large_to_be_read_back_keeps_the_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.evidence.files.SIZE", 99)
    answer = settled(run(FIG8, "--target", "p1=1", "--evidence", str(tmp_path / "e.json")), 2)
    assert answer.stdout.startswith("unreachable\n")
    assert "at most 99 are read back" in answer.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--graph", "--log", "--evidence"])
def test_an_output_that_cannot_be_written_is_refused_before_the_search(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out.json"
    folder.mkdir()
    monkeypatch.setattr(Checker, "check", pytest.fail)
    answer = settled(run(FIG8, "--target", "p1=1", option, folder), 3)
    assert answer.stderr == f"petricheck: {folder}: is a folder; name a file to write to\n"
    folder.rmdir()
    monkeypatch.setattr("petricheck.support.outputs.os.access", lambda *_: False)
    answer = settled(run(FIG8, "--target", "p1=1", option, folder), 3)
    assert "may not be written" in answer.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("option", ["--graph", "--log"])
def test_a_disk_that_fills_up_costs_no_verdict(option: str) -> None:
    answer = settled(run(FIG8, "--target", "p1=1", option, "/dev/full", "-v"), 0)
    assert answer.stdout.startswith("unreachable\n")
    assert "/dev/full" in answer.stderr


def test_the_engine_writes_its_log_and_graph(tmp_path: Path) -> None:
    log, graph = tmp_path / "log", tmp_path / "graph.json"
    settled(run(FIG8, "--target", "p1=1", "--log", str(log), "-o", f"graph={graph}"), 0)
    assert json.loads(log.read_text().splitlines()[0])["iteration"] == 1
    assert json.loads(graph.read_text())["states"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--target", "p1=" + "9" * 1_000_000], "4000"),
        (["--formula", "(" * 5_000 + "p1 = 1"], "parentheses"),
        (["--bounded", "-o", "speed"], "-o 'speed' is not of the form FIELD=VALUE"),
        (["--bounded", "--guide", "none", "-o", "guide=optimal"], "'guide' of cegar is given"),
        (["--bounded", "--engine", "cegar:guide=none", "--guide", "optimal"], "given twice"),
        (["--bounded", "--guide", "angel"], "unknown name 'angel' among the guides"),
        (["--bounded", "--guide", "lattice:cheep=1"], "'cheep'; its options: cheap"),
        (["--bounded", "--heuristics", "luck"], "unknown name 'luck' among the heuristics"),
        (["--bounded", "--heuristics", "parikh:weight=x"], "option weight: 'x'"),
        (["--bounded", "-o", "sparsity=2"], "no option 'sparsity', but there is --guide optimal"),
        (["--bounded", "--engine", "cegar:guide=lattice:cheap=2,costly=5"], "guide=[lattice:cheap"),
        (["--bounded", "--shortest", "--engine", "bmc:length=3"], "names an engine of its own"),
        (["--cover", "p1=1", "--predicates", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--bounded", "--memory", "many"], "many"),
        (["--bounded", "--invariant", "braille"], "braille"),
        (["--bounded", "another.pnml"], "another.pnml"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_usage_and_senseless_questions_have_status_2(
    words: list[str], complaint: str
) -> None:
    answer = settled(run(FIG8, *words), 2)
    assert answer.stdout == "" and complaint in answer.stderr
    assert len(answer.stderr) < 1_000


def net_of(content: str, kind: str = "http://www.pnml.org/version-2009/grammar/ptnet") -> str:
    return f'<pnml><net id="n" type="{kind}"><page id="g">{content}</page></net></pnml>'


PLACE = '<place id="p"/><transition id="t"/>'


def test_warnings_go_to_the_standard_error_unless_quiet(tmp_path: Path) -> None:
    net = tmp_path / "parallel.pnml"
    arcs = '<arc id="a" source="t" target="p"/><arc id="b" source="t" target="p"/>'
    net.write_text(net_of(PLACE + arcs))
    asked = [str(net), "--target", "p=1"]
    answer = settled(run(*asked), 0)
    assert "warning: summed parallel arcs: 1" in answer.stderr
    assert "warning" not in answer.stdout
    assert settled(run(*asked, "--quiet"), 0).output == "unreachable\n"


def test_odd_ids_cannot_steer_the_terminal(tmp_path: Path) -> None:
    net = tmp_path / "odd.pnml"
    net.write_text(net_of('<place id="p"/><transition id="\u202et&#x9b;1m"/>'
                          '<arc id="a" source="\u202et&#x9b;1m" target="p"/>'))  # fmt: skip
    shown = settled(run(str(net), "--target", "p=1"), 0).stdout
    assert "\\u202et\\x9b1m" in shown
    assert "\u202e" not in shown


FORGED = "x\nforged: line"


def forging() -> str:
    name = FORGED.replace("\n", "&#10;")
    return net_of(
        f'<place id="{name}"/><place id="q"/><transition id="t {name}"/>'
        f'<arc id="a" source="t {name}" target="{name}"/>'
        f'<arc id="b" source="t {name}" target="q"/>'
    )


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        (f'"{FORGED}" = 2', ["--trace"]),
        (f'"{FORGED}" > q', ["--invariant"]),
        (f'"{FORGED}" > q', ["--invariant", "latex"]),
        (f'"{FORGED}" = 2*q + 1', []),
    ],
)
def test_a_name_does_not_forge_a_line(formula: str, words: list[str], tmp_path: Path) -> None:
    net, evidence = str(tmp_path / "net.pnml"), str(tmp_path / "e.json")
    Path(net).write_text(forging())
    shown = [settled(run(net, "--formula", formula, *words, "--evidence", evidence), 0)]
    shown += [settled(run("verify", net, evidence), 0), settled(run("info", net), 0)]
    shown.append(run("verify", net, evidence, "--formula", "q = 7"))
    shown.append(run(net, "--formula", f'"{FORGED}s" = 2'))
    for answer in shown:
        assert not [line for line in answer.output.splitlines() if line.startswith("forged")]
        assert "forged:" in answer.output


def test_what_is_told_to_programs_keeps_names_as_they_are(tmp_path: Path) -> None:
    net = tmp_path / "net.pnml"
    net.write_text(forging())
    asked = json.loads(settled(run(str(net), "--cover", f'"{FORGED}"=1', "--json"), 0).stdout)
    assert (
        settled(run(str(net), "--formula", asked["target"], "--quiet"), 0).stdout == "reachable\n"
    )


def test_names_that_the_output_cannot_encode_are_escaped(tmp_path: Path) -> None:
    net = tmp_path / "accent.pnml"
    net.write_text(net_of('<place id="é"/>'), encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    answer = spawn(str(net), "--target", "é=1", "--trace", "--invariant", env=environment)
    assert answer.returncode == 0, answer.stderr
    assert r"\xe9" in answer.stdout


def below(group: CommandGroup, *names: str) -> Iterator[tuple[str, ...]]:
    """The names of a command and of all commands below it."""
    yield names
    for name in group.commands():
        command = group.get_command(name)
        if isinstance(command, CommandGroup):
            yield from below(command, *names, name)
        else:
            yield *names, name


@pytest.mark.parametrize("names", [*below(main)], ids=" ".join)
def test_the_help_of_a_command_fits_on_a_page(names: tuple[str, ...]) -> None:
    lines = settled(run(*names, "--help"), 0).stdout.splitlines()
    assert len(lines) <= 84 and max(map(len, lines)) <= 80


def test_options_behind_a_name_are_those_of_the_part() -> None:
    named = ["--engine", "cegar:guide=[lattice:cheap=2,costly=9],heuristics=parikh:weight=3"]
    short = ["--guide", "lattice:cheap=2,costly=9", "--heuristics", "parikh:weight=3"]
    answers = [run(FIG8, "--formula", "p1 != p2", *words, "--quiet") for words in (named, short)]
    assert [settled(answer, 0).stdout for answer in answers] == ["unreachable\n"] * 2


def test_the_version_is_printed_without_loading_what_is_slow() -> None:
    code = (
        "import sys; from petricheck.commands import main\n"
        "try: main(['--version'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'z3', 'numpy', 'sympy', 'highspy', 'flint', 'lark', 'importlib.metadata'}"
        " & set(sys.modules)))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert shown.stdout == f"petricheck {__version__}\n[]\n"


def test_an_interruption_that_was_dealt_with_does_not_change_the_exit_status(
    tmp_path: Path,
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import click\n"
        "echo = click.echo\n"
        "def interrupted(*said, **how):\n"
        "    try: exec('raise KeyboardInterrupt')\n"
        "    except KeyboardInterrupt: echo(*said, **how)\n"
        "click.echo = interrupted\n"
    )
    shown = subprocess.run(
        [sys.executable, "-m", "petricheck", "--version"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (shown.returncode, shown.stdout) == (0, f"petricheck {__version__}\n")


def test_runs_repeat_exactly(tmp_path: Path) -> None:
    asked = [EXPONENTIAL, "--cover", "p1=1, p4=1", "--engine", "cegar"]
    files = [tmp_path / "a.json", tmp_path / "b.json"]
    for file, seed in zip(files, ("1", "2"), strict=True):
        settled(run(*asked, "--evidence", str(file), "--seed", seed), 0)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_every_command_of_the_console_script_is_this_one() -> None:
    from importlib.metadata import entry_points

    from petricheck.__main__ import run

    (script,) = entry_points(group="console_scripts", name="petricheck")
    assert script.load() is run
    assert isinstance(main, click.Command)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InternalError("the evidence is wrong"), 4),
        (EvidenceError("this proves nothing"), 4),
        (ZeroDivisionError("odd"), 4),
        (RecursionError("deep"), 4),
        (MemoryError(), 1),
        (OSError(28, "No space left on device", "there"), 3),
        (BrokenPipeError(32, "Broken pipe"), 141),
    ],
    ids=lambda value: type(value).__name__,
)
def test_failures_end_without_a_traceback(
    error: Exception, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("petricheck.commands.answers.one_question.make_question", fail)
    monkeypatch.setattr("petricheck.commands.shell.exit_status.discard_output", lambda: None)
    answer = settled(run(FIG8, "--target", "p1=1"), status)
    assert answer.stdout == ""
    assert len(answer.stderr.splitlines()) <= 2
    assert ("memory ran out" in answer.stderr) == (status == 1)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ([FIG8, "--cover", "p1=1", "--memory", "9000"], "--memory"),
        (["batch", FIG8, "--cover", "p1=1", "--out", "run", "--cpu-time", "9"], "--cpu-time"),
    ],
)
def test_limits_that_need_proc_are_refused_where_there_is_none(
    words: list[str], option: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("petricheck.support.budget.resident_memory", lambda process=None: 0)
    shown = run(*words)
    assert shown.exit_code == 2
    assert f"{option} cannot be enforced here: this system has no /proc" in shown.stderr


def test_the_traceback_of_an_internal_error_is_shown_on_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("odd")

    monkeypatch.setattr(Checker, "check", fail)
    assert "PETRICHECK_DEBUG=1" in run(FIG8, "--target", "p1=1").stderr
    assert "Traceback" in run(FIG8, "--target", "p1=1", "-v").stderr
    monkeypatch.setenv("PETRICHECK_DEBUG", "1")
    answer = run(FIG8, "--target", "p1=1")
    assert answer.exit_code == 4
    assert "Traceback" in answer.stderr


@pytest.mark.parametrize(
    ("number", "words", "answer"),
    [
        (signal.SIGINT, [], "unknown: interrupted\n"),
        (signal.SIGTERM, ["--json"], '"reason": "interrupted"'),
    ],
)
def test_an_interrupted_run_says_so(
    number: int, words: list[str], answer: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    command = [*COMMAND, *DIVERGING, "--log", str(log), *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for(lambda: log.exists() and log.stat().st_size > 0)
        process.send_signal(number)
        printed, complaints = process.communicate(timeout=20)
    assert (process.returncode, complaints) == (130, "")
    assert answer in printed


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_nobody_reading_the_answer_is_no_error() -> None:
    process = subprocess.Popen(
        [*COMMAND, "engines"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.parametrize(
    "words",
    [
        (FIG8, "--target", "p1=1"),
        ("--version",),
        ("--help",),
        ("help", "verify"),
        ("verify", "--print-checker"),
    ],
)
def test_an_answer_that_cannot_be_written_has_status_3(words: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        answer = subprocess.run([*COMMAND, *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert answer.returncode == 3
    assert "Traceback" not in answer.stderr


def test_progress_is_printed_line_by_line_where_asked_for() -> None:
    assert spawn(*DIVERGING, "--timeout", "1").stderr == ""
    answer = settled(run(*DIVERGING, "--timeout", "0.5", "-v"), 1)
    assert answer.stderr.startswith("petricheck: refinement 1: ")
