"""Access to the loops: compiled by numba or, where that is impossible, as plain Python.

Numba is imported when a loop is first called. Compiled loops are stored on disk, see `folder`.
Loops not yet stored are compiled in another process, see `compilation`; until it ends, they run as
plain Python.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from shutil import rmtree
from stat import S_ISVTX
from types import FunctionType
from typing import Any, cast

from petricheck.support import compilation
from petricheck.support.extras import is_installed

Loop = Callable[..., Any]

_PACKAGES = {
    "symbolic.facts": ("exercise", "marked_traps"),
    "explicit.covering": ("exercise", "frames"),
    "explicit.kernel": (
        *("arrays", "backwards", "circuit", "constants"),
        *("exercise", "packing", "stubborn"),
    ),
}
"""The packages with loops, all functions of the modules in their folder `loops`. Beside it is the
module `exercise`, whose function of this name calls them all, and other modules on which compiled
code depends, such as those that define the types of the loops' arguments; these are listed.
"""

_FOLDERS = 8
"""Number of folders of compiled loops that are retained, of half a megabyte each."""

_loops: dict[str, Loop] = {}
"""The loops that were called; numba compiles or loads a loop at its first call. This and what
follows belongs to the process: all of its searches call the same compiled code.
"""

_failures = [] if is_installed("numba") else ["numba is not installed: pip install numba"]
"""Why loops are not compiled; empty as long as they are."""

_refusals: list[str] = []
"""Why folders are not used, since others could put code into them."""


def loop(name: str) -> Loop:
    """Return the loop of this name, which runs compiled as soon as that is possible."""

    def call(*arguments: Any) -> Any:
        if not _failures and (name in _loops or is_ready()):
            try:
                if name not in _loops:
                    _loops[name] = _cached_loop(_copies()[name], _existing_folder())
                return _loops[name](*arguments)
            except Exception as error:  # Numba raises errors of many kinds; the loops raise none.
                _failures.append(_first_line(error))
        return plain(name)(*arguments)

    return call


def plain(name: str) -> Loop:
    """Return the loop of this name as plain Python, which needs no imports."""

    import numpy as np  # It takes its time, and the loops bring it.

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # Hashes and random numbers are meant to wrap around.
            return plain_loops()[name](*arguments)

    return call


@cache
def plain_loops() -> Mapping[str, FunctionType]:
    """Return the loops as plain Python, by their names, which are unique."""
    return {
        name: value
        for module, names in _modules().items()
        for name, value in names.items()
        if isinstance(value, FunctionType) and value.__module__ == module
    }


def _modules() -> Mapping[str, Mapping[str, Any]]:
    """Return the contents of the modules with loops, by name: this wing does not know them."""
    names = (
        f"petricheck.{package}.loops.{file.stem}"
        for package in _PACKAGES
        for file in _sources(package)
        if file.parent.name == "loops" and file.stem != "__init__"
    )
    return {name: vars(import_module(name)) for name in names}


def _sources(package: str) -> Iterator[Path]:
    """Yield the files on which the compiled loops of a package depend."""
    folder = Path(__file__).parents[1].joinpath(*package.split("."))
    yield from sorted(folder.glob("loops/*.py"))
    yield from (folder / f"{name}.py" for name in _PACKAGES[package])


def prepare() -> None:
    """Start to compile the loops in another process, unless they are compiled."""
    if not is_ready() and (path := folder()) is not None:
        compilation.begin(path, _compile_here)


def load() -> None:
    """Load the loops that are compiled, so that processes which begin later need not."""
    if is_fast():
        _compile_here()


def is_ready() -> bool:
    """Return whether all loops are compiled, or never will be."""
    return bool(_failures) or (path := folder()) is None or compilation.is_done(path)


def compile_all(poll: Callable[[], None] = lambda: None) -> None:
    """Wait until all loops are compiled, or never will be; call `poll` again and again."""
    if not is_ready() and (path := folder()) is not None:
        compilation.wait(path, _compile_here, poll)


def is_compiled() -> bool:
    """Return whether this process runs compiled loops; imports numba to find out."""
    if not _failures:
        try:
            _existing_folder()
            _copies()
        except Exception as error:
            _failures.append(_first_line(error))
    return not _failures


def status() -> str:
    """Describe in one line whether the loops are compiled and, if not, why."""
    if not is_ready():
        now = "loops are compiled beside, once; until then they run as plain Python"
        return "; ".join([now, *_refusals])
    if is_compiled():
        return "; ".join(["loops are compiled", *_refusals])
    return f"loops run as plain Python, a hundred times slower: {_failures[0]}"


def pace() -> int:
    """Return the number of firings that take some hundredths of a second."""
    return 200_000 if is_fast() else 2_000


def is_fast() -> bool:
    """Return whether the loops are compiled by now."""
    return is_ready() and is_compiled()


@cache
def folder() -> Path | None:
    """Return the folder of compiled loops, created if necessary; None if no folder can be written.

    Numba watches only the file of a function for changes, but compiled code also contains the
    functions that it calls and the fields of its arguments. So there is a folder for each state of
    the relevant files, their location, and the versions of Python, numba and the processor. It is
    in NUMBA_CACHE_DIR, else in the user's cache, which upgrades do not touch, else in a folder for
    temporary files. What is in it will run, so others must not be able to write there.
    """
    from importlib.metadata import version  # It takes its time.

    here = Path(__file__)
    digest = hashlib.sha256(f"{here} {sys.version} {version('numba')} {_processor()}".encode())
    for file in (here, *chain.from_iterable(map(_sources, _PACKAGES))):
        digest.update(file.read_bytes())
    configured = os.environ.get("NUMBA_CACHE_DIR")
    user = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    private = Path(tempfile.gettempdir()) / f"petricheck-{os.getuid()}"
    for base in (*([Path(configured)] if configured else []), Path(user) / "petricheck", private):
        path = Path(os.path.realpath(base)) / f"loops-{digest.hexdigest()[:16]}"
        try:
            for made in (*reversed(path.parents), path):
                made.mkdir(0o700, exist_ok=True)
            os.utime(path)
            if shared := _shared(path):
                _refusals.append(f"{base} is not used, {shared}")
                continue
        except OSError:
            continue
        with suppress(OSError):  # Another process may remove the same.
            _remove_old_folders(base)
        return path
    return None


def _shared(path: Path) -> str:
    """Return how others could put files into the folder; "" if only this user and root can."""
    for folder in (path, *path.parents):
        status = folder.stat()
        if status.st_uid not in (0, os.geteuid()):
            return f"since {folder} belongs to another user"
        # In a folder with the sticky bit others cannot replace what is not theirs.
        is_sticky = folder != path and status.st_mode & S_ISVTX
        if status.st_mode & 0o022 and not is_sticky:
            return f"since others may write to {folder}"
    return ""


def _processor() -> str:
    """Return the system's description of the processor, on which compiled code depends."""
    with suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return "".join(sorted({x for x in lines if x.startswith(("model", "flags", "Features"))}))
    return platform.machine()


