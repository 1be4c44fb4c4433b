"""The nets of a batch, each file read once; what cannot be read is told."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from petricheck.batch.cells import Record
from petricheck.batch.reports.results import grouped
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


_NOTHING = Markup("")


@dataclass(frozen=True, slots=True)
class NetFile:
    """A net's file.

    Attributes:
        number: of the net in the page.
        net: the net; None where it is not known.
        complaint: why it is not; empty where it is.
        names: of the file, as the questions give it.
        cells: how many ask about it.
        picture: of the net; empty where it is not drawn.
    """

    number: int
    net: Net | None
    complaint: str
    names: str = ""
    cells: int = 0
    picture: Markup = _NOTHING

    @property
    def sizes(self) -> str:
        """How much there is of everything, or why it is not known."""
        if self.net is None:
            return printable(self.complaint)
        tokens = sum(self.net.initial)
        return f"{sizes(self.net)}, {number_text(tokens)} token{'' if tokens == 1 else 's'}"


def read_nets(records: Iterable[Record], files: Path) -> dict[str, NetFile]:
    """The nets of the records by hash, in their order, read from the folder `files`."""
    room = DRAWINGS
    nets: dict[str, NetFile] = {}
    for sha256, group in grouped(records, lambda record: record.net_sha256).items():
        net, complaint = _read(files / group[0].cell.question.net, sha256)
        picture = to_svg(net) if net is not None and room > 0 else ""
        room -= len(picture)
        names = ", ".join(dict.fromkeys(printable(record.net) for record in group))
        file = NetFile(len(nets), net, complaint, names, len(group), Markup(picture))
        nets[sha256] = file
    return nets


def _read(path: Path, sha256: str) -> tuple[Net | None, str]:
    """The net, or why it is not known."""
    try:
        if path.stat().st_size > BYTES:
            return None, f"its file is larger than {BYTES >> 20} MiB, the most that is read here"
        file = read_net(path)
    except OSError as error:
        return None, f"its file cannot be read: {error.strerror}"
    except InputError as error:
        where = "" if error.line is None else f"line {error.line}: "
        return None, f"its file is refused: {where}{error.message}"
    if file.sha256 != sha256:
        return None, "its file is not the one that was asked about"
    return file.net, ""
