"""The store of a batch: one SQLite file that holds all of it.

    cell   a row a cell: its key, the cell as JSON, and as JSON what came of it, once it is done
    file   nets, files of properties and evidence, named by their SHA-256 and their format

Evidence is committed with the row that it belongs to, through the write-ahead log: neither a killed
process nor a power failure leaves a row without it, and what has no outcome is done again. Nothing
waits for the disk: a power failure may cost the last outcomes. One process writes at a time: it
holds a lock on the folder that the system releases however the process ends. Without a writer the
database is one plain file, which readers leave as it is; what a killed writer leaves behind is read
just as well.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from petricheck.batch import DATABASE
from petricheck.batch.cells import Cell, CellOutcome, CellRecord, Key, from_json, to_json
from petricheck.support.errors import InputError
from petricheck.support.files import GZIP, reason, suffix

FORMAT = 3
"""Raised when the tables, or what they hold, change."""

_APPLICATION = 0x70434231
"""Marks the database as a batch's (SQLite's application_id)."""

_TABLES = f"""BEGIN IMMEDIATE;
CREATE TABLE cell (
    collection TEXT NOT NULL, question TEXT NOT NULL, configuration TEXT NOT NULL,
    cell TEXT NOT NULL, done TEXT, UNIQUE (collection, question, configuration));
CREATE TABLE file (name TEXT PRIMARY KEY, content BLOB NOT NULL);
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {FORMAT};
COMMIT"""

LARGEST = 900 << 20
"""Bytes of a file that SQLite keeps as one value."""

_UNPACKED = ".files-"
"""How the names of folders begin that files are unpacked to while cells run."""

_PLAN = """INSERT INTO cell VALUES (?, ?, ?, ?, NULL)
ON CONFLICT (collection, question, configuration) DO UPDATE SET cell = excluded.cell"""

_COMMIT = """INSERT INTO cell VALUES (?, ?, ?, ?, ?)
ON CONFLICT (collection, question, configuration)
DO UPDATE SET cell = excluded.cell, done = excluded.done WHERE done IS NULL"""


_FORGET = """UPDATE cell SET done = NULL
WHERE collection = ? AND question = ? AND configuration = ?"""


class Store:
    """An open store in a folder. Use `Store.create`, `Store.resume` or `Store.read`.

    All that it does raises `support.errors.InputError`, with the file or folder, where that cannot
    be read or written, is damaged, or is not what it has to be.
    """

    def __init__(self, folder: Path, database: sqlite3.Connection, lock: int | None) -> None:
        self.folder = folder
        self._path = folder / DATABASE
        self._database = database
        self._lock = lock

    @classmethod
    def create(cls, folder: Path) -> Store:
        """Return a new store in an empty folder, which is made if need be."""
        return cls._write_to(folder, new=True)

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """Return the store in a folder, or a new one where it is empty or absent."""
        return cls._write_to(folder, new=False)

    @classmethod
    def read(cls, folder: Path) -> Store:
        """Return the store in a folder, to read from, even while a batch writes there."""
        if not (folder / DATABASE).is_file():
            raise InputError(f"holds no batch: {DATABASE} is missing", path=str(folder))
        return cls(folder, _open(folder / DATABASE, write=False), None)

    @classmethod
    def _write_to(cls, folder: Path, *, new: bool) -> Store:
        path = folder / DATABASE
        with _failing(folder, "cannot be written"):
            if folder.exists() and not path.exists() and any(folder.iterdir()):
                complaint = "is not empty and holds no batch; choose another"
                raise InputError(complaint, path=str(folder))
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK, effective_ids=True):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            lock = os.open(folder, os.O_RDONLY)
        with ExitStack() as undo:
            undo.callback(os.close, lock)
            _seize(lock, folder)
            if new and path.exists():
                complaint = "holds a batch already; --resume continues it, or name another folder"
                raise InputError(complaint, path=str(folder))
            database = _open(path, write=True)
            for leftover in folder.glob(f"{_UNPACKED}*"):  # of a batch that was killed
                shutil.rmtree(leftover, ignore_errors=True)
            undo.pop_all()
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
        """Store a copy of the file; return its path in the store, made of its content."""
        with _failing(path, "cannot be read"):
            if path.exists() and not path.is_file():  # reading a pipe might never end
                raise InputError("is no regular file", path=str(path))
            if path.stat().st_size > LARGEST:
                raise InputError("is larger than a batch can keep", path=str(path))
            content = path.read_bytes()
        packed = GZIP if path.suffix.lower() == GZIP else ""
        with self._writing():
            return Path(self._add(content, suffix(path) + packed))

    def content(self, name: str | Path) -> bytes:
        """Return the content of a file in the store."""
        rows = self._select("SELECT content FROM file WHERE name = ?", str(name))
        for (content,) in rows:
            if str(name).startswith(hashlib.sha256(content).hexdigest()):
                return bytes(content)
        raise InputError(f"is damaged: it has no file {name}", path=str(self._path))

    def unpack(self, folder: Path, names: Iterable[str | Path] | None = None) -> None:
        """Write these files of the store, or all, into a folder, under their names in the store."""
        if names is None:
            names = [name for (name,) in self._select("SELECT name FROM file")]
        for name in dict.fromkeys(names):
            content = self.content(name)
            with _failing(folder / name, "cannot be written"):
                (folder / name).write_bytes(content)

    @contextmanager
    def unpacked(self, names: Iterable[str | Path] | None = None) -> Iterator[Path]:
        """Yield a temporary folder with these files, or all; a writing batch has it in its own."""
        parent = None if self._lock is None else self.folder
        with _failing(self.folder, "cannot be written"):
            directory = tempfile.TemporaryDirectory(
                prefix=_UNPACKED, dir=parent, ignore_cleanup_errors=True
            )
        with directory as name:
            self.unpack(Path(name), names)
            yield Path(name)

    def planned(self) -> tuple[Cell, ...]:
        """Return all cells of the batch, done or not, in the order in which they were planned."""
        rows = self._select("SELECT cell FROM cell ORDER BY rowid")
        with _failing(self._path, "is damaged"):
            return tuple(from_json(cell, Cell) for (cell,) in rows)

    def records(self) -> tuple[CellRecord, ...]:
        """Return all records, in the same order."""
        rows = self._select("SELECT cell, done FROM cell WHERE done IS NOT NULL ORDER BY rowid")
        with _failing(self._path, "is damaged"):
            return tuple(
                from_json(done, CellRecord, cell=from_json(cell, Cell)) for cell, done in rows
            )

    def plan(self, cells: Sequence[Cell], again: Sequence[Key] = ()) -> None:
        """Keep what is planned: more cells than before, or others in the place of the same key.

        Their files are named as the store names them. Those with a key in `again` have no outcome
        any more.
        """
        with self._writing():
            self._database.executemany(_PLAN, ((*cell.key, to_json(cell)) for cell in cells))
            self._database.executemany(_FORGET, again)

    def commit(self, cell: Cell, outcome: CellOutcome, net: str) -> CellRecord:
        """Store the outcome of a cell; no process that is killed loses it."""
        finished = datetime.now(UTC).isoformat(timespec="milliseconds")
        record = CellRecord(cell, replace(outcome, evidence=b""), net, "", finished)
        with self._writing():
            if outcome.evidence:
                record = replace(record, evidence=self._add(outcome.evidence, ".json"))
            row = (*cell.key, to_json(cell), to_json(record, without="cell"))
            if not self._database.execute(_COMMIT, row).rowcount:
                complaint = f"has an outcome of {' '.join(cell.key)} already"
                raise InputError(complaint, path=str(self._path))
        return record

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Yield a transaction: all changes of the block are stored, or none."""
        with _failing(self._path, "cannot be written"), self._database:
            yield
            if not self._path.exists():  # the system lets us write to what was removed
                raise InputError("cannot be written: it was removed", path=str(self._path))

    def _add(self, content: bytes, ending: str) -> str:
        name = hashlib.sha256(content).hexdigest() + ending
        self._database.execute("INSERT OR IGNORE INTO file VALUES (?, ?)", (name, content))
        return name

    def _select(self, select: str, *values: str) -> list[Any]:
        with _failing(self._path, "cannot be read"):
            return self._database.execute(select, values).fetchall()


