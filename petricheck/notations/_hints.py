"""Hints and origins of an invariant as JSON."""

from __future__ import annotations

from typing import Any

from petricheck.answer import CoverHints, Hints, Origin, Separator
from petricheck.errors import EvidenceError
from petricheck.presburger.json import (
    read_integer,
    read_items,
    read_sum,
    read_text,
    require_keys,
    write_integer,
    write_sum,
)


def write_hints(hints: Hints | CoverHints) -> dict[str, Any]:
    """The hints as an object."""
    if isinstance(hints, CoverHints):
        sums = [[[number, write_integer(n)] for number, n in terms] for terms in hints.sums]
        return {"sums": sums}
    return {
        "successors": hints.successors,
        "separators": [
            {
                "cube": separator.cube,
                "direction": write_sum(separator.direction),
                "modulus": write_integer(separator.modulus),
                "multipliers": [write_integer(value) for value in separator.multipliers],
                "scale": write_integer(separator.scale),
            }
            for separator in hints.separators
        ],
    }


def write_origin(origin: Origin) -> dict[str, Any]:
    """The origin as an object."""
    return {"direction": write_sum(origin.direction), "suggested by": origin.suggested_by}


def read_hints(value: Any) -> Hints | CoverHints:
    """The inverse of `write_hints`; EvidenceError where it is none."""
    if isinstance(value, dict) and "sums" in value:
        require_keys(value, "sums")
        return CoverHints(read_items(value["sums"], lambda terms: read_items(terms, _share)))
    require_keys(value, "successors", "separators")
    return Hints(
        read_items(value["successors"], lambda row: read_items(row, read_integer)),
        read_items(value["separators"], _separator),
    )


def _share(value: Any) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise EvidenceError("a part of a sum is not [conjunct, how often]")
    return read_integer(value[0]), read_integer(value[1])


def _separator(value: Any) -> Separator:
    require_keys(value, "cube", "direction", "modulus", "multipliers", "scale")
    return Separator(
        read_integer(value["cube"]),
        read_sum(value["direction"]),
        read_integer(value["modulus"]),
        read_items(value["multipliers"], read_integer),
        read_integer(value["scale"]),
    )


def read_origin(value: Any) -> Origin:
    """The inverse of `write_origin`; EvidenceError where it is none."""
    require_keys(value, "direction", "suggested by")
    return Origin(read_sum(value["direction"]), read_items(value["suggested by"], read_text))
