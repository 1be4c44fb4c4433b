"""Explicit search: its set of markings against brute force, its verdicts, its limits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from folders import problem_named
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, known_verdict, shortest_trace
from strategies import nets, problems, targets

from petricheck.answer import Certificate, Reachable, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.engines.explicit import Explicit
from petricheck.errors import BudgetExhausted, InternalError
from petricheck.marking_table import MarkingTable
from petricheck.presburger.formulas import (
    FALSE,
    Formula,
    at_least,
    at_most,
    congruent,
    conjunction,
    equal,
    evaluate,
)
from petricheck.presburger.terms import linear, variable
from petricheck.problem import Net, Problem, make_net, make_problem
from petricheck.questions import Finding, check
from petricheck.state_space import table
from petricheck.state_space.evaluation import satisfying
from petricheck.state_space.exploration import Exploration
from petricheck.state_space.hull import hull
from petricheck.state_space.listing import listing
from petricheck.state_space.projection import blocking, markings, projected
from petricheck.state_space.visited import Visited, factors

EXACT = "checked in exact integer arithmetic"
p, q = variable("p"), variable("q")


def decide(problem: Problem, seconds: float = 20, **options: str) -> Finding:
    return check(problem, engine="explicit", options=options, budget=Budget(seconds=seconds))


def explored(problem: Problem, most: int = 100_000) -> Exploration:
    exploration = Exploration(problem, Budget(seconds=20), 256)
    exploration.run(most)
    return exploration


def ring(places: int, tokens: int) -> Net:
    names = [f"p{n}" for n in range(places)]
    steps = {f"t{n}": ({names[n]: 1}, {names[(n + 1) % places]: 1}) for n in range(places)}
    return make_net("ring", {names[0]: tokens} | dict.fromkeys(names[1:], 0), steps)


def flips(places: int) -> Net:
    """Independent pairs of places with one token each: 2^places markings."""
    initial = {f"{side}{n}": int(side == "a") for n in range(places) for side in "ab"}
    steps = {f"up{n}": ({f"a{n}": 1}, {f"b{n}": 1}) for n in range(places)}
    back = {f"down{n}": ({f"b{n}": 1}, {f"a{n}": 1}) for n in range(places)}
    return make_net("flips", initial, steps | back)


# The set of markings


@settings(max_examples=35)
@given(nets())
def test_exploration_finds_exactly_the_reachable_markings(net: Net) -> None:
    expected = explore(net, 400)
    exploration = explored(make_problem(net, FALSE), most=400)
    assert exploration.exhausted == (expected is not None)
    if expected is not None:
        found = markings(exploration)
        assert len(found) == len(set(found))
        assert set(found) == expected


def coarse(places: int, salt: int) -> list[int]:
    """Keys that collide everywhere (all zero), then often (sums of tokens), then seldom."""
    return [[0] * places, [1] * places][salt] if salt < 2 else factors(places, salt)


@settings(max_examples=28)
@given(nets())
def test_colliding_keys_never_merge_markings(net: Net) -> None:
    expected = explore(net, 300)
    exploration = Exploration(make_problem(net, FALSE), Budget(), 256, coarse)
    exploration.run(300)
    assert exploration.exhausted == (expected is not None)
    if expected is not None:
        assert sorted(markings(exploration)) == sorted(expected)


def test_keys_that_always_collide_are_a_defect_and_not_a_verdict() -> None:
    exploration = Exploration(
        make_problem(ring(3, 2), FALSE), Budget(), 256, lambda places, salt: [0] * places
    )
    with pytest.raises(InternalError, match="keys"):
        exploration.run(100)


@pytest.mark.parametrize("tokens", [255, 256, 65_535, 65_536, 2**32 - 1, 2**32, 2**40])
def test_rows_widen_where_counts_outgrow_their_type(tokens: int) -> None:
    net = make_net(
        "grow", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"q": tokens}), "u": ({"q": tokens}, {"p": 1})}
    )
    exploration = explored(make_problem(net, FALSE))
    assert sorted(markings(exploration)) == [(0, tokens), (1, 0)]


def test_counting_past_a_byte_loses_nothing() -> None:
    net = net_of("p=0 q=700, t: q -> p")
    exploration = explored(make_problem(net, FALSE))
    assert markings(exploration) == [(n, 700 - n) for n in range(701)]


def test_numbers_beyond_64_bits_end_as_unknown() -> None:
    net = make_net("huge", {"p": 1, "q": 0}, {"t": ({"p": 1}, {"p": 1, "q": 2**62})})
    answer = decide(make_problem(net, equal(q, 3))).answer
    assert isinstance(answer, Unknown) and "64 bits" in answer.reason
    start = make_net("huge", {"p": 2**70}, {"t": ({"p": 1}, {})})
    answer = decide(make_problem(start, equal(p, 3))).answer
    assert isinstance(answer, Unknown) and "64 bits" in answer.reason


def test_guards_that_no_count_of_the_type_meets_stay_closed_until_it_grows() -> None:
    net = net_of("p=200 q=0, t: -> 100 p, u: 300 p -> q")
    result = decide(make_problem(net, equal(q, 1)))
    assert isinstance(result.answer, Reachable)
    assert result.answer.trace.steps == (("t", 1), ("u", 1))


@given(st.lists(st.integers(0, 255), min_size=1, max_size=300, unique=True), st.integers(1, 50))
def test_a_set_holds_each_row_once_in_the_order_of_arrival(rows: list[int], batch: int) -> None:
    visited = Visited((0,), Budget(), 256)
    factor = np.uint64(visited.factors[0])
    for start in range(0, len(rows), batch):
        part = np.array(rows[start : start + batch] * 2, dtype=np.uint8).reshape(-1, 1)
        number = np.zeros(len(part), dtype=np.int64)
        visited.add(part, part[:, 0].astype(np.uint64) * factor, number, number)
    expected = [0, *(row for row in rows if row)]
    assert visited.rows[: visited.size, 0].tolist() == expected


# Targets


@settings(max_examples=35)
@given(nets(), st.data())
def test_rows_satisfy_a_formula_as_single_markings_do(net: Net, data: st.DataObject) -> None:
    formula = data.draw(targets(net))
    rows = data.draw(
        st.lists(st.tuples(*(st.integers(0, 9) for _ in net.places)), min_size=1, max_size=8)
    )
    for kind in (np.uint8, np.uint64):
        flags = satisfying(formula, net.place_numbers, np.array(rows, dtype=kind))
        assert flags.tolist() == [evaluate(formula, net.values(row)) for row in rows]


@pytest.mark.parametrize(
    "formula",
    [
        at_least(p * 2**61 + q, 2**62 + 1),
        at_most(p * 2**70 - q * 2**70, 0),
        congruent(p * (2**64 + 1) + q, 1, 2**64 + 3),
        congruent(p, 2, 3 * 2**63),
        equal(p, 2**80),
    ],
)
def test_large_coefficients_are_evaluated_exactly(formula: Formula) -> None:
    rows = list(product(range(4), repeat=2))
    flags = satisfying(formula, {"p": 0, "q": 1}, np.array(rows, dtype=np.uint8))
    assert flags.tolist() == [evaluate(formula, {"p": a, "q": b}) for a, b in rows]


# Verdicts


@settings(max_examples=40)
@given(problems())
def test_verdicts_are_those_of_brute_force(problem: Problem) -> None:
    answer = Explicit(markings=300, listed=300).solve(problem, Budget(seconds=20))
    verdict = known_verdict(problem, 300)
    match answer:
        case Reachable(trace):
            audit(problem, answer)
            shortest = shortest_trace(problem, 2_000)
            assert shortest is not None and trace.length == len(shortest)
        case Unreachable():
            audit(problem, answer)
            assert verdict != "reachable"
        case Unknown():
            assert verdict is None


@pytest.mark.parametrize("name", ["abp_R", "exponential_R", "manufacturing_9_R", "mesh2x2_R"])
def test_known_targets_are_reached(name: str) -> None:
    assert isinstance(decide(problem_named(name)).answer, Reachable)


@pytest.mark.parametrize(
    "name", ["basic_me_U", "ifip_U", "long_1_U", "manufacturing_3_U", "pingpong_U", "fms_U2"]
)
def test_known_targets_are_proved_unreachable_without_a_solver(name: str) -> None:
    result = decide(problem_named(name))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == EXACT


# Certificates


@settings(max_examples=40)
@given(nets(max_places=3), st.data())
def test_a_listing_is_checked_exactly_whatever_the_target(net: Net, data: st.DataObject) -> None:
    problem = make_problem(net, data.draw(targets(net)))
    reachable = explore(net, 60)
    if reachable is None or any(evaluate(problem.target, net.values(m)) for m in reachable):
        return
    answer = Unreachable(listing(problem, sorted(reachable)))
    assert audit(problem, answer) == EXACT
    invariant = answer.certificate.invariant
    for marking in product(range(4), repeat=len(net.places)):
        assert evaluate(invariant, net.values(marking)) == (marking in reachable)


def test_a_listing_misses_targets_that_no_marking_satisfies() -> None:
    result = decide(make_problem(ring(2, 1), at_most(variable("p1"), -1)))
    assert isinstance(result.answer, Unreachable) and result.audit == EXACT


def test_a_listing_over_few_places_proves_an_unbounded_net() -> None:
    net = net_of("p=1 q=0 r=0, a: p -> q + r, b: q -> p + r")
    result = decide(make_problem(net, conjunction([equal(p, 1), equal(q, 1)])))
    assert isinstance(result.answer, Unreachable) and result.audit == EXACT
    assert result.answer.statistics.states > 2


def test_a_projection_grows_by_the_places_that_stop_its_trace() -> None:
    net = net_of("p=0 q=0, t: q -> p")
    certificate = projected(make_problem(net, at_least(p, 1)), 100, 1_000, Budget())
    assert certificate is not None
    assert audit(make_problem(net, at_least(p, 1)), Unreachable(certificate)) == EXACT
    trace = explored(Problem(net.without({1}), at_least(p, 1))).trace(1)
    assert blocking(net, trace) == {1}


def test_a_projection_gives_up_on_a_target_that_is_reachable() -> None:
    net = net_of("p=0, t: -> p")
    assert projected(make_problem(net, at_least(p, 3)), 100, 1_000, Budget()) is None


def test_a_projection_ends_when_its_work_is_done() -> None:
    problem = make_problem(ring(4, 2), equal(variable("p0"), 3))
    assert projected(problem, 100, 1_000, Budget()) is not None
    assert projected(problem, 100, 2, Budget()) is None


def test_too_many_markings_for_a_listing_get_a_conjunction_around_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("petricheck.engines.explicit.LEAST", 5.0)
    net = flips(12)
    target = equal(linear((place, 1) for place in net.places), 13)
    result = decide(make_problem(net, target), listed="100")
    assert isinstance(result.answer, Unreachable)
    assert result.audit == "discharged by z3"
    assert result.answer.statistics.states == 4096


def test_a_hull_leaves_out_what_transitions_break_and_may_fail() -> None:
    # Reachable are (0,0) and (1,1) and (2,2): the hull's box also holds (2,0), where t breaks it.
    net = net_of("p=0 q=0, t: -> p + q")
    problem = make_problem(net, equal(p - q, 1))
    rows = np.array([[0, 0], [1, 1], [2, 2]], dtype=np.uint8)
    certificate = hull(problem, rows, Budget())
    assert certificate is not None
    audit(problem, Unreachable(certificate))
    assert hull(make_problem(net, equal(p, 5)), rows, Budget()) is None


def test_what_no_short_certificate_fits_is_proved_by_all_markings() -> None:
    # The parity of a count in two steps: no projection is small, no conjunction of bounds fits.
    net = net_of("p=900 q=0, t: 2 p -> 2 q, u: 2 q -> 2 p")
    problem = make_problem(net, equal(p, 301))
    result = decide(problem, listed="100")
    assert isinstance(result.answer, Unreachable)
    assert isinstance(result.answer.certificate, MarkingTable)
    assert result.answer.certificate.count == result.answer.statistics.states == 451
    assert result.audit == "checked marking by marking"
    shorter = decide(problem).answer
    assert isinstance(shorter, Unreachable) and isinstance(shorter.certificate, Certificate)


def test_a_table_too_large_to_be_kept_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    net = net_of("p=900 q=0, t: 2 p -> 2 q")
    monkeypatch.setattr(table, "TABLE", 8 * 450)
    answer = decide(make_problem(net, equal(p, 301)), listed="100").answer
    assert isinstance(answer, Unknown)
    assert answer.reason.startswith("certificate too large")
    assert answer.statistics.states == 451
    monkeypatch.setattr(table, "TABLE", 8 * 451)
    answer = decide(make_problem(net, equal(p, 301)), listed="100").answer
    assert isinstance(answer, Unreachable)


# Limits


def test_the_cap_on_markings_ends_an_unbounded_search() -> None:
    net = net_of("p=0 q=0, t: -> p, u: -> 2 q")
    answer = decide(make_problem(net, equal(q, 999)), markings="500").answer
    assert isinstance(answer, Unknown)
    assert answer.hint and 500 < answer.statistics.states < 1_000


def test_time_and_memory_end_the_search() -> None:
    net = net_of("p=0 q=0, t: -> p, u: -> 2 q")
    problem = make_problem(net, equal(q, 2**20 + 1))
    answer = decide(problem, seconds=0.3).answer
    assert isinstance(answer, Unknown)
    assert "time limit" in answer.reason and "markings" in answer.reason
    answer = decide(problem, memory="1").answer
    assert isinstance(answer, Unknown) and "fill the 1 MiB" in answer.reason
    with pytest.raises(BudgetExhausted, match="memory limit of 1 MiB"):
        Explicit().solve(problem, Budget(memory=1))
