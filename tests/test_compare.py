"""Two runs compared: what got better, what got worse, and whether they compare at all."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records import (
    CRASH,
    GAVE_UP,
    HOST,
    NONE,
    SOLVED,
    TIMEOUT,
    cell,
    many,
    question,
    record,
    solved,
)

from petricheck.batch.cells import Limits, Outcome, Record
from petricheck.batch.configurations import DEFAULT, Configuration
from petricheck.batch.reports.compare import FLOOR, KINDS, WORSE, change, compare, render

WRONG = replace(SOLVED, verdict="reachable", value=True)
NAMES = ("run1", "run2")
outcomes = st.sampled_from([SOLVED, WRONG, TIMEOUT, GAVE_UP, CRASH])


def both(before: Outcome, after: Outcome, expected: str = "unreachable") -> tuple[Record, Record]:
    asked = question("q", expected)
    return record(asked, DEFAULT, before), record(asked, DEFAULT, after)


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (SOLVED, SOLVED, None),
        (SOLVED, WRONG, "wrong now"),
        (TIMEOUT, WRONG, "wrong now"),
        (WRONG, WRONG, "wrong still"),
        (SOLVED, TIMEOUT, "lost"),
        (SOLVED, CRASH, "lost"),
        (TIMEOUT, CRASH, "failing now"),
        (WRONG, CRASH, "failing now"),
        (WRONG, SOLVED, "right now"),
        (WRONG, GAVE_UP, "wrong no longer"),
        (GAVE_UP, SOLVED, "solved now"),
        (CRASH, SOLVED, "solved now"),
        (CRASH, TIMEOUT, "failing no longer"),
        (TIMEOUT, GAVE_UP, None),
    ],
)
def test_what_came_of_a_cell_has_a_name(before: Outcome, after: Outcome, kind: str | None) -> None:
    assert change(*both(before, after)) == kind
    assert compare(*([r] for r in both(before, after))).worse is (kind in WORSE)


def test_two_verdicts_that_differ_contradict_each_other_where_nobody_knows_better() -> None:
    assert change(*both(SOLVED, WRONG, "unknown")) == "contradicting"
    assert "contradicting" in WORSE


@given(outcomes, outcomes, st.sampled_from(["unreachable", "unknown"]))
def test_what_is_told_one_way_round_is_told_the_other_way_round(
    before: Outcome, after: Outcome, expected: str
) -> None:
    there, back = both(before, after, expected), both(after, before, expected)
    assert (change(*there) is None) == (change(*back) is None)


def test_the_gravest_change_comes_first() -> None:
    outcomes = [(GAVE_UP, SOLVED), (SOLVED, TIMEOUT), (SOLVED, WRONG), (WRONG, SOLVED)]
    before = [record(f"q{n}", DEFAULT, one) for n, (one, _) in enumerate(outcomes)]
    after = [record(f"q{n}", DEFAULT, other) for n, (_, other) in enumerate(outcomes)]
    found = compare(before, after)
    assert [c.kind for c in found.changes] == ["wrong now", "lost", "right now", "solved now"]
    text = render(found, "text", NAMES)
    assert "Worse: 1 wrong now, 1 lost, 1 right now, 1 solved now." in text
    rows = [line.split()[:-1] for line in text.splitlines() if "  nets  " in line]
    assert rows[0][:5] == ["wrong", "now", "nets", "q2", "default"]
    assert rows[1][:4] == ["lost", "nets", "q1", "default"]
    assert f"wrong now: {KINDS['wrong now']}." in text


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    done = many(30, ["default", "a"])
    found = compare(done, done[::-1])
    assert found.common == 60
    assert not (found.changes or found.slower or found.faster or found.warnings or found.worse)
    assert not (found.only_before or found.only_after)
    assert [pace.ratio for pace in found.paces if pace.compared] == [1.0, 1.0]
    assert "Not worse: no verdict changed." in render(found, "text", NAMES)


# Times


@given(st.lists(st.tuples(st.floats(0.1, 50), st.floats(0.1, 50)), min_size=1, max_size=8))
def test_the_ratio_is_the_geometric_mean_over_the_cells_solved_in_both(
    times: list[tuple[float, float]],
) -> None:
    before = [record(f"q{n}", DEFAULT, solved(one)) for n, (one, _) in enumerate(times)]
    after = [record(f"q{n}", DEFAULT, solved(other)) for n, (_, other) in enumerate(times)]
    (pace,) = compare(before, after).paces
    product = math.prod(other / one for one, other in times)
    assert pace.ratio == pytest.approx(product ** (1 / len(times)))
    (back,) = compare(after, before).paces
    assert back.ratio is not None
    assert pace.ratio * back.ratio == pytest.approx(1)


def test_times_below_the_floor_are_noise() -> None:
    before = [record("short", DEFAULT, solved(0.001)), record("grown", DEFAULT, solved(0.001))]
    after = [record("short", DEFAULT, solved(0.09)), record("grown", DEFAULT, solved(1.0))]
    found = compare(before, after)
    (pace,) = found.paces
    assert (pace.solved, pace.compared, pace.ratio) == (2, 1, pytest.approx(1.0 / FLOOR))
    assert [one.cell.question.name for one, _ in found.slower] == ["grown"]
    assert not found.faster and not found.worse


def test_cells_that_changed_most_are_told_in_order() -> None:
    before = [record(f"q{n}", DEFAULT, solved(1.0)) for n in range(9)]
    after = [record(f"q{n}", DEFAULT, solved(time)) for n, time in
             enumerate((1.1, 2, 4, 8, 16, 32, 64, 0.5, 0.25))]  # fmt: skip
    found = compare(before, after)
    assert [one.cell.question.name for one, _ in found.slower] == ["q6", "q5", "q4", "q3", "q2"]
    assert [one.cell.question.name for one, _ in found.faster] == ["q8", "q7"]
    text = render(found, "text", NAMES)
    assert ["nets", "q6", "default", "1.00", "64.0", "64.00"] in map(str.split, text.splitlines())


def test_times_of_cells_that_one_run_did_not_solve_are_not_compared() -> None:
    (pace,) = compare([record("q")], [record("q", DEFAULT, TIMEOUT)]).paces
    assert (pace.solved, pace.ratio) == (0, None)


# What else differs


def test_cells_of_one_run_alone_are_told() -> None:
    found = compare([record("a"), record("b")], [record("b"), record("b", NONE), record("c")])
    assert found.only_before == (("nets", "a", "default"),)
    assert found.only_after == (("nets", "b", "none"), ("nets", "c", "default"))
    text = render(found, "text", NAMES)
    assert "Only in run1: 1 cell\n\n- nets/a (default)" in text
    assert "- nets/b (none)" in text


def test_long_lists_of_missing_cells_are_cut() -> None:
    found = compare([record(f"q{n}") for n in range(50)], [])
    text = render(found, "text", NAMES)
    assert "Only in run1: 50 cells" in text and "- and 30 more questions" in text


def test_machines_versions_and_limits_that_differ_are_warned_of() -> None:
    other = replace(HOST, name="bench-2", versions=(("petricheck", "0.2.0"), ("cvc5", "1.2")))
    before = [record("q", DEFAULT, SOLVED, Limits(60))]
    after = [record("q", DEFAULT, replace(SOLVED, host=other), Limits(10))]
    assert compare(before, after).warnings == (
        "1 cell of both: other limits",
        "cvc5: none before, 1.2 after",
        "machine: bench-1 (Linux x86_64, 2 cores, 8 GiB) before,"
        " bench-2 (Linux x86_64, 2 cores, 8 GiB) after",
        "petricheck: 0.1.0 before, 0.2.0 after",
        "z3-solver: 4.13.0 before, none after",
    )


def test_another_net_question_configuration_or_expectation_is_warned_of() -> None:
    one = record("q")
    others = {
        "the net is another": record(replace(question("q"), net=Path("cd.pnml"))),
        "the question is another": record(question("q", text="p = 2")),
        "another verdict is expected": record(question("q", "unknown")),
        "the configuration of that name is another": record("q", Configuration("default", "cegar")),
    }
    for said, other in others.items():
        assert compare([one], [other]).warnings == (f"1 cell of both: {said}",)


def test_the_same_property_in_two_stores_is_the_same_question() -> None:
    one, other = (
        record(question("q", text="p", properties=Path(folder) / "ab.xml")) for folder in "ab"
    )
    assert compare([one], [other]).warnings == ()


def test_hostile_names_and_reasons_stay_on_their_line() -> None:
    crash = replace(CRASH, reason="first\n\nsecond | third" + "x" * 99)
    bad = question("a|b\n<i>")
    found = compare([record(bad)], [record(cell(bad), outcome=crash)])
    markdown = render(found, "markdown", ("run|1", "run2"))
    (line,) = [line for line in markdown.splitlines() if line.startswith("| lost")]
    assert r"| a\|b\\n\<i\> | default |" in line and r"second \| third" in line
    assert r"run\|1 (before)" in markdown
