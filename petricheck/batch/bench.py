"""The bench: every question of an index under every configuration, measured.

Each cell (question and configuration) runs in a process of its own with a hard limit, so a solver
that hangs, crashes or eats the memory costs one cell. Its time is process CPU from the parsed
problem to the audited answer, imports done. Needs `fork`, so it does not run on Windows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from multiprocessing.connection import wait

from petricheck import plugins
from petricheck.batch._cell import Cell, Measurement
from petricheck.batch._worker import Worker
from petricheck.batch.index import CONFIGURATIONS as COLUMNS
from petricheck.batch.index import Figure, Question
from petricheck.check import DEFAULT_ENGINE
from petricheck.errors import QueryError

_ALL = "accelerated_actions,parikh,place_invariants"


@dataclass(frozen=True, slots=True)
class Configuration:
    """An engine with options, under a name.

    Attributes:
        name: heads its column.
        engine: name of the engine.
        options: the engine's options as text; what is not named keeps its default.
        column: the column of the paper's Table 2 that it is compared with, or "".
    """

    name: str
    engine: str = DEFAULT_ENGINE
    options: tuple[tuple[str, str], ...] = ()
    column: str = ""


def _guided(guide: str, heuristics: str) -> tuple[tuple[str, str], ...]:
    return (("guide", guide), ("heuristics", heuristics))


CONFIGURATIONS = (
    Configuration("none", "cegar", _guided("none", ""), "none"),
    Configuration("abs1", "cegar", _guided("lattice", "place_invariants"), "abs1"),
    Configuration("abs2", "cegar", _guided("lattice", "accelerated_actions"), "abs2"),
    Configuration("abs3", "cegar", _guided("lattice", "parikh"), "abs3"),
    Configuration("all", "cegar", _guided("lattice", _ALL), "all"),
    Configuration("optimal", "cegar", _guided("optimal", _ALL)),
    Configuration("default"),
)
"""The built-in configurations: the paper's columns, then ours."""


@dataclass(frozen=True, slots=True)
class Record:
    """One measured cell."""

    question: Question
    configuration: Configuration
    measurement: Measurement

    @property
    def right(self) -> bool:
        """Whether there is a verdict that nothing is known to contradict."""
        return self.measurement.status == "decided" and not self.wrong

    @property
    def wrong(self) -> bool:
        """Whether the verdict contradicts what is known."""
        return self.measurement.status == "decided" and self.question.expected not in (
            "unknown",
            self.measurement.verdict,
        )


def parse_configuration(text: str) -> Configuration:
    """A configuration as users type it: a built-in NAME, or NAME=ENGINE[:FIELD=VALUE,...].

    A value may contain commas, as long as no part of it looks like FIELD=VALUE.

    Raises:
        QueryError: no such configuration, engine, field or value, or no name is given.
    """
    name, defined, definition = text.partition("=")
    if not defined:
        for configuration in CONFIGURATIONS:
            if configuration.name == name:
                return configuration
        known = ", ".join(configuration.name for configuration in CONFIGURATIONS)
        raise QueryError(
            f"unknown configuration {name!r}; known: {known};"
            " or define one as NAME=ENGINE:FIELD=VALUE,..."
        )
    if not name:
        raise QueryError(f"configuration {text!r} has no name before the first '='")
    engine, _, fields = definition.partition(":")
    options = _fields(name, fields)
    plugins.build("engines", engine, dict(options))
    return Configuration(name, engine, options)


def parse_configurations(texts: Sequence[str]) -> tuple[Configuration, ...]:
    """The configurations as users type them; all built-in ones where none is given.

    Raises:
        QueryError: as `parse_configuration` does, or two have the same name.
    """
    parsed = tuple(dict.fromkeys(parse_configuration(text) for text in texts))
    names = [configuration.name for configuration in parsed]
    for name in names:
        if names.count(name) > 1:
            raise QueryError(f"two configurations are named {name!r}")
    return parsed or CONFIGURATIONS


def figure(question: Question, configuration: Configuration) -> Figure | None:
    """What the paper reports for the cell; None for its timeout, or where it reports nothing."""
    if question.paper is None or not configuration.column:
        return None
    return question.paper.figures[COLUMNS.index(configuration.column)]


def select(questions: Iterable[Question], pattern: str) -> tuple[Question, ...]:
    """The questions whose name matches a shell pattern, each once."""
    return tuple(dict.fromkeys(q for q in questions if fnmatchcase(q.name, pattern)))


def run(
    questions: Sequence[Question],
    configurations: Sequence[Configuration],
    timeout: float,
    jobs: int = 1,
    report: Callable[[str], None] = lambda _: None,
) -> Iterator[Record]:
    """Measure every question under every configuration.

    Closing the iterator, or an exception such as Ctrl-C, kills every process that was started.

    Args:
        questions: the rows.
        configurations: the columns.
        timeout: seconds for each cell, counted from its parsed problem.
        jobs: how many cells run at once, at least 1.
        report: receives one line of progress for each cell.

    Yields:
        Records, in the order in which cells end: with one job row by row.
    """
    waiting = deque((question, column) for question in questions for column in configurations)
    total = len(waiting)
    idle: list[Worker] = []
    busy: dict[Worker, tuple[Question, Configuration]] = {}
    try:
        for done in range(1, total + 1):
            while waiting and len(busy) < jobs:
                worker = idle.pop() if idle else Worker.start()
                question, column = busy[worker] = waiting.popleft()
                worker.send(Cell(question, column.engine, column.options, timeout))
            worker = _next(busy)
            question, column = busy[worker]
            record = Record(question, column, worker.receive())
            del busy[worker]
            if worker.alive:
                idle.append(worker)
            report(f"{done}/{total} {question.name} {column.name}: {outcome(record)}")
            yield record
    finally:
        for worker in (*idle, *busy):
            worker.end()


def outcome(record: Record) -> str:
    """What came of a cell, in a few words."""
    measurement = record.measurement
    match measurement.status:
        case "decided":
            cost = f"{measurement.refinements} refinements, {measurement.cpu_seconds:.2f} s"
            wrong = f" WRONG, {record.question.expected} is expected" if record.wrong else ""
            return f"{measurement.verdict}{wrong}, {cost}"
        case "error":
            return f"error, {measurement.error}: {measurement.reason}"
        case status:
            return f"{status}, {measurement.reason.partition(chr(10))[0]}"


def exit_status(records: Iterable[Record]) -> int:
    """5 where a verdict is wrong; else the status of the gravest error; else 0.

    Errors are 4 where petricheck is to blame, 3 where an input and 2 where a question was refused.
    What is undecided, for a limit or otherwise, is a result and no failure.
    """
    refusals = {"": 0, "QueryError": 2, "InputError": 3}
    return max(
        (5 if record.wrong else refusals.get(record.measurement.error, 4) for record in records),
        default=0,
    )


def _next(busy: Iterable[Worker]) -> Worker:
    """A worker that has an answer, or has died; waits for one."""
    workers = {worker.channel: worker for worker in busy}
    first = wait(list(workers))[0]
    return next(worker for channel, worker in workers.items() if channel is first)


def _fields(name: str, text: str) -> tuple[tuple[str, str], ...]:
    """FIELD=VALUE,... where a part without '=' continues the value before it."""
    found: list[tuple[str, str]] = []
    for part in text.split(",") if text else ():
        field, assigned, value = part.partition("=")
        if assigned:
            found.append((field, value))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]},{part}")
        else:
            raise QueryError(f"configuration {name}: FIELD=VALUE is expected, not {part!r}")
    return tuple(found)
