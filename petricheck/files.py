"""Bytes in and out of files: sizes are capped, gzip is undone, files are written whole or not."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from petricheck.errors import InputError

GZIP = ".gz"
"""The ending of compressed files."""

_MAGIC = b"\x1f\x8b"

_PADDING = re.compile(rb"\0*")

_PIECE = 1 << 10
"""Bytes of a gzip file that are expanded first."""

_SHORT = 60
"""Letters of a file's name in the name of what takes its place, which may be no longer than 255
bytes."""


def suffix(path: str | Path) -> str:
    """The ending that says what the file holds, in small letters: .pnml for `net.PNML.gz`."""
    name = Path(path)
    if name.suffix.lower() == GZIP:
        name = name.with_suffix("")
    return name.suffix.lower()


def with_suffix(path: str | Path, ending: str) -> Path:
    """The path with another ending than `suffix`; `.gz` stays."""
    name = Path(path)
    if name.suffix.lower() == GZIP:
        return name.with_suffix("").with_suffix(ending + name.suffix)
    return name.with_suffix(ending)


def content(path: str | Path, limit: int) -> bytes:
    """The bytes of a file.

    Raises:
        InputError: it cannot be read, or holds more than `limit` bytes.
    """
    try:
        with open(path, "rb") as file:
            # The size of a pipe or device is unknown before it has been read.
            announced = os.fstat(file.fileno()).st_size
            data = b"" if announced > limit else file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {reason(error)}", path=str(path)) from None
    if max(announced, len(data)) > limit:
        raise InputError(
            f"the file is larger than {limit >> 20} MiB, the most that is read; make it smaller",
            path=str(path),
        )
    return data


def expanded(data: bytes, path: str | Path, limit: int) -> bytes:
    """The bytes themselves, or what is compressed in them.

    Raises:
        InputError: a .gz file is none, is cut off or damaged, or holds more than `limit` bytes.
    """
    if not data.startswith(_MAGIC):
        if Path(path).suffix.lower() == GZIP:
            raise InputError("the name ends in .gz, but this is no gzip file", path=str(path))
        return data
    found = bytearray()
    position = 0
    while position < len(data):
        end = _member(data, position, found, path, limit)
        padding = _PADDING.match(data, end)
        position = padding.end() if padding else end
    return bytes(found)


def _member(data: bytes, position: int, found: bytearray, path: str | Path, limit: int) -> int:
    """Expand the member of a gzip file that begins here; where it ends.

    It is fed in pieces that grow with it: each member copies what is left of its last piece, and
    there may be millions of them.
    """
    member = zlib.decompressobj(wbits=31)
    size = _PIECE
    while not member.eof:
        piece = data[position : position + size]
        if not piece:
            raise InputError("the gzip file is cut off; copy it again", path=str(path))
        try:
            found += member.decompress(piece, limit + 1 - len(found))
        except zlib.error as error:
            raise InputError(f"this is no sound gzip file: {error}", path=str(path)) from None
        if len(found) > limit:
            raise InputError(
                f"the file expands to more than {limit >> 20} MiB, the most that is read",
                path=str(path),
            )
        position += len(piece) - len(member.unused_data)
        size *= 2
    return position


def store(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all, compressed where its name ends in .gz.

    Raises:
        InputError: it cannot be written.
    """
    packed = Path(path).suffix.lower() == GZIP
    write_file(path, gzip.compress(data, mtime=0) if packed else data)


def write_file(path: str | Path, content: str | bytes) -> None:
    """Replace the file's content at once, text in UTF-8, where a link leads if it is one.

    What is no regular file, such as a pipe, is written to.

    Raises:
        InputError: it cannot be written.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        with replacing(target) as part:
            part.write_bytes(data)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {reason(error)}", path=str(path)) from None


def make_folder(path: Path) -> None:
    """Make the folder, and those it is in, where it is not there.

    Raises:
        InputError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be made: {reason(error)}", path=str(path)) from None


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A path beside the target, for a file that takes its place where the block ends well.

    Raises:
        OSError: it cannot take its place.
    """
    part = target.with_name(f".{target.name[:_SHORT]}.{os.getpid()}.part")
    try:
        yield part
        os.replace(part, target)
    finally:
        with suppress(OSError):
            part.unlink()


def reason(error: OSError | ValueError) -> str:
    """What went wrong, without the path."""
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
