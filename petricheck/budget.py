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

from petricheck.errors import BudgetExhausted, Ending

MEBIBYTE = 1 << 20

Item = TypeVar("Item")

_CGROUP = Path("/sys/fs/cgroup")

_PAGE = os.sysconf("SC_PAGE_SIZE")

_ASSUMED = 1 << 30
"""Bytes that are taken to be free where the system does not say."""

STRIDE = 16
"""So many items of a loop may cost as much as one look at the resident memory."""

LONGEST = 2**31 - 1
"""Milliseconds that every solver can count."""


class Turn(Enum):
    """What becomes of an engine that takes turns with others."""

    STARTS = "starts"
    WAITS = "waits"
    GOES_ON = "goes on"
    GAVE_UP = "gave up"
    ENDS = "ends"


@dataclass(frozen=True, slots=True)
class Event:
    """One piece of news from a search.

    Attributes:
        text: what it does, on one short line; or why, where an engine gave up.
        engine: whose news these are; empty where one engine runs alone.
        turn: what became of the engine; None while it simply runs.
    """

    text: str
    engine: str = ""
    turn: Turn | None = None

    def __str__(self) -> str:
        turn = "" if self.turn is None else self.turn.value
        return ": ".join(filter(None, (self.engine, turn, self.text)))


def unwatched(_: Event) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long, how much, and whom to tell.

    Attributes:
        seconds: wall-clock limit, or None.
        memory: limit on this process's resident memory in MiB, or None.
        watch: receives an event whenever there is news; must not raise.
        started: what `clock` said at the start.
        limit: the limit in seconds that the user set, where `seconds` is only a share of it.
        clock: counts the seconds: those that pass, or those that this process computes, where it
            takes turns with others.
        space: bytes that what a search keeps may take, or None for a part of what there is.
        lemmas: what the audit has shown within these limits, so that it need not do so again.
    """

    seconds: float | None = None
    memory: int | None = None
    watch: Callable[[Event], None] = unwatched
    started: float = field(default_factory=time.monotonic)
    limit: float | None = None
    clock: Callable[[], float] = lambda: time.monotonic()
    space: int | None = None
    lemmas: dict[object, object] = field(default_factory=dict, compare=False, repr=False)

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
        """The error where the time is over; without a limit it never is.

        It names the limit that the user set, since nobody else knows of shares.
        """
        seconds = self.seconds or 0.0
        if self.limit is None or self.limit <= seconds:
            return BudgetExhausted(time_limit(seconds), Ending.TIME)
        share = f"its share of the time limit of {self.limit:g} s is used up"
        return BudgetExhausted(share, Ending.TIME)

    @property
    def memory_left(self) -> int:
        """Bytes that what a search keeps may take.

        Half of the limit, since evidence takes as many again; where none is set, a quarter of what
        is free.
        """
        if self.space is not None:
            return self.space
        free = free_memory()
        return free // 4 if self.memory is None else min(free, self.memory * MEBIBYTE) // 2

    def shared(self) -> Budget:
        """The same limits for each of several processes, two of which keep much at a time.

        Whoever started them holds them to the limit on memory together.
        """
        return replace(self, memory=None, space=self.memory_left // 2)

    def report(self, text: str) -> None:
        """Tell whoever watches, in one short line."""
        self.watch(Event(text))

    def within(self, seconds: float) -> Budget:
        """The same limits, with so many seconds from now on at most."""
        if seconds >= self.remaining:
            return self
        limit = self.seconds if self.limit is None else self.limit
        return replace(self, seconds=self.elapsed + seconds, limit=limit)

    def part(self, divisor: float, most: float = math.inf) -> Budget:
        """The same limits, with a part of the time that is left, and at most so many seconds."""
        return self.within(min(most, self.remaining / divisor))

    @contextmanager
    def tolerate_overruns(self) -> Iterator[None]:
        """Pass over limits that end what is done within, unless they are these themselves.

        Raises:
            BudgetExhausted: a limit was reached, and time or memory of this budget ran out.
        """
        try:
            yield
        except BudgetExhausted:
            self.check()

    def of(self, engine: str) -> Budget:
        """The same limits for one engine among others, whose news bear its name."""
        return replace(self, watch=lambda event: self.watch(replace(event, engine=engine)))

    def check(self) -> None:
        """Raise where a limit is reached; cheap enough for every round of a loop.

        Raises:
            BudgetExhausted: time or memory ran out.
        """
        if self.remaining == 0.0:
            raise self.overrun
        if self.memory is not None and resident_memory() > self.memory * MEBIBYTE:
            raise BudgetExhausted(memory_limit(self.memory), Ending.MEMORY)


def watched(items: Iterable[Item], budget: Budget, stride: int = STRIDE) -> Iterator[Item]:
    """The items, with a look at the budget after every `stride` of them.

    Raises:
        BudgetExhausted: time or memory ran out.
    """
    for number, item in enumerate(items, 1):
        if number % stride == 0:
            budget.check()
        yield item


@dataclass(frozen=True, slots=True)
class Shares:
    """How several questions share the time that each of them is given.

    Attributes:
        seconds: limit on each, or None.
        count: how many there are.
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
        """A part of the time that is left to all together, and at most so many seconds."""
        left = math.inf if self._pool is None else self._left
        return Shares(None, self.count, min(most, left / divisor))

    def together(self) -> float | None:
        """Seconds for what is done for all of them at once: half of what they have."""
        return None if self._pool is None else self._left / 2

    def own(self, questions: int, side_by_side: int = 1) -> float | None:
        """Seconds for one of so many questions that are left, some decided at the same time."""
        if self._pool is None:
            return None
        own = math.inf if self.seconds is None else self.seconds
        return min(own, self._left / max(1, math.ceil(questions / side_by_side)))

    def left(self) -> float | None:
        """Seconds for all that are left together."""
        return None if self._pool is None else self._left

    @property
    def _pool(self) -> float | None:
        limits = [] if self.seconds is None else [self.seconds * self.count]
        return min(limits if self.whole is None else [*limits, self.whole], default=None)

    @property
    def _left(self) -> float:
        return max(0.0, (self._pool or 0.0) - self.elapsed)


def time_limit(seconds: float) -> str:
    """What is said where a limit on time is reached."""
    return f"the time limit of {seconds:g} s is reached"


def memory_limit(mebibytes: int) -> str:
    """What is said where a limit on memory is reached."""
    return f"the memory limit of {mebibytes} MiB is reached"


def resident_memory(process: int | None = None) -> int:
    """Bytes of physical memory that a process holds now, or this one; 0 where it has ended."""
    try:
        with open(f"/proc/{process or 'self'}/statm", "rb") as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def free_memory() -> int:
    """Bytes that the system, or the container, could give to processes now."""
    free = [_ASSUMED]
    with suppress(OSError, KeyError, ValueError):
        told = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        free = [int(told["MemAvailable"].split()[0]) << 10]
    with suppress(OSError, ValueError):
        most, used = ((_CGROUP / name).read_text() for name in ("memory.max", "memory.current"))
        free.append(int(most) - int(used))
    return max(0, min(free))


def is_memory_known() -> bool:
    """Whether this system says what processes hold: without /proc no limit on it would hold."""
    return resident_memory() > 0


def milliseconds(seconds: float) -> int:
    """A limit as solvers count it: at least one, and at most what a signed 32-bit integer holds.

    24 days are as good as none; solvers refuse more, or take it for little.
    """
    return max(1, int(min(seconds * 1000, LONGEST)))
