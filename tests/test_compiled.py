"""What is compiled, and what is kept of it on disk."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import petricheck
from petricheck.budget import Budget
from petricheck.kernel import compilation, compiled, loops
from petricheck.kernel.arrays import integers
from petricheck.kernel.exercise import exercise
from petricheck.kernel.explore import Exploration
from petricheck.kernel.nearest import Nearest, Order
from petricheck.kernel.tour import Tour
from petricheck.kernel.walk import Walk
from petricheck.presburger.formulas import at_least
from petricheck.presburger.terms import variable
from petricheck.problem import make_net
from petricheck.processes.child import Task
from petricheck.processes.parallel import run_parallel

SIGHT = """
import numpy as np
from petricheck.kernel import compiled
from petricheck.kernel.targets import WatchedSearch
from petricheck.presburger.formulas import equal
from petricheck.presburger.terms import variable
from petricheck.problem import make_net

search = WatchedSearch(make_net("n", {"p": 1}, {}), [equal(variable("p"), 1)], plain=True)
log = np.zeros((2, 2), np.int64)
(compiled.folder() / "all").touch()  # So that nothing else is compiled.
compiled.loop("sight")(search._circuit, search._state, log)
print(log[0, 0], compiled.how(), compiled.folder().parent)
"""


def copy_of_the_package(path: Path) -> Path:
    """Sources without anything compiled."""
    ignored = shutil.ignore_patterns("__pycache__", "templates", "schemas")
    shutil.copytree(Path(petricheck.__file__).parent, path / "petricheck", ignore=ignored)
    return path / "petricheck" / "kernel"


def run(code: str, path: Path, **variables: str) -> str:
    """What a program prints that imports the package there."""
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment = {**kept, "PYTHONPATH": str(path), **variables}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment, cwd=path, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_a_loop_is_compiled_anew_where_one_that_it_calls_has_changed(tmp_path: Path):
    kernel = copy_of_the_package(tmp_path)
    folder = kernel / "__pycache__"
    assert run(SIGHT, tmp_path) == f"1 loops are compiled {folder}"
    (before,) = folder.glob("loops-*")
    circuits = kernel / "loops" / "circuits.py"
    circuits.write_text(circuits.read_text().replace("return bool(", "return not ("))
    assert run(SIGHT, tmp_path) == f"0 loops are compiled {folder}"
    (after,) = folder.glob("loops-*")
    assert after != before


def test_what_is_compiled_is_kept_in_the_users_cache_where_the_code_cannot_be_written(
    tmp_path: Path,
):
    kernel = copy_of_the_package(tmp_path)
    (kernel / "__pycache__").write_text("no folder can be made here")
    user = tmp_path / "user"
    for _ in range(2):
        shown = run(SIGHT, tmp_path, XDG_CACHE_HOME=str(user))
        assert shown == f"1 loops are compiled {user / 'petricheck'}"
    assert len([*user.glob("petricheck/loops-*/*/*.nbc")]) == 1


def test_loops_have_names_of_their_own():
    files = Path(loops.__file__).parent.glob("*.py")
    nodes = [node for file in files for node in ast.parse(file.read_text()).body]
    defined = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    assert sorted(defined) == sorted(compiled.LOOPS)


def test_searches_call_each_loop_with_one_kind_of_arguments():
    """So that what is compiled beside is what searches wait for."""
    for _ in exercise():
        pass
    called = {name for name, made in compiled._loops.items() if len(made.signatures) == 1}
    net = make_net("n", {"a": 3, "b": 0}, {"t": ({"a": 2}, {"b": 1}), "u": ({"b": 1}, {"a": 2})})
    target = at_least(variable("b"), 9)
    for first in (None, Nearest(0), Nearest(0, False, Order.ANY)):
        for preserved in ((), (0,)):
            Exploration(net, [target], 1 << 20, first, preserved).run(10)
    walk = Walk(net, [target, at_least(variable("a"), 9)], leans=True)
    for kind in (lambda: walk.run(5, 5, 3), lambda: walk.run(5, 5), lambda: walk.pursue(1, 5, 5)):
        kind()
    tour = Tour(net, [target])
    tour.wander(10, 10)
    tour.go_to(tour.start)
    tour.follow(integers([1, 1]))
    assert {name for name in called if len(compiled._loops[name].signatures) != 1} == set()
    reached = list(called)
    for name in reached:
        reached += set(compiled.LOOPS[name].__code__.co_names) & set(compiled.LOOPS) - set(reached)
    assert sorted(reached) == sorted(compiled.LOOPS)


def test_one_process_compiles_for_all_that_wait(tmp_path: Path):
    runs, one, two = tmp_path / "runs", tmp_path / "one", tmp_path / "two"

    def work() -> Iterator[list[str]]:
        with runs.open("a") as file:
            file.write("run\n")
        yield ["one"]
        time.sleep(0.3)
        yield ["one", "two"]

    def waiting(name: str) -> Task[bool]:
        def run(_: object) -> bool:
            compilation.wait_for(name, tmp_path, work)
            return two.exists()

        return Task(name, run)

    compilation.begin(tmp_path, work)
    tasks = [waiting(name) for name in ("one", "two", "never compiled")]
    seen = {o.name: o.result for o in run_parallel(tasks, jobs=3, budget=Budget(30.0))}
    assert seen == {"one": False, "two": True, "never compiled": True}
    assert one.exists() and runs.read_text() == "run\n"


def test_compilation_that_is_killed_is_begun_again(tmp_path: Path):
    killed = tmp_path / "killed"

    def work() -> Iterator[list[str]]:
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        yield ["one"]

    compilation.wait_for("one", tmp_path, work)  # Nothing comes of it.
    assert killed.exists() and not (tmp_path / "one").exists()
    compilation.wait_for("one", tmp_path, work)
    assert (tmp_path / "one").exists()


def test_compilation_ends_with_the_process_that_began_it(tmp_path: Path):
    def work() -> Iterator[list[str]]:
        yield ["one"]
        time.sleep(60.0)

    def run(_: object) -> None:
        compilation.begin(tmp_path, work)
        while not (tmp_path / "one").exists():
            time.sleep(0.01)

    assert len([*run_parallel([Task("begins", run)], jobs=1, budget=Budget(30.0))]) == 1
    again = tmp_path / "again"
    compilation.wait_for("two", tmp_path, lambda: again.touch() or [["two"]])
    assert again.exists()


def test_what_is_kept_depends_on_all_modules_whose_types_loops_take():
    kernel = Path(compiled.__file__).parent
    types = set()
    for file in kernel.glob("loops/*.py"):
        guarded = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.If)]
        types |= {n.module for node in guarded for n in node.body if isinstance(n, ast.ImportFrom)}
    assert types
    assert types <= {f"petricheck.kernel.{name}" for name in compiled._FILES}
