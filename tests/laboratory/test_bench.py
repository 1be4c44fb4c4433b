"""The bench: the paper's configurations, its table, and how the command ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from folders import NETS
from records import row

from petricheck.batch.configurations import (
    CONFIGURATIONS,
    Configuration,
    parse_configuration,
    parse_configurations,
)
from petricheck.batch.store import Store
from petricheck.commands import main
from petricheck.laboratory.commands import bench as bench_command
from petricheck.laboratory.commands import bench_kernel
from petricheck.support import compiled
from petricheck.support.errors import QueryError

DEFAULT = parse_configuration("default")
NONE = parse_configuration("none")


# Configurations


def test_the_built_in_configurations_cover_the_columns_of_the_paper_in_its_order() -> None:
    columns = ["none", "abs1", "abs2", "abs3", "all"]
    assert [c.column for c in CONFIGURATIONS if c.column] == columns
    assert [c.name for c in CONFIGURATIONS] == [
        *columns,
        "letter",
        "abstract",
        "optimal",
        "default",
    ]


def test_a_configuration_is_named_or_defined() -> None:
    assert parse_configuration("abs2") in CONFIGURATIONS
    assert parse_configuration("mine=cegar") == Configuration("mine", "cegar")
    defined = parse_configuration("mine=cegar:heuristics=parikh,place_invariants,guide=none")
    assert defined.options == (("heuristics", "parikh,place_invariants"), ("guide", "none"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("abs9", "unknown configuration 'abs9'; known: none, abs1"),
        ("mine=nothing", "unknown name 'nothing' among the engines"),
        ("mine=cegar:color=red", "cegar has no option 'color'"),
        ("mine=cegar:fast", "'fast' is not of the form FIELD=VALUE"),
        ("=cegar", "has no name"),
    ],
)
def test_a_wrong_configuration_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(QueryError, match=complaint):
        parse_configuration(text)


def test_configurations_are_run_once_each_all_that_are_built_in_without_a_choice() -> None:
    assert parse_configurations([], CONFIGURATIONS) == CONFIGURATIONS
    assert parse_configurations(["default", "none", "default"], ()) == (DEFAULT, NONE)
    with pytest.raises(QueryError, match="two configurations are named 'none'"):
        parse_configurations(["none", "none=cegar:guide=optimal"], ())


# The command


def bench(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["bench", *map(str, words)])


@pytest.mark.slow
def test_the_table_is_printed_and_written_and_results_are_stored_in_the_given_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    words = (NETS, "--only", "parity_?", "--config", "default")
    done = bench(*words, "--markdown", tmp_path / "bench.md", "--out", tmp_path / "run")
    assert done.exit_code == 0
    assert row(done.stdout, "parity_U")[:2] == ["parity_U", "U"]
    assert row(done.stdout, "solved ") == ["solved", "1/1"]
    assert "1/1 nets/parity_U default: unreachable" in done.stderr
    assert "| parity_U |" in (tmp_path / "bench.md").read_text()
    with Store.read(tmp_path / "run") as store:
        assert [record.outcome.verdict for record in store.records()] == ["unreachable"]
    assert bench(*words, "--out", tmp_path / "run").exit_code == 3
    fields = json.loads(bench(*words, "--json").stdout)
    assert fields["records"][0]["verdict"] == "unreachable"
    assert not list((tmp_path / "temporary").iterdir())


def test_the_command_ends_with_the_status_of_the_gravest_failure(tmp_path: Path) -> None:
    entry = json.loads((NETS / "parity_U.json").read_text())
    entry |= {"net": str(NETS / "parity_U.pnml"), "expected": "reachable"}
    (tmp_path / "mistaken.json").write_text(json.dumps(entry))
    wrong = bench(tmp_path / "mistaken.json", "--config", "default")
    failed = bench(NETS / "parity_U.json", "--config", "nowhere=cegar:predicates=nowhere")
    assert (wrong.exit_code, failed.exit_code) == (5, 2)
    assert "WRONG, reachable is expected" in wrong.stdout and "error, QueryError" in failed.stdout


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["--only", "nothing"], 2, "no question has a name that matches 'nothing'"),
        (["--config", "abs9"], 2, "unknown configuration 'abs9'"),
        (["--engine", "cegar", "--engine", "imcc"], 2, "unknown name 'imcc' among the engines"),
        (["--engine", "cegar", "--config", "cegar=bmc"], 2, "two configurations are named"),
        (["--resume"], 2, "name it with --out"),
        (["--plots", "/dev/null/plots"], 3, "cannot be made"),
        (["--markdown", "/no/such/folder/file"], 3, "no such folder"),
        (["--jobs", "0"], 2, "above 0"),
    ],
)
def test_a_wrong_command_is_refused_at_once(words: list[str], status: int, complaint: str) -> None:
    done = bench(NETS, *words)
    assert (done.exit_code, done.stdout) == (status, "")
    assert complaint in done.stderr


TWO = "[ap][ba][pr]*"
"""A proof, of parity_U, and an alarm, of abp_R."""


@pytest.mark.slow
def test_engines_are_compared_in_one_table_with_plots(tmp_path: Path) -> None:
    named, plots, table = "bmc:length=3,block=multiset", "new/plots", "table.md"
    done = bench(NETS, "--only", TWO, "--engine", "state_equation", "--engine", named,
                 "--plots", tmp_path / plots, "--markdown", tmp_path / table)  # fmt: skip
    assert done.exit_code == 0
    assert "state_equation  bmc:length=3,block=multiset" in done.stdout
    counts = [line.rsplit(maxsplit=2) for line in done.stdout.splitlines()[3:11]]
    assert [(name.strip(), one, other) for name, one, other in counts] == [
        ("correct results", "1", "1"),
        ("proofs", "1", "0"),
        ("alarms", "0", "1"),
        ("wrong proofs", "0", "0"),
        ("wrong alarms", "0", "0"),
        ("timeouts", "0", "0"),
        ("out of memory", "0", "0"),
        ("other inconclusive", "1", "1"),
    ]
    assert "- state_equation: nets/parity_U\n- bmc: nets/abp_R\n" in done.stdout
    assert "| correct results | 1 | 1 |" in (tmp_path / table).read_text()
    assert {path.name for path in (tmp_path / plots).iterdir()} == {
        "quantile-alarms.svg",
        "quantile-proofs.svg",
        "scatter-1-bmc-length-3-block-multi-state-equation.svg",
    }


@pytest.mark.slow
def test_a_resumed_comparison_shows_only_its_own_cells(tmp_path: Path) -> None:
    words = (NETS, "--only", "parity_U", "--out", tmp_path / "run", "--resume")
    assert bench(*words, "--engine", "state_equation", "--engine", "bmc:length=2").exit_code == 0
    more = bench(*words, "--engine", "bmc:length=2", "--engine", "bmc:length=3")
    assert more.exit_code == 0
    assert "1 of 2 cells are done already" in more.stderr
    assert "state_equation" not in more.stdout
    assert row(more.stdout, "other inconclusive")[2:] == ["1", "1"]


def test_an_interrupted_command_prints_what_it_has_and_ends_with_status_130(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench_command, "run_cells", lambda cells, store, executor: True)
    done = bench(NETS, "--only", "parity_U", "--engine", "bmc")
    assert done.exit_code == 130
    assert "interrupted after 0 of 1 cells" in done.stderr and "parity_U" in done.stdout


def test_the_kernel_is_measured_on_nets_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_kernel, "FIRINGS", 1000)
    monkeypatch.setattr(bench_kernel, "MARKINGS", 1000)
    monkeypatch.setattr(bench_kernel, "WIDE", ((2, 3),))
    monkeypatch.setattr(compiled, "_failures", ["asked for"])
    monkeypatch.setattr(bench_kernel, "start_seconds", lambda cache: 1.25)
    shown = bench("kernel").stdout.splitlines()
    assert [line.split("  ")[0] for line in shown[:2]] == [
        "start, first compilation",
        "start, from the cache",
    ]
    for line, what in zip(shown[2:], ["random walk"] * 3 + ["exploration"] * 2, strict=False):
        assert line.startswith(what) and "/s" in line and "places" in line
    assert "asked for" in shown[7] and len(shown) == 8


def test_the_kernel_is_measured_on_nets_that_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_kernel, "NET_SECONDS", 0.01)
    shown = bench("kernel", str(NETS / "fms_U.pnml")).stdout.splitlines()
    assert [line.split("  ")[0] for line in shown[:-1]] == [
        *("random walk", "leaning walk", "walk by plans"),
        *("exploration", "best-first, near", "best-first, far"),
    ]
    assert all("/s" in line and "places" in line for line in shown[:-1])


def test_a_command_without_questions_or_nets_is_refused() -> None:
    assert bench().exit_code == 2 and bench("kernel", "nets").exit_code == 3
