"""Formats of property files. One file each.

A member reads bytes into properties with the names of a vocabulary; `read_properties` chooses it by
the file's extension, and takes that of the contest for any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Protocol

from petricheck.formats.properties.meaning import Property
from petricheck.formats.properties.vocabulary import AnyNames, Vocabulary
from petricheck.model.net import Net
from petricheck.support import plugins
from petricheck.support.files import expanded, paused, pieces, suffix

MAX_BYTES = 256 << 20
"""The most bytes of a property file."""

_FAMILY = "properties.readers"


class Reader(Protocol):
    """Interface of every member of the family."""

    extensions: ClassVar[tuple[str, ...]]

    def read(
        self, pieces: Iterable[bytes], path: str, vocabulary: Vocabulary
    ) -> tuple[Property, ...]:
        """Return the properties, in the order of the file, at least one; with propositions.

        Raises:
            NoProperties: the file contains something else.
            InputError: it was refused as a whole.
        """


@paused()
def read_properties(path: str | Path, net: Net | None = None) -> tuple[Property, ...]:
    """Return the properties of a file, in its order, over the ids of the net.

    Without a net all names are taken for right: then the types of the meanings count alone, and
    what is refused with the net may be missing. Errors as those of `Reader.read`.
    """
    content = expanded(pieces(path, MAX_BYTES), path, MAX_BYTES)
    vocabulary = AnyNames() if net is None else Vocabulary(net)
    reader: Reader = plugins.build(_FAMILY, known_extensions().get(suffix(path), "mcc"))
    return tuple(
        replace(read, meaning=vocabulary.spelled_out(read.meaning))
        for read in reader.read(content, str(path), vocabulary)
    )


def known_extensions() -> Mapping[str, str]:
    """Return the members by what the names of their files end in, but for a further `.gz`."""
    names = plugins.members(_FAMILY)
    return {end: name for name in names for end in plugins.member(_FAMILY, name).extensions}
