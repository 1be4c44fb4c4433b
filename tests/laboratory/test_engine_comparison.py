"""Engines side by side: the table of verdicts, what one decides alone, and the plots."""

from __future__ import annotations

from dataclasses import replace

import pytest
from folders import NETS
from hypothesis import given
from hypothesis import strategies as st
from records import CRASH, GAVE_UP, MEMORY, SOLVED, TIMEOUT, cell, question, record, records, solved

from petricheck.batch.cells import CellOutcome, CellRecord
from petricheck.batch.configurations import Configuration, parse_configurations
from petricheck.batch.reports.layouts import Strong
from petricheck.batch.reports.measures import arrange
from petricheck.batch.reports.plots import iterations, points
from petricheck.batch.solve import decide
from petricheck.laboratory.commands.comparison import (
    abstractions,
    decided_alone,
    draw_engines,
    draw_iterations,
    verdicts,
)

IMC = Configuration("imc", "imc")
BMC = Configuration("bmc", "bmc")
CEGAR = Configuration("cegar", "cegar")
SINGLE = Configuration("bmc:block=single", "bmc", (("block", "single"),))
ALARM = replace(SOLVED, verdict="reachable", value=True)

cells = st.tuples(
    st.sampled_from(["reachable", "unreachable", "unknown"]),
    st.sampled_from([SOLVED, ALARM, TIMEOUT, MEMORY, GAVE_UP, CRASH]),
)


def column(done: list[CellRecord]) -> dict[str, str]:
    return {name.strip(): count for name, count in verdicts(arrange(done)).rows}


@given(st.lists(cells, min_size=1, max_size=12))
def test_each_cell_is_counted_in_one_row_of_the_table(drawn: list[tuple[str, CellOutcome]]) -> None:
    done = [record(question(f"q{n}", e), BMC, o) for n, (e, o) in enumerate(drawn)]
    counts = column(done)
    assert int(counts["proofs"]) + int(counts["alarms"]) == int(counts["correct results"])
    apart = counts.keys() - {"proofs", "alarms", "seconds"}
    assert sum(int(counts[name]) for name in apart) == len(done)


def test_each_outcome_has_its_row() -> None:
    outcomes = [
        ("unreachable", solved(0.5)), ("reachable", ALARM), ("reachable", SOLVED),
        ("unreachable", ALARM), ("unreachable", ALARM), ("unknown", SOLVED),
        ("unreachable", TIMEOUT), ("unreachable", MEMORY), ("unreachable", GAVE_UP),
        ("unreachable", CRASH), ("unreachable", replace(GAVE_UP, seconds=60.25)),
    ]  # fmt: skip
    done = [record(question(f"q{n}", e), BMC, o) for n, (e, o) in enumerate(outcomes)]
    assert column(done) == {
        "correct results": "2", "proofs": "1", "alarms": "1", "wrong proofs": "1",
        "wrong alarms": "2", "other verdicts": "1", "timeouts": "2", "out of memory": "1",
        "other inconclusive": "2", "seconds": "0.750",
    }  # fmt: skip
    assert isinstance(column(done)["wrong proofs"], Strong)


def test_questions_that_one_engine_alone_decides_are_listed() -> None:
    done = records([
        ("both", IMC, SOLVED), ("both", BMC, SOLVED), ("both", SINGLE, SOLVED),
        ("one", IMC, TIMEOUT), ("one", BMC, SOLVED), ("one", SINGLE, SOLVED),
        ("wrong", IMC, SOLVED), ("wrong", BMC, ALARM), ("wrong", SINGLE, TIMEOUT),
        ("none", IMC, TIMEOUT), ("none", BMC, GAVE_UP), ("none", SINGLE, CRASH),
    ])  # fmt: skip
    (listing,) = decided_alone(arrange(done, [r.cell for r in done]))
    assert listing.points == ("imc: nets/wrong", "bmc: nets/one")
    assert decided_alone(arrange([r for r in done if r.cell.configuration != IMC])) == ()


def test_predicates_and_interpolation_are_shown_of_engines_that_refute_error_paths() -> None:
    refuting = replace(SOLVED, predicates=5, interpolation=0.125, states=9)
    done = records([
        ("both", IMC, SOLVED), ("both", CEGAR, refuting),
        ("late", IMC, SOLVED), ("late", CEGAR, TIMEOUT),
    ])  # fmt: skip
    (table,) = abstractions(arrange(done))
    assert table.heads == ("question", "cegar predicates", "interpolation", "states")
    assert table.rows == (("nets/both", "5", "0.125", "9"),)
    assert ("  interpolation", "0.125", "") in verdicts(arrange(done)).rows
    alone = arrange([r for r in done if r.cell.configuration == IMC])
    assert abstractions(alone) == () and "interpolation" not in column(list(alone.records))


@pytest.mark.parametrize("engine", ["cegar", "impact", "predicate_abstraction"])
def test_a_cell_has_the_predicates_and_interpolation_of_its_engine(engine: str) -> None:
    asked = replace(question("parity_U"), net=NETS / "parity_U.pnml", text="p1 = 7")
    outcome = decide(cell(asked, Configuration(engine, engine)), lambda _: None)
    assert outcome.predicates and outcome.interpolation is not None
    assert 0 < outcome.interpolation < (outcome.cpu_seconds or 0)


def test_a_configuration_is_drawn_against_the_first_of_its_engine_or_of_all() -> None:
    none = Configuration("imc:none", "imc")
    records = [record(question("q"), c, SOLVED) for c in (IMC, BMC, none, SINGLE)]
    drawn = {plot.name: plot for plot in draw_engines(arrange(records, [r.cell for r in records]))}
    assert list(drawn) == [
        "quantile-proofs", "scatter-1-bmc-imc", "scatter-2-imc-none-imc",
        "scatter-3-bmc-block-single-bmc",
    ]  # fmt: skip
    assert drawn["quantile-proofs"].title == "Proofs within a time"


def test_iterations_are_drawn_of_configurations_whose_engines_count_the_same() -> None:
    names = ("imc", "cegar", "impact", "cegar:guide=none", "bmc", "default=portfolio")
    columns = parse_configurations(names[-1:], engines=names[:-1])
    done = [record(question("q"), c, replace(SOLVED, iterations=n)) for n, c in enumerate(columns)]
    assert [(plot.name, plot.title) for plot in draw_iterations(arrange(done))] == [
        ("refinements-1-cegar-guide-none-cegar", "Refinements of cegar:guide=none and cegar"),
        ("refinements-2-impact-cegar", "Refinements of impact and cegar"),
    ]
    none = record(question("q"), columns[0], replace(SOLVED, iterations=0))
    counted = points(arrange([none, *done[1:]]), "cegar", "imc", iterations("refinement"))
    assert counted == ((1, 0.5, "unreachable"),)
