"""The loops compiled by numba; where that cannot be, the same functions as plain Python.

Numba is imported when a loop is first called. What it compiles is kept on disk where that can be
written, see `folder`; what is not there yet is compiled beside, see `compilation`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from types import FunctionType
from typing import Any, cast

import numpy as np

from petricheck.kernel import compilation
from petricheck.kernel.loops import (
    backwards,
    circuits,
    distances,
    exploration,
    firing,
    heaps,
    plans,
    stubborn,
    tables,
    tours,
    walks,
)

Loop = Callable[..., Any]

_MODULES = {
    module.__name__: vars(module)
    for module in (
        *(backwards, circuits, distances, exploration, firing, heaps),
        *(plans, stubborn, tables, tours, walks),
    )
}

LOOPS = {
    name: value
    for module, names in _MODULES.items()
    for name, value in names.items()
    if isinstance(value, FunctionType) and value.__module__ == module
}
"""The loops as plain Python, by their names."""

_FILES = ("arrays", "backwards", "circuit", "compiled", "exercise", "packing", "stubborn")
"""Modules of this room that what is compiled depends on, beside the loops: those with the types of
their arguments, and with what is compiled and how.
"""

_loops: dict[str, Loop] = {}
"""Those that were called; numba compiles or loads them when they are."""

_failures: list[str] = []
"""Why loops are not compiled; empty as long as they are."""


def loop(name: str) -> Loop:
    """The loop of this name, compiled at its first call where that is possible."""

    def call(*arguments: Any) -> Any:
        if not _failures:
            try:
                if name not in _loops:
                    _loops[name] = _awaited(name)
                return _loops[name](*arguments)
            except Exception as error:  # Numba raises errors of many kinds; the loops raise none.
                _failures.append(_first_line(error))
        return plain(name)(*arguments)

    return call


def plain(name: str) -> Loop:
    """The loop of this name as plain Python, for which nothing has to be loaded."""

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # Hashes and random numbers are meant to wrap around.
            return LOOPS[name](*arguments)

    return call


def prepare() -> None:
    """Let what will soon be called be compiled beside, unless it is already."""
    if not _failures and (kept := folder()) is not None:
        compilation.begin(kept, _compile_here)


def compile_all() -> None:
    """Wait until all that searches call is compiled; it is at once where it is kept already."""
    if not _failures and (kept := folder()) is not None:
        compilation.wait_for(compilation.ALL, kept, _compile_here)


def is_compiled() -> bool:
    """Whether the loops are compiled where they are called; numba is loaded to find out."""
    if not _failures:
        try:
            _copied()
        except Exception as error:
            _failures.append(_first_line(error))
    return not _failures


def how() -> str:
    """One line for those who watch: compiled, or why not."""
    if is_compiled():
        return "loops are compiled"
    return f"loops run as plain Python, a hundred times slower: {_failures[0]}"


def pace() -> int:
    """How many firings take some hundredths of a second."""
    return 200_000 if is_compiled() else 2_000


@cache
def folder() -> Path | None:
    """Where compiled loops are kept, made if need be; None where nothing can be written.

    Numba looks for changes in the file of a function only, but what it keeps has those in it that
    the function calls, and the fields of its arguments. So each state of the files that matter has
    a folder, in place of the one before, for this version of Python and of numba: in the folder
    that NUMBA_CACHE_DIR names, beside the code, or in the user's cache.
    """
    from importlib.metadata import version  # It takes its time.

    room = Path(__file__).parent
    digest = hashlib.sha256()
    for file in (*sorted(room.glob("loops/*.py")), *(room / f"{name}.py" for name in _FILES)):
        digest.update(file.read_bytes())
    whose = f"{room} {sys.version} {version('numba')}"
    prefix = f"loops-{hashlib.sha256(whose.encode()).hexdigest()[:8]}-"
    bases = [room / "__pycache__"]
    if variable := os.environ.get("NUMBA_CACHE_DIR"):
        bases.insert(0, Path(variable))
    user = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    bases.append(Path(user) / "petricheck")
    for base in bases:
        path = base / f"{prefix}{digest.hexdigest()[:16]}"
        try:
            if not path.exists():
                for old in base.glob(f"{prefix}*"):
                    rmtree(old, ignore_errors=True)
            path.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(path, os.W_OK | os.X_OK):
            return path
    return None


def _awaited(name: str) -> Loop:
    """A loop once it is compiled; where nothing can be kept, it is compiled when called."""
    function, kept = _copied()[name], folder()
    if kept is None:
        return _jit(function)
    compilation.wait_for(name, kept, _compile_here)
    return cast(Loop, _keeping(function, kept))


def _compile_here() -> Iterator[Iterable[str]]:
    """Compile in this process what searches call; tells the names of what is compiled."""
    kept = folder()
    assert kept is not None
    made = {name: _keeping(function, kept) for name, function in _copied().items()}
    _loops.update(made)
    for _ in import_module("petricheck.kernel.exercise").exercise():
        yield [name for name, one in made.items() if one.signatures]


@cache
def _copied() -> dict[str, FunctionType]:
    """The loops over globals of their own, in which those that they call are compiled."""
    spaces = {module: dict(names) for module, names in _MODULES.items()}
    copies = {
        name: FunctionType(f.__code__, spaces[f.__module__], name, f.__defaults__)
        for name, f in LOOPS.items()
    }
    # What makes them callable from Python takes a third of the time; here nobody calls them so.
    called = {name: _jit(copy, no_cpython_wrapper=True) for name, copy in copies.items()}
    for space in spaces.values():
        space.update((name, called[name]) for name in space if name in called)
    return copies


def _jit(function: FunctionType, **options: bool) -> Loop:
    """Compiled without counts of references, which take most of the time; loops make no arrays."""
    numba = import_module("numba")
    if numba.config.DISABLE_JIT:
        raise RuntimeError("NUMBA_DISABLE_JIT is set")
    return cast(Loop, numba.njit(_nrt=False, no_cfunc_wrapper=True, **options)(function))


def _keeping(function: FunctionType, path: Path) -> Any:
    """Compiled, and kept there."""
    config = import_module("numba").config
    before = config.CACHE_DIR
    config.CACHE_DIR = str(path)  # It is looked at when the function is made.
    try:
        return _jit(function, cache=True)
    finally:
        config.CACHE_DIR = before


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
