"""Limits on one run, and the one channel for its progress."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TypeVar

from petricheck.support.arguments import require_type
from petricheck.support.errors import BudgetExhausted, Ending

MEBIBYTE = 1 << 20

Item = TypeVar("Item")

_CGROUP = Path("/sys/fs/cgroup")

_PAGE = os.sysconf("SC_PAGE_SIZE")

_ASSUMED = 1 << 30
"""Bytes that are assumed to be free where the system does not say."""

STRIDE = 16
"""Items of a loop that take about as long as measuring the resident memory."""

LONGEST = 2**31 - 1
"""Milliseconds that every solver can count."""


class Turn(Enum):
    """The state of an engine that takes turns with others."""

    STARTS = "starts"
    WAITS = "waits"
    GOES_ON = "goes on"
    GAVE_UP = "gave up"
    FAILED = "failed"
    ENDS = "ends"


@dataclass(frozen=True, slots=True)
class Event:
    """Progress of a search.

    Attributes:
        text: what the search does, on one short line; or why an engine gave up, or failed.
        engine: the engine's name; empty where one engine runs alone.
        turn: the new state of the engine; None where it does not change.
        ending: why the engine gave up, for programs; None where that is not known.
    """

    text: str
    engine: str = ""
    turn: Turn | None = None
    ending: Ending | None = field(default=None, compare=False)

    def __str__(self) -> str:
        turn = "" if self.turn is None else self.turn.value
        return ": ".join(filter(None, (self.engine, turn, self.text)))


def unwatched(_: Event) -> None:
    """Ignore the event: nobody watches."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits on time and memory, and the receiver of progress.

    Whatever takes a budget raises `BudgetExhausted` where one of its limits is reached.

    Attributes:
        seconds: wall-clock limit, or None.
        memory: limit on this process's resident memory in MiB, or None.
        watch: receives events; must not raise.
        started: the value of `clock` at the start.
        limit: the limit in seconds that the user set, where `seconds` is only a share of it;
            infinite where the user set none.
        clock: counts the seconds: those that pass, or, where this process takes turns with others,
            those that it computes.
        space: bytes that the data of a search may take; None for a part of the free memory.
        lemmas: obligations that the audit has proved within these limits, so that it need not do so
            again.
    """

    seconds: float | None = None
    memory: int | None = None
    watch: Callable[[Event], None] = unwatched
    started: float = field(default_factory=time.monotonic)
    limit: float | None = None
    clock: Callable[[], float] = lambda: time.monotonic()
    space: int | None = None
    lemmas: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        require_type(self.seconds, int | float | None, "a budget's seconds are a number, or None")
        require_type(self.memory, int | None, "a budget's memory is a number of MiB, or None")

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.started

    @property
    def remaining(self) -> float:
        """Seconds left, never negative; infinite without a limit."""
        return math.inf if self.seconds is None else max(0.0, self.seconds - self.elapsed)

    @property
    def overrun(self) -> BudgetExhausted:
        """The error to raise when the time is over.

        It names the limit that the user set, since users do not see shares of it.
        """
        whole = self.whole or 0.0
        if whole <= (self.seconds or 0.0):
            return BudgetExhausted(time_limit(whole), Ending.TIME)
        limit = "" if whole == math.inf else f" limit of {whole:g} s"
        return BudgetExhausted(f"its share of the time{limit} is used up", Ending.TIME)

    @property
    def whole(self) -> float | None:
        """The limit in seconds that the user set; None or infinite where there is none."""
        return self.seconds if self.limit is None else self.limit

    @property
    def memory_left(self) -> int:
        """Bytes that the data of a search may take.

        Half of the limit, since evidence takes as much again; without a limit, a quarter of the
        free memory.
        """
        if self.space is not None:
            return self.space
        free = free_memory()
        return free // 4 if self.memory is None else min(free, self.memory * MEBIBYTE) // 2

    def shared(self) -> Budget:
        """Return the same limits for each of several processes, two of which use much memory.

        The process that starts them limits their memory together.
        """
        return replace(self, memory=None, space=self.memory_left // 2)

    def report(self, text: str) -> None:
        """Send a short line to `watch`."""
        self.watch(Event(text))

    def within(self, seconds: float) -> Budget:
        """Return the same limits, with at most so many seconds from now on."""
        if seconds >= self.remaining:
            return self
        limit = math.inf if self.whole is None else self.whole
        return replace(self, seconds=self.elapsed + seconds, limit=limit)

    def part(self, divisor: float, most: float = math.inf) -> Budget:
        """Return the same limits, with a part of the remaining time, at most so many seconds."""
        return self.within(min(most, self.remaining / divisor))

    @contextmanager
    def tolerate_overruns(self) -> Iterator[None]:
        """Ignore limits that end the work inside, unless these limits are reached too.

        Raises:
            BudgetExhausted: a limit was reached, and time or memory of this budget ran out.
        """
        try:
            yield
        except BudgetExhausted:
            self.check()

    def of(self, engine: str) -> Budget:
        """Return the same limits for one engine among others; its events have its name."""
        return replace(self, watch=lambda event: self.watch(replace(event, engine=engine)))

    def check(self, more: int = 0) -> None:
        """Raise if a limit is reached, or will be with `more` bytes; fast enough for any loop.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        if self.remaining == 0.0:
            raise self.overrun
        if self.memory is not None and resident_memory() + more > self.memory * MEBIBYTE:
            raise BudgetExhausted(memory_limit(self.memory), Ending.MEMORY)


