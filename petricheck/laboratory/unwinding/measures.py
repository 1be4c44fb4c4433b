"""What an unwinding costs, as the paper's tables have it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Measures:
    """Counts and seconds so far.

    Attributes:
        refinements: how many error paths were refuted.
        reused: how many of them by predicates that were known before.
        forced: vertices that were covered by force.
        interpolation: seconds in Refine.
        covering: seconds in Close and ForceCover.
    """

    refinements: int = 0
    reused: int = 0
    forced: int = 0
    interpolation: float = 0.0
    covering: float = 0.0

    @contextmanager
    def interpolating(self) -> Iterator[None]:
        """Count the time as interpolation."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.interpolation += time.monotonic() - started

    @contextmanager
    def closing(self) -> Iterator[None]:
        """Count the time as covering."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.covering += time.monotonic() - started
