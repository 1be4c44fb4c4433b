"""Packages that only some installations have, since few users need them: the extras."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from petricheck.support.errors import QueryError


def is_installed(module: str) -> bool:
    """Return whether a top-level module can be imported; imports nothing."""
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


def missing(package: str, extra: str) -> str:
    """Return the sentence that a package is missing, and what to do."""
    return f"{package} is not installed: pip install 'petricheck[{extra}]'"


def optional(module: str, package: str, extra: str) -> Any:
    """Import a module of a package that the extra brings; QueryError where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise QueryError(missing(package, extra)) from None
