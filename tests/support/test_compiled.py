"""What is compiled, and what is kept of it on disk."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cache as cache_of
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from invoked import run as invoked
from invoked import settled
from strategies import nets

import petricheck
from petricheck.arithmetic.formulas.formulas import at_least
from petricheck.arithmetic.formulas.terms import variable
from petricheck.explicit.kernel.arrays import integers
from petricheck.explicit.kernel.explore import Exploration, Nearest, Order
from petricheck.explicit.kernel.tour import Tour
from petricheck.explicit.kernel.walk import Walk
from petricheck.model.net import Net, make_net
from petricheck.support import compilation, compiled
from petricheck.support.budget import Budget
from petricheck.support.processes.child import Task
from petricheck.support.processes.parallel import run_parallel

SIGHT = """
import numpy as np
from petricheck.support import compiled
from petricheck.explicit.kernel.targets import WatchedSearch
from petricheck.arithmetic.formulas.formulas import equal
from petricheck.arithmetic.formulas.terms import variable
from petricheck.model.net import make_net

search = WatchedSearch(make_net("n", {"p": 1}, {}), [equal(variable("p"), 1)], plain=True)
log = np.zeros((2, 2), np.int64)
(compiled.folder() / "all").touch()  # So that this loop is compiled where it is called.
compiled.loop("log_targets")(search._circuit, search._state, log)
print(log[0, 0], compiled.status(), compiled.folder().parent)
"""


def copy_of_the_package(path: Path) -> Path:
    """Sources without anything compiled."""
    ignored = shutil.ignore_patterns("__pycache__", "templates", "schemas")
    shutil.copytree(Path(petricheck.__file__).parent, path / "petricheck", ignore=ignored)
    return path / "petricheck" / "explicit" / "kernel"


def loops_of(package: str) -> list[Path]:
    """The files of a package with loops."""
    folder = Path(petricheck.__file__).parent.joinpath(*package.split("."))
    return [*folder.glob("loops/*.py")]


def run(code: str, path: Path, **variables: str) -> str:
    """What a program prints that imports the package there."""
    kept = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    environment = {**kept, "PYTHONPATH": str(path), **variables}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env=environment, cwd=path, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_a_loop_is_compiled_anew_where_one_that_it_calls_has_changed(tmp_path: Path):
    kernel, folder = copy_of_the_package(tmp_path), tmp_path / "user" / "petricheck"
    for shown in ("1", "0"):
        printed = run(SIGHT, tmp_path, XDG_CACHE_HOME=str(folder.parent))
        assert printed == f"{shown} loops are compiled {folder}"
        circuits = kernel / "loops" / "circuits.py"
        circuits.write_text(circuits.read_text().replace("return bool(", "return not ("))
    assert len([*folder.glob("loops-*/*/*.nbc")]) == 2


@pytest.mark.slow
def test_what_was_compiled_for_older_states_is_removed(tmp_path: Path):
    copy_of_the_package(tmp_path)
    base = tmp_path / "petricheck"
    for age in range(20):
        (tmp_path / "petricheck" / f"loops-{age:02}").mkdir()
        os.utime(base / f"loops-{age:02}", (1e9 - age, 1e9 - age))
    run(SIGHT, tmp_path, XDG_CACHE_HOME=str(tmp_path))
    kept = {path.name for path in base.glob("loops-*")}
    assert len(kept) == 8 and kept >= {f"loops-{age:02}" for age in range(7)}


@pytest.mark.slow
def test_where_the_home_cannot_be_written_a_private_temporary_folder_serves(tmp_path: Path):
    copy_of_the_package(tmp_path)
    (tmp_path / "home").write_text("no folder can be made here")
    variables = {"XDG_CACHE_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)}
    own = tmp_path / f"petricheck-{os.getuid()}"
    assert run(SIGHT, tmp_path, **variables) == f"1 loops are compiled {own}"
    assert own.stat().st_mode & 0o77 == 0
    own.chmod(0o777)  # Others may write what would be loaded here.
    code = "from petricheck.support import compiled; print(compiled.folder(), compiled.status())"
    why = f"{own} is not used, since others may write to {own}"
    shown = run(code, tmp_path, **variables)
    assert shown == f"None {SLOW}; {why}; name one in NUMBA_CACHE_DIR"


SLOW = (
    "loops run as plain Python, a hundred times slower: "
    "RuntimeError: no folder can be written to keep them"
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache of a user, with another place for temporary files; nothing is refused yet."""
    (tmp_path / "cache" / "petricheck").mkdir(0o700, parents=True)
    (tmp_path / "other").mkdir(0o700)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "other"))
    monkeypatch.setattr(compiled, "folder", cache_of(compiled.folder.__wrapped__))
    monkeypatch.setattr(compiled, "_refusals", [])
    return tmp_path / "cache"


def give_away(path: Path, owner: int) -> None:
    if owner != os.getuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path, owner, -1)


