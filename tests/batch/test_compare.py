"""Two runs compared: what got better, what got worse, and whether they compare at all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records import CRASH, GAVE_UP, HOST, NONE, SOLVED, TIMEOUT, many, question, record, solved

from petricheck.batch.cells import CellLimits, CellOutcome, CellRecord
from petricheck.batch.configurations import DEFAULT, Configuration
from petricheck.batch.reports.compare import FLOOR, change, compare, ratio
from petricheck.batch.reports.layouts import Listing, ReportTable, render
from petricheck.support.errors import QueryError

WRONG = replace(SOLVED, verdict="reachable", value=True)
NAMES = ("run1", "run2")
Records = Sequence[CellRecord]


def blocks(before: Records, after: Records) -> dict[str, Sequence[Sequence[str]]]:
    """The rows of tables and the points of lists, by their titles."""
    compared, _ = compare(before, after, NAMES)
    rows = {block.title: block.rows for block in compared if isinstance(block, ReportTable)}
    return rows | {block.title: block.points for block in compared if isinstance(block, Listing)}


def text(before: Records, after: Records) -> str:
    return render(compare(before, after, NAMES)[0], "text")


def after_times(*times: float) -> list[CellRecord]:
    return [record(f"q{n}", DEFAULT, solved(time)) for n, time in enumerate(times)]


@pytest.mark.parametrize(
    ("before", "after", "expected", "kind", "back"),
    [
        (SOLVED, SOLVED, "unreachable", None, None),
        (TIMEOUT, GAVE_UP, "unreachable", None, None),
        (SOLVED, WRONG, "unreachable", "wrong now", "right now"),
        (TIMEOUT, WRONG, "unreachable", "wrong now", "wrong no longer"),
        (WRONG, WRONG, "unreachable", "wrong still", "wrong still"),
        (SOLVED, TIMEOUT, "unreachable", "lost", "solved now"),
        (SOLVED, CRASH, "unreachable", "lost", "solved now"),
        (TIMEOUT, CRASH, "unreachable", "failing now", "failing no longer"),
        (WRONG, CRASH, "unreachable", "failing now", "wrong now"),
        (SOLVED, WRONG, "unknown", "contradicting", "contradicting"),
    ],
)
def test_what_came_of_a_cell_has_a_name(
    before: CellOutcome, after: CellOutcome, expected: str, kind: str | None, back: str | None
) -> None:
    one, other = (record(question("q", expected), DEFAULT, of) for of in (before, after))
    assert (change(one, other), change(other, one)) == (kind, back)
    worse = {"wrong now", "contradicting", "lost", "failing now"}
    assert compare([one], [other], NAMES)[1] is (kind in worse)


CHANGES = """
Worse: 2 wrong now, 1 lost, 1 solved now.

Changes

change      set   question  configuration  before                              after
wrong now   nets  q2        default        unreachable, 3 refinements, 0.25 s  reachable WRONG, unreachable is expected, 3 refinements, 0.…
            nets  q10       default        unreachable, 3 refinements, 0.25 s  reachable WRONG, unreachable is expected, 3 refinements, 0.…
lost        nets  q1        default        unreachable, 3 refinements, 0.25 s  timeout, the limit
solved now  nets  q0        default        unknown, no progress                unreachable, 3 refinements, 0.25 s

wrong now: the verdict contradicts what is known, and did not before.
lost: solved before, without a verdict now.
solved now: without a verdict before.

Times

