"""The store of a batch: a folder with an SQLite database, copies of the nets, and evidence.

    DIR/batch.sqlite           one row a cell that is done, written when it is done
    DIR/files/SHA256.pnml      what was asked about: nets and files of properties, by content
    DIR/evidence/SHA256.json   evidence, by content

The database is the truth. A row is committed, through the write-ahead log, after its evidence is
on the disk under its final name; so neither a killed process nor a power failure leaves a row
without its evidence, and what has no row is done again. One process writes at a time: it holds a
lock that the system releases however the process ends.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from petricheck.batch.cells import Cell, Host, Key, Limits, Outcome, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.index import Bound, Figure, OfFile, Published, Question, Target, Words
from petricheck.errors import InputError

FORMAT = 1
"""Raised when the columns change."""

DATABASE = "batch.sqlite"

_COLUMNS: Mapping[str, str] = {
    "collection": "TEXT NOT NULL",
    "question": "TEXT NOT NULL",
    "configuration": "TEXT NOT NULL",
    "definition": "TEXT NOT NULL",
    "status": "TEXT NOT NULL",
    "verdict": "TEXT NOT NULL",
    "expected": "TEXT NOT NULL",
    "engine": "TEXT NOT NULL",
    "audit": "TEXT NOT NULL",
    "reason": "TEXT NOT NULL",
    "error": "TEXT NOT NULL",
    "iterations": "INTEGER",
    "states": "INTEGER",
    "seconds": "REAL",
    "cpu_seconds": "REAL",
    "memory": "INTEGER",
    "attempts": "INTEGER NOT NULL",
    "net": "TEXT NOT NULL",
    "net_sha256": "TEXT NOT NULL",
    "bounded": "INTEGER",
    "target": "TEXT NOT NULL",
    "evidence": "TEXT",
    "finished": "TEXT NOT NULL",
    "host": "TEXT",
    "asked": "TEXT NOT NULL",
    "configured": "TEXT NOT NULL",
    "limits": "TEXT NOT NULL",
}
"""Columns of the table `cell`; the last four hold JSON."""


class Store:
    """An open store. Use `Store.create`, `Store.resume` or `Store.read`.

    Attributes:
        folder: where it is.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: IO[bytes] | None) -> None:
        self.folder = folder
        self._database = database
        self._lock = lock

    @classmethod
    def create(cls, folder: Path) -> Store:
        """A new store in a folder that holds none; the folder is made if need be.

        Raises:
            InputError: it holds one already, another batch writes there, or it cannot be written.
        """
        return cls._writing(folder, resume=False)

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """The store in a folder, or a new one where there is none yet.

        Raises:
            InputError: another batch writes there, what is there is no store, or it cannot be
                written.
        """
        return cls._writing(folder, resume=True)

    @classmethod
    def read(cls, folder: Path) -> Store:
        """The store in a folder, to read from, even while a batch writes there.

        Raises:
            InputError: there is none.
        """
        path = folder / DATABASE
        if not path.is_file():
            raise InputError(f"holds no batch: {DATABASE} is missing", path=str(folder))
        return cls(folder, _connect(path), None)

    @classmethod
    def _writing(cls, folder: Path, resume: bool) -> Store:
        try:
            for part in (folder, folder / "files", folder / "evidence"):
                part.mkdir(parents=True, exist_ok=True)
            lock = (folder / "lock").open("ab")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", path=str(folder)) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            store = cls(folder, _connect(folder / DATABASE), lock)
        except BlockingIOError:
            lock.close()
            reason = "another batch is writing here; wait for it, or choose another folder"
            raise InputError(reason, path=str(folder)) from None
        except InputError:
            lock.close()
            raise
        if not resume and store.keys():
            store.close()
            reason = "holds a batch already; --resume continues it"
            raise InputError(reason, path=str(folder))
        return store

    def close(self) -> None:
        """Release the lock and the files."""
        self._database.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def keep(self, path: Path) -> Path:
        """A copy of the file in the store, named by its content.

        Raises:
            InputError: the file cannot be read, or the copy cannot be written.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=str(path)) from None
        return self._write("files", data, _suffix(path))

    def keys(self) -> frozenset[Key]:
        """The cells that are done."""
        rows = self._database.execute("SELECT collection, question, configuration FROM cell")
        return frozenset((c, q, n) for c, q, n in rows)

    def commit(self, cell: Cell, outcome: Outcome, net: str) -> Record:
        """Keep the outcome of a cell whose files are the store's copies; durable on return.

        Args:
            cell: the cell; not among `keys`.
            outcome: what came of it.
            net: name of the net's file as it was given.

        Raises:
            InputError: it cannot be written.
        """
        evidence = self._write("evidence", outcome.evidence, ".json") if outcome.evidence else None
        record = Record(
            cell,
            replace(outcome, evidence=b""),
            net,
            cell.question.net.name.partition(".")[0],
            evidence,
            datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        names = ", ".join(_COLUMNS)
        marks = ", ".join(f":{name}" for name in _COLUMNS)
        try:
            with self._database:
                self._database.execute(
                    f"INSERT INTO cell ({names}) VALUES ({marks})", self._row(record)
                )
        except sqlite3.Error as error:
            raise InputError(f"cannot be written: {error}", path=str(self.folder)) from None
        return record

    def records(self) -> tuple[Record, ...]:
        """All that is done, in the order in which it was."""
        names = ", ".join(_COLUMNS)
        rows = self._database.execute(f"SELECT {names} FROM cell ORDER BY rowid")
        return tuple(self._record(dict(zip(_COLUMNS, row, strict=True))) for row in rows)

    def _write(self, part: str, data: bytes, suffix: str) -> Path:
        """The file with these bytes, there under its final name once it is on the disk whole."""
        folder = self.folder / part
        path = folder / f"{hashlib.sha256(data).hexdigest()}{suffix}"
        if path.exists():
            return path
        temporary = folder / f".{path.name}.{os.getpid()}"
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            _sync(folder)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            raise InputError(f"cannot be written: {error.strerror}", path=str(path)) from None
        return path

    def _row(self, record: Record) -> dict[str, Any]:
        question, configuration = record.cell.question, record.cell.configuration
        outcome = record.outcome
        plain = {name: value for name, value in _fields(outcome).items() if name in _COLUMNS}
        return plain | {
            "collection": question.collection,
            "question": question.name,
            "configuration": configuration.name,
            "definition": configuration.definition,
            "expected": question.expected,
            "net": record.net,
            "net_sha256": record.net_sha256,
            "bounded": question.bounded,
            "evidence": None if record.evidence is None else self._inside(record.evidence),
            "finished": record.finished,
            "host": None if outcome.host is None else json.dumps(asdict(outcome.host)),
            "asked": json.dumps(self._question_fields(question), ensure_ascii=False),
            "configured": json.dumps(asdict(configuration), ensure_ascii=False),
            "limits": json.dumps(asdict(record.cell.limits)),
        }

    def _record(self, row: Mapping[str, Any]) -> Record:
        question = self._question(json.loads(row["asked"]))
        configuration = json.loads(row["configured"])
        outcome = {name: row[name] for name in _fields(Outcome("error")) if name in row}
        host = None if row["host"] is None else json.loads(row["host"])
        if host is not None:
            host = Host(**host | {"versions": _pairs(host["versions"])})
        return Record(
            Cell(
                question,
                Configuration(
                    **configuration
                    | {
                        "options": _pairs(configuration["options"]),
                        "command": tuple(configuration["command"]),
                    }
                ),
                Limits(**json.loads(row["limits"])),
            ),
            Outcome(**outcome | {"evidence": b"", "host": host}),
            row["net"],
            row["net_sha256"],
            None if row["evidence"] is None else self.folder / row["evidence"],
            row["finished"],
        )

    def _inside(self, path: Path) -> str:
        return path.relative_to(self.folder).as_posix()

    def _question_fields(self, question: Question) -> dict[str, Any]:
        """The question as JSON; paths are relative to the folder, so that it can be moved."""
        fields = asdict(question) | {"net": self._inside(question.net)}
        match question.target:
            case OfFile(file, name):
                fields["target"] = {"file": self._inside(file), "id": name}
            case Words(kind, text):
                fields["target"] = {"kind": kind, "text": text}
        return fields

    def _question(self, fields: dict[str, Any]) -> Question:
        target: Target
        match fields["target"]:
            case {"file": str(file), "id": str(name)}:
                target = OfFile(self.folder / file, name)
            case {"kind": str(kind), "text": str(text)}:
                target = Words(kind, text)
            case bounds:
                target = tuple(Bound(**bound) for bound in bounds)
        witness, paper = fields["witness"], fields["paper"]
        if paper is not None:
            figures = tuple(None if f is None else Figure(**f) for f in paper["figures"])
            paper = Published(figures, paper["fast"])
        return Question(
            **fields
            | {
                "net": self.folder / fields["net"],
                "target": target,
                "witness": None if witness is None else tuple(witness),
                "paper": paper,
            }
        )


def _fields(outcome: Outcome) -> dict[str, Any]:
    """The fields, without going into their values."""
    return {name: getattr(outcome, name) for name in Outcome.__slots__}


def _suffix(path: Path) -> str:
    """What tells the file's format: its extension, with the one before where it is compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return "".join(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:])


def _pairs(lists: Sequence[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in lists)


def _connect(path: Path) -> sqlite3.Connection:
    """The database, with its table.

    Raises:
        InputError: it is no database of a batch, or of another version.
    """
    columns = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())
    unique = "UNIQUE (collection, question, configuration)"
    database = None
    try:
        database = sqlite3.connect(path, timeout=60)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        with database:
            (version,) = database.execute("PRAGMA user_version").fetchone()
            if version == 0:
                database.execute(f"CREATE TABLE IF NOT EXISTS cell ({columns}, {unique})")
                database.execute(f"PRAGMA user_version = {FORMAT}")
            elif version != FORMAT:
                raise InputError(
                    f"was written by another version of petricheck (format {version}, "
                    f"this one writes {FORMAT})",
                    path=str(path),
                )
    except sqlite3.Error as error:
        if database is not None:
            database.close()
        raise InputError(f"is no database of a batch: {error}", path=str(path)) from None
    return database


def _sync(folder: Path) -> None:
    """Have the folder's entries on the disk as well."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
