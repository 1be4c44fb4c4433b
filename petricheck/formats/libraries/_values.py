"""SNAKES itself, and colours as its nets have them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from petricheck.model.coloured.sorts import Sort, value
from petricheck.support.errors import PetricheckError

MAX_COPIES = 10_000
"""Arcs with more tokens are not converted, since SNAKES spells out each of them."""

SOURCE = "all "
"""How names begin of places that hold all colours of a sort, so that tests of them bind variables.
These belong to the conversion, and vanish on the way back."""


def library() -> ModuleType:
    """Return `snakes.nets`."""
    try:
        return importlib.import_module("snakes.nets")
    except ImportError:
        raise PetricheckError(
            "conversion needs the package SNAKES: pip install petricheck[interop]"
        ) from None


def value_of(sort: Sort, colour: int) -> Any:
    """Return the colour as a token."""
    return value(sort, colour, library().dot)