def require_budget(budget: object) -> None:
    """Refuse what is given for a budget and is none, by an InputError."""
    needed = "the budget is made as petricheck.Budget(seconds=10), or None"
    require_type(budget, Budget | None, needed)


def watched(items: Iterable[Item], budget: Budget, stride: int = STRIDE) -> Iterator[Item]:
    """Yield the items, and check the budget after every `stride` of them."""
    for number, item in enumerate(items, 1):
        if number % stride == 0:
            budget.check()
        yield item


@dataclass(frozen=True, slots=True)
class Shares:
    """The time that several questions share, each of which has a limit.

    Attributes:
        seconds: limit on each, or None.
        count: the number of questions.
        whole: limit on all together, or None.
        started: `time.monotonic()` at the start.
    """

    seconds: float | None
    count: int
    whole: float | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def part(self, divisor: float, most: float) -> Shares:
        """Return a part of the remaining time of all together, with at most so many seconds."""
        remaining = self.remaining()
        part = math.inf if remaining is None else remaining / divisor
        return Shares(None, self.count, min(most, part))

    def some(self, questions: int, left: int) -> Shares:
        """Return the time of so many of the questions that are left."""
        own = self.own(left)
        return Shares(self.seconds, questions, None if own is None else own * questions)

    def together(self) -> float | None:
        """Return the seconds for work on all of them at once: half of the remaining time."""
        remaining = self.remaining()
        return None if remaining is None else remaining / 2

    def own(self, questions: int) -> float | None:
        """Return seconds for one of so many open questions."""
        remaining = self.remaining()
        if remaining is None:
            return None
        own = math.inf if self.seconds is None else self.seconds
        return min(own, remaining / max(1, questions))

    def remaining(self) -> float | None:
        """Return the seconds that remain for all questions together."""
        each = None if self.seconds is None else self.seconds * self.count
        limits = [limit for limit in (each, self.whole) if limit is not None]
        return max(0.0, min(limits) - self.elapsed) if limits else None


def time_limit(seconds: float) -> str:
    """Return the message that a limit on time is reached."""
    return f"the time limit of {seconds:g} s is reached"


def memory_limit(mebibytes: int) -> str:
    """Return the message that a limit on memory is reached."""
    return f"the memory limit of {mebibytes} MiB is reached"


def resident_memory(process: int | None = None) -> int:
    """Return the bytes of physical memory of a process, by default this one; 0 if it has ended."""
    try:
        with open(f"/proc/{process or 'self'}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def free_memory() -> int:
    """Return bytes that the system, or the container, could give to processes now."""
    free = [_ASSUMED]
    with suppress(OSError, KeyError, ValueError):
        sizes = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        free = [int(sizes["MemAvailable"].split()[0]) << 10]
    with suppress(OSError, ValueError):
        most, used = ((_CGROUP / name).read_text() for name in ("memory.max", "memory.current"))
        free.append(int(most) - int(used))
    return max(0, min(free))


def is_memory_known() -> bool:
    """Return whether memory can be measured: without /proc no limit on it works."""
    return resident_memory() > 0


def milliseconds(seconds: float) -> int:
    """Return a limit as solvers take it: at least 1, at most a signed 32-bit integer.

    24 days are as good as no limit; solvers reject larger values, or misread them as small ones.
    """
    return max(1, int(min(seconds * 1000, LONGEST)))
