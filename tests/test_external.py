"""External commands: what they are given, and what is read from what they print."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cells import asked, cell, descendants, python, shell

from petricheck.batch.cells import Cell, Limits, Outcome
from petricheck.batch.configurations import Configuration, parse_configuration
from petricheck.batch.executors.local import Local
from petricheck.batch.processes.external import (
    TAIL,
    clauses_verdict,
    contest_verdict,
    verdict_in_words,
)
from petricheck.batch.questions.index import Words
from petricheck.formats import read_net, write_net

PETRICHECK = f"{sys.executable} -m petricheck"
SPACER = Path(sys.executable).parent / "z3"


def outcomes(*cells: Cell) -> list[Outcome]:
    return [outcome for _, outcome in Local(1).run(cells)]


def command(text: str) -> Configuration:
    return parse_configuration(f"peer={text}")


def prints(text: str, status: int = 0) -> Configuration:
    return shell(f"printf '{text}'; exit {status}")


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("reachable", "reachable"),
        ("UNREACHABLE", "unreachable"),
        ("The target is not reachable.", "unreachable"),
        ("  Result: Reachable!", "reachable"),
        ("unreachable: an invariant of 3 parts", "unreachable"),
        ("not reachable (proved by k-induction)", "unreachable"),
        ("reachable", "reachable"),
        ("1024 reachable markings", None),
        ("reachable markings: 1024", None),
        ("reachable: false", None),
        ("reachable: 0", None),
        ("unreachable = 17", None),
        ("reachable, after 12 steps", "reachable"),
        ("1024 markings reachable", None),
        ("explored 7 distinct states, all reachable", None),
        ("checking that the target is reachable...", None),
        ("trying to prove it unreachable", None),
        ("is the target reachable?", None),
        ("deciding whether the target is reachable", None),
        ("could not prove that it is unreachable", None),
        ("it is not known to be reachable", None),
        ("not unreachable", None),
        ("either reachable or unreachable", None),
        ("reachable, unreachable", None),
        ("usage: tool --mode reachable|unreachable", None),
        ("unknown, perhaps reachable", None),
        ("the transition unreachable_1 fires", None),
        ("error: the initial marking is unreachable", None),
        ("", None),
    ],
)
def test_a_line_of_prose_is_a_verdict_where_it_leaves_no_doubt(
    line: str, verdict: str | None
) -> None:
    assert verdict_in_words(line) == verdict


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("FORMULA question TRUE TECHNIQUES STRUCTURAL", "reachable"),
        ("FORMULA question FALSE", "unreachable"),
        ("FORMULA another TRUE", None),
        ("FORMULA question CANNOT_COMPUTE", None),
        ("FORMULA question-2 TRUE", None),
    ],
)
def test_a_line_of_the_contest_says_whether_the_target_is_possible(
    line: str, verdict: str | None
) -> None:
    assert contest_verdict(line) == verdict


def test_clauses_with_a_model_are_an_invariant() -> None:
    assert clauses_verdict("sat") == "unreachable"
    assert clauses_verdict("unsat ") == "reachable"
    assert [clauses_verdict(line) for line in ("unknown", "sat?", "satisfied", "")] == [None] * 4


def test_a_verdict_of_a_command_has_no_evidence_and_no_audit() -> None:
    (outcome,) = outcomes(cell(prints("some log\\nunreachable\\ndone\\n")))
    assert (outcome.status, outcome.verdict, outcome.engine) == ("decided", "unreachable", "sh")
    assert (outcome.audit, outcome.evidence, outcome.reason) == ("", b"", "")
    assert outcome.iterations is None and outcome.states is None
    assert outcome.seconds is not None and outcome.cpu_seconds is not None and outcome.memory
    assert outcome.target == "p1 = 1 and p2 = 0"


def test_output_that_is_no_verdict_is_unknown_or_an_error() -> None:
    undecided, silent, contradictory, failed, killed = outcomes(
        cell(prints("looking\\ngave up\\n")),
        cell(prints("")),
        cell(prints("reachable\\nunreachable\\nthe end\\n")),
        cell(shell("echo looking; echo no such net >&2; exit 7")),
        cell(shell("kill -SEGV $$")),
    )
    assert (undecided.status, undecided.reason) == ("unknown", "gave up")
    assert (silent.status, silent.reason) == ("unknown", "no output")
    assert contradictory.status == "unknown"
    assert contradictory.reason == "the output contradicts itself; its last line: the end"
    assert (failed.status, failed.error) == ("error", "ExitStatus")
    assert failed.reason == "the command ended with status 7: no such net"
    assert (killed.status, killed.error) == ("error", "Crash")
    assert killed.reason == "the command was killed by SIGSEGV"


def test_a_verdict_counts_whatever_the_exit_status() -> None:
    (outcome,) = outcomes(cell(prints("reachable", status=10)))
    assert outcome.verdict == "reachable"


def test_a_program_that_is_not_there_is_an_error() -> None:
    missing, relative = outcomes(
        cell(command("/no/such/program {pnml}")), cell(command("./no-such-program {pnml}"))
    )
    assert missing.reason == "/no/such/program cannot be run: No such file or directory"
    assert relative.reason.startswith(f"{Path.cwd()}/no-such-program cannot be run")


def test_a_command_runs_in_a_folder_that_is_deleted_with_nothing_to_read(tmp_path: Path) -> None:
    told = tmp_path / "told"
    script = (
        "import json, os, sys, tempfile\n"
        "open('left behind', 'w').close()\n"
        "seen = [os.getcwd(), tempfile.gettempdir(), sys.stdin.read()]\n"
        f"json.dump(seen, open({str(told)!r}, 'w'))"
    )
    outcomes(cell(python(script)))
    place, temporary, read = json.loads(told.read_text())
    assert place.startswith(temporary) and read == ""
    assert not Path(temporary).exists()


def test_a_command_gets_the_environment_of_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    script = '[ "$OMP_NUM_THREADS$OPENBLAS_NUM_THREADS$PYTHONPATH" = 5 ] && echo reachable'
    (outcome,) = outcomes(cell(shell(script)))
    assert outcome.verdict == "reachable"


def test_arguments_go_through_no_shell() -> None:
    configuration = Configuration(
        "peer", "", command=("sh", "-c", '[ "$1" = "; exit 1; \'" ] && echo reachable')
    )
    words = (*configuration.command, "{pnml}", "; exit 1; '")
    (outcome,) = outcomes(cell(replace(configuration, command=words)))
    assert outcome.verdict == "reachable"


def test_a_net_in_another_format_is_given_in_pnml(tmp_path: Path) -> None:
    copied = tmp_path / "net.xml"
    write_net(read_net(asked().net).net, tmp_path / "net.pnml")
    (tmp_path / "net.pnml").rename(copied)
    peer = shell('case "$0" in *.pnml) grep -q "<pnml" "$0" && echo reachable;; esac')
    (outcome,) = outcomes(cell(peer, replace(asked(), net=copied)))
    assert outcome.verdict == "reachable"


@pytest.mark.parametrize(
    "text",
    [
        f"{PETRICHECK} {{pnml}} --formula {{formula}} --quiet",
        f"{PETRICHECK} {{pnml}} --properties {{properties}} --mcc",
        pytest.param(
            f"{SPACER} {{chc}}",
            marks=pytest.mark.skipif(not SPACER.exists(), reason="no z3 beside Python"),
        ),
    ],
    ids=["formula", "properties", "clauses"],
)
def test_a_question_reaches_a_peer_in_each_form(text: str) -> None:
    unreachable = asked("basic_me_U")
    net = read_net(unreachable.net).net
    marked = next(place for place, tokens in zip(net.places, net.initial, strict=True) if tokens)
    questions = [unreachable, replace(unreachable, target=Words("cover", f'"{marked}" >= 1'))]
    found = outcomes(*[cell(command(text), question) for question in questions])
    assert [outcome.verdict for outcome in found] == ["unreachable", "reachable"]
    assert [outcome.value for outcome in found] == [False, True]


def test_a_question_that_a_form_cannot_hold_is_an_error() -> None:
    odd = replace(asked(), target=Words("formula", "p1 mod 3 = 1"))
    (outcome,) = outcomes(cell(command("true {properties}"), odd))
    assert (outcome.status, outcome.error) == ("error", "InputError")
    assert outcome.seconds is None


def test_of_very_long_output_the_last_part_is_read() -> None:
    cut = f"printf unreachable; yes '' | head -c {TAIL - len('reachable')}"
    found = outcomes(cell(shell(f"{cut}; echo; echo reachable")), cell(shell(cut)))
    assert [outcome.verdict for outcome in found] == ["reachable", "unknown"]


def test_a_process_that_a_command_leaves_does_not_delay_its_verdict() -> None:
    lingering = shell("sleep 600 & setsid sleep 600 & echo unreachable")
    (outcome,) = outcomes(cell(lingering, limits=Limits(30)))
    assert outcome.verdict == "unreachable"
    assert not descendants()
