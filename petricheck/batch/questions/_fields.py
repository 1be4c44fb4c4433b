"""Fields of an entry in an index, and what is said of those that make no sense."""

from __future__ import annotations

import json
from typing import Any

from petricheck.errors import InputError


def text(entry: dict[str, Any], key: str, default: str | None = None) -> str:
    """The text under that key; InputError where it is none."""
    value = entry.get(key, default)
    if not isinstance(value, str):
        raise InputError(f"{key}: text is expected, not {shown(value)}")
    return value


def choice(entry: dict[str, Any], key: str, choices: tuple[str, ...]) -> str:
    """The text under that key, which is one of these; InputError where it is not."""
    value = text(entry, key)
    if value not in choices:
        raise InputError(f"{key}: {shown(value)} is none of {', '.join(choices)}")
    return value


def shown(value: object) -> str:
    """The value as JSON, cut where it is long; a missing one as such."""
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
