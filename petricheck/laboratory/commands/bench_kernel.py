"""`petricheck bench kernel`: CPU times of the compiled loops, on nets made here or given."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import click

from petricheck.arithmetic.formulas.formulas import Formula, at_least
from petricheck.arithmetic.formulas.terms import variable
from petricheck.commands.shell.terminal import say
from petricheck.explicit.kernel.explore import Exploration, Nearest
from petricheck.explicit.kernel.walk import Walk
from petricheck.formats.nets import read_net
from petricheck.model.net import Net, make_net
from petricheck.support.compiled import pace, status

FIRINGS = 10_000_000
"""Firings of each walk."""
MARKINGS = 2_000_000
"""Markings of each exploration."""
MEMORY = 1 << 30
"""Bytes for the markings of an exploration."""
WIDE = ((100, 100), (100, 300))
"""Jobs and machines of wide nets, of 20,000 and 60,000 transitions."""
LENGTH = 100_000
"""Firings of a walk before it starts again from the initial marking."""
SECONDS = 15.0
"""Largest CPU seconds of each measurement."""
NET_SECONDS = 1.0
"""The same on a net that is given."""

_START = """
from petricheck.laboratory.commands.bench_kernel import rings
from petricheck.support.compiled import compile_all
from petricheck.explicit.kernel.explore import Exploration
from petricheck.explicit.kernel.walk import Walk
import contextlib, os, time
start = time.process_time()
compile_all()
with contextlib.suppress(ChildProcessError):
    os.wait()  # Count the time of child processes, too.
