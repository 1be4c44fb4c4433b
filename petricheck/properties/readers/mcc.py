"""Property files of the Model Checking Contest (.xml)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from petricheck.problem import Net
from petricheck.properties.document import read_document
from petricheck.properties.meaning import Property


@dataclass(frozen=True)
class Mcc:
    """Property files of the Model Checking Contest."""

    extensions: ClassVar[tuple[str, ...]] = (".xml",)

    def read(self, pieces: Iterable[bytes], path: str, net: Net) -> tuple[Property, ...]:
        """The properties, each with the id that the file gives it.

        Raises:
            InputError: the file was refused as a whole.
        """
        return read_document(pieces, path, net)