@pytest.mark.parametrize("shared", ["cache", "cache/petricheck"])
@pytest.mark.parametrize(
    ("mode", "owner", "why"),
    [
        (0o755, os.getuid(), ""),
        (0o1777, os.getuid(), ""),  # as /tmp: what is inside belongs to us
        (0o775, os.getuid(), "others may write to"),
        (0o757, os.getuid(), "others may write to"),
        (0o700, 12345, "belongs to another user"),
        (0o1777, 12345, "belongs to another user"),
    ],
)
def test_code_is_loaded_from_no_folder_that_others_can_write(
    mode: int, owner: int, why: str, shared: str, cache: Path
):
    (cache.parent / shared).chmod(mode)
    give_away(cache.parent / shared, owner)
    base, found = cache / "petricheck", compiled.folder()
    assert found is not None
    if why:
        assert found.parent == cache.parent / "other" / f"petricheck-{os.getuid()}"
        assert f"; {base} is not used, since " in compiled.status() and why in compiled.status()
    else:
        assert found.parent == base and "not used" not in compiled.status()


def test_code_that_another_user_has_put_there_is_not_loaded(
    cache: Path, monkeypatch: pytest.MonkeyPatch
):
    planted = compiled.folder()
    assert planted is not None
    planted.parent.chmod(0o1777)
    give_away(planted, 12345)  # of the same name, and made before
    monkeypatch.setattr(compiled, "folder", cache_of(compiled.folder.__wrapped__))
    assert compiled.folder() != planted


def test_numba_keeps_code_in_no_other_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    elsewhere = SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path / "elsewhere")))
    monkeypatch.setattr(compiled, "_jit", lambda *_, **__: elsewhere)
    with pytest.raises(RuntimeError, match="elsewhere"):
        compiled._cached_loop(lambda: None, tmp_path / "here")


def test_a_warm_up_compiles_all_and_says_where_it_is_however_often_it_is_asked_for():
    for _ in range(2):
        shown = settled(invoked("--warm-up")).stdout
        assert shown == f"All loops are compiled; they are stored in {compiled.folder()}.\n"
    assert compiled.is_ready()


def test_a_warm_up_where_nothing_can_be_compiled_fails_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(compiled, "_failures", ["no compiler"])
    shown = settled(invoked("--warm-up"), 1)
    assert "plain Python, a hundred times slower: no compiler" in shown.stderr


def test_loops_have_names_of_their_own():
    files = [file for package in compiled._PACKAGES for file in loops_of(package)]
    nodes = [node for file in files for node in ast.parse(file.read_text()).body]
    defined = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    assert sorted(defined) == sorted(compiled.plain_loops())


def test_searches_call_each_loop_with_one_kind_of_arguments():
    """So that what is compiled beside is what searches wait for."""
    for package in compiled._PACKAGES:
        import_module(f"petricheck.{package}.exercise").exercise()
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
    reached, plain = list(called), compiled.plain_loops()
    for name in reached:
        reached += set(plain[name].__code__.co_names) & plain.keys() - set(reached)
    assert sorted(reached) == sorted(plain)


def test_one_process_compiles_for_all_that_wait(tmp_path: Path):
    runs = tmp_path / "runs"

    def work() -> None:
        with runs.open("a") as file:
            file.write("run\n")
        time.sleep(0.3)

    def waiting(_: object) -> bool:
        compilation.wait(tmp_path, work)
        return compilation.is_done(tmp_path)

    compilation.begin(tmp_path, work)
    assert str(tmp_path.parent) in compilation.progress_line()
    tasks = [Task(name, waiting) for name in ("one", "two", "three")]
    outcomes = [*run_parallel(tasks, jobs=3, budget=Budget(30.0))]
    assert [outcome.result for outcome in outcomes] == [True, True, True]
    assert runs.read_text() == "run\n"
    assert compilation.progress_line() == ""


def test_compilation_that_is_killed_is_begun_again(tmp_path: Path):
    killed = tmp_path / "killed"

    def work() -> None:
        if not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    compilation.wait(tmp_path, work)  # Nothing comes of it.
    assert killed.exists() and not compilation.is_done(tmp_path)
    compilation.wait(tmp_path, work)
    assert compilation.is_done(tmp_path)


def test_compilation_ends_with_the_process_that_began_it(tmp_path: Path):
    begun = tmp_path / "begun"

    def work() -> None:
        begun.touch()
        time.sleep(60.0)

    def run(_: object) -> None:
        compilation.begin(tmp_path, work)
        while not begun.exists():
            time.sleep(0.01)

    assert len([*run_parallel([Task("begins", run)], jobs=1, budget=Budget(30.0))]) == 1
    compilation.wait(tmp_path, lambda: None)
    assert compilation.is_done(tmp_path)


@settings(max_examples=20)
@given(nets(), st.integers(1, 60))
def test_an_exploration_that_begins_as_plain_python_goes_on_compiled(net: Net, first: int):
    whole = Exploration(net, [], 1 << 20)
    whole.run(200)
    part = Exploration(net, [], 1 << 20)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "_failures", ["not yet"])
        part.run(first)
    part.run(200 - part.size + 1)
    assert (part.size, part.exhausted) == (whole.size, whole.exhausted)
    assert np.array_equal(part.words[: part.size], whole.words[: whole.size])


@pytest.mark.parametrize("package", compiled._PACKAGES)
def test_what_is_kept_depends_on_all_modules_whose_types_loops_take(package: str):
    types = set()
    for file in loops_of(package):
        guarded = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.If)]
        types |= {n.module for node in guarded for n in node.body if isinstance(n, ast.ImportFrom)}
    assert types
    assert types <= {f"petricheck.{package}.{name}" for name in compiled._PACKAGES[package]}