def _remove_old_folders(base: Path) -> None:
    """-"""
    folders = sorted(base.glob("loops-*"), key=lambda path: path.stat().st_mtime)
    for path in folders[:-_FOLDERS]:
        rmtree(path, ignore_errors=True)


def _existing_folder() -> Path:
    """Return the folder, or raise `RuntimeError`."""
    if (path := folder()) is None:
        why = "; ".join(["no folder can be written to keep them", *_refusals])
        raise RuntimeError(f"{why}; name one in NUMBA_CACHE_DIR")
    return path


def _compile_here() -> None:
    """-"""
    path = _existing_folder()
    _loops.update((name, _cached_loop(function, path)) for name, function in _copies().items())
    for package in _PACKAGES:
        import_module(f"petricheck.{package}.exercise").exercise()


@cache
def _copies() -> dict[str, FunctionType]:
    """Return copies of the loops with globals of their own, in which called loops are compiled."""
    namespaces = {module: dict(names) for module, names in _modules().items()}
    copies = {
        name: FunctionType(f.__code__, namespaces[f.__module__], name, f.__defaults__)
        for name, f in plain_loops().items()
    }
    # Python wrappers would take a third of the time; these copies are not called from Python.
    jitted = {name: _jit(copy, no_cpython_wrapper=True) for name, copy in copies.items()}
    for namespace in namespaces.values():
        namespace.update((name, jitted[name]) for name in namespace if name in jitted)
    return copies


def _jit(function: FunctionType, **options: bool) -> Loop:
    """Return the compiled function.

    Reference counting, which takes most of the time, is off: loops create no arrays.
    """
    numba = import_module("numba")
    if numba.config.DISABLE_JIT:
        raise RuntimeError("NUMBA_DISABLE_JIT is set")
    return cast(Loop, numba.njit(_nrt=False, no_cfunc_wrapper=True, **options)(function))


def _cached_loop(function: FunctionType, path: Path) -> Any:
    """Return the compiled function, stored in this folder."""
    config = import_module("numba").config
    previous = config.CACHE_DIR
    config.CACHE_DIR = str(path)  # Numba reads it when it creates the function.
    try:
        loop: Any = _jit(function, cache=True)
    finally:
        config.CACHE_DIR = previous
    if not Path(loop.stats.cache_path).is_relative_to(path):  # It has other ideas where to look.
        raise RuntimeError(f"numba would keep them in {loop.stats.cache_path}")
    return loop


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
