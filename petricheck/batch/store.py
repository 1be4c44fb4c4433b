"""The store of a batch: a folder with an SQLite database, copies of the nets, and evidence.

    DIR/batch.sqlite           one row a cell that is done, written when it is done
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

import fcntl
import hashlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, Any

from petricheck.batch.cells import Cell, Key, Outcome, Record
from petricheck.batch.rows import COLUMNS, Row, record_of, row_of
from petricheck.errors import InputError

FORMAT = 1
"""Raised when the columns change."""

DATABASE = "batch.sqlite"
FILES = "files"
EVIDENCE = "evidence"
LOCK = "lock"

_OURS = {DATABASE, FILES, EVIDENCE, LOCK}
_APPLICATION = 0x70434231
"""Marks the database as a batch's (SQLite's application_id)."""

_NAMES = ", ".join(COLUMNS)
_INSERT = f"INSERT INTO cell ({_NAMES}) VALUES ({', '.join(f':{name}' for name in COLUMNS)})"


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
        return cls._write_to(folder, _require_none)

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
        with _failing(path, "is no database of a batch"):
            return cls(folder, _reader(path), None)

    @classmethod
    def _write_to(cls, folder: Path, accept: Callable[[Path], None]) -> Store:
        try:
            _require_ours(folder)
            for part in (folder, folder / FILES, folder / EVIDENCE):
                part.mkdir(parents=True, exist_ok=True)
            lock = (folder / LOCK).open("a+b")
        except OSError as error:
            raise InputError(f"cannot be written: {_reason(error)}", path=str(folder)) from None
        try:
            _seize(lock, folder)
            accept(folder)
            _tidy(folder)
            with _failing(folder / DATABASE, "cannot be opened as the database of a batch"):
                return cls(folder, _writer(folder / DATABASE), lock)
        except BaseException:
            lock.close()
            raise

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
            raise InputError(f"cannot be read: {_reason(error)}", path=str(path)) from None
        with source:
            return self._add(FILES, source, _suffix(path))

    def keys(self) -> frozenset[Key]:
        """The cells that are done."""
        rows = self._select("collection, question, configuration")
        return frozenset((c, q, n) for c, q, n in rows)

    def rows(self) -> tuple[Row, ...]:
        """All that is done, in the order in which it was, as rows with the names of `COLUMNS`."""
        return tuple(dict(zip(COLUMNS, row, strict=True)) for row in self._select(_NAMES))

    def records(self) -> tuple[Record, ...]:
        """All that is done, in the order in which it was.

        Raises:
            InputError: the database is damaged.
        """
        try:
            return tuple(record_of(row, self.folder) for row in self.rows())
        except (ValueError, TypeError, KeyError) as error:
            reason = f"is damaged: {type(error).__name__}: {error}"
            raise InputError(reason, path=str(self.folder / DATABASE)) from None

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
        with _failing(path, "cannot be written"):
            self._database.execute(_INSERT, row_of(record, self.folder))
        if not path.exists():  # the system lets us write to what was removed
            raise InputError("cannot be written: it was removed", path=str(path))
        return record

    def _select(self, names: str) -> list[Any]:
        with _failing(self.folder / DATABASE, "cannot be read"):
            return self._database.execute(f"SELECT {names} FROM cell ORDER BY rowid").fetchall()

    def _add(self, part: str, source: BufferedReader | BytesIO, suffix: str) -> Path:
        """The file with these bytes, there under its final name once it is on the disk whole.

        That its name is on the disk as well is for `_settle`.
        """
        folder = self.folder / part
        digest = hashlib.file_digest(source, "sha256").hexdigest()
        path = folder / f"{digest}{suffix}"
        if path.exists():
            return path
        source.seek(0)
        temporary = folder / f".{path.name}.{os.getpid()}"
        try:
            with temporary.open("wb") as file:
                shutil.copyfileobj(source, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            self._unsettled.add(folder)
        except OSError as error:
            raise InputError(f"cannot be written: {_reason(error)}", path=str(path)) from None
        finally:
            with suppress(OSError):
                temporary.unlink()
        return path

    def _settle(self) -> None:
        """Have the names of all files on the disk."""
        try:
            for folder in sorted(self._unsettled):
                _sync(folder)
                self._unsettled.discard(folder)
        except OSError as error:
            raise InputError(
                f"cannot be written: {_reason(error)}", path=str(self.folder)
            ) from None


def _require_ours(folder: Path) -> None:
    """Refuse a folder that holds something, but no batch."""
    held = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if DATABASE not in held and held - _OURS:
        raise InputError("is not empty and holds no batch; choose another", path=str(folder))


def _require_none(folder: Path) -> None:
    if (folder / DATABASE).exists():
        raise InputError("holds a batch already; --resume continues it", path=str(folder))


def _seize(lock: IO[bytes], folder: Path) -> None:
    """Take the lock, and leave our process in it for the others' messages."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read(80).decode(errors="replace").strip() or "unknown"
        raise InputError(
            f"another batch is writing here ({holder}); wait for it, or choose another folder",
            path=str(folder),
        ) from None
    except OSError as error:
        raise InputError(f"cannot be locked: {_reason(error)}", path=str(folder)) from None
    with suppress(OSError):
        lock.truncate(0)
        lock.write(f"process {os.getpid()}".encode())
        lock.flush()


