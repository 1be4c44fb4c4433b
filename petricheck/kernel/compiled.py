"""The loops compiled by numba; where that cannot be, the same functions as plain Python.

Numba is imported when a loop is first asked for. What it compiles is kept on disk where that can be
written, in `__pycache__` or in the user's cache.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any, cast

import numpy as np

from petricheck.kernel import loops

Loop = Callable[..., Any]

_failures: list[str] = []
"""Why loops are not compiled; empty as long as they are."""


def loop(name: str) -> Loop:
    """The loop of this name, compiled at its first call where that is possible."""

    def call(*arguments: Any) -> Any:
        if not _failures:
            try:
                return _compiled()[name](*arguments)
            except Exception as error:  # Numba raises errors of many kinds; the loops raise none.
                _failures.append(_first_line(error))
        return plain(name)(*arguments)

    return call


def plain(name: str) -> Loop:
    """The loop of this name as plain Python, for which nothing has to be loaded."""

    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):  # Hashes and random numbers are meant to wrap around.
            return getattr(loops, name)(*arguments)

    return call


def is_compiled() -> bool:
    """Whether the loops are compiled; compiles the first of them, to find out."""
    loop("draw")(np.ones(1, dtype=np.uint64), 1)
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
def _compiled() -> dict[str, Loop]:
    """Every loop, compiled when first called.

    The functions are built anew over globals of their own, in which those they call are compiled.
    """
    numba = import_module("numba")
    if numba.config.DISABLE_JIT:
        raise RuntimeError("NUMBA_DISABLE_JIT is set")
    names = dict(vars(loops))
    for name in loops.LOOPS:
        function = names[name]
        fresh = FunctionType(function.__code__, names, name, function.__defaults__)
        names[name] = _jit(numba, fresh)
    return names


def _jit(numba: Any, function: Any) -> Loop:
    """Compiled without counts of references, which take most of the time; loops make no arrays."""
    try:
        made = numba.njit(cache=True, _nrt=False)(function)
    except RuntimeError:  # There is no folder for a cache.
        made = numba.njit(_nrt=False)(function)
    return cast(Loop, made)


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
