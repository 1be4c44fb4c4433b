"""Mistakes on the command line: each message says what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from folders import NETS
from invoked import run, settled

NET = str(NETS / "fms_U.pnml")
OTHER = str(NETS / "fms_R.pnml")


def refusal(*words: object) -> str:
    """The last line that the command complains with, having printed nothing else."""
    answer = settled(run(*words), 2)
    assert answer.stdout == ""
    return answer.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["p12=2"], "--target 'p12=2' (exactly) or --cover 'p12=2' (at least)?"),
        (["p12=2,", "p13=1"], "--target 'p12=2, p13=1' (exactly)"),
        (["p12>=2"], "--formula 'p12>=2'?"),
        (["p12=2 and p13=1"], "--formula 'p12=2 and p13=1'?"),
        (["deadlock"], "did you mean --deadlock?"),
        (["deadlok"], "did you mean '--deadlock'?"),
        (["quasi_live"], "did you mean --quasi-live?"),
        (["target", "p12=2"], "did you mean --target 'p12=2'?"),
        (["reachable", "p12=2"], "--target 'reachable p12=2'"),
        (["reachable"], "as an option, e.g. --cover 'p1=1'"),
        (["info"], f"petricheck info {NET}"),
        (["interpolate"], f"petricheck interpolate {NET}"),
        ([OTHER], "name one net; 'petricheck batch'"),
        (["--target", "p12=1,", "p13=2"], "--target 'p12=1, p13=2'"),
        (["--target", "p12", "=", "1"], "--target 'p12 = 1'"),
        (["--deadlock", "p12"], "--deadlock takes no text"),
        (["--deadlock", OTHER], "name one net"),
        (["-target", "p12=1"], "did you mean --target?"),
        (["-timeout=5", "--deadlock"], "did you mean --timeout?"),
        (["-x", "--deadlock"], "-x"),
        (["--target"], "--target needs a text after it, e.g. --target 'p1=1, p3=2'"),
        (["--home", "--timeout", "5"], "--home needs a text after it, e.g. --home 'p1 = 0'"),
        (["--cover", "--quiet"], "--cover needs a text after it"),
        (["--deadlock", "--timeout", "0"], "'0' is no number of seconds above 0"),
        (["--deadlock", "--timeout", "-1"], "'-1' is no number of seconds above 0"),
        (["--deadlock", "--timeout", "soon"], "'soon' is no number of seconds above 0"),
        (["--deadlock", "--timeout", "1.5m"], "write 90"),
        (["--deadlock", "--memory", "2G"], "write 2048"),
        (["--deadlock", "--memory", "512MB"], "write 512"),
        (["--deadlock", "--memory", "1.5"], "'1.5' is no whole number of MiB above 0"),
        (["--deadlock", "--jobs", "-2"], "'-2' is no whole number above 0"),
        (["--trace"], "--trace goes with a question; add one, such as --deadlock"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_answered_with_what_to_write_instead(words: list[str], remedy: str) -> None:
    assert remedy in refusal(NET, *words)


@pytest.mark.parametrize(
    ("name", "remedy"), [("e.json", "petricheck verify"), ("queries.xml", "--properties")]
)
def test_a_second_file_is_answered_by_what_takes_it(name: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.touch()
    message = refusal(NET, path)
    assert remedy in message and message.endswith(str(path))


def test_a_question_before_the_net_is_put_behind_it() -> None:
    message = refusal("p12=2", NET)
    assert "write the net before the question" in message and "--cover 'p12=2'" in message


def test_other_commands_name_the_missing_text_and_the_long_option_too() -> None:
    assert "--cover needs a text" in refusal("verify", NET, "--cover")
    assert "did you mean --timeout?" in refusal("info", NET, "-timeout", "5")


def test_what_stands_in_a_mistake_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2J.json"
    path.touch()
    assert "\x1b" not in refusal(NET, path) + refusal(NET, "p\x1b[2J=1")


@pytest.mark.parametrize("name", ["a.svg", "a.png"])
def test_a_graph_of_an_abstraction_is_no_picture(name: str, tmp_path: Path) -> None:
    message = refusal(NET, "--cover", "p12=2", "--graph", tmp_path / name)
    assert message.endswith("graphs of abstractions end in .dot or .json")


@pytest.mark.parametrize(
    "formula",
    [
        "EF p1 > 1",
        "AG (p1 > 1)",
        "E F p1 = 1",
        "AF(p1=1)",
        "p1=1 and AG(EF(p1=1))",
        "E[p1=1 U p2=1]",
    ],
)
def test_a_temporal_operator_in_a_formula_is_told_with_what_to_write(formula: str) -> None:
    answer = settled(run(NET, "--formula", formula), 2)
    assert "a formula has no temporal operators" in answer.stderr
    assert "AG EF φ by --home 'φ'" in answer.stderr


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("t1", "there is no place 't1'; it is a transition: enabled(t1) says it is enabled"),
        ("FIREABLE(t1)", "the word is written 'fireable'"),
        ("p1 = 0 or DEADLOCK", "'deadlock', without a comparison, says that no transition is"),
        ("G = 1", "there is no place 'G'"),
        ("A or p1 = 1", "there is no place 'A'"),
    ],
)
def test_a_word_that_is_no_place_is_told_with_what_it_may_be(formula: str, message: str) -> None:
    assert message in settled(run(NET, "--formula", formula), 2).stderr


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_net_is_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "net").write_bytes(content)
    answer = settled(run(tmp_path / "net", "--deadlock"), 3)
    assert answer.stderr.count("\n") == 1 and "the file is empty" in answer.stderr


@pytest.mark.parametrize(
    ("words", "status", "part"),
    [
        (["help", "help"], 0, "Usage: petricheck NET QUESTION"),
        (["version"], 0, "petricheck 0."),
        (["engines", "cegar"], 0, "engines:\n  cegar: "),
        (["engines", "cgar"], 2, "no engine, guide or heuristic 'cgar'; did you mean 'cegar'?"),
        ([str(NETS / "fig8_U.pnml"), "--safe", "--invariant", "p1<=1"], 2, "--formula 'not (…)'"),
    ],
)
def test_what_people_type_first_is_taken_or_told(words: list[str], status: int, part: str) -> None:
    answer = run(*words)
    assert answer.exit_code == status and part in answer.output


def test_verify_prints_one_line_where_it_is_to_be_quiet(tmp_path: Path) -> None:
    evidence = tmp_path / "e.json"
    settled(run(NET, "--cover", "p12=2", "--evidence", evidence), 0)
    assert settled(run("verify", NET, evidence, "--quiet"), 0).stdout == "accepted: unreachable\n"
