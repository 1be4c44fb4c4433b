"""The nets of a batch, each file read once; what cannot be read is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from petricheck.batch.cells import Record
from petricheck.errors import InputError
from petricheck.formats import read_net
from petricheck.problem import Net

BYTES = 8 << 20
"""Larger files are not read: a page is to be made in seconds."""


@dataclass(frozen=True, slots=True)
class NetFile:
    """A net's file.

    Attributes:
        name: as it was given.
        sha256: of the file that the batch asked about.
        net: the net; None where it is not known.
        complaint: why it is not; empty where it is.
    """

    name: str
    sha256: str
    net: Net | None
    complaint: str


def read_nets(records: Iterable[Record], files: Path) -> dict[str, NetFile]:
    """The nets of the records by hash, in their order."""
    found: dict[str, NetFile] = {}
    for record in records:
        if record.net_sha256 not in found:
            found[record.net_sha256] = _read(record, files / record.cell.question.net)
    return found


def _read(record: Record, path: Path) -> NetFile:
    net: Net | None = None
    complaint = ""
    try:
        if path.stat().st_size > BYTES:
            complaint = f"its file is larger than {BYTES >> 20} MiB, the most that is read here"
        else:
            file = read_net(path)
            net = file.net if file.sha256 == record.net_sha256 else None
            complaint = "" if net is not None else "its file is not the one that was asked about"
    except OSError as error:
        complaint = f"its file cannot be read: {error.strerror}"
    except InputError as error:
        where = "" if error.line is None else f"line {error.line}: "
        complaint = f"its file is refused: {where}{error.message}"
    return NetFile(record.net, record.net_sha256, net, complaint)
