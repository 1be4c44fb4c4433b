"""Python's collector of garbage, at rest while files are read.

What a reader makes stays, so that the collector, which comes by whenever there is more of it, would
look through all of it again and again and find nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """Collect no cycles until the block ends."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
