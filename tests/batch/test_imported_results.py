"""Results of other tools: what BenchExec's own result files say becomes rows of a batch."""

from __future__ import annotations

import bz2
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import records as made
from benchexec.benchexec import BenchExec
from benchexec.model import Benchmark
from benchexec.outputhandler import OutputHandler
from benchexec.systeminfo import SystemInfo
from click.testing import CliRunner, Result
from folders import NETS

from petricheck.batch.benchexec.results import configuration_of, read_results
from petricheck.batch.benchexec.tasks import write_tasks
from petricheck.batch.cells import Cell, CellLimits, CellRecord
from petricheck.batch.questions.sources import read_sources
from petricheck.batch.store import Store
from petricheck.commands import main
from petricheck.support.errors import InputError

NAMES = ("basic_me_U", "fig8_U", "finkel_km_R", "kanban_U", "parity_U")
(FIG8,) = read_sources([NETS / "fig8_U.json"]).questions
STATUSES = {
    "basic_me_U": "true",
    "fig8_U": "false(reachable)",
    "finkel_km_R": "TIMEOUT (true)",
    "kanban_U": "OUT OF MEMORY",
    "parity_U": "SEGMENTATION FAULT",
}


def batch(folder: Path, *cells: Cell) -> Path:
    """A batch that has results of the cells, or else of the questions by these names."""
    asked = cells or [
        made.cell(question) for name in NAMES
        for question in read_sources([NETS / f"{name}.json"]).questions
    ]  # fmt: skip
    with Store.create(folder) as store:
        for cell in asked:
            kept = cell.at({path: store.keep(path) for path in cell.files})
            store.plan([kept])
            store.commit(kept, made.SOLVED, cell.question.net.name)
    return folder


def name_of(task: str) -> str:
    """The question's name in that of its task."""
    return Path(task).stem.removeprefix("nets+").rpartition("-")[0]


def measured(
    definitions: Path,
    statuses: Mapping[str, str],
    cell: Cell = made.cell(FIG8),  # noqa: B008
) -> Path:
    """The result file of BenchExec's own writer about tasks, of which these have a result."""
    questions = [q for name in NAMES for q in read_sources([NETS / f"{name}.json"]).questions]
    questions = [cell.question if q.name == cell.question.name else q for q in questions]
    written = write_tasks(questions, [made.NONE], CellLimits(60, 30, 1024), definitions)
    words = ["--no-container", "--no-compress-results", "-o", f"{definitions}/results/"]
    config = BenchExec().create_argument_parser().parse_args([*words, str(written)])
    benchmark = Benchmark(str(written), config, datetime.now().astimezone())
    benchmark.tool_name, benchmark.tool_version = "LoLA", "2.0"
    benchmark.executable = sys.executable
    (run_set,) = benchmark.run_sets
    Path(benchmark.log_folder).parent.mkdir()
    handler = OutputHandler(benchmark, SystemInfo(), config)
    handler.output_before_run_set(run_set)
    for run in run_set.runs:
        status = statuses.get(name_of(run.identifier))
        if status is not None:
            run.status, run.category = status, "unknown"
            run.values = {"cputime": 1.25, "walltime": 1.5, "memory": 5 << 20}
            run.cmdline()
            handler.add_values_to_run_xml(run)
    handler.output_after_run_set(run_set)
    (results,) = (definitions / "results").glob("*.none.nets.xml")
    return results


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return measured(tmp_path_factory.mktemp("tasks") / "definitions", STATUSES)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["batch", *map(str, words)], prog_name="petricheck")


def rows(folder: Path) -> dict[str, CellRecord]:
    """What was imported, by the names of the questions."""
    with Store.read(folder) as store:
        return {
            record.cell.question.name: record
            for record in store.records()
            if record.cell.configuration.tool
        }


