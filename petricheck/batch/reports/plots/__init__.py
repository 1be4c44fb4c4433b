"""The plots of a batch, made from its records alone: same records, same bytes.

`quantile` shows how many cells each configuration solves within a time, `scatter` compares two
configurations cell by cell; `figures` has what both are drawn with. Every kind of mark has a shape
or dashes of its own besides its colour, so that plots can be read in grey and by people who do not
tell all colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from petricheck.batch.cells import Cell, Record
from petricheck.batch.configurations import Configuration
from petricheck.batch.reports.plots.figures import Plot, missing
from petricheck.batch.reports.plots.quantile import quantile_plot
from petricheck.batch.reports.plots.scatter import scatter_plot
from petricheck.batch.reports.results import Results, arrange
from petricheck.batch.reports.scores import score

__all__ = ["PAIRS", "Plot", "draw", "draw_engines", "missing"]

PAIRS = 6
"""So many configurations at most are compared with the default one, or else the first."""


def draw(records: Iterable[Record], planned: Sequence[Cell] = ()) -> tuple[Plot, ...]:
    """All plots that the records give rise to; none without a record. Only where none is `missing`.

    Args:
        records: at most one for each key, in any order.
        planned: all cells that there will be, where that is known: they give the order of the
            configurations.
    """
    results = arrange(records, planned)
    if not results.records:
        return ()
    base, others = _pairs(results)
    count = len(results.configurations) - 1
    note = f"Of {count} other configurations the {PAIRS} that solve most are compared."
    scatters = _scatters(results, [(base, other) for other in others], note * (count > PAIRS))
    return (quantile_plot(results, "quantile", "Cells solved within a time"), *scatters)


def draw_engines(records: Iterable[Record], planned: Sequence[Cell] = ()) -> tuple[Plot, ...]:
    """The plots of a comparison of engines; arguments as of `draw`.

    Quantiles of proofs and of alarms, and each configuration beside another one.
    """
    results = arrange(records, planned)
    verdicts = [r for r in results.records if r.cell.question.has_target]
    quantiles = []
    for value, title in ((False, "Proofs"), (True, "Alarms")):
        of_it = [r for r in verdicts if r.cell.question.expected is value]
        if of_it:
            known = arrange(of_it, [r.cell for r in of_it])
            name = f"quantile-{title.lower()}"
            quantiles.append(quantile_plot(known, name, f"{title} within a time"))
    return (*quantiles, *_scatters(results, list(_beside(results.configurations)), ""))


def _scatters(results: Results, pairs: Sequence[tuple[str, str]], note: str) -> Iterator[Plot]:
    for number, (base, other) in enumerate(pairs, 1):
        if plot := scatter_plot(results, base, other, number, note):
            yield plot


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
