"""What is seen of a batch: the board of a terminal, and plain lines elsewhere."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
import records as made
from rich.console import Console

from petricheck.batch.cells import Record
from petricheck.batch.run import Progress
from petricheck.cli import overview
from petricheck.cli.overview import FEW, _Board, _Lines

BEGUN = Progress(4, 1, 1, 0, (("nets", "a", "none"), ("nets", "b", "none")), 30.0)
WRONG = made.solved(1.0, "reachable")


def drawn(board: _Board, console: Console) -> list[str]:
    with console.capture() as captured:
        console.print(board.drawn())
    return captured.get().splitlines()


def console(width: int = 80, height: int = 25) -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=width, height=height,
                   color_system=None, legacy_windows=False)  # fmt: skip


def test_the_board_tells_how_far_how_good_how_long_and_what_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 7.0)
    screen = console()
    board = _Board(screen)
    assert drawn(board, screen) == ["reading"]
    board.tell(BEGUN)
    head, counted, first, second = drawn(board, screen)
    assert head.startswith("1/4 cells") and head.rstrip().endswith("0:30, about 1:30 left")
    assert counted == "  1 solved, 0 wrong, 0 without a verdict, 2 running"
    assert (first, second) == ("  nets/a none  0:00", "  nets/b none  0:00")
    board.tell(replace(BEGUN, done=4, wrong=1, running=(), seconds=60.0))
    head, counted = drawn(board, screen)
    assert head.startswith("4/4 cells") and head.rstrip().endswith("1:00")
    assert counted == "  1 solved, 1 wrong, 2 without a verdict, 0 running"


@pytest.mark.parametrize(("width", "height"), [(80, 6), (30, 8), (20, 4)])
def test_the_board_fits_its_terminal(width: int, height: int) -> None:
    screen = console(width, height)
    board = _Board(screen)
    keys = tuple(
        ("a long name of a set", f"question {n}\x1b[2J", "configuration") for n in range(9)
    )
    board.tell(replace(BEGUN, running=keys))
    lines = drawn(board, screen)
    assert len(lines) <= max(height, 5)
    assert all(len(line) <= width for line in lines)
    assert "\x1b[2J" not in "".join(lines)
    assert "more" in lines[-1]


def told(
    total: int, records: list[Record], clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """The plain lines of a batch whose cells end at these times."""
    said: list[str] = []
    monkeypatch.setattr(overview, "complain", said.append)
    lines = _Lines()
    lines.tell(Progress(total, 0, 0, 0, (), 0.0))
    for done, (record, now) in enumerate(zip(records, clock, strict=True), start=1):
        monkeypatch.setattr("time.monotonic", lambda now=now: now)
        lines.tell(Progress(total, done, done, 0, (), now))
        lines.note(record)
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
    assert said[3].startswith("6/201 cells: 6 solved, 0 wrong, 0 without a verdict; 1:46, about ")


def test_what_was_done_before_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(overview, "complain", said.append)
    lines = _Lines()
    lines.tell(replace(BEGUN, resumed=1))
    lines.tell(replace(BEGUN, resumed=1))
    assert said == ["1 of 4 cells are done already"]