def test_each_run_becomes_a_row_beside_ours(tmp_path: Path, results: Path) -> None:
    folder = batch(tmp_path / "run")
    done = run("import", folder, results, "--timeout", "40")
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    assert done.stdout == f"LoLA.none: 5 results added to {folder}\n"
    found = rows(folder)
    assert {name: (r.outcome.status, r.outcome.verdict) for name, r in found.items()} == {
        "basic_me_U": ("decided", "unreachable"),
        "fig8_U": ("decided", "reachable"),
        "finkel_km_R": ("timeout", "unknown"),
        "kanban_U": ("memory", "unknown"),
        "parity_U": ("error", "unknown"),
    }
    row = found["fig8_U"]
    assert row.wrong and row.net == "fig8_U.pnml" and row.evidence == ""
    assert (
        row.cell.configuration.definition == "LoLA 2.0 --engine cegar -o guide=none -o heuristics="
    )
    assert row.cell.limits == CellLimits(40, 30, 1024)
    outcome = row.outcome
    assert (outcome.cpu_seconds, outcome.seconds, outcome.memory) == (1.25, 1.5, 5 << 20)
    assert (outcome.engine, outcome.audit) == ("LoLA", "")
    assert outcome.host is not None and outcome.host.versions == (("LoLA", "2.0"),)
    assert found["parity_U"].outcome.reason == "BenchExec tells SEGMENTATION FAULT"
    report = run("report", folder, "--out", tmp_path / "report")
    assert report.exit_code == 0
    assert "LoLA.none" in (tmp_path / "report" / "tables.md").read_text("utf-8")


def test_a_result_is_imported_once_and_from_bzip2_as_well(tmp_path: Path, results: Path) -> None:
    folder, packed = batch(tmp_path / "run"), tmp_path / "results.xml.bz2"
    packed.write_bytes(bz2.compress(results.read_bytes()))
    assert run("import", folder, packed).exit_code == 0
    again = run("import", folder, results)
    assert again.exit_code == 3
    assert "the batch has a result of LoLA.none for basic_me_U already" in again.stderr
    assert len(rows(folder)) == 5
    packed.write_bytes(packed.read_bytes()[:-20])
    assert "the bzip2 file is cut off" in run("import", folder, packed).stderr
    packed.write_bytes(results.read_bytes())
    assert "Invalid data stream" in run("import", folder, packed).stderr


@pytest.mark.parametrize(
    "changes",
    [{"net": NETS / "parity_U.pnml"}, {"text": "p1 = 2"}, {"kind": "cover"}, {}],
    ids=["net", "target", "kind", "property"],
)
def test_a_run_about_something_else_under_the_same_name_is_left_out(
    tmp_path: Path, results: Path, changes: dict[str, Any]
) -> None:
    other = results.read_text()
    if not changes:
        other = other.replace('properties="unreachable"', 'properties="live"')
    (tmp_path / "other.xml").write_text(other)
    folder = batch(tmp_path / "run", made.cell(replace(FIG8, **changes)))
    refused = run("import", folder, tmp_path / "other.xml")
    assert (refused.exit_code, refused.stdout) == (3, "")
    assert "left out 5 runs of tasks about other questions" in refused.stderr
    assert not rows(folder)


def test_runs_without_a_result_and_of_other_questions_are_left_out_and_told(tmp_path: Path) -> None:
    some = measured(tmp_path / "some", {"parity_U": "true", "fig8_U": "true"})
    folder = batch(tmp_path / "run", made.cell(FIG8))
    done = run("import", folder, some)
    assert done.exit_code == 0 and list(rows(folder)) == ["fig8_U"]
    assert "left out 4 runs of tasks about other questions than the batch has" in done.stderr
    none = measured(tmp_path / "none", {})
    refused = run("import", batch(tmp_path / "new", made.cell(FIG8)), none)
    assert refused.exit_code == 3
    assert "left out 1 run without a result" in refused.stderr
    assert "has no result for a question of the batch" in refused.stderr


def test_what_is_no_result_file_or_declares_entities_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.xml"
    for text, complaint in {
        "<results/>": "is no result file of BenchExec",
        "<result/>": "is no result file of BenchExec",
        "<result tool='a'": "not well-formed",
        "<!DOCTYPE result [<!ENTITY a 'b'>]><result tool='&a;'/>": "DOCTYPE",
    }.items():
        file.write_text(text)
        with pytest.raises(InputError, match=complaint):
            read_results(str(file))
    file.write_text("<!DOCTYPE result SYSTEM 'x.dtd'><result tool='a' block='s' name='d.s'/>")
    assert configuration_of(read_results(str(file))).name == "a.d"
    assert run("import", tmp_path, file).exit_code == 3
