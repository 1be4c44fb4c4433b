"""`petricheck batch import DIR RESULTS...`."""

from __future__ import annotations

from pathlib import Path

import click

from petricheck.cli.batching import wall_time_option
from petricheck.cli.terminal import complain, say
from petricheck.errors import InputError
from petricheck.words import counted


@click.command()
@click.argument("folder", metavar="DIR")
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True)
@wall_time_option("The limit on wall time that the runs had, which result files do not tell.")
def command(folder: str, results: tuple[str, ...], timeout: float) -> None:
    """Add results of other tools to a batch, from BenchExec.

    RESULTS are files (.xml or .xml.bz2) that BenchExec wrote about tasks of 'petricheck batch
    tasks', of questions that the batch in DIR has results of.
    """
    from petricheck.batch.imported import import_results

    for path in results:
        done = import_results(Path(folder), path, timeout)
        if done.others:
            runs = counted(done.others, "run")
            complain(f"{path}: left out {runs} of tasks about other questions than the batch has")
        if done.unfinished:
            complain(f"{path}: left out {counted(done.unfinished, 'run')} without a result")
        if not done.rows:
            raise InputError("has no result for a question of the batch", path=path)
        say(f"{done.configuration}: {counted(done.rows, 'result')} added to {folder}")
