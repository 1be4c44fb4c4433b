"""Results of other tools, from the result files that BenchExec writes.

BenchExec runs a tool on the tasks that `tasks` writes; each of its result files (XML, plain or
bzip2) has the runs of one run definition. A run belongs to the question that its task was written
for: the name of the task tells which, and of what net. It becomes a row of the batch, under a
configuration named after the tool; nobody audits its verdict.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element, TreeBuilder

from petricheck.batch.benchexec.tasks import PROPERTY, task_name
from petricheck.batch.cells import Cell, CellLimits, CellOutcome, Host, Status
from petricheck.batch.configurations import Configuration
from petricheck.batch.store import Store
from petricheck.formats.scanning.xml import XmlScanner
from petricheck.questions import VERDICTS
from petricheck.support.budget import MEBIBYTE
from petricheck.support.errors import InputError
from petricheck.support.files import pieces, pieces_of

LARGEST = 1 << 28
"""Bytes of a result file that are read."""

_NUMBER = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)(?:s|B)?")

_STATUSES: Mapping[str, tuple[Status, bool | None]] = {
    "true": ("decided", False),
    "false": ("decided", True),
    "unknown": ("unknown", None),
    "done": ("unknown", None),
    "TIMEOUT": ("timeout", None),
    "OUT OF MEMORY": ("memory", None),
    "OUT OF JAVA MEMORY": ("memory", None),
}
"""What BenchExec's words mean, before what it adds in parentheses: what came of the run, and
whether the target is reachable, which is a violation. All others are errors."""


class Imported(NamedTuple):
    """The numbers of rows that were imported, of runs without question, and of unfinished runs."""

    configuration: str
    rows: int
    others: int
    unfinished: int


def import_results(folder: Path, path: str, seconds: float) -> Imported:
    """Add the runs of a result file to a batch; all are checked before the first is added.

    The folder of the batch has results of the questions; the limit on wall time is in seconds,
    which result files do not tell. InputError where a file cannot be read or written, or the batch
    has the row already.
    """
    results = read_results(path)
    configuration, limits = configuration_of(results), _limits(results, seconds)
    Store.read(folder).close()  # where there is no batch none is begun
    with Store.resume(folder) as store:
        records = store.records()
        by_task = {_task_of(record.cell): record for record in records}
        runs = [(by_task.get(_task(run)), _columns(run)) for run in results.findall("run")]
        matched = [(record, columns) for record, columns in runs if record is not None]
        keys = {record.cell.key for record in records}
        rows: dict[Cell, tuple[CellOutcome, str]] = {}
        for record, columns in matched:
            if "status" in columns:
                cell = Cell(record.cell.question, configuration, limits)
                if cell.key in keys:
                    message = f"the batch has a result of {configuration.name} for {cell.key[1]}"
                    raise InputError(f"{message} already; import into a copy of it", path=path)
                keys.add(cell.key)
                rows[cell] = _outcome(results, columns), record.net
        store.plan(tuple(rows))
        for cell, (outcome, net) in rows.items():
            store.commit(cell, outcome, net)
    return Imported(
        configuration.name, len(rows), len(runs) - len(matched), len(matched) - len(rows)
    )


def read_results(path: str) -> Element:
    """Return the root; InputError where this is no result file of BenchExec, or cannot be read."""
    tree = TreeBuilder()
    XmlScanner(path, doctype=True).run(_uncompressed(path), tree.start, tree.end, lambda _: None)
    root = tree.close()
    if root.tag != "result" or not root.get("tool"):
        reason = "is no result file of BenchExec: its root is no <result> that names a tool"
        raise InputError(reason, path=path)
    return root


def configuration_of(results: Element) -> Configuration:
    """Return the tool with the name of the run definition; its version, and the options of that."""
    name, block = results.get("name", ""), results.get("block")
    if block is not None:
        name = name.removesuffix(block).removesuffix(".")
    named = unquote(".".join(part for part in (results.get("tool"), name) if part))
    parts = (results.get(name, "") for name in ("tool", "version", "options"))
    return Configuration(named, "", tool=" ".join(part for part in parts if part))


def _task_of(cell: Cell) -> str:
    return task_name(cell.question, (file.name.partition(".")[0] for file in cell.files))


def _task(run: Element) -> str:
    """Return the name of the task that a run is of; empty where it is about another property."""
    if run.get("properties") != Path(PROPERTY).stem:
        return ""
    return PurePosixPath(run.get("name", "")).name.removesuffix(".yml")


def _columns(run: Element) -> Mapping[str, str]:
    values = ((column.get("title", ""), column.get("value")) for column in run.findall("column"))
    return {title: value for title, value in values if value is not None}


def _outcome(results: Element, columns: Mapping[str, str]) -> CellOutcome:
    status_text = columns["status"]
    status, reachable = _STATUSES.get(status_text.partition("(")[0].strip(), ("error", None))
    peak = _number(columns.get("memory"))
    return CellOutcome(
        status,
        VERDICTS.describe(reachable),
        reachable,
        engine=results.get("tool", "") if status == "decided" else "",
        reason="" if status == "decided" else f"BenchExec tells {status_text}",
        error=status_text if status == "error" else "",
        cpu_seconds=_number(columns.get("cputime")),
        seconds=_number(columns.get("walltime")),
        memory=None if peak is None else int(peak),
        host=_host(results),
    )


def _limits(results: Element, seconds: float) -> CellLimits:
    memory = _number(results.get("memlimit"))
    mebibytes = None if memory is None else max(1, int(memory) // MEBIBYTE)
    return CellLimits(seconds, _number(results.get("timelimit")), mebibytes)


def _host(results: Element) -> Host | None:
    """Return the machine that was described last; None where none is."""
    for info in reversed(results.findall("systeminfo")):
        parts = [info.find(tag) for tag in ("os", "cpu", "ram")]
        match parts:
            case [Element() as system, Element() as cpu, Element() as ram]:
                return Host(
                    info.get("hostname", ""),
                    system.get("name", ""),
                    int(_number(cpu.get("cores")) or 0),
                    int(_number(ram.get("size")) or 0),
                    ((results.get("tool", ""), results.get("version", "")),),
                )
    return None


def _number(text: str | None) -> float | None:
    """Return a number in BenchExec's units, seconds or bytes; None where there is none."""
    number = _NUMBER.fullmatch(text or "")
    return number and float(number[1])


def _uncompressed(path: str) -> Iterator[bytes]:
    if not path.endswith(".bz2"):
        yield from pieces(path, LARGEST)
        return
    try:
        with bz2.open(path) as file:
            yield from pieces_of(file, path, LARGEST)  # type: ignore[arg-type]  # only read
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    except EOFError:
        raise InputError("the bzip2 file is cut off; copy it again", path=path) from None
