"""A stopwatch for a part of a search."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Self


@dataclass(slots=True)
class Stopwatch:
    """Adds up the CPU time of this process in its `with` blocks, which are not nested.

    Attributes:
        seconds: the sum so far.
    """

    seconds: float = 0.0
    _started: float = field(default=0.0, repr=False)

    def __enter__(self) -> Self:
        self._started = time.process_time()
        return self

    def __exit__(self, *error: object) -> None:
        self.seconds += time.process_time() - self._started
