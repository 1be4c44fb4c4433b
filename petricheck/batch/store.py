"""The store of a batch: one SQLite file that holds all of it.

    cell   a row a cell: its key, the cell as JSON, and as JSON what came of it, once it is done
    file   nets, files of properties and evidence, named by their SHA-256 and their format

Evidence is committed with the row that it belongs to, through the write-ahead log: neither a killed
process nor a power failure leaves a row without it, and what has no outcome is done again. One
process writes at a time: it holds a lock on the folder that the system releases however the process
ends. Without a writer the database is one plain file, which readers leave as it is; what a killed
writer leaves behind is read just as well.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from petricheck.batch import DATABASE
from petricheck.batch.cells import Cell, Key, Outcome, Record
from petricheck.batch.database import failing, open_database
from petricheck.batch.rows import cell_text, read_cell, read_record, record_text
from petricheck.errors import InputError
from petricheck.files import GZIP, reason, suffix

LARGEST = 900 << 20
"""Bytes of a file that SQLite keeps as one value."""

_UNPACKED = ".files-"
"""How the names of folders begin that files are unpacked to while cells run."""

_PLAN = """INSERT INTO cell VALUES (?, ?, ?, ?, NULL)
ON CONFLICT (collection, question, configuration) DO UPDATE SET cell = excluded.cell"""

_COMMIT = """INSERT INTO cell VALUES (?, ?, ?, ?, ?)
ON CONFLICT (collection, question, configuration)
DO UPDATE SET cell = excluded.cell, done = excluded.done WHERE done IS NULL"""

T = TypeVar("T")


class Store:
    """An open store. Use `Store.create`, `Store.resume` or `Store.read`.

    Attributes:
        folder: where it is.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: int | None) -> None:
        self.folder = folder
        self._path = folder / DATABASE
        self._database = database
        self._lock = lock

    @classmethod
    def create(cls, folder: Path) -> Store:
        """A new store in an empty folder, which is made if need be.

        Raises:
            InputError: the folder holds something, another batch writes there, or it cannot be
                written.
        """
        return cls._write_to(folder, new=True)

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """The store in a folder, or a new one where it is empty or absent.

        Raises:
            InputError: another batch writes there, it is no store or damaged, or cannot be written.
        """
        return cls._write_to(folder, new=False)

    @classmethod
    def read(cls, folder: Path) -> Store:
        """The store in a folder, to read from, even while a batch writes there.

        Raises:
            InputError: there is none.
        """
        if not (folder / DATABASE).is_file():
            raise InputError(f"holds no batch: {DATABASE} is missing", path=str(folder))
        return cls(folder, open_database(folder / DATABASE, write=False), None)

    @classmethod
    def _write_to(cls, folder: Path, *, new: bool) -> Store:
        path = folder / DATABASE
        try:
            if folder.exists() and not path.exists() and any(folder.iterdir()):
                complaint = "is not empty and holds no batch; choose another"
                raise InputError(complaint, path=str(folder))
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK, effective_ids=True):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            lock = os.open(folder, os.O_RDONLY)
        except OSError as error:
            raise InputError(f"cannot be written: {reason(error)}", path=str(folder)) from None
        try:
            _seize(lock, folder)
            if new and path.exists():
                complaint = "holds a batch already; --resume continues it, or name another folder"
                raise InputError(complaint, path=str(folder))
            database = open_database(path, write=True)
            for leftover in folder.glob(f"{_UNPACKED}*"):  # of a batch that was killed
                shutil.rmtree(leftover, ignore_errors=True)
        except BaseException:
            os.close(lock)
            raise
        return cls(folder, database, lock)

    def close(self) -> None:
        """Release the lock and the database."""
        if self._lock is not None:
            # So that the database is one file; where somebody is reading it just now it is not.
            with suppress(sqlite3.Error):
                self._database.execute("PRAGMA busy_timeout = 0")
                self._database.execute("PRAGMA journal_mode = DELETE").fetchone()
        self._database.close()
        if self._lock is not None:
            os.close(self._lock)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def keep(self, path: Path) -> Path:
        """Keep a copy of the file; its name in the store, made of its content.

        Raises:
            InputError: the file cannot be read, or the copy cannot be written.
        """
        try:
            if path.exists() and not path.is_file():  # reading a pipe might never end
                raise InputError("is no regular file", path=str(path))
            if path.stat().st_size > LARGEST:
                raise InputError("is larger than a batch can keep", path=str(path))
            content = path.read_bytes()
        except OSError as error:
            raise InputError(f"cannot be read: {reason(error)}", path=str(path)) from None
        with self._writing():
            return Path(self._add(content, _suffix(path)))

    def content(self, name: str | Path) -> bytes:
        """What a file holds that the store has under this name.

        Raises:
            InputError: there is none, or what is there was damaged.
        """
        with failing(self._path, "cannot be read"):
            row = self._database.execute(
                "SELECT content FROM file WHERE name = ?", (str(name),)
            ).fetchone()
        if row is None or not str(name).startswith(hashlib.sha256(row[0]).hexdigest()):
            raise InputError(f"is damaged: it has no file {name}", path=str(self._path))
        content: bytes = row[0]
        return content

    def unpack(self, names: Iterable[str | Path], folder: Path) -> None:
        """Write files of the store into a folder, under their names in the store.

        Raises:
            InputError: one is not there, or cannot be written.
        """
        for name in dict.fromkeys(map(str, names)):
            content = self.content(name)
            try:
                (folder / name).write_bytes(content)
            except OSError as error:
                where = str(folder / name)
                raise InputError(f"cannot be written: {reason(error)}", path=where) from None

    @contextmanager
    def unpacked(self, names: Iterable[str | Path]) -> Iterator[Path]:
        """A temporary folder with these files, in that of the batch while it writes.

        Raises:
            InputError: as of `unpack`, or the folder cannot be made.
        """
        where = None if self._lock is None else self.folder
        try:
            made = tempfile.TemporaryDirectory(
                prefix=_UNPACKED, dir=where, ignore_cleanup_errors=True
            )
        except OSError as error:
            raise InputError(f"cannot be written: {reason(error)}", path=str(where)) from None
        with made as name:
            self.unpack(names, Path(name))
            yield Path(name)

    def sizes(self) -> dict[str, int]:
        """The files by name, with how many bytes each has."""
        with failing(self._path, "cannot be read"):
            rows = self._database.execute("SELECT name, length(content) FROM file ORDER BY name")
            return dict(rows.fetchall())

    def keys(self) -> frozenset[Key]:
        """The cells that are done."""
        return frozenset(record.cell.key for record in self.records())

    def planned(self) -> tuple[Cell, ...]:
        """All cells that there will be, done or not, in the order in which they were planned.

        Raises:
            InputError: the database is damaged.
        """
        return self._rows("SELECT cell FROM cell ORDER BY rowid", lambda row: read_cell(*row))

    def records(self) -> tuple[Record, ...]:
        """All that is done, in the same order.

        Raises:
            InputError: the database is damaged.
        """
        select = "SELECT cell, done FROM cell WHERE done IS NOT NULL ORDER BY rowid"
        return self._rows(select, lambda row: read_record(*row))

    def plan(self, cells: Sequence[Cell]) -> None:
        """Keep what is planned: more cells than before, or others in the place of the same key.

        Args:
            cells: their files are named as the store names them.

        Raises:
            InputError: it cannot be written.
        """
        with self._writing():
            self._database.executemany(_PLAN, ((*cell.key, cell_text(cell)) for cell in cells))

    def commit(self, cell: Cell, outcome: Outcome, net: str) -> Record:
        """Keep the outcome of a cell; durable on return.

        Args:
            cell: the cell, not among `keys`; its files are named as the store names them.
            outcome: what came of it.
            net: name of the net's file as it was given.

        Raises:
            InputError: it cannot be written.
        """
        finished = datetime.now(UTC).isoformat(timespec="milliseconds")
        record = Record(cell, replace(outcome, evidence=b""), net, "", finished)
        with self._writing():
            if outcome.evidence:
                record = replace(record, evidence=self._add(outcome.evidence, ".json"))
            row = (*cell.key, cell_text(cell), record_text(record))
            if not self._database.execute(_COMMIT, row).rowcount:
                complaint = f"has an outcome of {' '.join(cell.key)} already"
                raise InputError(complaint, path=str(self._path))
        return record

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction; what the block did is on the disk after it, all or nothing."""
        with failing(self._path, "cannot be written"), self._database:
            yield
            if not self._path.exists():  # the system lets us write to what was removed
                raise InputError("cannot be written: it was removed", path=str(self._path))

    def _add(self, content: bytes, ending: str) -> str:
        name = hashlib.sha256(content).hexdigest() + ending
        self._database.execute("INSERT OR IGNORE INTO file VALUES (?, ?)", (name, content))
        return name

    def _rows(self, select: str, read: Callable[[Any], T]) -> tuple[T, ...]:
        with failing(self._path, "cannot be read"):
            rows = self._database.execute(select).fetchall()
        try:
            return tuple(map(read, rows))
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"is damaged: {error}", path=str(self._path)) from None


def _seize(lock: int, folder: Path) -> None:
    """Take the lock."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        complaint = "another batch is writing here; wait for it, or choose another folder"
        raise InputError(complaint, path=str(folder)) from None
    except OSError as error:
        raise InputError(f"cannot be locked: {reason(error)}", path=str(folder)) from None


def _suffix(path: Path) -> str:
    """What tells the file's format, and whether it is compressed."""
    return suffix(path) + (GZIP if path.suffix.lower() == GZIP else "")
