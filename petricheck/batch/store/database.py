"""The database of a batch: its tables, and how it is opened.

Each statement is a transaction, and durable when it returns.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from petricheck.batch.store.rows import COLUMNS, PLANNED
from petricheck.errors import InputError

FORMAT = 2
"""Raised when the columns, or what they hold, change."""

_APPLICATION = 0x70434231
"""Marks the database as a batch's (SQLite's application_id)."""

KEY = "collection, question, configuration"
"""The columns that tell cells apart."""


def _insert(table: str, columns: Iterable[str]) -> str:
    names = tuple(columns)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{n}' for n in names)})"


KEEP = _insert("cell", COLUMNS)
"""Adds a cell that is done."""

PLAN = f"""{_insert("planned", PLANNED)} ON CONFLICT ({KEY}) DO UPDATE SET
    asked = excluded.asked, configured = excluded.configured, limits = excluded.limits"""
"""Adds a cell that is planned, or changes what it asks."""

_TABLES = tuple(
    f"CREATE TABLE {table} ({', '.join(f'{n} {k}' for n, k in columns.items())}, UNIQUE ({KEY}))"
    for table, columns in (("cell", COLUMNS), ("planned", PLANNED))
)


def open_to_write(path: Path) -> sqlite3.Connection:
    """The database to write to, with its tables.

    Raises:
        InputError: it is damaged, or not ours.
        sqlite3.Error: it is no database, or cannot be written.
    """
    database = sqlite3.connect(path, timeout=60, isolation_level=None)
    try:
        if _schema(database, path) == "empty":
            database.execute("BEGIN IMMEDIATE")
            for statement in _TABLES:
                database.execute(statement)
            database.execute(f"PRAGMA application_id = {_APPLICATION}")
            database.execute(f"PRAGMA user_version = {FORMAT}")
            database.execute("COMMIT")
        ((found,),) = database.execute("PRAGMA quick_check(1)").fetchall()
        if found != "ok":
            raise InputError(f"is damaged: {found}", path=str(path))
        database.execute("PRAGMA journal_mode = WAL").fetchone()
        database.execute("PRAGMA synchronous = FULL")
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(path: Path) -> sqlite3.Connection:
    """The database to read from, which stays as it is, with all that lies beside it.

    Raises:
        InputError: it is not ours, or empty.
        sqlite3.Error: it is no database.
    """
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
def failing(path: Path, what: str) -> Iterator[None]:
    """What fails in the database is told as a refusal of its file."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{what}: {error}", path=str(path)) from None
