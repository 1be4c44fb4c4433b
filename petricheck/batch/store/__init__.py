"""The store of a batch: a folder with an SQLite database, copies of the nets, and evidence.

    DIR/batch.sqlite           one row a cell that is done, written when it is done; and the plan
    DIR/files/SHA256.pnml      what was asked about: nets and files of properties, by content
    DIR/evidence/SHA256.json   evidence, by content
    DIR/lock                   held by the batch that writes

The database is the truth. A row is committed, through the write-ahead log, after its evidence is
on the disk under its final name; so neither a killed process nor a power failure leaves a row
without its evidence, and what has no row is done again. One process writes at a time: it holds a
lock that the system releases however the process ends. Without a writer the database is one plain
file, which readers leave as it is; what a killed writer leaves behind is read just as well.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, Any, TypeVar

from petricheck.batch.cells import Cell, Key, Outcome, Record
from petricheck.batch.files import DATABASE
from petricheck.batch.store.database import KEEP, KEY, PLAN, failing, open_to_read, open_to_write
from petricheck.batch.store.folder import (
    EVIDENCE,
    FILES,
    LOCK,
    holds,
    require_none,
    require_ours,
    seize,
    sync,
    tidy,
)
from petricheck.batch.store.rows import (
    COLUMNS,
    PLANNED,
    Row,
    cell_of,
    record_of,
    row_of,
    row_of_cell,
)
from petricheck.errors import InputError, QueryError
from petricheck.files import reason, replacing

Value = TypeVar("Value")


class Store:
    """An open store. Use `Store.create`, `Store.resume` or `Store.read`.

    Attributes:
        folder: where it is.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: IO[bytes] | None) -> None:
        self.folder = folder
        self._database = database
        self._lock = lock
        self._unsettled: set[Path] = set()

    @classmethod
    def create(cls, folder: Path) -> Store:
        """A new store in an empty folder, which is made if need be.

        Raises:
            InputError: the folder holds something, another batch writes there, or it cannot be
                written.
        """
        return cls._write_to(folder, require_none)

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """The store in a folder, or a new one where it is empty or absent.

        Raises:
            InputError: another batch writes there, what is there is no store or a damaged one, or
                it cannot be written.
        """
        return cls._write_to(folder, lambda _: None)

    @classmethod
    def read(cls, folder: Path) -> Store:
        """The store in a folder, to read from, even while a batch writes there.

        Raises:
            InputError: there is none.
        """
        path = folder / DATABASE
        if not path.is_file():
            raise InputError(f"holds no batch: {DATABASE} is missing", path=str(folder))
        with failing(path, "is no database of a batch"):
            return cls(folder, open_to_read(path), None)

    @classmethod
    def _write_to(cls, folder: Path, accept: Callable[[Path], None]) -> Store:
        try:
            require_ours(folder)
            for part in (folder, folder / FILES, folder / EVIDENCE):
                part.mkdir(parents=True, exist_ok=True)
            lock = (folder / LOCK).open("a+b")
        except OSError as error:
            raise InputError(f"cannot be written: {reason(error)}", path=str(folder)) from None
        try:
            seize(lock, folder)
            accept(folder)
            with failing(folder / DATABASE, "cannot be opened as the database of a batch"):
                database = open_to_write(folder / DATABASE)
            tidy(folder)
        except BaseException:
            lock.close()
            raise
        return cls(folder, database, lock)

    def close(self) -> None:
        """Release the lock and the files."""
        if self._lock is not None:
            # So that the database is one file; where somebody is reading it just now it is not.
            with suppress(sqlite3.Error):
                self._database.execute("PRAGMA busy_timeout = 0")
                self._database.execute("PRAGMA journal_mode = DELETE").fetchone()
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
            if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe might never end
                raise InputError("is no regular file", path=str(path))
            source = path.open("rb")
        except OSError as error:
            raise InputError(f"cannot be read: {reason(error)}", path=str(path)) from None
        with source:
            return self._add(FILES, source, _suffix(path))

    def keys(self) -> frozenset[Key]:
        """The cells that are done."""
        rows = self._select(KEY, "cell")
        return frozenset((c, q, n) for c, q, n in rows)

    def records(self) -> tuple[Record, ...]:
        """All that is done, in the order in which it was.

        Raises:
            InputError: the database is damaged.
        """
        return self._read("cell", COLUMNS, record_of)

    def planned(self) -> tuple[Cell, ...]:
        """All cells that there will be, done or not, in the order in which they were planned.

        Raises:
            InputError: the database is damaged.
        """
        return self._read("planned", PLANNED, cell_of)

    def plan(self, cells: Sequence[Cell]) -> None:
        """Keep what is planned: more cells than before, or others in the place of the same key.

        Args:
            cells: their files are the store's copies.

        Raises:
            InputError: it cannot be written.
        """
        rows = [row_of_cell(cell, self.folder) for cell in cells]
        self._settle()
        with failing(self.folder / DATABASE, "cannot be written"):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                self._database.executemany(PLAN, rows)
                self._database.execute("COMMIT")
            finally:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")

    def commit(self, cell: Cell, outcome: Outcome, net: str) -> Record:
        """Keep the outcome of a cell whose files are the store's copies; durable on return.

        Args:
            cell: the cell; not among `keys`.
            outcome: what came of it.
            net: name of the net's file as it was given.

        Raises:
            InputError: it cannot be written.
        """
        record = Record(
            cell,
            replace(outcome, evidence=b""),
            net,
            cell.question.net.name.partition(".")[0],
            self._add(EVIDENCE, BytesIO(outcome.evidence), ".json") if outcome.evidence else None,
            datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        path = self.folder / DATABASE
        self._settle()
        with failing(path, "cannot be written"):
            self._database.execute(KEEP, row_of(record, self.folder))
        if not path.exists():  # the system lets us write to what was removed
            raise InputError("cannot be written: it was removed", path=str(path))
        return record

    def _read(
        self, table: str, columns: Iterable[str], read: Callable[[Row, Path], Value]
    ) -> tuple[Value, ...]:
        names = tuple(columns)
        rows = self._select(", ".join(names), table)
        try:
            return tuple(read(dict(zip(names, row, strict=True)), self.folder) for row in rows)
        except QueryError as error:
            reason = f"cannot be read: {error.message}; run the batch anew"
            raise InputError(reason, path=str(self.folder / DATABASE)) from None
        except (ValueError, TypeError, KeyError) as error:
            reason = f"is damaged: {type(error).__name__}: {error}"
            raise InputError(reason, path=str(self.folder / DATABASE)) from None

    def _select(self, names: str, table: str) -> list[Any]:
        with failing(self.folder / DATABASE, "cannot be read"):
            return self._database.execute(f"SELECT {names} FROM {table} ORDER BY rowid").fetchall()

    def _add(self, part: str, source: BufferedReader | BytesIO, suffix: str) -> Path:
        """The file with these bytes, there under its final name once it is on the disk whole.

        That its name is on the disk as well is for `_settle`.
        """
        folder = self.folder / part
        digest = hashlib.file_digest(source, "sha256").hexdigest()
        path = folder / f"{digest}{suffix}"
        source.seek(0)
        try:
            if holds(path, digest):  # what is there may have been damaged since
                return path
            with replacing(path) as fresh, fresh.open("wb") as file:
                shutil.copyfileobj(source, file)
                file.flush()
                os.fsync(file.fileno())
            self._unsettled.add(folder)
        except OSError as error:
            raise InputError(f"cannot be written: {reason(error)}", path=str(path)) from None
        return path

    def _settle(self) -> None:
        """Have the names of all files on the disk."""
        try:
            for folder in sorted(self._unsettled):
                sync(folder)
                self._unsettled.discard(folder)
        except OSError as error:
            raise InputError(f"cannot be written: {reason(error)}", path=str(self.folder)) from None


def _suffix(path: Path) -> str:
    """What tells the file's format: its extension, with the one before where it is compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return "".join(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:])
