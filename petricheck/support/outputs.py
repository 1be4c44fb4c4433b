"""Files that are written, whole or not at all, and checks that they can be: else `InputError`."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from petricheck.support.errors import InputError, QueryError
from petricheck.support.files import GZIP, refusing
from petricheck.support.processes import supervision

_SHORT = 50
"""Letters of a file's name in the name of what takes its place, which may be no longer than 255
bytes."""


def store(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all, compressed if its name ends in .gz."""
    packed = Path(path).suffix.lower() == GZIP
    write_file(path, gzip.compress(data, mtime=0) if packed else data)


def write_file(path: str | Path, content: str | bytes) -> None:
    """Replace the file's content at once, text in UTF-8; a link is followed.

    A pipe, or another file that is not regular, is written to directly.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    with refusing("cannot be written: ", path):
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        with replacing(target) as part:
            part.write(data)


def make_folder(path: Path) -> None:
    """Make the folder, and the folders above it, if they do not exist."""
    with refusing("cannot be made: ", path):
        path.mkdir(parents=True, exist_ok=True)


@contextmanager
def replacing(target: Path) -> Iterator[BinaryIO]:
    """Yield a new file next to the target, which replaces the target if the block succeeds.

    Whoever else may write to the folder cannot guess its name, nor put a link in its place. OSError
    where the target cannot be replaced.
    """
    part = target.with_name(f".{target.name[:_SHORT]}.{secrets.token_hex(8)}.part")
    supervision.note_part(str(part), begun=True)
    try:
        new = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
        try:
            with open(new, "wb") as file:
                yield file
            os.replace(part, target)
        finally:
            with suppress(OSError):
                part.unlink()
    finally:
        supervision.note_part(str(part), begun=False)


def check_output(path: str) -> None:
    """Refuse, before the work, a file that could not be written after it.

    A link stands for the file that it names. QueryError where the path is empty; InputError where
    it is a folder, may not be written, or is in no folder.
    """
    if not path:
        raise QueryError("the name of a file to write to is empty; name one, or omit the option")
    folder = os.path.dirname(os.path.realpath(path) if os.path.islink(path) else path) or "."
    if not os.path.isdir(folder):
        raise InputError("there is no such folder to write to", path=folder)
    if os.path.isdir(path):
        raise InputError("is a folder; name a file to write to", path=path)
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise InputError("may not be written", path=path)


def check_apart(inputs: Iterable[str], outputs: Iterable[str]) -> None:
    """Refuse, before the work, outputs that would replace an input, or each other.

    Files are compared, not names: there are links, and file systems that ignore case. QueryError
    names both.
    """
    owners = {_identity(path): path for path in inputs}
    for path in outputs:
        identity = _identity(path)
        if identity in owners:
            raise QueryError(
                f"the output {path} would replace {owners[identity]}; name another file"
            )
        owners[identity] = path


def _identity(path: str) -> object:
    """Return a value that is equal for two names of one file."""
    try:
        status = os.stat(path)
    except OSError:
        return os.path.realpath(path)
    except ValueError:  # not a file name; reading it raises the error
        return path
    return status.st_dev, status.st_ino
