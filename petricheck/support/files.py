"""Bytes out of files, read in pieces and within limits, and decompressed.

A file that cannot be read, or has more than `limit` bytes, raises `InputError`.

Python's garbage collector, paused while files are read.

A reader's objects stay alive. The collector would examine all of them again and again as they grow
in number, and free nothing.
"""

from __future__ import annotations

import gc
import gzip
import io
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from petricheck.support.errors import InputError, QueryError


@contextmanager
def paused() -> Iterator[None]:
    """Collect no cycles until the block ends."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


Entry = TypeVar("Entry")

GZIP = ".gz"
"""The ending of compressed files."""

UNREADABLE = "cannot be read: "
"""Begins the message about a file that the system does not let us read."""

PIECE = 1 << 20
"""Bytes that are read, or expanded, at a time."""

_MAGIC = b"\x1f\x8b"

_ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"BZh": "a file that bzip2 compressed",
    b"\xfd7zXZ\0": "a file that xz compressed",
    b"\x28\xb5\x2f\xfd": "a file that zstd compressed",
}
"""First bytes of other compressed files; no net and no file of properties begins so."""

_TAR, _TAR_AT = b"ustar", 257
"""Bytes of a tar archive, and their position."""

_LONGEST = max(map(len, _ARCHIVES))


def suffix(path: str | Path) -> str:
    """Return the ending for the file's format, in lower case: .pnml for `net.PNML.gz`."""
    name = Path(path)
    if name.suffix.lower() == GZIP:
        name = name.with_suffix("")
    return name.suffix.lower()


def with_suffix(path: str | Path, ending: str) -> Path:
    """Return the path with another ending than `suffix`; `.gz` stays."""
    name = Path(path)
    if name.suffix.lower() == GZIP:
        return name.with_suffix("").with_suffix(ending + name.suffix)
    return name.with_suffix(ending)


def content(path: str | Path, limit: int) -> bytes:
    """Return the bytes of a file, unchanged."""
    return b"".join(pieces(path, limit))


def read_lines(path: str, what: str, read: Callable[[str], Entry]) -> list[Entry]:
    """Return the results of `read` for the lines of a text file; messages call them `what`.

    Empty lines, and comments that begin with #, are skipped. QueryError where the file cannot be
    read, or `read` refuses a line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot read {what} in {path}: {error}") from error
    entries = []
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                entries.append(read(line))
            except QueryError as error:
                raise QueryError(f"{path}, line {number}: {error}") from None
    return entries


def pieces(path: str | Path, limit: int) -> Iterator[bytes]:
    """Yield the bytes of a file, unchanged, one piece after the other."""
    with refusing(UNREADABLE, path), open(path, "rb") as file:
        # The size of a pipe or device is unknown before it has been read.
        if os.fstat(file.fileno()).st_size > limit:
            raise _too_large("is larger", path, limit)
        yield from pieces_of(file, path, limit)


def pieces_of(file: BinaryIO, path: str | Path, limit: int) -> Iterator[bytes]:
    """Yield the bytes of an open file, one piece after the other; `path` is for messages."""
    with refusing(UNREADABLE, path):
        yield from _within(limit, file, path, "is larger")


@contextmanager
def refusing(what: str, path: str | Path) -> Iterator[None]:
    """Raise errors of the system as an InputError about the file."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise InputError(what + reason(error), path=str(path)) from None


def _within(
    limit: int, file: BinaryIO | gzip.GzipFile, path: str | Path, what: str
) -> Iterator[bytes]:
    size = 0
    while piece := file.read(PIECE):
        size += len(piece)
        if size > limit:
            raise _too_large(what, path, limit)
        yield piece


def _too_large(what: str, path: str | Path, limit: int) -> InputError:
    most = f"the file {what} than {limit >> 20} MiB, the most that is read; make it smaller"
    return InputError(most, path=str(path))


def expanded(packed: Iterable[bytes], path: str | Path, limit: int) -> Iterator[bytes]:
    """Yield the pieces, decompressed if they are gzip; no piece is much larger than `PIECE`.

    InputError where a .gz file is not gzip, is cut off or damaged, or has more than `limit` bytes,
    or this is an archive of another kind.
    """
    tail, head = iter(packed), b""
    while len(head) < _LONGEST and (piece := next(tail, b"")):
        head += piece
    if head.startswith(_MAGIC):
        unzipped = _unzipped(chain((head,), tail), path, limit)
        start = next(unzipped, b"")
        _refuse_tar(start, path)
        yield from chain((start,), unzipped)
        return
    if Path(path).suffix.lower() == GZIP:
        raise InputError("the name ends in .gz, but this is no gzip file", path=str(path))
    for start, kind in _ARCHIVES.items():
        if head.startswith(start):
            raise InputError(f"this is {kind}; unpack it, and name what is in it", path=str(path))
    _refuse_tar(head, path)
    yield from chain((head,), tail)


def _refuse_tar(start: bytes, path: str | Path) -> None:
    if start[_TAR_AT:].startswith(_TAR):
        remedy = f"unpack it with 'tar xf {path}', and name what is in it"
        raise InputError(f"this is a tar archive; {remedy}", path=str(path))


def _unzipped(packed: Iterable[bytes], path: str | Path, limit: int) -> Iterator[bytes]:
    """Yield the contents of the members of a gzip file, one after the other."""
    try:
        with gzip.GzipFile(fileobj=io.BufferedReader(_Joined(packed))) as file:
            yield from _within(limit, file, path, "expands to more")
    except EOFError:
        raise InputError("the gzip file is cut off; copy it again", path=str(path)) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"this is no sound gzip file: {error}", path=str(path)) from None


class _Joined(io.RawIOBase):
    """Pieces, one after the other, as a file."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces, self._buffer = iter(pieces), memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._buffer and (piece := next(self._pieces, None)) is not None:
            self._buffer = memoryview(piece)
        size = min(len(buffer), len(self._buffer))
        buffer[:size], self._buffer = self._buffer[:size], self._buffer[size:]
        return size


def reason(error: OSError | ValueError) -> str:
    """Return the reason of the error, without the path."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
