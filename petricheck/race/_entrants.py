"""What takes part in a race, and how it may end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from petricheck.budget import Event
from petricheck.errors import Ending

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Entrant(Generic[Result]):
    """A computation; it gets a channel for its progress, and no other way to the outside."""

    name: str
    run: Callable[[Callable[[Event], None]], Result]


@dataclass(frozen=True, slots=True)
class Finished(Generic[Result]):
    """An entrant that returned."""

    name: str
    result: Result


@dataclass(frozen=True, slots=True)
class Failed:
    """An entrant that raised, died, or was killed for its memory."""

    name: str
    reason: str
    ending: Ending = Ending.FAILED


Outcome: TypeAlias = Finished[Result] | Failed
