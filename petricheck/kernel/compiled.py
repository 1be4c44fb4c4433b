"""The loops compiled by numba; where that cannot be, the same functions as plain Python.

Numba is imported when a loop is first called. What it compiles is kept on disk, see `folder`; what
is not there yet is compiled beside, see `compilation`; until then loops run as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
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

_KEPT = 8
"""States for which compiled loops are kept, of half a megabyte each."""

_loops: dict[str, Loop] = {}
"""Those that were called; numba compiles or loads them when they are."""

_failures: list[str] = []
"""Why loops are not compiled; empty as long as they are."""


def loop(name: str) -> Loop:
    """The loop of this name, compiled as soon as that is possible."""

    def call(*arguments: Any) -> Any:
        if not _failures and (name in _loops or is_ready()):
            try:
                if name not in _loops:
                    _loops[name] = _keeping(_copied()[name], _kept())
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
    if not is_ready() and (kept := folder()) is not None:
        compilation.begin(kept, _compile_here)


def is_ready() -> bool:
    """Whether all loops are compiled, or none ever will be."""
    return bool(_failures) or (kept := folder()) is None or compilation.is_done(kept)


def compile_all(look: Callable[[], None] = lambda: None) -> None:
    """Wait until all that searches call is compiled, or never will be.

    Args:
        look: is called again and again meanwhile.
    """
    if not is_ready() and (kept := folder()) is not None:
        compilation.wait(kept, _compile_here, look)


def is_compiled() -> bool:
    """Whether the loops are compiled where they are called; numba is loaded to find out."""
    if not _failures:
        try:
            _kept()
            _copied()
        except Exception as error:
            _failures.append(_first_line(error))
    return not _failures


def how() -> str:
    """One line for those who watch: compiled, or why not."""
    if not is_ready():
        return "loops are compiled beside, once; until then they run as plain Python"
    if is_compiled():
        return "loops are compiled"
    return f"loops run as plain Python, a hundred times slower: {_failures[0]}"


def pace() -> int:
    """How many firings take some hundredths of a second."""
    return 200_000 if is_fast() else 2_000


def is_fast() -> bool:
    """Whether loops are compiled by now."""
    return is_ready() and is_compiled()


@cache
def folder() -> Path | None:
    """Where compiled loops are kept, made if need be; None where nothing can be written.

    Numba looks for changes in the file of a function only, but what it keeps has those in it that
    the function calls, and the fields of its arguments. So there is a folder for each state of the
    files that matter, for their place, and for the version of Python, of numba and the processor:
    where NUMBA_CACHE_DIR says, in the user's cache, which upgrades leave alone, or in a folder for
    temporary files that nobody else can write.
    """
    from importlib.metadata import version  # It takes its time.

    room = Path(__file__).parent
    digest = hashlib.sha256(f"{room} {sys.version} {version('numba')} {_processor()}".encode())
    for file in (*sorted(room.glob("loops/*.py")), *(room / f"{name}.py" for name in _FILES)):
        digest.update(file.read_bytes())
    named = os.environ.get("NUMBA_CACHE_DIR")
    user = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    own = Path(tempfile.gettempdir()) / f"petricheck-{os.getuid()}"
    for base in (*([Path(named)] if named else []), Path(user) / "petricheck", own):
        path = base / f"loops-{digest.hexdigest()[:16]}"
        try:
            path.parent.mkdir(0o700 if base == own else 0o777, parents=True, exist_ok=True)
            if base == own and (base.stat().st_uid, base.stat().st_mode & 0o77) != (os.getuid(), 0):
                continue
            path.mkdir(exist_ok=True)
            os.utime(path)
        except OSError:
            continue
        with suppress(OSError):  # Another process may remove the same.
            _forget_all_but_the_last(base)
        return path
    return None


def _processor() -> str:
    """What the system says of the processor, whose instructions compiled loops are made of."""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return "".join(sorted({x for x in lines if x.startswith(("model", "flags", "Features"))}))
    return platform.machine()


def _forget_all_but_the_last(base: Path) -> None:
    """Remove what was kept for states that were used before the last ones."""
    kept = sorted(base.glob("loops-*"), key=lambda path: path.stat().st_mtime)
    for old in kept[:-_KEPT]:
        rmtree(old, ignore_errors=True)


def _kept() -> Path:
    """The folder.

    Raises:
        RuntimeError: there is none.
    """
    if (kept := folder()) is None:
        raise RuntimeError("no folder can be written to keep them; name one in NUMBA_CACHE_DIR")
    return kept


def _compile_here() -> None:
    """Compile in this process what searches call."""
    kept = _kept()
    _loops.update((name, _keeping(function, kept)) for name, function in _copied().items())
    import_module("petricheck.kernel.exercise").exercise()


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
