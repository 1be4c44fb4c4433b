"""Evidence that somebody has changed: numbers, names, relations, and parts left out or repeated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import Any


def mutated(random: Random, value: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The value with one or two changes; a name becomes another one of these."""
    value = deepcopy(value)
    for _ in range(random.choice((1, 1, 2))):
        edits = [*_edits(value, names)]
        if edits:
            random.choice(edits)(random)
    return value


def _edits(value: Any, names: Sequence[str]) -> Iterator[Callable[[Random], Any]]:
    """The changes of any part, each a function that makes it."""
    for key, part in [*(value.items() if isinstance(value, dict) else enumerate(value))]:
        if isinstance(part, int) and not isinstance(part, bool):
            numbers = (part + 1, part - 1, -part, 0)
            yield lambda random, key=key, n=numbers: value.__setitem__(key, random.choice(n))
        elif isinstance(part, str) and part in names:
            yield lambda random, key=key: value.__setitem__(key, random.choice(names))
        elif isinstance(part, dict | list):
            yield from _edits(part, names)
        if isinstance(value, dict) and key in names:
            yield lambda random, old=key: value.update({random.choice(names): value.pop(old)})
        if isinstance(value, dict) and key in RELATIONS:
            yield lambda random, old=key: value.update({RELATIONS[old]: value.pop(old)})
    if isinstance(value, list) and value:
        yield lambda random: value.pop(random.randrange(len(value)))
        yield lambda random: value.append(deepcopy(random.choice(value)))
        yield lambda random: random.shuffle(value)


RELATIONS = {"at most": "equals", "equals": "at most", "and": "or", "or": "and"}
