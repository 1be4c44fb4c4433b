"""`petricheck batch`: what it says and how it ends, and that nothing kills it for good."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner, Result
from folders import NETS

from petricheck.batch import DATABASE
from petricheck.batch.cells import CellRecord
from petricheck.batch.store import Store
from petricheck.commands import main
from petricheck.support.errors import InputError

QUICK = (str(NETS), "--only", "parity_?")

NET = """<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n{n}" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><initialMarking><text>{n}</text></initialMarking></place><place id="q"/>
<transition id="t"/><arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/>
</page></net></pnml>
"""


def batch(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["batch", *map(str, words)])


def records(folder: Path) -> tuple[CellRecord, ...]:
    with Store.read(folder) as store:
        return store.records()


def verdicts(folder: Path) -> dict[tuple[str, str, str], tuple[str, str]]:
    return {r.cell.key: (r.outcome.status, r.outcome.verdict) for r in records(folder)}


def tiny(folder: Path, number: int) -> Path:
    """An index of so many nets in which n tokens move one by one; every other target is too far."""
    folder.mkdir()
    for n in range(number):
        (folder / f"n{n:03}.pnml").write_text(NET.format(n=n + 1))
        target, expected = (1, "reachable") if n % 2 else (n + 2, "unreachable")
        entry = {"net": f"n{n:03}.pnml", "target": [["q", ">=", target]], "kind": "reach"}
        (folder / f"n{n:03}.json").write_text(json.dumps(entry | {"expected": expected}))
    return folder


def mistaken(folder: Path) -> Path:
    """An index whose only question expects the wrong verdict."""
    entry = json.loads((NETS / "parity_U.json").read_text())
    entry |= {"net": str(NETS / "parity_U.pnml"), "expected": "reachable"}
    folder.mkdir()
    (folder / "mistaken.json").write_text(json.dumps(entry))
    return folder


def stuck(folder: Path) -> str:
    """A configuration that waits for ever: nobody writes into the pipe it reads."""
    os.mkfifo(folder / "pipe")
    return f"stuck=cegar:predicates={folder / 'pipe'}"


# The command


def test_a_batch_tells_each_configuration_and_keeps_everything(tmp_path: Path) -> None:
    done = batch(*QUICK, "--config", "default", "--config", "abs1", "--out", tmp_path / "run")
    assert done.exit_code == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    heads = ["configuration", "cells", "solved", "correct", "wrong", "unknown"]
    assert [*heads, "timeout", "memory", "error"] in lines
    for name in ("default", "abs1"):
        assert [name, "1", "1", "1", "0", "0", "0", "0", "0"] in lines
    assert f"2 results are in {tmp_path / 'run'}" in done.stdout
    assert "2/2 nets/parity_U abs1: unreachable, " in done.stderr
    for record in records(tmp_path / "run"):
        assert record.evidence and record.outcome.audit and record.outcome.host
    assert_sound(tmp_path / "run")


def test_the_evidence_of_a_batch_is_accepted_about_its_own_copy_of_the_net(tmp_path: Path) -> None:
    done = batch(NETS, "--only", "finkel_km_?", "--out", tmp_path / "run")
    assert done.exit_code == 0
    (tmp_path / "run").rename(tmp_path / "away")
    files = tmp_path / "files"
    assert batch("export", tmp_path / "away", "--evidence", files).exit_code == 0
    checker = tmp_path / "check.py"
    checker.write_text(CliRunner().invoke(main, ["verify", "--print-checker"]).stdout)
    for record in records(tmp_path / "away"):
        words = ("verify", str(files / record.cell.question.net), str(files / record.evidence))
        alone = subprocess.run([sys.executable, checker, *words[1:]], capture_output=True)
        assert alone.stdout.startswith(b"accepted")
        verified = CliRunner().invoke(main, words)
        assert verified.exit_code == 0
        assert verified.stdout.startswith(f"accepted: {record.cell.question.expected_text}")


def test_an_existing_batch_is_only_resumed_on_demand(tmp_path: Path) -> None:
    assert batch(*QUICK, "--out", tmp_path / "run", "--resume").exit_code == 0
    refused = batch(*QUICK, "--out", tmp_path / "run")
    assert (refused.exit_code, refused.stdout) == (3, "")
    assert "holds a batch already; --resume continues it" in refused.stderr
    before = records(tmp_path / "run")
    resumed = batch(*QUICK, "--out", tmp_path / "run", "--resume")
    assert resumed.exit_code == 0
    assert records(tmp_path / "run") == before
    other = batch(*QUICK, "--out", tmp_path / "run", "--resume", "--timeout", "5")
    assert other.exit_code == 3
    assert "the limit in seconds (60.0 then, 5.0 now)" in other.stderr


def test_check_ends_with_status_5_where_a_verdict_contradicts_the_index(tmp_path: Path) -> None:
    index = mistaken(tmp_path / "set")
    plain = batch(index, "--out", tmp_path / "run")
    assert plain.exit_code == 0
    checked = batch(index, "--out", tmp_path / "run", "--resume", "--check")
    assert checked.exit_code == 5
    assert checked.stdout.splitlines()[3].split()[:5] == ["default", "1", "0", "0", "1"]


def test_check_ends_with_an_errors_status_where_a_cell_failed(tmp_path: Path) -> None:
    (tmp_path / "bad.pnml").write_text("<pnml>")
    words = (tmp_path / "bad.pnml", "--deadlock", "--out", tmp_path / "run")
    assert batch(*words).exit_code == 0
    assert batch(*words, "--resume", "--check").exit_code == 3


def test_nets_are_asked_in_words(tmp_path: Path) -> None:
    net = NETS / "parity_U.pnml"
    assert batch(net, "--deadlock", "--out", tmp_path / "run").exit_code == 0
    (record,) = records(tmp_path / "run")
    assert record.cell.question.kind == "deadlock"
    two = batch(net, "--deadlock", "--cover", "p1=1", "--out", tmp_path / "two")
    assert two.exit_code == 2
    assert "one question at a time" in two.stderr
    assert not (tmp_path / "two").exists()


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["--only", "nothing"], 2, "no question has a name that matches 'nothing'"),
        (["--config", "abs9"], 2, "unknown configuration 'abs9'"),
        (["--config", "none", "--config", "none=cegar"], 2, "two configurations are named 'none'"),
        (["--jobs", "0"], 2, "above 0"),
        (["--memory", "0"], 2, "MiB above 0"),
    ],
)
def test_a_batch_that_makes_no_sense_is_refused_before_there_is_a_folder(
    tmp_path: Path, words: list[str], status: int, complaint: str
) -> None:
    done = batch(NETS, "--out", tmp_path / "run", *words)
    assert (done.exit_code, done.stdout) == (status, "")
    assert complaint in done.stderr
    assert not (tmp_path / "run").exists()


def test_exports_hold_a_line_for_each_cell(tmp_path: Path) -> None:
    batch(*QUICK, "--config", "default", "--config", "abs1", "--out", tmp_path / "run")
    files = (tmp_path / "x.jsonl", tmp_path / "x.csv")
    out = ("--jsonl", files[0], "--csv", files[1], "--evidence", tmp_path / "files")
    done = batch("export", tmp_path / "run", *out)
    assert (done.exit_code, done.output) == (0, "")
    lines = [json.loads(line) for line in files[0].read_text().splitlines()]
    assert [line["configuration"] for line in lines] == ["abs1", "default"]
    assert all((tmp_path / "files" / line["evidence"]).is_file() for line in lines)
    printed = batch("export", tmp_path / "run", "--csv", "-")
    assert printed.stdout == files[1].read_text()
    assert [row["verdict"] for row in csv.DictReader(io.StringIO(printed.stdout))] == [
        "unreachable", "unreachable",
    ]  # fmt: skip


def test_an_export_without_a_batch_or_a_file_is_refused(tmp_path: Path) -> None:
    missing = batch("export", tmp_path, "--csv", "-")
    assert (missing.exit_code, missing.stdout) == (3, "")
    assert "holds no batch" in missing.stderr
    assert batch("export", tmp_path).exit_code == 2


def test_help_shows_the_commands_below() -> None:
    assert "  export " in batch("--help").stdout


def test_a_damaged_database_is_refused_with_its_name(tmp_path: Path) -> None:
    assert batch(*QUICK, "--out", tmp_path / "run").exit_code == 0
    (tmp_path / "run" / DATABASE).write_bytes(b"\0spoiled" * 999)
    for words in ((*QUICK, "--resume", "--out", tmp_path / "run"),
                  ("export", tmp_path / "run", "--csv", "-")):  # fmt: skip
        refused = batch(*words)
        assert (refused.exit_code, refused.stdout) == (3, "")
        assert f"{tmp_path / 'run' / DATABASE}: " in refused.stderr
        assert "not a database" in refused.stderr


# Whatever happens to it


class Running:
    """A batch in a process of its own.

    Attributes:
        process: the batch.
    """

    def __init__(self, folder: Path, *words: str | Path) -> None:
        self._mark = f"PETRICHECK_TEST_{secrets.token_hex(8)}"
        self._temporary = folder / "temporary"
        self._temporary.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "petricheck", "batch", *map(str, words)]
        environment = os.environ | {self._mark: "1", "TMPDIR": str(self._temporary)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdout=pipe, stderr=pipe, text=True, env=environment
        )

    def end(self, number: int) -> tuple[int, str, str]:
        """The exit status and what was said, after a signal."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err

    def assert_nothing_is_left(self) -> None:
        """No process after a moment, and no temporary file."""
        give_up = time.monotonic() + 120
        while self._alive() or any(self._temporary.iterdir()):
            assert time.monotonic() < give_up, (self._alive(), list(self._temporary.iterdir()))
            time.sleep(0.05)

    def _alive(self) -> list[psutil.Process]:
        return [process for process in psutil.process_iter() if self._is_ours(process)]

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            alive = process.status() != psutil.STATUS_ZOMBIE
            return alive and self._mark in process.environ()
        except psutil.Error:
            return False