def _tidy(folder: Path) -> None:
    """Remove what a killed batch has left half-written, and make sure of what it has renamed."""
    try:
        for part in (folder / FILES, folder / EVIDENCE):
            for leftover in part.glob(".*"):
                leftover.unlink()
            _sync(part)
        _sync(folder)
    except OSError as error:
        raise InputError(f"cannot be written: {_reason(error)}", path=str(folder)) from None


def _writer(path: Path) -> sqlite3.Connection:
    """The database to write to, with its table; each statement is a transaction."""
    database = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        if _schema(database, path) == "empty":
            columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
            database.execute("BEGIN IMMEDIATE")
            database.execute(
                f"CREATE TABLE cell ({columns}, UNIQUE (collection, question, configuration))"
            )
            database.execute(f"PRAGMA application_id = {_APPLICATION}")
            database.execute(f"PRAGMA user_version = {FORMAT}")
            database.execute("COMMIT")
        ((found,),) = database.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise InputError(f"is damaged: {found}", path=str(path))
        database.execute("PRAGMA journal_mode = WAL").fetchone()
        database.execute("PRAGMA synchronous = FULL")
        _sync(path.parent)
    except BaseException:
        database.close()
        raise
    return database


def _reader(path: Path) -> sqlite3.Connection:
    """The database to read from, which stays as it is, with all that lies beside it."""
    address = f"{path.absolute().as_uri()}?mode=ro"
    database = sqlite3.connect(address, uri=True, timeout=60, isolation_level=None)
    try:
        if _schema(database, path) == "empty":
            raise InputError("holds no batch yet", path=str(path.parent))
    except BaseException:
        database.close()
        raise
    return database


def _schema(database: sqlite3.Connection, path: Path) -> str:
    """Whether the database is "empty" or "ours".

    Raises:
        InputError: it is neither, or of another version.
    """
    ((tables,),) = database.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    ((application,),) = database.execute("PRAGMA application_id").fetchall()
    ((version,),) = database.execute("PRAGMA user_version").fetchall()
    if not tables and not application:
        return "empty"
    if application != _APPLICATION:
        raise InputError("is no database of a batch, but of another program", path=str(path))
    if version != FORMAT:
        raise InputError(
            f"was written by another version of petricheck (format {version}, "
            f"this one knows {FORMAT})",
            path=str(path),
        )
    return "ours"


@contextmanager
def _failing(path: Path, what: str) -> Iterator[None]:
    """What fails in the database is told as a refusal of its file."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{what}: {error}", path=str(path)) from None


def _suffix(path: Path) -> str:
    """What tells the file's format: its extension, with the one before where it is compressed."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return "".join(suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:])


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _sync(folder: Path) -> None:
    """Have the folder's entries on the disk as well."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
