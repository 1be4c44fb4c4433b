"""A batch as one HTML page: summary, plots, a table of all cells, their evidence, and the nets.

All of it is plain HTML; what is told of a cell when it is opened stands in templates, which its
script copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from petricheck.batch.cells import Record
from petricheck.batch.reports.page.circumstances import circumstances
from petricheck.batch.reports.page.data import gather
from petricheck.batch.reports.page.inline import inlined
from petricheck.batch.reports.page.matrix import matrix
from petricheck.batch.reports.page.netfiles import read_nets
from petricheck.batch.reports.page.rows import COLUMNS, rows
from petricheck.batch.reports.page.summary import STATES, summarise
from petricheck.batch.reports.plots import Plot
from petricheck.page.document import document
from petricheck.page.facts import printed


def render_page(
    title: str, records: Sequence[Record], plots: Sequence[Plot], files: Path = Path()
) -> str:
    """The page; the records' nets and evidence are read from a folder.

    A file that is missing or refused costs what it would have told, and is told itself.
    """
    nets = read_nets(records, files)
    data = gather(records, nets, files)
    values = {
        "title": title,
        "states": STATES,
        "lines": summarise(records),
        "pictures": [_picture(number, plot) for number, plot in enumerate(plots)],
        "columns": COLUMNS,
        "rows": rows(records, nets),
        "matrix": matrix(records),
        "circumstances": printed(circumstances(records)),
        "details": data.details,
        "evidence": data.evidence,
        "nets": data.nets,
        "finished": (min((r.finished for r in records), default=""), _latest(records)),
    }
    return document(__name__, "batch", values)


def _latest(records: Sequence[Record]) -> str:
    return max((record.finished for record in records), default="")


def _picture(number: int, plot: Plot) -> dict[str, str]:
    try:
        picture: str = inlined(plot.svg, f"plot{number}-")
    except ElementTree.ParseError as error:
        picture = f"(this plot cannot be shown: {error})"
    return {"title": plot.title, "note": plot.note, "svg": picture}
