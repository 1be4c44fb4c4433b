"""The runner of batches: what is planned, what is done again, and what is committed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import records as made
from folders import NETS, questions_of

from petricheck.batch import DATABASE
from petricheck.batch.cells import Cell, CellLimits, CellOutcome
from petricheck.batch.configurations import Configuration, parse_configuration
from petricheck.batch.reports.measures import exit_status
from petricheck.batch.run import plan, run
from petricheck.batch.store import Store
from petricheck.support.errors import InputError, QueryError

NAMES = ("fig8_U", "kanban_U", "parity_U")
LIMITS = CellLimits(10.0)


@dataclass
class Inline:
    """Decides nothing: every cell has the outcome that `decide` gives it.

    Attributes:
        ahead: how many cells are begun before the first ends.
    """

    decide: Callable[[Cell], CellOutcome] = lambda cell: made.SOLVED
    ahead: int = 1
    begun: list[Cell] = field(default_factory=list)
    closed: bool = False

    def run(self, cells: Iterable[Cell]) -> Iterator[tuple[Cell, CellOutcome]]:
        source = iter(cells)
        running: list[Cell] = []
        try:
            while True:
                while len(running) < self.ahead and (cell := next(source, None)) is not None:
                    self.begun.append(cell)
                    running.append(cell)
                if not running:
                    return
                ended = running.pop()
                yield ended, self.decide(ended)
        finally:
            self.closed = True


def planned(*configurations: Configuration, limits: CellLimits = LIMITS) -> tuple[Cell, ...]:
    questions = [q for q in questions_of(NETS) if q.name in NAMES]
    return plan(questions, configurations or (made.NONE, made.ABS1), limits)


def keys(cells: Iterable[Cell]) -> set[tuple[str, str, str]]:
    return {cell.key for cell in cells}


# Plans


def test_every_question_is_asked_under_every_configuration() -> None:
    assert [(cell.question.name, cell.configuration.name) for cell in planned()] == [
        (name, column) for name in NAMES for column in ("none", "abs1")
    ]
    assert {cell.limits for cell in planned()} == {LIMITS}


def test_a_question_that_is_given_twice_is_asked_once_but_no_other_has_its_name() -> None:
    question = made.question("q")
    assert len(plan([question, question], [made.NONE], LIMITS)) == 1
    other = replace(question, text="p = 2")
    with pytest.raises(QueryError, match="2 questions named 'q' of collection 'nets'"):
        plan([question, other], [made.NONE], LIMITS)
    assert len(plan([question, replace(other, collection="mist")], [made.NONE], LIMITS)) == 2


def test_names_that_no_store_can_keep_are_refused() -> None:
    with pytest.raises(QueryError, match="is no text"):
        plan([made.question("q\udcff")], [made.NONE], LIMITS)


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        ("default", "portfolio:jobs=1"),
        ("quick=portfolio:turn=1", "portfolio:turn=1,jobs=1"),
        ("wide=portfolio:jobs=2", "portfolio:jobs=2"),
        ("none", "cegar:guide=none,heuristics="),
    ],
)
def test_the_portfolio_has_one_process_unless_it_is_given_more(text: str, definition: str) -> None:
    (cell,) = plan([made.question("q")], [parse_configuration(text)], LIMITS)
    assert cell.configuration.definition == definition
    assert cell.configuration.name == text.partition("=")[0]


# Runs


def test_every_cell_is_run_on_copies_and_committed_before_it_is_told(tmp_path: Path) -> None:
    def decide(cell: Cell) -> CellOutcome:
        assert all(file.is_file() for file in cell.files)
        return made.SOLVED

    executor = Inline(decide)
    with Store.create(tmp_path) as store:
        for number, record in enumerate(run(planned(), store, executor), start=1):
            assert record in store.records()
            assert len(store.records()) == number
            assert record.net == f"{record.cell.question.name}.pnml"
        assert keys(planned()) == made.keys(store)
    for cell in executor.begun:
        assert all(file.is_relative_to(tmp_path) and not file.exists() for file in cell.files)
    assert executor.closed and os.listdir(tmp_path) == [DATABASE]


def test_a_batch_goes_on_with_what_is_not_done_and_may_grow(tmp_path: Path) -> None:
    executor = Inline(ahead=2)
    with Store.create(tmp_path) as store:
        first = run(planned(made.NONE), store, executor)
        done = {next(first).cell.key}
        first.close()
        assert executor.closed and made.keys(store) == done
    for more in ([made.NONE], [made.NONE, made.ABS1], [made.NONE, made.ABS1]):
        executor = Inline()
        with Store.resume(tmp_path) as store:
            list(run(planned(*more), store, executor))
            assert keys(executor.begun) == keys(planned(*more)) - done
            done = set(made.keys(store))
            assert done == keys(planned(*more))


def test_an_executor_that_fails_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    def interrupted(cell: Cell) -> CellOutcome:
        if cell.question.name == NAMES[1]:
            raise KeyboardInterrupt
        return made.SOLVED

    executor = Inline(interrupted)
    with Store.create(tmp_path) as store:
        with pytest.raises(KeyboardInterrupt):
            list(run(planned(), store, executor))
        assert executor.closed
        assert [record.cell.question.name for record in store.records()] == [NAMES[0]] * 2


def test_a_net_that_cannot_be_read_is_refused_before_anything_runs(tmp_path: Path) -> None:
    executor = Inline()
    with Store.create(tmp_path) as store, pytest.raises(InputError, match=r"q\.pnml: cannot be"):
        list(run(plan([made.question("q")], [made.NONE], LIMITS), store, executor))
    assert executor.begun == []


def test_reasons_name_files_as_they_were_given(tmp_path: Path) -> None:
    def refuse(cell: Cell) -> CellOutcome:
        net = cell.question.net
        reason = f"{net.name}: line 3: no place; {net.absolute()} was given"
        return CellOutcome("error", error="InputError", reason=reason)

    with Store.create(tmp_path) as store:
        (record, *_) = run(planned(), store, Inline(refuse))
    assert record.outcome.reason == "fig8_U.pnml: line 3: no place; fig8_U.pnml was given"


# Resuming under other circumstances


def index(folder: Path) -> Path:
    for file in (*NETS.glob("fig8_U.*"), *NETS.glob("parity_U.*")):
        shutil.copy(file, folder)
    return folder


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda f: edited(f / "fig8_U.pnml", "</pnml>", " </pnml>"), "the net;"),
        (
            lambda f: edited(f / "fig8_U.json", '"bounded": false', '"bounded": true'),
            r"bounded \(False then, True now\)",
        ),
        (
            lambda f: edited(f / "fig8_U.json", '"unreachable"', '"reachable"'),
            r"expected verdict \(unreachable then, reachable now\)",
        ),
    ],
)
def test_a_batch_whose_questions_changed_is_refused_with_what_differs(
    tmp_path: Path, change: Callable[[Path], None], complaint: str
) -> None:
    (tmp_path / "set").mkdir()
    folder = index(tmp_path / "set")
    with Store.create(tmp_path / "run") as store:
        list(run(plan(questions_of(folder), [made.NONE], LIMITS), store, Inline()))
    change(folder)
    executor = Inline()
    cells = plan(questions_of(folder), [made.NONE], LIMITS)
    refused = pytest.raises(InputError, match=f"set fig8_U none: .*{complaint}")
    with Store.resume(tmp_path / "run") as store, refused:
        list(run(cells, store, executor))
    assert executor.begun == []


@pytest.mark.parametrize(
    ("configuration", "limits", "complaint"),
    [
        (parse_configuration("c=cegar:guide=none"), LIMITS, r"\(cegar then, cegar:guide=none now"),
        (parse_configuration("c=cegar"), CellLimits(5.0), r"seconds \(10\.0 then, 5\.0 now\)"),
        (parse_configuration("c=cegar"), CellLimits(10.0, memory=9), r"MiB \(None then, 9 now\)"),
    ],
)
def test_a_batch_whose_definition_changed_is_refused_with_what_differs(
    tmp_path: Path, configuration: Configuration, limits: CellLimits, complaint: str
) -> None:
    with Store.create(tmp_path) as store:
        list(run(planned(parse_configuration("c=cegar")), store, Inline()))
        with pytest.raises(InputError, match=complaint) as refused:
            list(run(planned(configuration, limits=limits), store, Inline()))
    assert "; and 2 more;" in str(refused.value)


SLOW = CellLimits(10.0, 20.0, 100)
ENDED = {
    "fig8_U": made.TIMEOUT, "kanban_U": made.MEMORY, "parity_U": made.SOLVED,
}  # fmt: skip


@pytest.mark.parametrize(
    ("limits", "again"),
    [
        (SLOW, set()),
        (CellLimits(11.0, 20.0, 100), {"fig8_U"}),
        (CellLimits(10.0, 30.0, 100), {"fig8_U"}),
        (CellLimits(10.0, None, 100), {"fig8_U"}),
        (CellLimits(10.0, 20.0, 101), {"kanban_U"}),
        (CellLimits(60.0, 60.0), {"fig8_U", "kanban_U"}),
    ],
)
def test_what_ended_at_a_lower_limit_is_tried_again_and_all_else_is_kept(
    tmp_path: Path, limits: CellLimits, again: set[str]
) -> None:
    def outcomes(cell: Cell) -> CellOutcome:
        return ENDED[cell.question.name]

    with Store.create(tmp_path) as store:
        list(run(planned(made.NONE, limits=SLOW), store, Inline(outcomes)))
        before = {record.cell.question.name: record for record in store.records()}
        executor = Inline(lambda _: made.GAVE_UP)
        done = list(run(planned(made.NONE, limits=limits), store, executor))
        assert {cell.question.name for cell in executor.begun} == again
        assert {record.cell.limits for record in done} <= {limits}
        after = {record.cell.question.name: record for record in store.records()}
        for name, record in after.items():
            if name in again:
                assert (record.cell.limits, record.outcome) == (limits, made.GAVE_UP)
            else:
                assert record == before[name]
        assert list(run(planned(made.NONE, limits=limits), store, executor)) == []


def test_where_it_is_ended_before_they_are_tried_again_they_are_missing(tmp_path: Path) -> None:
    with Store.create(tmp_path) as store:
        list(run(planned(made.NONE), store, Inline(lambda _: made.TIMEOUT)))
        records = run(planned(made.NONE, limits=CellLimits(20.0)), store, Inline())
        next(records)
        records.close()  # type: ignore[attr-defined]
        assert [record.outcome.status for record in store.records()] == ["decided"]
        assert len(list(run(planned(made.NONE, limits=CellLimits(20.0)), store, Inline()))) == 2


def test_each_cell_is_told_of_when_it_begins(tmp_path: Path) -> None:
    begun: list[Cell] = []
    with Store.create(tmp_path) as store:
        records = run(planned(made.NONE), store, Inline(ahead=2), begun.append)
        next(records)
        assert [cell.question.name for cell in begun] == [*NAMES[:2]]
        list(records)
    assert begun == [*planned(made.NONE)]


# Statuses


def test_a_wrong_verdict_is_graver_than_an_error_and_what_is_undecided_is_no_failure() -> None:
    def status(*outcomes: CellOutcome) -> int:
        return exit_status(made.record("q", made.NONE, outcome) for outcome in outcomes)

    wrong = made.solved(1.0, "reachable")
    refused, asked = (replace(made.CRASH, error=kind) for kind in ("InputError", "QueryError"))
    assert status() == status(made.SOLVED, made.TIMEOUT, made.GAVE_UP, made.MEMORY) == 0
    assert status(made.TIMEOUT, asked) == 2
    assert status(asked, refused) == 3
    assert status(refused, made.CRASH) == 4
    assert status(made.CRASH, wrong) == 5


def test_two_verdicts_that_contradict_each_other_are_as_grave_as_a_wrong_one() -> None:
    unknown = made.question("q", "unknown")
    yes, no = made.solved(1.0, "reachable"), made.SOLVED
    assert exit_status([made.record(unknown, made.NONE, yes), made.record("r", made.ALL, no)]) == 0
    assert (
        exit_status([made.record(unknown, made.NONE, yes), made.record(unknown, made.ALL, no)]) == 5
    )
