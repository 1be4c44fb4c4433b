"""`petricheck batch PATH...`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from petricheck.commands.batches.run import cell_options, executor, run_cells, select_questions
from petricheck.commands.shell.command_group import CommandGroup
from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.limits import ANSWER, INTERRUPTED, prepare_cutoff
from petricheck.commands.shell.options import Texts, given_question, question_options
from petricheck.commands.shell.terminal import complain, say
from petricheck.evidence.answer import Unknown
from petricheck.questions import question_text
from petricheck.support.budget import Budget
from petricheck.support.errors import QueryError
from petricheck.support.plugins import as_option
from petricheck.support.processes import supervision
from petricheck.support.words import counted

if TYPE_CHECKING:
    from petricheck.batch.cells import Cell, CellRecord
    from petricheck.batch.questions.sources import Request


@click.command(
    cls=CommandGroup,
    modules={
        "compare": "petricheck.commands.batches.report:compare",
        "export": "petricheck.commands.batches.report:export",
        "import": "petricheck.commands.batches.benchexec:add",
        "report": "petricheck.commands.batches.report:report",
        "tasks": "petricheck.commands.batches.benchexec:tasks",
        "verify": "petricheck.commands.batches.verify:verify",
    },
)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@question_options()
@click.option("--properties", metavar="FILE", help="Which properties of FILE hold, for each net?")
@cell_options("Without any: default.")
@click.option("--out", metavar="DIR", required=True, help="The folder for the results.")
@click.option(
    "--from", "earlier", metavar="DIR", help="First try the evidence of the batch in DIR."
)
@click.option("--resume", is_flag=True, help="Continue the batch in DIR, which may be empty.")
@click.option(
    "--check",
    is_flag=True,
    help="Exit with status 5 if an answer is wrong or a property violated, else with that of the"
    " gravest error.",
)
@click.option(
    "--all-decided", is_flag=True, help="With --check: else with status 1 if a cell is not decided."
)
@click.option(
    "--dask", metavar="ADDRESS", help="Run on a Dask cluster; 'local' starts one on this machine."
)
def command(
    paths: tuple[str, ...],
    properties: str | None,
    configurations: tuple[str, ...],
    timeout: float,
    jobs: int,
    only: str,
    cpu_time: float | None,
    memory: int | None,
    out: str,
    earlier: str | None,
    resume: bool,
    check: bool,
    all_decided: bool,
    dask: str | None,
    **texts: str | bool | None,
) -> None:
    """Decide many questions, and store every result in a folder.

    A PATH is an index or a list of questions (.json), a net, or a folder of these or of models of
    the Model Checking Contest. DIR gets a row for each cell (a question under a configuration), and
    the evidence. After a crash or an interruption, --resume continues. Exit status 0 once all cells
    are recorded, whatever the answers; see --check.
    """
    from petricheck.batch.cells import CellLimits
    from petricheck.batch.configurations import parse_configurations
    from petricheck.batch.reports.measures import exit_status
    from petricheck.batch.run import plan
    from petricheck.batch.store import Store

    if all_decided and not check:
        raise click.UsageError("--all-decided goes with --check")
    columns = parse_configurations(configurations)
    workers = executor(jobs, dask)
    request = _request(properties, texts)
    cells = plan(
        select_questions(paths, request, only), columns, CellLimits(timeout, cpu_time, memory)
    )
    opened = Store.resume if resume else Store.create
    with opened(Path(out)) as store, _with_earlier(cells, earlier) as cells:
        prepare_cutoff(ANSWER, partial(_report_interruption, out), Budget())
        interrupted = run_cells(cells, store, workers)
        records, expected = store.records(), store.planned()
    _summarize(records, expected, out)
    if interrupted:
        exit_with(_report_interruption(out))
    supervision.settle(ANSWER)
    if check:
        exit_with(Status(exit_status(records, all_decided=all_decided)))


@contextmanager
def _with_earlier(cells: tuple[Cell, ...], folder: str | None) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells, with the evidence of the batch in a folder while this lasts."""
    from petricheck.batch.run import with_earlier
    from petricheck.batch.store import Store

    if folder is None:
        yield cells
        return
    with Store.read(Path(folder)) as store:
        records = store.records()
        with store.unpacked(record.evidence for record in records if record.evidence) as files:
            yield with_earlier(cells, records, files)


def _report_interruption(out: str, _: Unknown = INTERRUPTED) -> Status:
    complain(f"interrupted; --resume continues {out}")
    return Status.INTERRUPTED


def _request(properties: str | None, texts: Texts) -> Request:
    """Return the question about the nets; None where the paths contain questions."""
    question = given_question(texts)
    if question is None:
        return None if properties is None else Path(properties)
    if properties is not None:
        raise QueryError("give one question for all nets, or a file of properties, not both")
    kind, text = question
    words = question_text(text)
    if texts[kind] is not True and not words.strip():
        raise QueryError(f"{as_option(kind)} is empty; give a text, or omit the option")
    return kind, words


def _summarize(records: Sequence[CellRecord], planned: Sequence[Cell], out: str) -> None:
    """Print a line for each configuration, and where the results are."""
    from petricheck.batch.reports.layouts import render
    from petricheck.batch.reports.measures import arrange, disputes
    from petricheck.batch.reports.tables import configurations

    results = arrange(records, planned)
    summary = f"{_are(len(records), 'result')} in {out}; see 'petricheck batch report {out}'."
    if results.missing:
        summary += f" {_are(results.missing, 'cell')} not done."
    if disputed := len(disputes(results.records)):
        summary += f" Questions with verdicts that contradict each other: {disputed}."
    say(render([configurations(results), summary], "text").rstrip("\n"))


def _are(number: int, noun: str) -> str:
    return f"{counted(number, noun)} {'is' if number == 1 else 'are'}"
