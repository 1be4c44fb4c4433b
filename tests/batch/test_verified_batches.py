"""The evidence of a whole batch is checked again, and trusted in nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import records as made
from click.testing import Result
from invoked import run
from notation import net_of

from petricheck.batch import DATABASE
from petricheck.batch.cells import Cell, CellOutcome
from petricheck.batch.questions.sources import read_sources
from petricheck.batch.run import plan
from petricheck.batch.run import run as run_cells
from petricheck.batch.solve import decide
from petricheck.batch.store import Store
from petricheck.formats.nets import write_net

QUESTIONS = [
    {"name": "reachable", "formula": "q >= 1"},
    {"name": "unreachable", "formula": "q >= 2"},
    {"name": "home", "mcc": {"xml": "f.formula", "id": "formula-1"}},
    {"name": "bound", "bound": "p + q"},
    {"name": "many", "formula": "q >= 2", "initial": "p >= 1"},
    {"name": "kept", "formula": "p + q != initial(p)", "initial": "p >= 1, q = 0"},
]


class Here:
    """Decides cells in this process."""

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellOutcome]]:
        for cell in cells:
            yield cell, decide(cell, lambda _: None)


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    """A batch of six questions, really decided."""
    write_net(net_of("p=1 q=0, go: p -> q, back: q -> p"), tmp_path / "net.pnml")
    (tmp_path / "f.formula").write_text("AG EF q >= 1")
    entries = [{"net": "net.pnml", **entry} for entry in QUESTIONS]
    (tmp_path / "checks.json").write_text(json.dumps(entries))
    asked = read_sources([tmp_path / "checks.json"]).questions
    cells = plan(asked, [made.parse_configuration("default=portfolio")], made.CellLimits(10.0))
    with Store.create(tmp_path / "run") as store:
        assert {r.outcome.status for r in run_cells(cells, store, Here())} == {"decided"}
    return tmp_path / "run"


def changed(batch: Path, statement: str, *values: str) -> Result:
    """What is told after somebody has changed the database."""
    with sqlite3.connect(batch / DATABASE) as database:
        assert database.execute(statement, values).rowcount == 1
    return run("batch", "verify", batch)


SET = "UPDATE cell SET done = json_set(done, {}) WHERE question = ?"


def test_all_evidence_of_a_batch_is_accepted_and_counted(batch: Path) -> None:
    told = run("batch", "verify", batch)
    assert (told.exit_code, told.stdout) == (0, "Evidence of 6 cells: 6 accepted.\n")
    fields = json.loads(run("batch", "verify", batch, "--json").stdout)
    assert (fields["accepted"], fields["rejected"]) == (6, 0)
    assert {cell["question"]: cell["result"] for cell in fields["cells"]} == {
        f"checks/{entry['name']}": "accepted" for entry in QUESTIONS
    }


@pytest.mark.parametrize("name", ["reachable", "unreachable", "home"])
def test_a_verdict_that_the_evidence_does_not_prove_is_rejected(batch: Path, name: str) -> None:
    opposite = "true" if name == "unreachable" else "false"
    told = changed(batch, SET.format("'$.outcome.value', json(?)"), opposite, f"checks/{name}")
    assert told.exit_code == 4
    assert f"rejected: {batch.parent.name}/checks/{name} default: it proves another" in told.stdout
    assert told.stdout.endswith("Evidence of 6 cells: 5 accepted, 1 rejected.\n")


def test_evidence_of_another_question_is_rejected(batch: Path) -> None:
    with sqlite3.connect(batch / DATABASE) as database:
        query = "SELECT done->>'$.evidence' FROM cell WHERE question = 'checks/unreachable'"
        ((other,),) = database.execute(query).fetchall()
    told = changed(batch, SET.format("'$.evidence', ?"), other, "checks/reachable")
    assert told.exit_code == 4 and "it is about another target" in told.stdout


def test_a_verdict_without_evidence_is_not_checked(batch: Path) -> None:
    told = changed(batch, SET.format("'$.evidence', ?"), "", "checks/bound")
    assert told.exit_code == 1
    assert told.stdout.endswith("Evidence of 6 cells: 5 accepted, 1 without evidence.\n")


def test_what_is_not_decided_within_the_limit_is_told(batch: Path) -> None:
    told = run("batch", "verify", batch, "--timeout", "0.0000001")
    assert told.exit_code in (0, 1) and "rejected" not in told.stdout


def test_an_undecided_cell_has_nothing_to_be_checked(tmp_path: Path) -> None:
    made.keep(tmp_path / "run", [made.record("q", outcome=made.TIMEOUT)])
    told = run("batch", "verify", tmp_path / "run")
    assert (told.exit_code, told.stdout) == (0, "Evidence of 0 cells: none.\n")
    assert run("batch", "verify", tmp_path).exit_code == 3