Walk(rings(2, 2, 1), []).run(1, 1)
Exploration(rings(2, 2, 1), [], 1 << 24).run(1)
times = os.times()
print(time.process_time() - start + times.children_user + times.children_system)
"""


@click.command()
@click.argument("paths", metavar="[NET]...", nargs=-1)
def command(paths: tuple[str, ...]) -> None:
    """Measure the compiled loops: how they start, walk and explore.

    Without a NET, on nets made for this; else each kind of search on these nets. Guided searches
    look for more tokens on two places than there are initially.
    """
    if paths:
        for net in (read_net(path).net for path in paths):
            for row in _rows_of(net):
                say(row)
        say(status())
        return
    with tempfile.TemporaryDirectory(prefix="petricheck-bench-") as cache:
        say(_row("start, first compilation", start_seconds(cache)))
        say(_row("start, from the cache", start_seconds(cache)))
    for net in (rings(20, 15, 3), philosophers(60), *(workshop(*size) for size in WIDE)):
        say(_walk_row(net))
    for net in (rings(20, 5, 1), philosophers(20)):
        say(_exploration_row(net))
    say(status())


def _row(name: str, seconds: float, amount: int = 0, unit: str = "", net: Net | None = None) -> str:
    """Return a line: a name, CPU seconds, the amount of work done, and the net."""
    rate = ""
    if amount:
        is_large = amount >= 1e5 * seconds
        rate = f"{amount / seconds / (1e6 if is_large else 1e3):.1f} {'M' if is_large else 'k'}/s"
    amount_text = f"{amount:,} {unit}" if amount else ""
    size = f"({len(net.places)} places, {len(net.transitions)} transitions)" if net else ""
    description = f"{net.name} {size}" if net else ""
    return f"{name:24}  {seconds:>5.2f} s CPU  {rate:>9}  {amount_text:>20}  {description}".rstrip()


def rings(count: int, places: int, tokens: int) -> Net:
    """Return independent rings, in each of which tokens go round; safe for one token."""
    names = [[f"p{ring}_{place}" for place in range(places)] for ring in range(count)]
    initial = {name: tokens * (name == ring[0]) for ring in names for name in ring}
    moves = {
        f"t{ring}_{place}": ({names[ring][place - 1]: 1}, {names[ring][place]: 1})
        for ring in range(count)
        for place in range(places)
    }
    return make_net(f"{count} rings of {places}", initial, moves)


def philosophers(count: int) -> Net:
    """Return dining philosophers who take the left fork first.

    The net is safe, has five places for each philosopher, and a deadlock.
    """
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


def workshop(jobs: int, machines: int) -> Net:
    """Return jobs that are done one after the other, each on any machine that is free.

    The net is safe and wide: two transitions for each pair, and each place has many consumers.
    """
    free = {f"job{j}": 1 for j in range(jobs)} | {f"machine{m}": 1 for m in range(machines)}
    places, arcs = dict(free), dict[str, tuple[dict[str, int], dict[str, int]]]()
    for j, m in product(range(jobs), range(machines)):
        pair, busy = {f"job{j}": 1, f"machine{m}": 1}, {f"busy{j}_{m}": 1}
        places |= dict.fromkeys(busy, 0)
        arcs |= {f"start{j}_{m}": (pair, busy), f"end{j}_{m}": (busy, pair)}
    return make_net(f"{jobs} jobs on {machines} machines", places, arcs)


def start_seconds(cache: str) -> float:
    """Return CPU seconds of compilation, a walk and an exploration, in a new process."""
    process = subprocess.run(
        [sys.executable, "-c", _START],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(process.stdout)


def _rows_of(net: Net) -> Iterator[str]:
    """Yield a row for each kind of search on the net, measured after its first step."""
    targets = _targets(net)
    walks: tuple[tuple[str, bool, Callable[[Walk], object]], ...] = (
        ("random walk", False, lambda walk: walk.run(10_000, LENGTH)),
        ("leaning walk", True, lambda walk: walk.run(1_000, LENGTH, candidates=3)),
        ("walk by plans", False, lambda walk: walk.pursue(0, 10_000, LENGTH)),
    )
    for name, leans, step in walks:
        walk = Walk(net, targets, leans=leans)
        step(walk)
        earlier = walk.firings
        seconds = _time(partial(step, walk), lambda: walk.open and not walk.stuck, NET_SECONDS)  # noqa: B023
        yield _row(name, seconds, walk.firings - earlier, "firings", net)
    for name, first in (
        ("exploration", None),
        ("best-first, near", Nearest(0, far_sighted=False)),
        ("best-first, far", Nearest(0)),
    ):
        exploration = Exploration(net, targets, MEMORY, first)
        exploration.run(100)
        earlier = exploration.size
        seconds = _time(partial(exploration.run, 100), lambda: not exploration.ended, NET_SECONDS)  # noqa: B023
        yield _row(name, seconds, exploration.size - earlier, "markings", net)


def _walk_row(net: Net) -> str:
    walk = Walk(net, _targets(net))
    walk.run(1, LENGTH)
    earlier = walk.firings
    seconds = _time(lambda: walk.run(walk.pace, LENGTH), lambda: walk.firings < FIRINGS)
    return _row("random walk", seconds, walk.firings - earlier, "firings", net)


def _exploration_row(net: Net) -> str:
    exploration = Exploration(net, _targets(net), MEMORY)
    exploration.run(1)
    earlier = exploration.size
    seconds = _time(
        lambda: exploration.run(pace()),
        lambda: exploration.size < MARKINGS and not (exploration.exhausted or exploration.full),
    )
    return _row("exploration", seconds, exploration.size - earlier, "markings", net)


def _targets(net: Net) -> list[Formula]:
    """Return sixteen targets that stay open: two places have more tokens than there are."""
    total = sum(net.initial) + 1
    pairs = zip(net.places[:16], net.places[16:], strict=False)
    return [at_least(variable(a) + variable(b), total) for a, b in pairs]


def _time(
    step: Callable[[], object], unfinished: Callable[[], object], limit: float = SECONDS
) -> float:
    """Return CPU seconds until the work is done, or the limit is reached."""
    start = time.process_time()
    while unfinished() and time.process_time() - start < limit:
        step()
    return time.process_time() - start
