"""`batch --from`: each cell first tries the evidence of the same question in an earlier batch."""

from __future__ import annotations

import json
from pathlib import Path

import records as made
from invoked import run, settled
from notation import net_of

from petricheck.batch.cells import Cell
from petricheck.batch.run import plan, with_earlier
from petricheck.batch.store import Store
from petricheck.formats.nets import write_net

OLD = "p=1 q=0, go: p -> q, back: q -> p"
QUESTIONS = [{"name": "two", "formula": "q >= 2"}, {"name": "bound", "bound": "p + q"}]


def decided(folder: Path, system: str, *words: object) -> dict[str, made.CellRecord]:
    """The records of a batch about the net, by question."""
    write_net(net_of(system), folder / "net.pnml")
    entries = [{"net": "net.pnml", **entry} for entry in QUESTIONS]
    (folder / "checks.json").write_text(json.dumps(entries))
    out = folder / f"run{len([*folder.glob('run*')])}"
    limits = ("--timeout", "20", "--out", out)
    settled(run("batch", folder / "checks.json", *limits, *words))
    with Store.read(out) as store:
        return {r.cell.question.name.removeprefix("checks/"): r for r in store.records()}


def test_answers_follow_from_the_evidence_of_the_earlier_batch(tmp_path: Path) -> None:
    first = decided(tmp_path, OLD)
    again = decided(tmp_path, f"{OLD}, stay: q -> q", "--from", tmp_path / "run0")
    assert again["two"].outcome.engine == "earlier" != first["two"].outcome.engine
    assert again["two"].outcome.value is False and again["bound"].outcome.value == 1
    assert "accepted" in settled(run("batch", "verify", tmp_path / "run1")).stdout


def test_a_folder_without_a_batch_is_refused(tmp_path: Path) -> None:
    write_net(net_of(OLD), tmp_path / "net.pnml")
    words = ("batch", tmp_path / "net.pnml", "--deadlock", "--out", tmp_path / "out")
    result = settled(run(*words, "--from", tmp_path / "nowhere"), 3)
    assert "holds no batch" in result.stderr


def test_evidence_is_found_by_question_and_configuration_then_by_question_then_by_name() -> None:
    def cells(collection: str) -> tuple[Cell, ...]:
        question = made.question("q", collection=collection)
        return plan([question], [made.NONE, made.ABS1], made.CellLimits(1.0))

    def earlier(cell: Cell, evidence: str) -> made.CellRecord:
        return made.CellRecord(cell, made.SOLVED, "q.pnml", evidence, "")

    def found(planned: tuple[Cell, ...], *records: made.CellRecord) -> list[str]:
        return [Path(str(c.earlier)).name for c in with_earlier(planned, records, Path("folder"))]

    none, abs1 = cells("nets")
    assert found((none, abs1), earlier(none, "a")) == ["a", "a"]
    both = [earlier(none, "a"), earlier(abs1, "b")]
    assert found((none, abs1), *both) == ["a", "b"]
    elsewhere = cells("other")
    assert found(elsewhere, *both) == ["b", "b"]
    assert found((none, abs1), earlier(none, "a"), earlier(elsewhere[0], "c")) == ["a", "a"]
    assert found((none, abs1), earlier(none, "")) == ["None", "None"]
