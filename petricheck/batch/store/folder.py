"""The folder of a batch: what is in it, its lock, and what is left in it."""

from __future__ import annotations

import fcntl
import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from petricheck.batch.files import DATABASE
from petricheck.errors import InputError
from petricheck.files import reason

FILES = "files"
EVIDENCE = "evidence"
LOCK = "lock"

_OURS = {DATABASE, FILES, EVIDENCE, LOCK}


def require_ours(folder: Path) -> None:
    """Refuse a folder that holds something, but no batch."""
    held = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if DATABASE not in held and held - _OURS:
        raise InputError("is not empty and holds no batch; choose another", path=str(folder))


def require_none(folder: Path) -> None:
    """Refuse a folder that holds a batch."""
    if (folder / DATABASE).exists():
        reason = "holds a batch already; --resume continues it, or name another folder"
        raise InputError(reason, path=str(folder))


def seize(lock: IO[bytes], folder: Path) -> None:
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
        raise InputError(f"cannot be locked: {reason(error)}", path=str(folder)) from None
    with suppress(OSError):
        lock.truncate(0)
        lock.write(f"process {os.getpid()}".encode())
        lock.flush()


def tidy(folder: Path) -> None:
    """Remove what a killed batch has left half-written, and make sure of what it has renamed."""
    try:
        for part in (folder / FILES, folder / EVIDENCE):
            for leftover in part.glob(".*"):
                leftover.unlink()
            sync(part)
        sync(folder)
    except OSError as error:
        raise InputError(f"cannot be written: {reason(error)}", path=str(folder)) from None


def holds(path: Path, digest: str) -> bool:
    """Whether the file is there, with these bytes."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == digest
    except FileNotFoundError:
        return False


def sync(folder: Path) -> None:
    """Have the folder's entries on the disk as well."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
