"""The nets of a batch, each file read once; what cannot be read is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from petricheck.batch.cells import Record
from petricheck.drawing.svg import to_svg
from petricheck.drawing.words import sizes
from petricheck.errors import InputError
from petricheck.formats import read_net
from petricheck.problem import Net
from petricheck.words import number_text, printable

BYTES = 8 << 20
"""Larger files are not read: a page is to be made in seconds."""

DRAWINGS = 4 << 20
"""Characters of drawings in a page; later nets are not drawn beyond."""


@dataclass(frozen=True, slots=True)
class NetFile:
    """A net's file.

    Attributes:
        number: of the net in the page.
        net: the net; None where it is not known.
        complaint: why it is not; empty where it is.
    """

    number: int
    net: Net | None
    complaint: str

    @property
    def sizes(self) -> str:
        """How much there is of everything, or why it is not known."""
        if self.net is None:
            return printable(self.complaint)
        tokens = sum(self.net.initial)
        return f"{sizes(self.net)}, {number_text(tokens)} token{'' if tokens == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class ShownNet:
    """A net of the page.

    Attributes:
        file: names that it was asked about by.
        sha256: of its file.
        cells: how many ask about it.
        sizes: how much there is of everything, or why it is not known.
        picture: empty where it is not drawn.
    """

    file: str
    sha256: str
    cells: int
    sizes: str
    picture: Markup


def read_nets(records: Iterable[Record], files: Path) -> dict[str, NetFile]:
    """The nets of the records by hash, in their order, read from the folder `files`."""
    nets: dict[str, NetFile] = {}
    for record in records:
        if record.net_sha256 not in nets:
            nets[record.net_sha256] = _read(record, files / record.cell.question.net, len(nets))
    return nets


def shown_nets(records: Sequence[Record], nets: Mapping[str, NetFile]) -> Iterator[ShownNet]:
    """What the page shows of the nets."""
    given: dict[str, list[str]] = {sha256: [] for sha256 in nets}
    for record in records:
        given[record.net_sha256].append(printable(record.net))
    room = DRAWINGS
    for sha256, file in nets.items():
        picture = to_svg(file.net) if file.net is not None and room > 0 else ""
        room -= len(picture)
        names = ", ".join(dict.fromkeys(given[sha256]))
        yield ShownNet(names, sha256, len(given[sha256]), file.sizes, Markup(picture))


def _read(record: Record, path: Path, number: int) -> NetFile:
    try:
        if path.stat().st_size > BYTES:
            most = f"larger than {BYTES >> 20} MiB, the most that is read here"
            return NetFile(number, None, f"its file is {most}")
        file = read_net(path)
    except OSError as error:
        return NetFile(number, None, f"its file cannot be read: {error.strerror}")
    except InputError as error:
        where = "" if error.line is None else f"line {error.line}: "
        return NetFile(number, None, f"its file is refused: {where}{error.message}")
    if file.sha256 != record.net_sha256:
        return NetFile(number, None, "its file is not the one that was asked about")
    return NetFile(number, file.net, "")