def until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 600  # however busy the machine is
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def committed(folder: Path) -> int:
    try:
        with Store.read(folder) as store:
            return len(store.records())
    except InputError:
        return 0


def assert_sound(folder: Path) -> None:
    """Evidence is there, of every decided cell; and nothing is left beside the database."""
    with Store.read(folder) as store:
        for record in store.records():
            assert (record.evidence != "") == (record.outcome.status == "decided")
            if record.evidence:
                digest = sha256(store.content(record.evidence)).hexdigest()
                assert record.evidence == f"{digest}.json"
    assert os.listdir(folder) == [DATABASE]


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_batch_that_is_killed_twenty_times_ends_as_one_that_is_not(tmp_path: Path) -> None:
    index = tiny(tmp_path / "set", 200)
    assert batch(index, "--out", tmp_path / "whole", "--jobs", "2", "--check").exit_code == 0
    chance = random.Random(5)
    for kill in range(20):
        run = Running(tmp_path, index, "--out", tmp_path / "run", "--jobs", "2", "--resume")
        if kill % 4 == 3:
            time.sleep(chance.uniform(0.0, 1.5))  # perhaps before it has begun
        else:
            goal = chance.uniform(kill * 10, kill * 10 + 10)
            until(lambda: committed(tmp_path / "run") >= goal)  # noqa: B023
            time.sleep(chance.uniform(0.0, 0.05))
        status, _, complaints = run.end(signal.SIGKILL)
        assert status == -signal.SIGKILL, complaints
        run.assert_nothing_is_left()
    assert 0 < committed(tmp_path / "run") < 200
    before = records(tmp_path / "run")
    assert batch(index, "--out", tmp_path / "run", "--jobs", "2", "--resume").exit_code == 0
    assert set(before) <= set(records(tmp_path / "run"))
    assert len(records(tmp_path / "run")) == 200
    assert verdicts(tmp_path / "run") == verdicts(tmp_path / "whole")
    assert_sound(tmp_path / "run")


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[Running]:
    """A batch whose first cell is done and whose second never ends."""
    words = (*QUICK, "--config", "default", "--config", stuck(tmp_path), "--out", tmp_path / "run")
    run = Running(tmp_path, *words)
    with open(tmp_path / "pipe", "w"):  # opening it to write waits for the second cell
        until(lambda: committed(tmp_path / "run") == 1)
        yield run
    run.end(signal.SIGKILL)


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_an_interrupted_batch_keeps_what_it_has_and_ends_with_status_130(
    tmp_path: Path, hanging: Running, number: int
) -> None:
    status, out, complaints = hanging.end(number)
    assert status == 130
    assert "1 result is in" in out and "1 cell is not done" in out
    assert "interrupted; --resume continues" in complaints
    hanging.assert_nothing_is_left()
    assert_sound(tmp_path / "run")
    assert len(records(tmp_path / "run")) == 1


def test_a_second_batch_is_refused_while_the_first_one_runs(
    tmp_path: Path, hanging: Running
) -> None:
    for words in ([], ["--resume"]):
        second = batch(*QUICK, "--out", tmp_path / "run", *words)
        assert (second.exit_code, second.stdout) == (3, "")
        assert "another batch is writing here; wait for it" in second.stderr
    assert hanging.process.poll() is None
    assert batch("export", tmp_path / "run", "--csv", "-").exit_code == 0


@pytest.mark.slow
def test_a_batch_whose_folder_is_removed_ends_with_a_clear_error(tmp_path: Path) -> None:
    index = tiny(tmp_path / "set", 50)
    run = Running(tmp_path, index, "--out", tmp_path / "run")
    until(lambda: committed(tmp_path / "run") > 0)
    (tmp_path / "run").rename(tmp_path / "away")
    _, complaints = run.process.communicate(timeout=60)
    assert run.process.returncode == 3, complaints
    assert "cannot be written" in complaints and "Traceback" not in complaints
    run.assert_nothing_is_left()
