"""A batch as one HTML page: summary, plots, a table of all cells, their evidence, and the nets.

The page needs nothing but itself: no request leaves it, and a Content-Security-Policy would stop
one; scripts and styles run by their hash only. Summary and table are plain HTML. Details are data
in the page, from which its script makes elements when a cell is opened, text by text: nothing that
comes from a user is ever read as HTML.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from importlib.resources import files
from xml.etree import ElementTree

from petricheck.batch.cells import Record
from petricheck.batch.reports.page.data import gather
from petricheck.batch.reports.page.inline import inlined
from petricheck.batch.reports.page.netfiles import read_nets
from petricheck.batch.reports.page.rows import COLUMNS, rows
from petricheck.batch.reports.page.summary import STATES, summarise
from petricheck.batch.reports.plots import Plot


def render_page(title: str, records: Sequence[Record], plots: Sequence[Plot]) -> str:
    """The page; the records' nets and evidence are read from their files.

    A file that is missing or refused costs what it would have told, and is told itself.
    """
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    style, script = _asset("page.css"), _asset("page.js")
    nets = read_nets(records)
    data = gather(records, nets)
    return environment.get_template("page.html.j2").render(
        title=title,
        policy=_policy(style, script),
        style=style,
        script=script,
        states=STATES,
        lines=summarise(records),
        pictures=[_picture(number, plot) for number, plot in enumerate(plots)],
        columns=COLUMNS,
        rows=rows(records, nets),
        nets=data.nets,
        data=data.json,
        finished=(min((r.finished for r in records), default=""), _latest(records)),
    )


def _latest(records: Sequence[Record]) -> str:
    return max((record.finished for record in records), default="")


def _asset(name: str) -> str:
    return files(__name__).joinpath("templates", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing is allowed but this style and this script."""
    hashes = [
        b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)
    ]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _picture(number: int, plot: Plot) -> dict[str, str]:
    try:
        picture: str = inlined(plot.svg, f"plot{number}-")
    except ElementTree.ParseError as error:
        picture = f"(this plot cannot be shown: {error})"
    return {"title": plot.title, "note": plot.note, "svg": picture}
