"""Answers: a verdict is a value that holds its evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from petricheck.arithmetic.formulas.formulas import Formula
from petricheck.arithmetic.formulas.shown import shown_name
from petricheck.support.errors import Ending
from petricheck.support.markup import Shown
from petricheck.support.words import counted, number_text, printable, shortened


@dataclass(frozen=True, slots=True)
class Trace:
    """A firing sequence.

    Attributes:
        steps: (transition id, how often it fires in a row, at least once).
    """

    steps: tuple[tuple[str, int], ...]

    @property
    def length(self) -> int:
        """The number of firings, with repetitions."""
        return sum(times for _, times in self.steps)

    def __str__(self) -> str:
        return " ".join(shortened(self.steps, _STEPS, step_text, "step"))


def step_text(step: tuple[str, int]) -> str:
    """Return a transition, with how often it fires in a row: `t4^2`."""
    name, times = step
    return f"{shown_name(name)}^{number_text(times)}" if times > 1 else shown_name(name)


_STEPS = 100
"""Steps of a trace that its text has."""


def joined(steps: Iterable[tuple[int, int]], names: Sequence[str]) -> Trace:
    """Return the trace of (transition number, times) steps, with equal neighbours joined."""
    groups = groupby(steps, key=itemgetter(0))
    return Trace(tuple((names[number], sum(n for _, n in group)) for number, group in groups))


def trace_of(word: Iterable[int], names: Sequence[str]) -> Trace:
    """Return the trace of transition numbers, with equal neighbours joined."""
    return joined(((number, 1) for number in word), names)


@dataclass(frozen=True, slots=True)
class Statistics:
    """The cost of a search.

    Attributes:
        engine: name of the engine that found the answer.
        iterations: how many of what the engine counts, see `engines.unit`.
        states: states visited, 0 where the engine visits none.
        seconds: wall time of the engine.
        predicates: how many its abstraction is made of; None where it has no predicates.
        interpolation: CPU seconds for trying and refuting error paths; None where it has no such.
    """

    engine: str = ""
    iterations: int = 0
    states: int = 0
    seconds: float = 0.0
    predicates: int | None = None
    interpolation: float | None = None


def measure(engine: str) -> Callable[..., Statistics]:
    """Return a function that gives the statistics of an engine that starts now."""
    started = time.monotonic()

    def measured(
        iterations: int = 0,
        states: int = 0,
        predicates: int | None = None,
        interpolation: float | None = None,
    ) -> Statistics:
        seconds = time.monotonic() - started
        return Statistics(engine, iterations, states, seconds, predicates, interpolation)

    return measured


@dataclass(frozen=True, slots=True, repr=False)
class Reachable(Shown):
    """A marking in the target is reachable, as the trace shows."""

    trace: Trace
    statistics: Statistics = Statistics()

    def __str__(self) -> str:
        return f"{self._headline}\n{self.trace}" if self.trace.steps else self._headline

    def __repr__(self) -> str:
        return f"<{self._headline}>"

    @property
    def _headline(self) -> str:
        return f"reachable: a trace of {counted(self.trace.length, 'firing')}"


@dataclass(frozen=True, slots=True, repr=False)
class Unreachable(Shown):
    """No marking in the target is reachable, as the certificate proves.

    Attributes:
        certificate: a `Certificate`, a `StateEquationCertificate`, a `MarkingTable`, or of any
            other type that a member of `audit.shapes` audits.
    """

    certificate: object
    statistics: Statistics = Statistics()

    def __str__(self) -> str:
        return f"unreachable\n{self.certificate}"

    def __repr__(self) -> str:
        return f"<unreachable: {type(self.certificate).__name__}>"


@dataclass(frozen=True, slots=True, repr=False)
class Unknown(Shown):
    """No verdict.

    Attributes:
        reason: what stopped the search.
        hint: what to try next; may be empty.
        learnt: formulas found to be inductive on the way, which another engine may have a use for;
            nobody is to trust them.
        ending: what the reason amounts to, for programs.
    """

    reason: str
    hint: str = ""
    statistics: Statistics = Statistics()
    learnt: tuple[Formula, ...] = ()
    ending: Ending = Ending.GAVE_UP

    def __str__(self) -> str:
        hint = f"\nHint: {printable(self.hint)}." if self.hint else ""
        return f"unknown: {'; '.join(map(printable, self._reasons))}{hint}"

    def __repr__(self) -> str:
        return f"<unknown: {printable(self._reasons[0])}>"

    @property
    def _reasons(self) -> list[str]:
        # A portfolio gives the reason of each engine on a line of its own.
        return self.reason.split("\n")


Answer: TypeAlias = Reachable | Unreachable | Unknown
