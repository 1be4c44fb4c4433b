"""The database of a batch: its tables, and how it is opened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from petricheck.errors import InputError
from petricheck.files import reason

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


def open_database(path: Path, *, write: bool) -> sqlite3.Connection:
    """The database: with its tables, to write to; or as it is, with all that lies beside it.

    Raises:
        InputError: it is none, damaged, not ours, empty where it is to be read, or cannot be
            written.
    """
    address = f"{path.absolute().as_uri()}?mode={'rwc' if write else 'ro'}"
    with failing(path, "cannot be opened as the database of a batch"), ExitStack() as undo:
        database = sqlite3.connect(address, uri=True, timeout=60, isolation_level="IMMEDIATE")
        undo.callback(database.close)
        if _is_empty(database, path):
            if not write:
                raise InputError("holds no batch yet", path=str(path.parent))
            database.executescript(_TABLES)
        if write:
            (sound,) = database.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise InputError(f"is damaged: {sound}", path=str(path))
            database.execute("PRAGMA journal_mode = WAL").fetchone()
            database.execute("PRAGMA synchronous = FULL")
        undo.pop_all()
    return database


def _is_empty(database: sqlite3.Connection, path: Path) -> bool:
    """Whether nothing is in it yet.

    Raises:
        InputError: it is another program's, or of another version.
    """
    (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    if not tables and not application:
        return True
    if application != _APPLICATION:
        raise InputError("is no database of a batch, but of another program", path=str(path))
    if version != FORMAT:
        raise InputError(
            f"was written by another version of petricheck (format {version}, this one reads and "
            f"writes {FORMAT}); read it with that one, or run the batch anew in another folder",
            path=str(path),
        )
    return False


@contextmanager
def failing(path: Path, what: str) -> Iterator[None]:
    """What fails in the system or in the database is told as a refusal of the file."""
    try:
        yield
    except (sqlite3.Error, ValueError) as error:
        raise InputError(f"{what}: {error}", path=str(path)) from None
    except OSError as error:
        raise InputError(f"{what}: {reason(error)}", path=str(path)) from None
