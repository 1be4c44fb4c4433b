"""A batch as one HTML page: summary, plots, a table of all cells, their evidence, and the nets.

All of it is plain HTML; what is told of a cell when it is opened stands in templates, which its
script copies. Plots are images within the page, so that nothing in them can reach out of them.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from petricheck.batch.cells import STATES, Record
from petricheck.batch.reports.page.details import gather
from petricheck.batch.reports.page.nets import read_nets
from petricheck.batch.reports.page.overview import (
    COLUMNS,
    MARKS,
    NUMBERS,
    circumstances,
    comparisons,
    lines,
    rows,
)
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
    details, evidence = gather(records, nets, files)
    shown = rows(records, {sha256: file.number for sha256, file in nets.items()})
    finished = [record.finished for record in records]
    values = {
        "title": title,
        "states": STATES,
        "lines": lines(records),
        "pictures": [(plot, b64encode(plot.svg.encode()).decode()) for plot in plots],
        "columns": COLUMNS,
        "numbers": NUMBERS,
        "rows": shown,
        "comparisons": comparisons(shown),
        "marks": MARKS,
        "circumstances": printed(circumstances(records)),
        "details": details,
        "evidence": evidence,
        "nets": nets,
        "finished": (min(finished, default=""), max(finished, default="")),
    }
    return document(__name__, "batch", values)