configuration  solved in both  before, s  after, s  compared  ratio
default                     0      0.000     0.000         0
"""  # noqa: E501


def test_the_gravest_change_comes_first() -> None:
    pairs = {"q0": (GAVE_UP, SOLVED), "q1": (SOLVED, TIMEOUT), "q10": (SOLVED, WRONG),
             "q2": (SOLVED, WRONG)}  # fmt: skip
    before = [record(name, DEFAULT, one) for name, (one, _) in pairs.items()]
    after = [record(name, DEFAULT, other) for name, (_, other) in pairs.items()]
    assert CHANGES in text(before, after)


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    done = many(30, ["default", "a"])
    assert not compare(done, done[::-1], NAMES)[1]
    known = blocks(done, done[::-1])
    assert [*known] == ["Times"] and [row[-1] for row in known["Times"]] == ["1.00", "1.00"]
    assert "run1 (before) and run2 (after): 60 cells in both." in text(done, done)
    assert "Not worse: no verdict changed." in text(done, done)


# Times


@given(st.lists(st.tuples(st.floats(0.1, 50), st.floats(0.1, 50)), min_size=1, max_size=8))
def test_the_ratio_is_the_geometric_mean_over_the_cells_solved_in_both(
    times: list[tuple[float, float]],
) -> None:
    before, after = (after_times(*side) for side in zip(*times, strict=True))
    ((*_, mean),) = blocks(before, after)["Times"]
    product = math.prod(other / one for one, other in times)
    assert float(mean) == pytest.approx(product ** (1 / len(times)), abs=0.006)
    pairs = [*zip(before, after, strict=True)]
    assert [ratio(one, other) for one, other in pairs] == [
        pytest.approx(other / one) for one, other in times
    ]


def test_times_below_the_floor_are_noise() -> None:
    known = blocks(after_times(0.001, 0.001), after_times(0.09, 1.0))
    assert known["Times"] == (("default", "2", "0.002", "1.09", "1", f"{1 / FLOOR:.2f}"),)
    assert [row[1] for row in known["Slowed down most"]] == ["q1"]
    assert "Sped up most" not in known


def test_cells_that_changed_most_are_told_in_order() -> None:
    known = blocks(after_times(*[1.0] * 9), after_times(1.1, 2, 4, 8, 16, 32, 64, 0.5, 0.25))
    assert [row[1] for row in known["Slowed down most"]] == ["q6", "q5", "q4", "q3", "q2"]
    assert [row[1] for row in known["Sped up most"]] == ["q8", "q7"]
    assert known["Slowed down most"][0] == ("nets", "q6", "default", "1.00", "64.0", "64.00")


def test_times_that_are_not_there_are_not_compared() -> None:
    done, late = record("q", outcome=solved(1.0)), record("q", outcome=TIMEOUT)
    unmeasured = record("q", outcome=replace(SOLVED, cpu_seconds=None, seconds=None))
    for before, after in ((done, late), (late, done)):
        assert blocks([before], [after])["Times"] == (("default", "0", "0.000", "0.000", "0", ""),)
        assert ratio(before, after) is None
    for before, after in ((done, unmeasured), (unmeasured, done)):
        assert ratio(before, after) is None
        assert [row[:2] for row in blocks([before], [after])["Times"]] == [("default", "1")]


# What else differs


def test_cells_of_one_run_alone_are_told_as_far_as_there_is_room() -> None:
    known = blocks([record("a"), record("b")], [record("b"), record("b", NONE), record("c")])
    assert known["Only in run1: 1 cell"] == ("nets/a (default)",)
    assert known["Only in run2: 2 cells"] == ("nets/b (none)", "nets/c (default)")
    before = [record(f"q{n}") for n in range(51)]
    listed = blocks(before, before[:1])["Only in run1: 50 cells"]
    assert len(listed) == 21 and listed[-1] == "and 30 more questions"


CEGAR = Configuration("default", "cegar")
DIFFERENCES = "The runs differ in more than their results"


def test_machines_versions_and_limits_that_differ_are_warned_of() -> None:
    other = replace(HOST, name="bench-2", versions=(("petricheck", "0.2.0"), ("cvc5", "1.2")))
    before = [record("q", DEFAULT, SOLVED, CellLimits(60))]
    after = [record("q", DEFAULT, replace(SOLVED, host=other), CellLimits(10))]
    assert blocks(before, after)[DIFFERENCES] == (
        "1 cell of both: other limits",
        "cvc5: none before, 1.2 after",
        "machine: bench-1, Linux x86_64, 2 cores, 8.0 GiB before,"
        " bench-2, Linux x86_64, 2 cores, 8.0 GiB after",
        "petricheck: 0.1.0 before, 0.2.0 after",
        "z3-solver: 4.13.0 before, none after",
    )


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("the net is another", record(replace(question("q"), net=Path("cd.pnml")))),
        ("the question is another", record(question("q", text="p = 2"))),
        ("another verdict is expected", record(question("q", "unknown"))),
        ("the configuration of that name is another", record("q", CEGAR)),
    ],
)
def test_another_net_question_configuration_or_expectation_is_warned_of(
    text: str, other: CellRecord
) -> None:
    assert blocks([record("q")], [other])[DIFFERENCES] == (f"1 cell of both: {text}",)


def test_the_same_property_in_two_stores_is_the_same_question() -> None:
    one, other = (
        record(question("q", text="p", properties=Path(folder) / "ab.xml")) for folder in "ab"
    )
    assert DIFFERENCES not in blocks([one], [other])


def test_hostile_names_and_reasons_stay_on_their_line() -> None:
    crash = replace(CRASH, reason="first\n\nsecond | third" + "x" * 99)
    bad = question("a|b\n<i>")
    shown, _ = compare([record(bad)], [record(bad, outcome=crash)], ("run|1", "run2"))
    markdown = render(shown, "markdown")
    (line,) = [line for line in markdown.splitlines() if line.startswith("| lost")]
    assert r"| a\|b\\n\<i\> | default |" in line and r"second \| third" in line
    assert r"run\|1 (before)" in markdown


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (
            record(question("q", collection="all/part")),
            record(question("q", collection="part")),
            "q default has the folder 'all/part' in the one and 'part' in the other; .* PATHs",
        ),
        (record("q", NONE), record("q"), "the configuration 'none' .* 'default' .* --config"),
        (record("q"), record("r"), "different questions"),
    ],
)
def test_where_no_cell_is_in_both_it_is_told_by_what_they_differ(
    before: CellRecord, after: CellRecord, why: str
) -> None:
    with pytest.raises(QueryError, match=f"run1 and run2 have no cell in common.*{why}"):
        compare([before], [after], NAMES)
