"""SNAKES itself, and colours as its nets have them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from petricheck.coloured.sorts import Dot, Product, Range, Sort
from petricheck.errors import PetricheckError

MAX_COPIES = 10_000
"""Arcs with more tokens are not converted, since SNAKES spells out each of them."""


def library() -> ModuleType:
    """`snakes.nets`.

    Raises:
        PetricheckError: it is not installed.
    """
    try:
        return importlib.import_module("snakes.nets")
    except ImportError:
        raise PetricheckError(
            "conversion needs the package SNAKES: pip install petricheck[interop]"
        ) from None


def value_of(sort: Sort, colour: int) -> Any:
    """The colour as a token: a string, an integer, a tuple, or `dot`."""
    match sort:
        case Dot():
            return library().dot
        case Range():
            return sort.first + colour
        case Product():
            pairs = zip(sort.factors, sort.components(colour), strict=True)
            return tuple(value_of(factor, component) for factor, component in pairs)
        case _:
            return sort.text(colour)
