"""The plots of a batch, made from its records alone: same records, same bytes.

`quantile` shows how many cells each configuration solves within a time, `scatter` compares two
configurations cell by cell, `iterations` shows how many iterations the solved cells took. `paper`
is what they are drawn on. Every kind of mark has a shape, dashes or hatching of its own besides
its colour, so that plots can be read in grey and by people who do not tell all colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from petricheck.batch.cells import Cell, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.reports.plots import iterations, quantile, scatter
from petricheck.batch.reports.plots.paper import Drawing, drawn, missing, slug
from petricheck.batch.reports.results import Results, arrange
from petricheck.batch.reports.scores import score

__all__ = ["PAIRS", "Plot", "draw", "draw_engines", "drawings", "engine_drawings", "missing"]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot.

    Attributes:
        name: of its files, without a suffix: letters, digits and hyphens; unique among the plots.
        title: one line.
        svg: an `svg` element, to stand alone or in a page; it refers to nothing outside.
        note: what the reader has to know, such as what is left out; may be empty.
        pdf: the same as a PDF file.
    """

    name: str
    title: str
    svg: str
    note: str = ""
    pdf: bytes = field(default=b"", repr=False)


def draw(records: Iterable[Record], planned: Sequence[Cell] = ()) -> tuple[Plot, ...]:
    """All plots that the records give rise to; none without a record. Only where none is `missing`.

    Args:
        records: at most one for each key, in any order.
        planned: all cells that there will be, where that is known: they give the order of the
            configurations.
    """
    return tuple(_plot(name, drawing) for name, drawing in drawings(arrange(records, planned)))


def draw_engines(records: Iterable[Record], planned: Sequence[Cell] = ()) -> tuple[Plot, ...]:
    """The plots of a comparison of engines; arguments as of `draw`."""
    results = arrange(records, planned)
    return tuple(_plot(name, drawing) for name, drawing in engine_drawings(results))


PAIRS = 6
"""So many configurations at most are compared with the default one, or else the first."""


def drawings(results: Results) -> Iterator[tuple[str, Drawing]]:
    """Names of the plots, and what is to be drawn."""
    if not results.records:
        return
    yield "quantile", quantile.drawing(results)
    base, others = _pairs(results)
    count = len(results.configurations) - 1
    chosen = f"Of {count} other configurations the {PAIRS} that solve most are compared."
    note = chosen if count > PAIRS else ""
    for number, other in enumerate(others, 1):
        if pair := scatter.drawing(results, base, other, note):
            yield f"scatter-{number}-{slug(base)}-{slug(other)}", pair
    if histograms := iterations.drawing(results):
        yield "iterations", histograms


def engine_drawings(results: Results) -> Iterator[tuple[str, Drawing]]:
    """Quantiles of proofs and of alarms, and each configuration beside another one."""
    verdicts = [r for r in results.records if not r.cell.question.analysed]
    for value, title in ((False, "Proofs"), (True, "Alarms")):
        of_it = [r for r in verdicts if r.cell.question.expected is value]
        if of_it:
            drawing = quantile.drawing(arrange(of_it, [r.cell for r in of_it]))
            yield f"quantile-{title.lower()}", replace(drawing, title=f"{title} within a time")
    for number, (base, other) in enumerate(_beside(results.configurations), 1):
        if pair := scatter.drawing(results, base, other):
            yield f"scatter-{number}-{slug(base)}-{slug(other)}", pair


def _beside(configurations: Sequence[Configuration]) -> Iterator[tuple[str, str]]:
    """Each but the first with the first one of its engine, or else with the first of all."""
    for number, configuration in enumerate(configurations):
        before = configurations[:number]
        same = [c for c in before if c.engine == configuration.engine]
        for base in [*same, *before][:1]:
            yield base.name, configuration.name


def _pairs(results: Results) -> tuple[str, Sequence[str]]:
    """The default configuration, or the first; and, of the others, those that solve most."""
    names = [configuration.name for configuration in results.configurations]
    base = "default" if "default" in names else names[0]
    others = [c for c in results.configurations if c.name != base]
    best = sorted(others, key=lambda c: -score(results.of(c)).solved)[:PAIRS]
    return base, [c.name for c in others if c in best]


def _plot(name: str, drawing: Drawing) -> Plot:
    svg, pdf = drawn(name, drawing)
    return Plot(name, drawing.title, svg, drawing.note, pdf)
