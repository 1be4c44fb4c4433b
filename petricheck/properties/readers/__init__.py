"""Formats of property files. One file each.

A member reads bytes into properties over the ids of a net; `read_properties` chooses it by the
file's extension.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar, Protocol

from petricheck import plugins
from petricheck.files import expanded, pieces, suffix
from petricheck.problem import Net
from petricheck.properties.meaning import Property

MAX_BYTES = 256 << 20
"""Property files may have this many bytes."""

_FAMILY = "properties.readers"
_FALLBACK = "mcc"


class Reader(Protocol):
    """What every member of the family offers."""

    extensions: ClassVar[tuple[str, ...]]

    def read(self, pieces: Iterable[bytes], path: str, net: Net) -> tuple[Property, ...]:
        """The properties, in the order of the file, one at least.

        Raises:
            InputError: the file was refused as a whole.
        """


def read_properties(path: str | Path, net: Net) -> tuple[Property, ...]:
    """The properties of a file, in its order, over the ids of the net.

    Raises:
        InputError: the file cannot be read, is too large, or was refused as a whole.
    """
    return _reader_of(path).read(pieces_of(path), str(path), net)


def pieces_of(path: str | Path) -> Iterator[bytes]:
    """The bytes of a file of properties, expanded where it is compressed, piece by piece.

    Raises:
        InputError: it cannot be read, or is too large.
    """
    return expanded(pieces(path, MAX_BYTES), path, MAX_BYTES)


def _reader_of(path: str | Path) -> Reader:
    """The member that declares the path's extension, `.gz` aside, or else the contest's."""
    extension = suffix(path)
    for name in plugins.members(_FAMILY):
        member: Reader = plugins.build(_FAMILY, name)
        if extension in member.extensions:
            return member
    fallback: Reader = plugins.build(_FAMILY, _FALLBACK)
    return fallback
