"""`petricheck batch verify DIR`: check all evidence of a batch again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from petricheck.commands.batches.display import cell_name
from petricheck.commands.shell.exit_status import Status, exit_with
from petricheck.commands.shell.options import json_option, seconds_option
from petricheck.commands.shell.terminal import say, say_verdict
from petricheck.support.budget import Budget
from petricheck.support.errors import InputError
from petricheck.support.words import counted, printable

if TYPE_CHECKING:
    from petricheck.batch.verification import VerifiedCell


@click.command()
@click.argument("folder", metavar="DIR")
@seconds_option("--timeout", "Time limit in seconds, for the evidence of each cell.")
@json_option
def verify(folder: str, timeout: float | None, as_json: bool) -> None:
    """Check the evidence of all cells of a batch again, against their nets and verdicts.

    Exit status: 0 all accepted, 4 some rejected, else 1 if some was not decided within the limit,
    or a verdict has no evidence.
    """
    from petricheck.batch.store import Store
    from petricheck.batch.verification import RESULTS, verified

    cells: list[VerifiedCell] = []
    with Store.read(Path(folder)) as store, store.unpacked() as files:
        records = store.records()
        if not records:
            raise InputError("no cell is recorded yet", path=folder)
        for record in records:
            cell = verified(record, files, Budget(timeout))
            if cell is not None:
                cells.append(cell)
                if not as_json and cell.result != "accepted":
                    say_verdict(
                        cell.result, f": {cell_name(record.cell.key)}: {printable(cell.reason)}"
                    )
    counts = Counter(cell.result for cell in cells)
    if as_json:
        totals = {result: counts[result] for result in RESULTS}
        say(json.dumps(totals | {"cells": list(map(_fields, cells))}, indent=2))
    else:
        parts = [f"{counts[result]} {result}" for result in RESULTS if counts[result]]
        say(f"Evidence of {counted(len(cells), 'cell')}: {', '.join(parts) or 'none'}.")
    doubtful = Status.UNKNOWN if counts["unknown"] or counts["without evidence"] else Status.DECIDED
    exit_with(Status.REJECTED if counts["rejected"] else doubtful)


def _fields(cell: VerifiedCell) -> dict[str, object]:
    collection, question, configuration = cell.record.cell.key
    return {
        "collection": collection,
        "question": question,
        "configuration": configuration,
        "verdict": cell.record.outcome.verdict,
        "evidence": cell.record.evidence or None,
        "result": cell.result,
        "reason": cell.reason or None,
    }
