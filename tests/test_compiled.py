"""What is compiled, and what is kept of it on disk."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import petricheck
from petricheck.kernel import compiled, loops

SIGHT = """
import numpy as np
from petricheck.kernel import compiled
from petricheck.kernel.targets import WatchedSearch
from petricheck.presburger.formulas import equal
from petricheck.presburger.terms import variable
from petricheck.problem import make_net

search = WatchedSearch(make_net("n", {"p": 1}, {}), [equal(variable("p"), 1)], plain=True)
log = np.zeros((2, 2), np.int64)
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
    assert len([*user.glob("petricheck/loops-*/*/*.nbc")]) == 2


def test_loops_have_names_of_their_own():
    files = Path(loops.__file__).parent.glob("*.py")
    nodes = [node for file in files for node in ast.parse(file.read_text()).body]
    defined = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
    assert sorted(defined) == sorted(compiled.LOOPS)