def _open(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open the database: with its tables, for writing; or as it is, for reading."""
    address = f"{path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}"
    with _failing(path, "cannot be opened as the database of a batch"), ExitStack() as undo:
        database = sqlite3.connect(address, uri=True, timeout=60, isolation_level="IMMEDIATE")
        undo.callback(database.close)
        if not _is_ours(database, path):
            if not write:
                raise InputError("holds no batch yet", path=str(path.parent))
            database.executescript(_TABLES)
        if write:
            (sound,) = database.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise InputError(f"is damaged: {sound}", path=str(path))
            database.execute("PRAGMA journal_mode = WAL").fetchone()
            database.execute("PRAGMA synchronous = NORMAL")
        undo.pop_all()
    return database


def _is_ours(database: sqlite3.Connection, path: Path) -> bool:
    """Return whether it has the tables of a batch, not where it is empty; refuse other tables."""
    (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if not tables and not application:
        return False
    if application != _APPLICATION:
        raise InputError("is no database of a batch, but of another program", path=str(path))
    if version != FORMAT:
        raise InputError(
            f"was written by another version of petricheck (format {version}, this one reads and "
            f"writes {FORMAT}); read it with that one, or run the batch anew in another folder",
            path=str(path),
        )
    return True


def _seize(lock: int, folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        complaint = "another batch is writing here; wait for it, or choose another folder"
        raise InputError(complaint, path=str(folder)) from None


@contextmanager
def _failing(path: Path, what: str) -> Iterator[None]:
    """Report failures of the system or the database as a refusal of the file."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        raise InputError(f"{what}: {error}", path=str(path)) from None
    except OSError as error:
        raise InputError(f"{what}: {reason(error)}", path=str(path)) from None
