"""What `petricheck bench --kernel` measures: the compiled loops, on nets made here."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petricheck.presburger.formulas import Formula
    from petricheck.problem import Net

FIRINGS = 10_000_000
MARKINGS = 2_000_000
MEMORY = 1 << 30
LENGTH = 100_000
LONGEST = 15.0

_STARTED = """
from petricheck.cli.kernel_bench import rings
from petricheck.kernel.explore import Exploration
from petricheck.kernel.walk import Walk
import time
started = time.process_time()
Walk(rings(2, 2, 1), []).run(1, 1)
Exploration(rings(2, 2, 1), [], 1 << 24).run(1)
print(time.process_time() - started)
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement.

    Attributes:
        what: what was measured.
        net: on which net; empty where on none that matters.
        amount: how much was done; 0 where only the time counts.
        unit: of what.
        seconds: of CPU time that it took.
    """

    what: str
    net: str
    amount: int
    unit: str
    seconds: float

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """The row as it is printed."""
        rate = f"{self.amount / self.seconds / 1e6:.1f} M/s" if self.amount else ""
        amount = f"{self.amount:,} {self.unit}" if self.amount else ""
        return self.what, self.net, amount, f"{self.seconds:.2f} s CPU", rate


def rings(count: int, places: int, tokens: int) -> Net:
    """Independent rings, each with tokens that go round; safe where there is one in each."""
    from petricheck.problem import make_net

    names = [[f"p{ring}_{place}" for place in range(places)] for ring in range(count)]
    initial = {name: tokens * (name == ring[0]) for ring in names for name in ring}
    moves = {
        f"t{ring}_{place}": ({names[ring][place - 1]: 1}, {names[ring][place]: 1})
        for ring in range(count)
        for place in range(places)
    }
    return make_net(f"{count} rings of {places}", initial, moves)


def philosophers(count: int) -> Net:
    """Dining philosophers who take the left fork first: safe, five places each, with a deadlock."""
    from petricheck.problem import make_net

    initial: dict[str, int] = {}
    arcs: dict[str, tuple[dict[str, int], dict[str, int]]] = {}
    for n in range(count):
        left, right = f"fork{n}", f"fork{(n + 1) % count}"
        initial |= {left: 1, f"thinks{n}": 1, f"left{n}": 0, f"both{n}": 0, f"done{n}": 0}
        arcs[f"take{n}"] = {f"thinks{n}": 1, left: 1}, {f"left{n}": 1}
        arcs[f"eat{n}"] = {f"left{n}": 1, right: 1}, {f"both{n}": 1}
        arcs[f"put{n}"] = {f"both{n}": 1}, {f"done{n}": 1, left: 1}
        arcs[f"think{n}"] = {f"done{n}": 1}, {f"thinks{n}": 1, right: 1}
    return make_net(f"{count} philosophers", initial, arcs)


def rows() -> Iterator[Row]:
    """The measurements, one after the other."""
    with tempfile.TemporaryDirectory(prefix="petricheck-bench-") as folder:
        yield Row("start, first compilation", "", 0, "", _started(folder))
        yield Row("start, from the cache", "", 0, "", _started(folder))
    for net in (rings(20, 15, 3), philosophers(60)):
        yield _walked(net)
    for net in (rings(20, 5, 1), philosophers(20)):
        yield _explored(net)


def _started(cache: str) -> float:
    """CPU seconds until a walk and an exploration run, in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-c", _STARTED],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def _walked(net: Net) -> Row:
    from petricheck.kernel.compiled import pace
    from petricheck.kernel.walk import Walk

    walk = Walk(net, _targets(net))
    walk.run(1, LENGTH)
    before = walk.firings
    seconds = _timed(lambda: walk.run(pace(), LENGTH), lambda: walk.firings < FIRINGS)
    return Row("random walk", _described(net), walk.firings - before, "firings", seconds)


def _explored(net: Net) -> Row:
    from petricheck.kernel.compiled import pace
    from petricheck.kernel.explore import Exploration

    exploration = Exploration(net, _targets(net), MEMORY)
    exploration.run(1)
    before = exploration.size
    seconds = _timed(
        lambda: exploration.run(pace()),
        lambda: exploration.size < MARKINGS and not (exploration.exhausted or exploration.full),
    )
    found = exploration.size - before
    return Row("exploration", _described(net), found, "markings", seconds)


def _targets(net: Net) -> list[Formula]:
    """Sixteen that stay open: two of a few places hold more tokens than there are."""
    from petricheck.presburger.formulas import at_least
    from petricheck.presburger.terms import variable

    total = sum(net.initial) + 1
    pairs = zip(net.places[:16], net.places[16:], strict=False)
    return [at_least(variable(a) + variable(b), total) for a, b in pairs]


def _timed(step: Callable[[], object], goes_on: Callable[[], bool]) -> float:
    """CPU seconds until enough is done; a quarter of a minute is enough in any case."""
    started = time.process_time()
    while goes_on() and time.process_time() - started < LONGEST:
        step()
    return time.process_time() - started


def _described(net: Net) -> str:
    return f"{net.name} ({len(net.places)} places, {len(net.transitions)} transitions)"
