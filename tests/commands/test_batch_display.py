"""What is seen of a batch: the board of a terminal, and plain lines elsewhere."""

from __future__ import annotations

import io

import pytest
import records as made

from petricheck.batch.cells import Cell, CellRecord
from petricheck.commands.batches import display as batch_display
from petricheck.commands.batches.display import FEW, Lines, ProgressTable
from petricheck.commands.shell.live_lines import Board, board, fit
from petricheck.commands.shell.terminal import say

WRONG = made.solved(1.0, "reachable")


def cell(name: str) -> Cell:
    return made.record(name, made.NONE).cell


def test_the_table_tells_how_far_how_good_how_long_and_what_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [7.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    table = ProgressTable(5, [made.record("z", made.NONE)])
    assert ProgressTable(5, []).lines() == ["reading"]
    table.begin(cell("a"))
    clock[0] += 30.0
    table.begin(cell("b"))
    table.begin(cell("c"))
    table.end(made.record("c", made.NONE, made.CRASH))
    assert table.lines() == [
        "2/5 cells, 1 solved, 0 wrong, 1 without a verdict, 2 running; 0:30, about 1:30 left",
        "  nets/a none  0:30",
        "  nets/b none  0:00",
    ]
    for name in "abd":
        table.end(made.record(name, made.NONE, WRONG))
    assert table.lines() == ["5/5 cells, 1 solved, 3 wrong, 1 without a verdict, 0 running; 0:30"]


@pytest.mark.parametrize(("columns", "rows"), [(80, 6), (30, 8), (20, 4), (20, 1)])
def test_the_board_fits_its_terminal(columns: int, rows: int) -> None:
    lines = fit([f"question {n} of a set with a long name" for n in range(9)], columns, rows)
    assert len(lines) == max(1, rows - 1)
    assert all(len(line) < columns for line in lines)
    assert lines[-1] == f"and {9 - len(lines) + 1} more"


def test_the_board_is_drawn_over_itself_and_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(9))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    stream = io.StringIO()
    drawn_on = Board(stream)
    drawn_on.show(lambda: ["one", "t\x1b[2Jwo"])
    drawn_on.show(lambda: ["three"])
    drawn_on.erase()
    drawn_on.erase()
    drawn = stream.getvalue().split("\r")
    assert drawn[1:3] == ["\x1b[Jone\nt\\x1b[2Jwo", "\x1b[1A\x1b[Jthree"]
    assert drawn[3:] == ["\x1b[J"]


def told(
    total: int, records: list[CellRecord], clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The plain lines of a batch whose cells end at these times."""
    said: list[str] = []
    monkeypatch.setattr(batch_display, "complain", said.append)
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    lines = Lines(total, [])
    for record, now in zip(records, clock, strict=True):
        monkeypatch.setattr("time.monotonic", lambda now=now: now)
        lines.begin(record.cell)
        lines.end(record)
    monkeypatch.undo()
    return said


def test_a_small_batch_has_a_line_for_each_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [made.record("a", made.NONE), made.record("b", made.NONE, made.CRASH)]
    assert told(2, records, [1.0, 2.0], monkeypatch) == [
        "1/2 nets/a none: unreachable, 3 refinements, 0.25 s",
        "2/2 nets/b none: error, Crash: killed",
    ]


def test_a_large_batch_has_a_line_now_and_then_and_for_what_is_odd(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcomes = [made.SOLVED, made.SOLVED, WRONG, made.CRASH, made.TIMEOUT, made.SOLVED]
    records = [made.record("q", made.NONE, outcome) for outcome in outcomes]
    clock = [100.0, 101.0, 102.0, 103.0, 104.0, 106.0]
    said = told(FEW + 1, records, clock, monkeypatch)
    assert [line.partition(" ")[0] for line in said] == ["1/201", "3/201", "4/201", "6/201"]
    assert "WRONG, unreachable is expected" in said[1]
    assert said[3].startswith("6/201 cells: 3 solved, 1 wrong, 2 without a verdict; 1:46, about ")


def test_what_was_done_before_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(batch_display, "complain", said.append)
    lines = Lines(4, [made.record("z", made.NONE)])
    lines.begin(cell("a"))
    lines.begin(cell("b"))
    assert said == ["1 of 4 cells are done already"]


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_an_answer_does_not_stand_beside_the_board(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen, clock = Screen(), iter(range(9))
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    monkeypatch.setenv("TERM", "xterm")
    with board() as shown:
        assert shown is not None
        shown.show(lambda: ["refinement 1"])
        say("unknown")
        assert screen.getvalue().endswith("refinement 1\r\x1b[J")
    assert capsys.readouterr().out == "unknown\n"
