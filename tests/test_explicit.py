"""Explicit search: its set of markings against brute force, its verdicts, its limits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from folders import problem_named
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of, problem
from oracle import explore, known_verdict, shortest_trace
from strategies import nets, problems, targets

from petricheck.answer import Reachable, Unknown, Unreachable
from petricheck.audit import audit
from petricheck.budget import Budget
from petricheck.engines.explicit import Explicit
from petricheck.errors import BudgetExhausted, InternalError
from petricheck.evidence.finite_set import MarkingTable
from petricheck.evidence.invariant import Certificate
from petricheck.presburger.formulas import (
    FALSE,
    Formula,
    at_least,
    at_most,
    congruent,
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


def decide(asked: Problem, seconds: float = 20, **options: str) -> Finding:
    return check(asked, engine="explicit", options=options, budget=Budget(seconds=seconds))


def explored(asked: Problem, most: int = 100_000) -> Exploration:
    exploration = Exploration(asked, Budget(seconds=20), 256)
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
def test_verdicts_are_those_of_brute_force(asked: Problem) -> None:
    answer = Explicit(markings=300, listed=300).solve(asked, Budget(seconds=20))
    verdict = known_verdict(asked, 300)
    match answer:
        case Reachable(trace):
            audit(asked, answer)
            shortest = shortest_trace(asked, 2_000)
            assert shortest is not None and trace.length == len(shortest)
        case Unreachable():
            audit(asked, answer)
            assert verdict != "reachable"
        case Unknown():
            assert verdict is None


NAMES = "basic_me_U ifip_U long_1_U manufacturing_3_U pingpong_U fms_U2"


@pytest.mark.parametrize("name", NAMES.split())
def test_known_targets_are_proved_unreachable_without_a_solver(name: str) -> None:
    result = decide(problem_named(name))
    assert isinstance(result.answer, Unreachable)
    assert result.audit == EXACT


PARITY = problem("p=900 q=0, t: 2 p -> 2 q, u: 2 q -> 2 p", "p == 301")
"""No projection is small, no conjunction of bounds fits."""


@pytest.mark.parametrize(
    ("system", "goal", "options", "kind", "words"),
    [
        (f"p=1 q=0, p -> p + {2**62} q", "q == 3", {}, Unknown, "64 bits"),
        ("p=2**70, p ->", "p == 3", {}, Unknown, "64 bits"),
        # A guard that no count of the type meets stays closed until it grows.
        ("p=200 q=0, t: -> 100 p, u: 300 p -> q", "q == 1", {}, Reachable, "replayed"),
        # A listing misses what nothing satisfies, and over few places proves an unbounded net.
        ("p=1 q=0, t: p -> q, u: q -> p", "q <= -1", {}, Unreachable, EXACT),
        ("p=1 q=0 r=0, a: p -> q + r, b: q -> p + r", "p == 1 and q == 1", {}, Unreachable, EXACT),
        ("p=0 q=0, t: -> p, u: -> 2 q", "q == 999", {"markings": "500"}, Unknown, "501 markings"),
        ("p=0 q=0, t: -> p, u: -> 2 q", "q == 2**20 + 1", {"memory": "1"}, Unknown, "the 1 MiB"),
    ],
)
def test_these_are_decided_or_left(
    system: str, goal: str, options: dict[str, str], kind: type, words: str
) -> None:
    result = decide(problem(system, goal), **options)
    assert isinstance(result.answer, kind)
    assert words in (result.answer.reason if kind is Unknown else result.audit)


# Certificates


@settings(max_examples=40)
@given(nets(max_places=3), st.data())
def test_a_listing_is_checked_exactly_whatever_the_target(net: Net, data: st.DataObject) -> None:
    asked = make_problem(net, data.draw(targets(net)))
    reachable = explore(net, 60)
    if reachable is None or any(evaluate(asked.target, net.values(m)) for m in reachable):
        return
    answer = Unreachable(listing(asked, sorted(reachable)))
    assert audit(asked, answer) == EXACT
    invariant = answer.certificate.invariant
    for marking in product(range(4), repeat=len(net.places)):
        assert evaluate(invariant, net.values(marking)) == (marking in reachable)


def test_a_projection_grows_by_the_places_that_stop_its_trace() -> None:
    asked = problem("p=0 q=0, t: q -> p", "p >= 1")
    certificate = projected(asked, 100, 1_000, Budget())
    assert certificate is not None
    assert audit(asked, Unreachable(certificate)) == EXACT
    trace = explored(Problem(asked.net.without({1}), asked.target)).trace(1)
    assert blocking(asked.net, trace) == {1}


def test_a_projection_ends_when_its_work_is_done_or_the_target_is_reachable() -> None:
    asked = make_problem(ring(4, 2), equal(variable("p0"), 3))
    assert projected(asked, 100, 1_000, Budget()) is not None
    assert projected(asked, 100, 2, Budget()) is None
    assert projected(problem("p=0, -> p", "p >= 3"), 100, 1_000, Budget()) is None


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
    asked = make_problem(net, equal(p - q, 1))
    rows = np.array([[0, 0], [1, 1], [2, 2]], dtype=np.uint8)
    certificate = hull(asked, rows, Budget())
    assert certificate is not None
    audit(asked, Unreachable(certificate))
    assert hull(make_problem(net, equal(p, 5)), rows, Budget()) is None


def test_what_no_short_certificate_fits_is_proved_by_all_markings_if_they_can_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = decide(PARITY, listed="100")
    assert isinstance(result.answer, Unreachable)
    assert isinstance(result.answer.certificate, MarkingTable)
    assert result.answer.certificate.count == result.answer.statistics.states == 451
    assert result.audit == "checked marking by marking"
    assert isinstance(decide(PARITY).answer.certificate, Certificate)
    for size, kind in ((8 * 450, Unknown), (8 * 451, Unreachable)):
        monkeypatch.setattr(table, "TABLE", size)
        answer = decide(PARITY, listed="100").answer
        assert isinstance(answer, kind) and answer.statistics.states == 451
        assert kind is Unreachable or answer.reason.startswith("certificate too large")


def test_a_limit_ends_the_search() -> None:
    asked = problem("p=0 q=0, t: -> p, u: -> 2 q", "q == 2**20 + 1")
    answer = decide(asked, seconds=0.3).answer
    assert isinstance(answer, Unknown)
    assert "time limit" in answer.reason and "markings" in answer.reason
    with pytest.raises(BudgetExhausted, match="memory limit of 1 MiB"):
        Explicit().solve(asked, Budget(memory=1))
