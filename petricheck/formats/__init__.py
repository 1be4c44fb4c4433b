"""Net file formats. One file each.

A member reads bytes into a net and writes a net as bytes; `read_net` and `write_net` choose it by
the file's extension.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol

from petricheck import plugins
from petricheck.errors import InputError
from petricheck.problem import Net

MAX_BYTES = 512 << 20
"""Net files may have this many bytes."""

_FALLBACK = "pnml"


class Format(Protocol):
    """What every member of the family offers."""

    extensions: ClassVar[tuple[str, ...]]

    def read(
        self, data: bytes, path: str, net_id: str | None = None
    ) -> tuple[Net, tuple[str, ...]]:
        """The net and warnings about the file; InputError, with `path`, where it is refused."""

    def write(self, net: Net) -> bytes:
        """A file that `read` reads back as the same net."""


@dataclass(frozen=True, slots=True)
class NetFile:
    """A net and where it came from.

    Attributes:
        net: the net.
        sha256: hexadecimal hash of the file's bytes.
        warnings: what is worth knowing about the file, one sentence each.
        path: as it was given.
    """

    net: Net
    sha256: str
    warnings: tuple[str, ...]
    path: str


def read_net(path: str | Path, net_id: str | None = None) -> NetFile:
    """The net in a file; where the file holds several, `net_id` says which.

    Raises:
        InputError: the file cannot be read, is too large, or was refused.
    """
    data = _content(Path(path))
    net, warnings = format_of(path).read(data, str(path), net_id)
    return NetFile(net, hashlib.sha256(data).hexdigest(), warnings, str(path))


def write_net(net: Net, path: str | Path) -> None:
    """Write the net to a file, which is replaced as a whole or left alone.

    Raises:
        InputError: the format cannot hold the net, or the file cannot be written.
    """
    data = format_of(path).write(net)
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


def format_of(path: str | Path) -> Format:
    """The member that declares the path's extension, or else PNML."""
    extension = Path(path).suffix.lower()
    for name in plugins.members("formats"):
        member: Format = plugins.build("formats", name)
        if extension in member.extensions:
            return member
    fallback: Format = plugins.build("formats", _FALLBACK)
    return fallback


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            # The size of a pipe or device is unknown before it has been read.
            announced = os.fstat(file.fileno()).st_size
            data = b"" if announced > MAX_BYTES else file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_reason(error)}", path=str(path)) from None
    if max(announced, len(data)) > MAX_BYTES:
        raise InputError(
            f"the file is larger than {MAX_BYTES >> 20} MiB, the most that is read; reduce the net",
            path=str(path),
        )
    return data


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
