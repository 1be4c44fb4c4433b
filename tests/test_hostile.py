"""Every command ends in time on nets that are large in every way."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hostile import NETS, script, write

from petricheck.cli import main
from petricheck.cli.mcc import EXAMINATIONS

LIMIT = 2.0

QUESTIONS = (
    ("--target", "PLACE=7"),
    ("--cover", "PLACE=7"),
    ("--formula", "@FORMULA"),
    ("--deadlock",),
    ("--fireable", "TRANSITION"),
    ("--bound", "PLACE"),
    ("--bounded",),
    ("--safe",),
    ("--quasi-live",),
    ("--stable",),
)

COMMANDS = {
    **{" ".join(words): ("NET", *words) for words in QUESTIONS},
    "--quasi-live --json": ("NET", "--quasi-live", "--json", "--evidence", "OUT.json"),
    "--properties": ("NET", "--properties", "FOLDER/ReachabilityCardinality.xml",
                     "--timeout-all", f"{LIMIT:g}"),
    **{f"mcc {name}": ("mcc", "FOLDER", "--examination", name) for name in EXAMINATIONS
       if name != "ReachabilityFireability"},
    "info": ("info", "NET"),
    "info --json": ("info", "NET", "--json"),
    "convert": ("convert", "NET", "OUT.net"),
    "convert with a question": ("convert", "NET", "OUT.spec", "--formula", "@FORMULA"),
    "verify": ("verify", "NET", "EVIDENCE"),
}  # fmt: skip


@pytest.fixture(scope="module", params=NETS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp(request.param)
    net = NETS[request.param]()
    write(net, path)
    (path / "names").write_text(f"{net.place}\n{net.transition}")
    return path


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Evidence of another net; to find that out, `verify` has to read both."""
    path = tmp_path_factory.mktemp("evidence") / "e.json"
    net = str(Path(__file__).parent.parent / "nets" / "fig8_U.pnml")
    with pytest.raises(SystemExit):
        main([net, "--target", "p1=1", "--quiet", "--evidence", str(path)])
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_gone_a_second_after_its_limit(
    name: str, folder: Path, evidence: str, tmp_path: Path
) -> None:
    place, transition = (folder / "names").read_text().split("\n")
    replaced = {
        "PLACE": place,
        "TRANSITION": transition,
        "FORMULA": str(folder / "formula"),
        "FOLDER": str(folder),
        "NET": str(folder / "model.pnml"),
        "OUT": str(tmp_path / "out"),
        "EVIDENCE": evidence,
    }
    words = []
    for word in COMMANDS[name]:
        for key, value in replaced.items():
            word = word.replace(key, value)
        words.append(word)
    ends_in_time(*words)


@pytest.mark.slow
def test_so_is_interpolation(tmp_path: Path) -> None:
    (tmp_path / "atoms.smt2").write_text(script())
    ends_in_time("interpolate", str(tmp_path / "atoms.smt2"))


def ends_in_time(*words: str) -> None:
    """Within a second of the limit, and what a busy machine takes to start a program that often."""
    slack = 5 * seconds("--version")
    assert seconds(*words, "--timeout", f"{LIMIT:g}") < LIMIT + 1 + slack


def seconds(*words: str) -> float:
    began = time.monotonic()
    command = [sys.executable, "-m", "petricheck", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr
    assert done.returncode in (0, 1, 3, 4), done.stderr
    return time.monotonic() - began
