"""Bytes in and out of files: sizes are capped, gzip is undone, nothing is left half written."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from pathlib import Path

from petricheck.errors import InputError

GZIP = ".gz"
"""The ending of compressed files."""

_MAGIC = b"\x1f\x8b"

_PADDING = re.compile(rb"\0*")

_PIECE = 1 << 10
"""Bytes of a gzip file that are expanded first."""


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
        raise InputError(f"cannot be read: {_reason(error)}", path=str(path)) from None
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
    """Write a file, which is replaced as a whole or left alone; compressed where it ends in .gz.

    Raises:
        InputError: it cannot be written.
    """
    if Path(path).suffix.lower() == GZIP:
        data = gzip.compress(data, mtime=0)
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            part.write_bytes(data)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {_reason(error)}", path=str(path)) from None


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
