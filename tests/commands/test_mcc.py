"""`petricheck mcc`: what the contest says in the environment, and the lines that it reads."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import invoked
import pytest
from click.testing import Result
from folders import ROOT
from property_files import at_least, ef, possible, tag, write_properties

from petricheck.commands.answers.answering import Answering, Asked
from petricheck.commands.answers.output_forms import Contest
from petricheck.commands.answers.reports import NamedQuestion
from petricheck.commands.mcc import limits_within
from petricheck.formats.nets import NetFile, write_net
from petricheck.model.net import make_net
from petricheck.questions import Setting, ask
from petricheck.support.budget import Budget, Shares
from petricheck.support.processes import supervision

ONE_WAY = make_net("one-way", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": 1})})
OTHER = """<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.example.org/stochasticnet"/></pnml>"""
CARDINALITY = "ReachabilityCardinality"
DEADLOCK = "ReachabilityDeadlock"


@pytest.fixture(autouse=True)
def nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BK_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    write_net(ONE_WAY, tmp_path / "model.pnml")
    write_properties(tmp_path / f"{CARDINALITY}.xml", yes=possible(1, "q"), no=possible(2, "q"))
    return tmp_path


def run(*words: object, **environment: str) -> Result:
    result = invoked.run("mcc", *words, **environment)
    assert "Traceback" not in result.output
    return result


def lines(result: Result) -> list[str]:
    return result.stdout.splitlines()


def test_the_contests_script_starts_the_program_beside_it_in_the_folder_of_the_model(
    model: Path,
) -> None:
    head = ROOT / "docs" / "contest" / "BenchKit_head.sh"
    submission, program = model / "submission", model / "submission" / "venv" / "bin" / "python"
    program.parent.mkdir(parents=True)
    shutil.copy(head, submission)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    program.chmod(0o755)
    asked = {"BK_EXAMINATION": CARDINALITY, "BK_TOOL": "petricheck", "BK_TIME_CONFINEMENT": "60"}
    done = subprocess.run(
        [submission / head.name],
        cwd=model,
        env=os.environ | asked,
        capture_output=True,
        text=True,
        timeout=60,
    )
    verdicts = {line.split(" TECHNIQUES")[0] for line in done.stdout.splitlines()}
    assert (done.returncode, verdicts) == (0, {"FORMULA yes TRUE", "FORMULA no FALSE"})


def test_the_environment_asks_about_the_current_folder(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(model)
    limits = {"BK_TIME_CONFINEMENT": "60", "BK_MEMORY_CONFINEMENT": "16384"}
    result = run(BK_EXAMINATION=CARDINALITY, **limits)
    assert result.exit_code == 0
    told = sorted(lines(result), reverse=True)
    for line, name, word in zip(told, ("yes", "no"), ("TRUE", "FALSE"), strict=True):
        assert re.fullmatch(rf"FORMULA {name} {word} TECHNIQUES [A-Z_ ]+", line)


def test_options_and_a_folder_override_the_environment(model: Path) -> None:
    result = run(
        *(model, "--examination", CARDINALITY, "--timeout", 60, "--memory", 16384),
        BK_EXAMINATION="StateSpace",
        BK_TIME_CONFINEMENT="0.001",
        BK_MEMORY_CONFINEMENT="1",
    )
    assert sorted(line.split()[:3] for line in lines(result)) == [
        ["FORMULA", "no", "FALSE"],
        ["FORMULA", "yes", "TRUE"],
    ]


@pytest.mark.parametrize("packed", [False, True])
def test_files_may_be_compressed_and_one_for_the_deadlock_names_it(
    packed: bool, model: Path
) -> None:
    write_properties(model / f"{DEADLOCK}.xml", stuck=ef("<deadlock/>"))
    for path in [*model.iterdir()] if packed else []:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    (line,) = lines(run(model, BK_EXAMINATION=DEADLOCK))
    assert line.startswith("FORMULA stuck TRUE TECHNIQUES ")
    assert len(lines(run(model, BK_EXAMINATION=CARDINALITY))) == 2


@pytest.mark.parametrize("name", ["BK_TIME_CONFINEMENT", "BK_MEMORY_CONFINEMENT"])
def test_a_senseless_limit_is_refused_by_the_name_it_was_given_under(
    name: str, model: Path
) -> None:
    result = run(model, BK_EXAMINATION=CARDINALITY, **{name: "soon"})
    assert (result.exit_code, result.stdout) == (2, "")
    assert name in result.stderr


def test_other_types_of_nets_are_left_to_others(tmp_path: Path) -> None:
    (tmp_path / "model.pnml").write_text(OTHER)
    result = run(tmp_path, BK_EXAMINATION=DEADLOCK)
    assert (result.exit_code, result.stdout) == (0, "DO_NOT_COMPETE\n")
    assert "stochasticnet" in result.stderr


@pytest.mark.slow
def test_the_limit_holds_for_all_formulas_together(tmp_path: Path) -> None:
    coins = {f"t{worth}": ({}, {"p": worth}) for worth in (12223, 12224, 36674, 61119, 85569)}
    most = tag("negation", at_least(89643481, "p"))
    exactly = tag("conjunction", at_least(89643480, "p"), most)
    names = [f"f{number}" for number in range(6)]
    write_net(make_net("change", {"p": 0}, coins), tmp_path / "model.pnml")
    write_properties(tmp_path / f"{CARDINALITY}.xml", **dict.fromkeys(names, ef(exactly)))
    command = [sys.executable, "-m", "petricheck", "mcc", str(tmp_path)]
    environment = os.environ | {"BK_EXAMINATION": CARDINALITY, "BK_TIME_CONFINEMENT": "3"}
    began = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert time.monotonic() - began < 12
    assert sorted(line.split()[1] for line in done.stdout.splitlines()) == names


def test_what_outlasts_its_turn_is_ended_with_the_examination_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deadlines: list[float | None] = []
    monkeypatch.setattr(supervision, "limit", lambda deadline, _: deadlines.append(deadline))
    whole, net = Budget(100.0), make_net("n", {"p": 1}, {"t": ({"p": 1}, {})})
    questions = [
        NamedQuestion(ask(net, target="p=0"), "a"),
        NamedQuestion(ask(net, live=True), "b"),
    ]
    asked = Asked(iter([(NetFile(net, "", (), ""), questions)]))
    with limits_within(whole, False) as budget:
        Answering(asked, Setting(), Shares(None, 2, 10.0), budget, Contest(), brief=True).run()
    assert len(deadlines) == 4
    assert deadlines[:3] == pytest.approx([whole.started + 100.0] * 3, abs=1.0)
