"""The plots of a batch, made from its records alone: same records, same bytes.

`quantile` shows how many cells each configuration solves within a time, `scatter` compares two
configurations cell by cell, `iterations` shows how many iterations the solved cells took. `canvas`
is what they are drawn on. Every kind of mark has a shape, dashes or hatching of its own besides
its colour, so that plots can be read in grey and by people who do not tell all colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from petricheck.batch.cells import Cell, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.reports.plots import iterations, quantile, scatter
from petricheck.batch.reports.plots.canvas import Drawing, drawn, missing, slug
from petricheck.batch.reports.results import Results, arrange
from petricheck.batch.reports.scores import score

__all__ = ["PAIRS", "Plot", "draw", "draw_engines", "drawings", "engine_drawings", "missing"]

PAIRS = 6
"""So many configurations at most are compared with the default one, or else the first."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot.

    Attributes:
        name: of its files, without a suffix: letters, digits and hyphens; unique among the plots.
        title: one line.
        svg: an SVG file, which refers to nothing outside.
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
    return tuple(map(_plot, drawings(arrange(records, planned))))


def draw_engines(records: Iterable[Record], planned: Sequence[Cell] = ()) -> tuple[Plot, ...]:
    """The plots of a comparison of engines; arguments as of `draw`."""
    return tuple(map(_plot, engine_drawings(arrange(records, planned))))


def drawings(results: Results) -> Iterator[tuple[str, Drawing]]:
    """Names of the plots, and what is to be drawn."""
    if not results.records:
        return
    yield "quantile", quantile.drawing(results)
    base, others = _pairs(results)
    count = len(results.configurations) - 1
    note = f"Of {count} other configurations the {PAIRS} that solve most are compared."
    yield from _scatters(results, [(base, other) for other in others], note * (count > PAIRS))
    if histograms := iterations.drawing(results):
        yield "iterations", histograms


def engine_drawings(results: Results) -> Iterator[tuple[str, Drawing]]:
    """Quantiles of proofs and of alarms, and each configuration beside another one."""
    verdicts = [r for r in results.records if r.cell.question.has_target]
    for value, title in ((False, "Proofs"), (True, "Alarms")):
        of_it = [r for r in verdicts if r.cell.question.expected is value]
        if of_it:
            drawing = quantile.drawing(arrange(of_it, [r.cell for r in of_it]))
            yield f"quantile-{title.lower()}", replace(drawing, title=f"{title} within a time")
    yield from _scatters(results, list(_beside(results.configurations)), "")


def _scatters(
    results: Results, pairs: Sequence[tuple[str, str]], note: str
) -> Iterator[tuple[str, Drawing]]:
    for number, (base, other) in enumerate(pairs, 1):
        if drawing := scatter.drawing(results, base, other, note):
            yield f"scatter-{number}-{slug(base)}-{slug(other)}", drawing


def _beside(configurations: Sequence[Configuration]) -> Iterator[tuple[str, str]]:
    """Each but the first with the first one of its engine, or else with the first of all."""
    for number, configuration in enumerate(configurations[1:], 1):
        before = configurations[:number]
        same = (c for c in before if c.engine == configuration.engine)
        yield next(same, before[0]).name, configuration.name


def _pairs(results: Results) -> tuple[str, Sequence[str]]:
    """The default configuration, or the first; and, of the others, those that solve most."""
    names = [configuration.name for configuration in results.configurations]
    base = "default" if "default" in names else names[0]
    others = [c for c in results.configurations if c.name != base]
    best = sorted(others, key=lambda c: -score(results.of(c)).solved)[:PAIRS]
    return base, [c.name for c in others if c in best]


def _plot(named: tuple[str, Drawing]) -> Plot:
    name, drawing = named
    svg, pdf = drawn(name, drawing)
    return Plot(name, drawing.title, svg, drawing.note, pdf)
