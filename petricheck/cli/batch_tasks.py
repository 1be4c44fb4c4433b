"""`petricheck batch tasks PATH... --out DIR`."""

from __future__ import annotations

from pathlib import Path

import click

from petricheck.cli.batching import (
    configuration_option,
    limits_of_each,
    read_questions,
    with_verdicts,
)
from petricheck.cli.options import count_option
from petricheck.cli.terminal import say
from petricheck.errors import QueryError


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--out", metavar="DIR", required=True, help="A new folder for the definitions.")
@configuration_option("Without any: default.")
@limits_of_each("run")
@count_option("--cores", "Cores that each run has to itself.")
def command(
    paths: tuple[str, ...],
    out: str,
    configurations: tuple[str, ...],
    timeout: float,
    cpu_time: float | None,
    memory: int | None,
    cores: int | None,
) -> None:
    """Write the questions as tasks for BenchExec.

    A benchmark definition, which runs them, has a run definition for each column. Its limits are
    whole seconds.
    """
    from petricheck.batch.cells import Limits
    from petricheck.batch.configurations import DEFAULT, parse_configurations
    from petricheck.batch.tasks import write_tasks

    columns = parse_configurations(configurations, (DEFAULT,))
    questions = with_verdicts(read_questions(paths), "BenchExec")
    if not questions:
        raise QueryError("no task is left; 'petricheck batch' asks such questions")
    limits = Limits(timeout, cpu_time, memory)
    benchmark = write_tasks(questions, columns, limits, Path(out), cores)
    say(f"{len(questions)} tasks are written; run them with: benchexec {benchmark}")
