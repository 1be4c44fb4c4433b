"""Plots of a batch: what is in them, that they repeat, and that no name breaks them."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from xml.etree import ElementTree

import matplotlib
import pytest
from records import CRASH, GAVE_UP, NONE, TIMEOUT, many, question, record, solved

from petricheck.batch.cells import CellLimits, CellOutcome, CellRecord
from petricheck.batch.configurations import DEFAULT, Configuration
from petricheck.batch.reports.measures import arrange
from petricheck.batch.reports.plots import PAIRS, Plot, Point, points, shorten, slug
from petricheck.batch.reports.plots import draw as draw_results

EIGHT = ("default", "none", "abs1", "abs2", "abs3", "all", "optimal", "other")


def draw(done: Sequence[CellRecord]) -> tuple[Plot, ...]:
    """The plots; no one refers to anything outside, each is well-formed and has a safe name."""
    plots = draw_results(arrange(done))
    for plot in plots:
        ElementTree.fromstring(plot.svg)
        links = re.findall(r'(?:href|src)="([^"]*)"|url\(([^)]*)\)', plot.svg)
        assert links and all((one or other).startswith("#") for one, other in links)
        assert "<script" not in plot.svg
        assert re.fullmatch(r"[a-z0-9-]+", plot.name)
        assert plot.title.isprintable() and plot.note.isprintable()
    return plots


@pytest.fixture(scope="module")
def plots() -> tuple[Plot, ...]:
    """Two plots of twenty cells."""
    return draw(many(10, ["default", "a"]))


def texts(plot: Plot) -> list[str]:
    """What is written in a plot: each text stands in a comment before its outlines."""
    return [text.strip() for text in re.findall(r"<!--(.*?)-->", plot.svg)]


# What is drawn


def test_lines_hold_the_solved_cells_alone_and_the_best_comes_first() -> None:
    quantile, _ = draw([
        record("a", NONE, solved(2.0)), record("b", NONE, solved(0.25, "reachable")),
        record("a", DEFAULT, solved(3.0)), record("b", DEFAULT, solved(1.0)),
        record("c", DEFAULT, TIMEOUT), record("d", DEFAULT, solved(0.0)),
    ])  # fmt: skip
    assert [text for text in texts(quantile) if "/" in text] == [
        "solved / cells", "default (3/4)", "none (1/2)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "expected", "point"),
    [
        (solved(1), solved(2), "unreachable", (1, 2, "unreachable")),
        (solved(1, "reachable"), TIMEOUT, "reachable", (1, None, "reachable")),
        (GAVE_UP, solved(2), "unreachable", (None, 2, "unreachable")),
        (CRASH, TIMEOUT, "unreachable", (None, None, "neither")),
        (solved(1), solved(2, "reachable"), "unreachable", (1, 2, "wrong")),
        (solved(1), solved(2, "reachable"), "unknown", (1, 2, "wrong")),
        (solved(1, "reachable"), TIMEOUT, "unreachable", (1, None, "wrong")),
    ],
)
@pytest.mark.slow
def test_a_point_is_a_question_under_two_configurations(
    one: CellOutcome, other: CellOutcome, expected: str, point: Point
) -> None:
    asked = question("q", expected)
    done = [record(asked, DEFAULT, one), record(asked, NONE, other), record("else", NONE)]
    assert points(arrange(done), "default", "none") == (point,)
    _, scatter = draw(done)
    assert [text for text in texts(scatter) if "(" in text] == [f"{point[2]} (1)"]


def test_questions_at_one_place_share_a_mark_which_is_larger() -> None:
    alone, shared = (
        draw([record(q, c, solved(1.0)) for q in asked for c in (DEFAULT, NONE)])[1]
        for asked in ("a", "ab")
    )
    assert "unreachable (1)" in texts(alone) and "unreachable (2)" in texts(shared)
    assert alone.svg.count("<use ") == shared.svg.count("<use ")
    outlines = [
        re.findall(r' d="([^"]*)"', plot.svg.split("PathCollection_1")[1])[0]
        for plot in (alone, shared)
    ]
    assert outlines[0] != outlines[1]


@pytest.mark.parametrize(
    ("seconds", "limit", "ticks"),
    [
        (0.02, 60, [0.01, 0.1, 1, 10]),
        (0.0, 60, [0.001, 0.01, 0.1, 1, 10]),
        (3, 60, [1, 10]),
        (100, 60, [1, 10, 100]),
        (0.0, 0.0002, [0.0001, 0.001]),
    ],
)
def test_axes_begin_at_a_power_of_ten_and_hold_everything(
    seconds: float, limit: float, ticks: list[float]
) -> None:
    (one,) = draw([record("a", DEFAULT, solved(seconds), CellLimits(limit))])
    written = [float(text) for text in texts(one) if re.fullmatch(r"\d+\.?\d*", text)]
    assert written[: len(ticks)] == ticks


@pytest.mark.parametrize(
    ("done", "names"),
    [
        ((), []),
        (many(1, ["default"]), ["quantile"]),
        (
            [record("q", c, TIMEOUT) for c in (DEFAULT, NONE)],
            ["quantile", "scatter-1-none-default"],
        ),
        ([record("q", DEFAULT, CRASH)], ["quantile"]),
        ([record("a", DEFAULT), record("b", NONE)], ["quantile"]),
        ([record("q", DEFAULT, solved(500.0), CellLimits(0.01))], ["quantile"]),
    ],
)
def test_there_is_something_to_see_of_every_batch(
    done: Sequence[CellRecord], names: list[str]
) -> None:
    assert [plot.name for plot in draw(done)] == names


@pytest.mark.slow
def test_what_is_left_out_of_many_configurations_is_said() -> None:
    _, *scatters = draw(many(3, EIGHT))
    assert len(scatters) == PAIRS
    assert all(plot.name.split("-")[-1] == "default" for plot in scatters)
    assert "Of 7 other configurations the 6 that solve most are compared." in scatters[0].note
    quantile, *_ = draw(many(2, [f"c{n}" for n in range(14)]))
    assert "The 12 configurations that solve most, of 14." in quantile.note
    assert quantile.svg.count("/2) -->") == 12


def test_no_name_breaks_a_plot() -> None:
    hostile = ("_$\\frac{1}$ -->\n<script>alert(1)</script>", "]]>&amp;\x00\udc80 ☃" + "x" * 300)
    quantile, _ = draw([record("q", Configuration(name, "cegar")) for name in hostile])
    assert any(text.startswith("_$\\frac") for text in texts(quantile))
    assert [shorten(name, 7) for name in ("default", "abcdefghij", "a\nb")] == [
        "default", "abc…hij", "a\\nb",
    ]  # fmt: skip
    assert [slug(name) for name in ("Ünïted States_of/..", "日本")] == ["n-ted-states-of", "x"]


# Same records, same bytes


def test_same_records_same_bytes_whatever_the_user_has_set(plots: tuple[Plot, ...]) -> None:
    with matplotlib.rc_context({"font.size": 30, "axes.grid": True, "svg.fonttype": "none"}):
        assert draw(many(10, ["default", "a"])[::-1]) == plots
        assert matplotlib.rcParams["font.size"] == 30


@pytest.mark.slow
def test_another_process_draws_the_same_bytes(plots: tuple[Plot, ...]) -> None:
    code = (
        "import hashlib, records; from petricheck.batch.reports.measures import arrange;"
        "from petricheck.batch.reports.plots import draw;"
        "print(*[hashlib.sha256(p.svg.encode()).hexdigest()"
        " for p in draw(arrange(records.many(10, ['default', 'a'])))])"
    )
    made = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "1"},
    )  # fmt: skip
    expected = [hashlib.sha256(p.svg.encode()).hexdigest() for p in plots]
    assert made.stdout.split() == expected


def test_matplotlib_is_imported_only_to_draw() -> None:
    code = "import petricheck.batch.reports.plots, sys; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
