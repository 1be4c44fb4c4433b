"""`petricheck batch tasks PATH... --out DIR` and `petricheck batch import DIR RESULTS...`."""

from __future__ import annotations

from pathlib import Path

import click

from petricheck.commands.batches.run import (
    configuration_option,
    select_questions,
    unit_limit_options,
    wall_time_option,
)
from petricheck.commands.shell.options import count_option
from petricheck.commands.shell.terminal import complain, say
from petricheck.support.errors import InputError, QueryError
from petricheck.support.plugins import as_option
from petricheck.support.words import counted


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--out", metavar="DIR", required=True, help="A new folder for the tasks.")
@configuration_option("Without any: default.")
@unit_limit_options("run")
@count_option("--cores", "How many cores each run has to itself.")
def tasks(
    paths: tuple[str, ...],
    out: str,
    configurations: tuple[str, ...],
    timeout: float,
    cpu_time: float | None,
    memory: int | None,
    cores: int | None,
) -> None:
    """Write the questions as tasks for BenchExec.

    'benchexec DIR/petricheck.xml' runs them, under each configuration. Limits become whole seconds.
    """
    from petricheck.batch.benchexec.tasks import write_tasks
    from petricheck.batch.cells import CellLimits
    from petricheck.batch.configurations import parse_configurations

    columns = parse_configurations(configurations)
    selected = select_questions(paths)
    tasks_questions = [question for question in selected if question.has_target]
    if len(tasks_questions) < len(selected):
        kinds = dict.fromkeys(q.kind for q in selected if not q.has_target)
        options = ", ".join(map(as_option, kinds))
        others = counted(len(selected) - len(tasks_questions), "question")
        complain(f"left out {others} with {options}, since no verdict answers them")
    if not tasks_questions:
        raise QueryError("no task is left; 'petricheck batch' decides such questions")
    limits = CellLimits(timeout, cpu_time, memory)
    benchmark = write_tasks(tasks_questions, columns, limits, Path(out), cores)
    say(f"Written: {counted(len(tasks_questions), 'task')}; run with: benchexec {benchmark}")


@click.command()
@click.argument("folder", metavar="DIR")
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True)
@wall_time_option("The wall time limit of the runs in seconds, which result files do not contain.")
def add(folder: str, results: tuple[str, ...], timeout: float) -> None:
    """Add results of other tools to a batch, from BenchExec.

    RESULTS are files (.xml or .xml.bz2) that BenchExec wrote, about tasks of 'petricheck batch
    tasks' whose questions are in the batch in DIR.
    """
    from petricheck.batch.benchexec.results import import_results

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
