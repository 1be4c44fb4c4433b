"""Results of other tools, from the result files that BenchExec writes.

BenchExec runs a tool on the tasks that `tasks` writes; each of its result files (XML, plain or
bzip2) has the runs of one run definition. A run belongs to the question that its task was written
for: the names of the task and of its files tell which, and what the files held. It becomes a row of
the batch, under a configuration named after the tool; nobody audits its verdict.
"""

from __future__ import annotations

import bz2
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from petricheck.batch.cells import Cell, Host, Limits, Outcome, Record, Status
from petricheck.batch.configurations import Configuration
from petricheck.batch.store import Store
from petricheck.batch.tasks import HASH, PROPERTY, hash_of_text, task_name
from petricheck.budget import MEBIBYTE
from petricheck.errors import InputError
from petricheck.files import pieces, pieces_of
from petricheck.questions import VERDICTS
from petricheck.scanning.xml import Scanner

LARGEST = 1 << 28
"""Bytes of a result file that are read."""

_NUMBER = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)(?:s|B)?")
_MACHINE = {"systeminfo", "os", "cpu", "ram"}


@dataclass(slots=True)
class ResultFile:
    """What a result file says, as attributes of its elements.

    Attributes:
        path: of the file.
        head: of the root.
        runs: of each run, its columns among them by their titles.
        machine: of the elements that describe the machine, by tag; of the last one described.
    """

    path: str
    head: dict[str, str] = field(default_factory=dict)
    runs: list[dict[str, str]] = field(default_factory=list)
    machine: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The tool's name and that of the run definition, where it has one."""
        block, name = self.head.get("block"), self.head.get("name", "")
        if block is not None:
            name = name.removesuffix(block).removesuffix(".")
        return _text(unquote(".".join(part for part in (self.head["tool"], name) if part)))

    @property
    def configuration(self) -> Configuration:
        """The tool, with its version and the options of the run definition."""
        parts = (self.head.get(name, "") for name in ("tool", "version", "options"))
        return Configuration(self.name, "", tool=_text(" ".join(part for part in parts if part)))


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of a result file.

    Attributes:
        configuration: the name of the rows.
        rows: how many were added.
        others: how many runs are of no question of the batch.
        unfinished: how many runs have no result.
    """

    configuration: str
    rows: int
    others: int
    unfinished: int


def import_results(folder: Path, path: str, seconds: float) -> Imported:
    """Add the runs of a result file to a batch; all are checked before the first is added.

    Args:
        folder: of the batch, which has results of the questions.
        path: of the result file.
        seconds: the limit on wall time, which result files do not tell.

    Raises:
        InputError: a file cannot be read or written, a run is about something else than the
            question of its name, or the batch has the row already.
    """
    file = read_results(path)
    Store.read(folder).close()  # where there is no batch none is begun
    with Store.resume(folder) as store:
        records = store.records()
        questions = {task_name(record.cell.question): record for record in records}
        known = [(run, questions[_task(run)]) for run in file.runs if _task(run) in questions]
        rows: dict[Cell, tuple[Outcome, str]] = {}
        done = {record.cell.key for record in records}
        for run, record in known:
            if "status" in run:
                cell = _cell(file, run, record, seconds)
                if cell.key in done:
                    reason = f"the batch has a result of {file.name} for {cell.key[1]} already"
                    raise InputError(f"{reason}; import into a copy of it", path=file.path)
                done.add(cell.key)
                rows[cell] = _outcome(file, run), record.net
        store.plan(tuple(rows))
        for cell, (outcome, net) in rows.items():
            store.commit(cell, outcome, net)
    return Imported(file.name, len(rows), len(file.runs) - len(known), len(known) - len(rows))


def read_results(path: str) -> ResultFile:
    """What a result file says.

    Raises:
        InputError: it cannot be read, or is no result file of BenchExec.
    """
    file = ResultFile(path)
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        match depth, tag:
            case 1, "result":
                file.head.update(attributes)
            case 2, "run":
                file.runs.append(dict(attributes))
            case 3, "column" if file.runs and "value" in attributes:
                file.runs[-1].setdefault(attributes.get("title", ""), attributes["value"])
            case (2, "systeminfo") | (3, "os" | "cpu" | "ram"):
                file.machine[tag] = attributes

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    Scanner(path, doctype=True).run(_plain(path), start, end, lambda _: None)
    if not file.head.get("tool"):
        reason = "is no result file of BenchExec: its root is no <result> that names a tool"
        raise InputError(reason, path=path)
    return file


def _plain(path: str) -> Iterator[bytes]:
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


def _task(run: Mapping[str, str]) -> str:
    """The name of the task that a run is of; empty where it is about another property."""
    if run.get("properties") != Path(PROPERTY).stem:
        return ""
    return PurePosixPath(run.get("name", "")).name.removesuffix(".yml")


def _cell(file: ResultFile, run: Mapping[str, str], record: Record, seconds: float) -> Cell:
    """The cell of a run.

    Raises:
        InputError: the run is about something else than the record's question.
    """
    question = record.cell.question
    beginnings = [*(file.name[:HASH] for file in record.cell.files), hash_of_text(question)]
    if not all(f"/{beginning}" in run.get("files", "") for beginning in beginnings):
        reason = (
            f"the run {run['name']} is of another net or question than {question.name} of the "
            "batch; write the tasks anew, of what the batch asks, and run them"
        )
        raise InputError(reason, path=file.path)
    memory = _number(file.head.get("memlimit"))
    mebibytes = None if memory is None else max(1, int(memory) // MEBIBYTE)
    limits = Limits(seconds, _number(file.head.get("timelimit")), mebibytes)
    return Cell(question, file.configuration, limits)


def _outcome(file: ResultFile, run: Mapping[str, str]) -> Outcome:
    status, reachable = _judged(run["status"])
    decided = status == "decided"
    peak = _number(run.get("memory"))
    return Outcome(
        status,
        VERDICTS.tell(reachable),
        reachable,
        engine=file.head["tool"] if decided else "",
        reason="" if decided else f"BenchExec tells {run['status']}",
        error=run["status"] if status == "error" else "",
        cpu_seconds=_number(run.get("cputime")),
        seconds=_number(run.get("walltime")),
        memory=None if peak is None else int(peak),
        host=_host(file),
    )


def _judged(status: str) -> tuple[Status, bool | None]:
    """What BenchExec calls a status, and whether the target is reachable, which is a violation."""
    if status == "true":
        return "decided", False
    if status == "false" or status.startswith("false("):
        return "decided", True
    if status.startswith("TIMEOUT"):
        return "timeout", None
    if status.startswith(("OUT OF MEMORY", "OUT OF JAVA MEMORY")):
        return "memory", None
    return ("unknown" if status in ("unknown", "done") else "error"), None


def _host(file: ResultFile) -> Host | None:
    if not file.machine.keys() >= _MACHINE:
        return None
    return Host(
        file.machine["systeminfo"].get("hostname", ""),
        file.machine["os"].get("name", ""),
        int(_number(file.machine["cpu"].get("cores")) or 0),
        int(_number(file.machine["ram"].get("size")) or 0),
        ((file.head["tool"], file.head.get("version", "")),),
    )


def _text(text: str) -> str:
    """The text, without the halves of characters."""
    return text.encode("utf-8", "replace").decode()


def _number(text: str | None) -> float | None:
    """A number with the unit that BenchExec writes, seconds or bytes; None where there is none."""
    number = _NUMBER.fullmatch(text or "")
    return number and float(number[1])
