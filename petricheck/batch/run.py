"""The runner of batches: plan the cells, leave out what is done, commit each as it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

from petricheck.batch.cells import Cell, CellLimits, CellOutcome, CellRecord, Key
from petricheck.batch.configurations import Configuration
from petricheck.batch.executors import Executor
from petricheck.batch.questions.index import BatchQuestion
from petricheck.batch.store import Store
from petricheck.support import plugins
from petricheck.support.errors import InputError, QueryError


def plan(
    questions: Iterable[BatchQuestion], configurations: Sequence[Configuration], limits: CellLimits
) -> tuple[Cell, ...]:
    """Return the cells of a batch: every question under every configuration, question by question.

    An engine that can use several processes gets one, unless the configuration says otherwise: so
    cells that run side by side do not disturb each other, and results do not depend on how many do.
    QueryError where two cells could not be told apart, or a name is no text.
    """
    frugal = [_frugal(configuration) for configuration in configurations]
    cells = [
        Cell(question, configuration, limits)
        for question in dict.fromkeys(questions)
        for configuration in frugal
    ]
    for key, count in Counter(cell.key for cell in cells).items():
        collection, name, configuration = key
        if count > 1:
            raise QueryError(
                f"{count} questions named {name!r} of collection {collection!r} would be asked"
                f" under {configuration!r}; give each its own name, or its own batch"
            )
        for text in key:
            if text != text.encode("utf-8", "replace").decode():
                raise QueryError(f"the name {text!r} is no text in Unicode; rename it")
    return tuple(cells)


def with_earlier(
    cells: Sequence[Cell], records: Sequence[CellRecord], folder: Path
) -> tuple[Cell, ...]:
    """Return the cells with the evidence of earlier cells, whose files are in the folder.

    That of the same question is under the same configuration, or else under another one; questions
    are the same by their name and collection, or else by their name.
    """
    names = dict[Key | str, str]()
    for record in records:
        if record.evidence:
            collection, question, _ = record.cell.key
            names[record.cell.key] = record.evidence
            names[collection, question, ""] = names[question] = record.evidence

    def evidence(cell: Cell) -> Path | None:
        collection, question, _ = cell.key
        keys = (cell.key, (collection, question, ""), question)
        name = next((names[key] for key in keys if key in names), None)
        return None if name is None else folder / name

    return tuple(replace(cell, earlier=evidence(cell)) for cell in cells)


def run(
    cells: Sequence[Cell],
    store: Store,
    executor: Executor,
    begin: Callable[[Cell], None] = lambda _: None,
) -> Iterator[CellRecord]:
    """Decide the cells, as planned, that are not done yet, and commit each to the open store.

    A cell that ended at a limit is tried again under higher limits; what else is done is kept, with
    the limits that it had.

    Each is decided on copies of its files, so that what happens to a file meanwhile changes
    nothing. Closing the iterator, or an exception such as Ctrl-C, kills every process that was
    started; what was committed stays. `begin`, which must not raise, is told of each cell when it
    begins. Yield records, each kept, in the order in which cells end. InputError where a file
    cannot be read, the store cannot be written, or what is done was done under other circumstances
    than are planned now.
    """
    names = {file: store.keep(file) for file in dict.fromkeys(f for c in cells for f in c.files)}
    originals = {cell.key: cell for cell in cells}
    stored_cells = {cell.key: cell.at(names) for cell in cells}
    records = {
        record.cell.key: record for record in store.records() if record.cell.key in stored_cells
    }
    _require_same(store, records, stored_cells)
    again = [key for key, record in records.items() if ended_below(record, originals[key])]
    for key in again:
        del records[key]
    for key, record in records.items():
        stored_cells[key] = replace(stored_cells[key], limits=record.cell.limits)
    store.plan(tuple(stored_cells.values()), again)
    waiting = [cell for key, cell in originals.items() if key not in records]
    with store.unpacked(names[file] for cell in waiting for file in cell.files) as folder:
        copies = {file: folder / name for file, name in names.items()}

        def beginning() -> Iterator[Cell]:
            for cell in waiting:
                begin(cell)
                yield cell.at(copies)

        outcomes = cast(Generator[tuple[Cell, CellOutcome], None, None], executor.run(beginning()))
        with closing(outcomes):
            for cell, outcome in outcomes:
                original = originals[cell.key]
                named = _by_given_names(outcome, cell, original)
                yield store.commit(stored_cells[cell.key], named, original.question.net.name)


def ended_below(record: CellRecord, planned: Cell) -> bool:
    """Return whether the cell ended at a limit, and is planned now with a higher one."""
    old, new = record.cell.limits, planned.limits
    match record.outcome.status:
        case "timeout":
            pairs = [(old.seconds, new.seconds), (old.cpu_seconds, new.cpu_seconds)]
        case "memory":
            pairs = [(old.memory, new.memory)]
        case _:
            pairs = []
    return any(before != after and _is_raised(before, after) for before, after in pairs)


def _is_raised(before: object, now: object) -> bool:
    """Return whether a limit is the same or higher now; None is no limit."""
    numbers = (int, float)
    return now is None or (
        isinstance(before, numbers) and isinstance(now, numbers) and now >= before
    )


def _by_given_names(outcome: CellOutcome, copied: Cell, original: Cell) -> CellOutcome:
    """Return the outcome with a reason that names files as they were given, and not the copies."""
    reason = outcome.reason
    for copy, file in zip(copied.files, original.files, strict=True):
        for name in (str(copy.absolute()), copy.name):
            reason = reason.replace(name, file.name)
    return replace(outcome, reason=reason)


def _frugal(configuration: Configuration) -> Configuration:
    """Return the configuration with one process for an engine that could use more."""
    options = plugins.options(plugins.member("engines", configuration.engine))
    set_options = {name for name, _ in configuration.options}
    if "jobs" in set_options or all(option.name != "jobs" for option in options):
        return configuration
    return replace(configuration, options=(*configuration.options, ("jobs", "1")))


def _require_same(store: Store, done: dict[Key, CellRecord], planned: dict[Key, Cell]) -> None:
    differences = [
        f"{' '.join(key)}: {', '.join(changes)}"
        for key, record in done.items()
        if (changes := _changes(record.cell, planned[key]))
    ]
    if differences:
        more = f"; and {len(differences) - 1} more" if len(differences) > 1 else ""
        reason = f"a cell that is done would differ now, {differences[0]}{more}"
        raise InputError(f"{reason}; undo that, or start anew", path=str(store.folder))


def _changes(stored: Cell, planned: Cell) -> list[str]:
    """Return the differences between a cell as done and as planned, in words.

    Commentary (why, source, row) may change, and limits may be raised.
    """
    old, new = _circumstances(stored), _circumstances(planned)
    return [
        what if what in ("the net", "the target") else f"{what} ({before} then, {new[what]} now)"
        for what, before in old.items()
        if before != new[what] and not (what in _LIMITS and _is_raised(before, new[what]))
    ]


def _circumstances(cell: Cell) -> dict[str, object]:
    """Return the data that an outcome depends on, or is compared with."""
    question, limits = cell.question, cell.limits
    return {
        "the net": question.net.name,
        "the target": (
            question.kind,
            question.text,
            question.properties,
            question.initial,
        ),
        "the expected verdict": question.expected_text,
        "bounded": question.bounded,
        "the configuration": cell.configuration.definition,
        **dict(zip(_LIMITS, (limits.seconds, limits.cpu_seconds, limits.memory), strict=True)),
    }


_LIMITS = ("the limit in seconds", "the limit in CPU seconds", "the limit in MiB")
