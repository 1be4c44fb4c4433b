"""The runner of batches: plan the cells, leave out what is done, commit each as it ends."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from petricheck import plugins
from petricheck.batch.cells import Cell, Key, Limits, Outcome, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.executors import Executor
from petricheck.batch.questions.index import Question
from petricheck.batch.store import Store
from petricheck.batch.store.rows import storable
from petricheck.errors import InputError, QueryError


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a batch is.

    Attributes:
        total: cells of the batch.
        done: those that are recorded.
        right: those with a verdict that nothing is known to contradict.
        wrong: those with a verdict that contradicts what is known.
        running: those that have begun, in this order.
        seconds: since the start of this run.
        resumed: those that were recorded before this run.
    """

    total: int
    done: int
    right: int
    wrong: int
    running: tuple[Key, ...]
    seconds: float
    resumed: int = 0

    @property
    def seconds_left(self) -> float | None:
        """As long as it takes if the rest goes as fast; None where nobody can tell yet."""
        fresh = self.done - self.resumed
        return self.seconds / fresh * (self.total - self.done) if fresh else None


Report = Callable[[Progress], None]


def plan(
    questions: Iterable[Question], configurations: Sequence[Configuration], limits: Limits
) -> tuple[Cell, ...]:
    """The cells of a batch: every question under every configuration, question by question.

    An engine that can use several processes gets one, unless the configuration says otherwise: so
    cells that run side by side do not disturb each other, and results do not depend on how many do.

    Raises:
        QueryError: two cells could not be told apart, or a name is no text.
    """
    frugal = [_frugal(configuration) for configuration in configurations]
    cells = [
        Cell(question, configuration, limits)
        for question in dict.fromkeys(questions)
        for configuration in frugal
    ]
    for (collection, name, configuration), count in Counter(cell.key for cell in cells).items():
        if count > 1:
            raise QueryError(
                f"{count} questions named {name!r} of collection {collection!r} would be asked"
                f" under {configuration!r}; give each its own name, or its own batch"
            )
        for text in (collection, name, configuration):
            if storable(text) != text:
                raise QueryError(f"the name {text!r} is no text in Unicode; rename it")
    return tuple(cells)


def run(
    cells: Sequence[Cell], store: Store, executor: Executor, report: Report = lambda _: None
) -> Iterator[Record]:
    """Decide the cells that are not done yet, and commit each.

    Closing the iterator, or an exception such as Ctrl-C, kills every process that was started; what
    was committed stays.

    Args:
        cells: as planned.
        store: open for writing; gets copies of the cells' files, and the outcomes.
        executor: where cells are decided.
        report: is told of the progress when a cell begins and when one ends; must not raise.

    Yields:
        Records, each durable, in the order in which cells end.

    Raises:
        InputError: a file cannot be read, the store cannot be written, or what is done already was
            done under other circumstances than are planned now.
    """
    copies: dict[Path, Path] = {}
    for file in (file for cell in cells for file in cell.files):
        if file not in copies:
            copies[file] = store.keep(file)
    kept = {cell.key: cell.at(copies) for cell in cells}
    given = {cell.key: cell for cell in cells}
    done = {record.cell.key: record for record in store.records() if record.cell.key in kept}
    _require_same(store, done, kept)
    store.plan(tuple(kept.values()))
    course = _Course(len(kept), done.values(), report)
    waiting = (course.begun(cell) for key, cell in kept.items() if key not in done)
    outcomes = cast(Generator[tuple[Cell, Outcome], None, None], executor.run(waiting))
    with closing(outcomes):
        for cell, outcome in outcomes:
            whole, asked = kept[cell.key], given[cell.key]
            told = _by_given_names(outcome, whole, asked)
            record = store.commit(whole, told, asked.question.net.name)
            course.ended(record)
            yield record


class _Course:
    """What is counted while a batch runs."""

    def __init__(self, total: int, done: Iterable[Record], report: Report) -> None:
        self._report = report
        self._started = time.monotonic()
        self._running: dict[Key, None] = {}
        self._progress = Progress(total, 0, 0, 0, (), 0.0)
        for record in done:
            self._count(record)
        self._progress = replace(self._progress, resumed=self._progress.done)

    def begun(self, cell: Cell) -> Cell:
        """The cell, which begins now."""
        self._running[cell.key] = None
        self._tell()
        return cell

    def ended(self, record: Record) -> None:
        """A cell is recorded."""
        self._running.pop(record.cell.key, None)
        self._count(record)
        self._tell()

    def _count(self, record: Record) -> None:
        so_far = self._progress
        self._progress = replace(
            so_far,
            done=so_far.done + 1,
            right=so_far.right + record.right,
            wrong=so_far.wrong + record.wrong,
        )

    def _tell(self) -> None:
        seconds = time.monotonic() - self._started
        self._report(replace(self._progress, running=tuple(self._running), seconds=seconds))


def _by_given_names(outcome: Outcome, kept: Cell, given: Cell) -> Outcome:
    """The outcome with a reason that names files as they were given, and not the copies."""
    reason = outcome.reason
    for copy, file in zip(kept.files, given.files, strict=True):
        for name in (str(copy.absolute()), copy.name):
            reason = reason.replace(name, file.name)
    return replace(outcome, reason=reason)


def _frugal(configuration: Configuration) -> Configuration:
    """The configuration with one process for an engine that could use more."""
    given = {name for name, _ in configuration.options}
    if "jobs" in given:
        return configuration
    declared = plugins.options(plugins.member("engines", configuration.engine))
    if all(option.name != "jobs" for option in declared):
        return configuration
    return replace(configuration, options=(*configuration.options, ("jobs", "1")))


def _require_same(store: Store, done: dict[Key, Record], planned: dict[Key, Cell]) -> None:
    changed = {key: _changes(record, planned[key]) for key, record in done.items()}
    told = [f"{' '.join(key)}: {', '.join(what)}" for key, what in changed.items() if what]
    if told:
        more = f"; and {len(told) - 1} more" if len(told) > 1 else ""
        reason = f"a cell that is done would differ now, {told[0]}{more}; undo that, or start anew"
        raise InputError(reason, path=str(store.folder))


def _changes(record: Record, planned: Cell) -> tuple[str, ...]:
    """What differs between a cell as it was done and as it is planned, in words.

    Commentary (why, source, row) may change.
    """
    before, now = record.cell.question, planned.question
    quietly = (
        ("the net", before.net.name, now.net.name),
        ("the target", (before.kind, before.target), (now.kind, now.target)),
    )
    verdicts = f"the expected verdict ({before.expected_text} then, {now.expected_text} now)"
    then, here = record.cell.limits, planned.limits
    aloud = (
        ("bounded", before.bounded, now.bounded),
        (
            "the configuration",
            record.cell.configuration.definition,
            planned.configuration.definition,
        ),
        ("the limit in seconds", then.seconds, here.seconds),
        ("the limit in CPU seconds", then.cpu_seconds, here.cpu_seconds),
        ("the limit in MiB", then.memory, here.memory),
    )
    return (
        *(what for what, a, b in quietly if a != b),
        *([verdicts] if before.expected != now.expected else []),
        *(f"{what} ({a} then, {b} now)" for what, a, b in aloud if a != b),
    )
