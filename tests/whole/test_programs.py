"""Programs of others that import petricheck: signals and threads are theirs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from folders import NETS

import petricheck

PROGRAM = f"""
import os, signal, threading, time
import psutil
import petricheck

def interrupt():
    while True:
        try:
            workers = psutil.Process().children()
        except psutil.Error:
            continue
        if workers or {{alone}}:
            break
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)

net = petricheck.load({str(NETS / "fig8_U.pnml")!r})
question = petricheck.ask(net, target="p1=1")
threading.Thread(target=interrupt, daemon=True).start()
try:
    petricheck.check(question, engine="{{engine}}")
except KeyboardInterrupt:
    print("interrupted")
    raise
finally:
    print("cleaned up", psutil.Process().children(recursive=True))
"""
"""Nothing is reachable, and the markings never end."""

RACE = "portfolio:sweep=,members=[random_walk,explicit],reductions=false"


@pytest.mark.parametrize("words", [["program.py"], ["-m", "program"]])
@pytest.mark.parametrize("engine", [RACE, "explicit"])
def test_an_interruption_is_the_programs_own(words: list[str], engine: str, tmp_path: Path) -> None:
    if words == ["-m", "program"]:  # While its package is imported, "-m" is its name.
        (tmp_path / "program").mkdir()
        (tmp_path / "program" / "__init__.py").write_text("import petricheck\n")
        file = tmp_path / "program" / "__main__.py"
    else:
        file = tmp_path / "program.py"
    file.write_text(PROGRAM.format(engine=engine, alone=engine == "explicit"))
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    ended = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert ended.stdout == "interrupted\ncleaned up []\n"
    assert ended.stderr.rstrip().endswith("KeyboardInterrupt")
    assert ended.returncode == -signal.SIGINT


def test_importing_the_package_changes_no_signal_handler(tmp_path: Path) -> None:
    code = "import signal\nbefore = [*map(signal.getsignal, signal.valid_signals())]\n"
    code += "import petricheck, petricheck.__main__, petricheck.coloured, petricheck.prover\n"
    code += "assert before == [*map(signal.getsignal, signal.valid_signals())]"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize("asked", [{"target": "p1=1, p2=2"}, {"bound": "p1"}, {"live": True}])
def test_questions_are_answered_in_any_thread(asked: dict[str, object]) -> None:
    """As in a notebook or a web server."""
    net = petricheck.make_net("n", {"p1": 3, "p2": 0}, {"t": ({"p1": 1}, {"p2": 1})})
    question = petricheck.ask(net, **asked)  # type: ignore[arg-type]
    values: list[object] = []
    thread = threading.Thread(target=lambda: values.append(petricheck.check(question).value))
    thread.start()
    thread.join(60)
    assert values == [petricheck.check(question).value] and values != [None]
