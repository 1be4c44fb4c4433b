"""`petricheck batch tasks PATH... --out DIR`."""

from __future__ import annotations

from pathlib import Path

import click

from petricheck.cli.options import Seconds
from petricheck.cli.terminal import complain, say


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--out", metavar="DIR", required=True, help="A new folder for the definitions.")
@click.option(
    "--config",
    "configurations",
    metavar="NAME[=ENGINE:FIELD=VALUE,...]",
    multiple=True,
    help="A run definition; may be repeated. Without any: default.",
)
@click.option(
    "--timeout",
    metavar="S",
    type=Seconds(),
    default=60.0,
    show_default=True,
    help="Limit on the wall time of each run, in whole seconds.",
)
@click.option(
    "--cpu-time",
    metavar="S",
    type=Seconds(),
    help="Limit on the CPU time of each run, in whole seconds.",
)
@click.option(
    "--memory",
    metavar="MIB",
    type=click.IntRange(min=1),
    help="Limit on the memory of each run.",
)
@click.option(
    "--cores",
    metavar="N",
    type=click.IntRange(min=1),
    help="Cores that each run has to itself.",
)
def command(
    paths: tuple[str, ...],
    out: str,
    configurations: tuple[str, ...],
    timeout: float,
    cpu_time: float | None,
    memory: int | None,
    cores: int | None,
) -> None:
    """Write the questions as tasks for BenchExec, with a benchmark definition that runs them."""
    from petricheck.batch.cells import Limits
    from petricheck.batch.configurations import DEFAULT, parse_configurations
    from petricheck.batch.sources import read_sources
    from petricheck.batch.tasks import Resources, write_tasks

    columns = parse_configurations(configurations, (DEFAULT,))
    sources = read_sources(paths)
    for skipped in sources.skipped:
        complain(f"left out {skipped.path}: {skipped.reason}")
    resources = Resources(Limits(timeout, cpu_time, memory), cores)
    benchmark = write_tasks(sources.questions, columns, resources, Path(out))
    say(f"{len(sources.questions)} tasks are written; run them with: benchexec {benchmark}")
