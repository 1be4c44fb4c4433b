"""Best-first search: traces that fire, distances that mean something, nothing lost."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from oracle import explore, successor
from strategies import nets, searches, targets

from petricheck.arithmetic.formulas.formulas import (
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    at_least,
    conjunction,
    equal,
    evaluate,
    negate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.engines.best_first import BestFirst as Engine
from petricheck.evidence.answer import Reachable, Unknown, Unreachable
from petricheck.evidence.audit import audit
from petricheck.explicit.kernel.constants import FARTHEST, WAITING
from petricheck.explicit.kernel.explore import Exploration, Nearest, Order
from petricheck.explicit.kernel.loops.exploration import pop, push
from petricheck.explicit.kernel.walk import Walk
from petricheck.model.net import Marking, Net, make_net
from petricheck.model.problem import make_problem
from petricheck.questions import check
from petricheck.support import compiled
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted

p, q = variable("p"), variable("q")


def ends_in(net: Net, trace: tuple[int, ...]) -> Marking:
    """Where a trace leads, which must fire."""
    marking = net.initial
    for number in trace:
        after = successor(marking, net.transitions[number])
        assert after is not None
        marking = after
    return marking


@pytest.mark.usefixtures("loops")
@settings(max_examples=16)
@given(searches(least=1), st.data())
def test_it_meets_targets_where_its_traces_lead_and_loses_no_marking(
    search: tuple[Net, list[Formula]], data: st.DataObject
) -> None:
    net, formulas = search
    aim = data.draw(st.integers(0, len(formulas) - 1))
    kind = data.draw(st.tuples(st.booleans(), st.sampled_from(Order)))
    found = Exploration(net, formulas, 1 << 24, Nearest(aim, *kind))
    met = {}
    while found.size < 80 and not found.exhausted:
        met |= {each.target: each for each in found.run(20)}
    known = found.markings
    assert len(set(known)) == len(known)
    if found.exhausted:
        assert set(known) == explore(net, 10_000)
    for number, formula in enumerate(formulas):
        if number in met:
            assert evaluate(formula, net.values(ends_in(net, met[number].trace)))
        else:
            assert not any(evaluate(formula, net.values(marking)) for marking in known)


def lacking(formula: Formula, values: dict[str, int]) -> int:
    """The distance by its definition."""
    match formula:
        case Conjunction(operands):
            return sum(lacking(operand, values) for operand in operands)
        case Disjunction(operands):
            return min((lacking(operand, values) for operand in operands), default=1)
        case Negation(operand) if not isinstance(operand, Congruence):
            return lacking(negate(operand), values)
        case Inequality(term):
            return max(0, term.evaluate(values))
        case Equality(term):
            return abs(term.evaluate(values))
        case _:
            return 0 if evaluate(formula, values) else 1


@settings(max_examples=20)
@given(nets(), st.data())
def test_the_distance_adds_up_what_is_lacking_and_is_zero_in_the_target_only(
    net: Net, data: st.DataObject
) -> None:
    formula = data.draw(targets(net))
    value = measured(net, formula, sighted=False)
    assert (value == 0) == evaluate(formula, net.values(net.initial))
    # What occurs twice in a conjunction is lacking once.
    assert value <= lacking(formula, net.values(net.initial))


@pytest.mark.usefixtures("loops")
@settings(max_examples=20)
@given(nets(), st.data(), st.integers(0, 30))
def test_distances_that_are_kept_up_to_date_are_those_of_the_marking(
    net: Net, data: st.DataObject, steps: int
) -> None:
    walk = Walk(net, [data.draw(targets(net))], leans=True)
    walk.run(steps, 7, candidates=data.draw(st.integers(1, 3)))
    kept = compiled.loop("update_distance")(walk._circuit, walk._aim)
    anew = compiled.loop("distance")(walk._arcs, walk._circuit, walk._state, walk._aim)
    assert kept == anew or not walk.open


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=4, unique=True), st.booleans())
def test_distances_of_conjunctions_are_sums_and_of_disjunctions_the_least(
    bounds: list[int], every: bool
) -> None:
    net = net_of("p=3")
    atoms = tuple(equal(p, bound) for bound in bounds)
    formula = Conjunction(atoms) if every else Disjunction(atoms)
    assert measured(net, formula, sighted=False) == (sum if every else min)(
        abs(3 - bound) for bound in bounds
    )


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60), st.randoms())
def test_a_heap_gives_the_least_entry(entries: list[int], chance: object) -> None:
    heap, numbers = np.zeros(len(entries), np.int64), np.zeros(WAITING + 1, np.int64)
    model: list[int] = []
    for number, entry in enumerate(entries):
        push(heap, numbers, np.int64(entry))
        heapq.heappush(model, entry)
        if number % 3 == 2:
            assert pop(heap, numbers) == heapq.heappop(model)
    while model:
        assert pop(heap, numbers) == heapq.heappop(model)
    assert numbers[WAITING] == 0


def test_it_goes_straight_where_breadth_first_would_drown() -> None:
    places = {f"p{n}": 0 for n in range(12)}
    net = make_net("wide", places, {f"t{n}": ({}, {f"p{n}": 1}) for n in range(12)})
    target = conjunction(equal(variable(place), 3) for place in places)
    result = check(make_problem(net, target), engine="best_first", options={"memory": "16"})
    assert isinstance(result.answer, Reachable)
    assert result.answer.trace.length == 36 and result.answer.statistics.states < 1_000


def test_with_sight_guards_count_and_what_is_out_of_reach_is_far() -> None:
    steps = {
        "make": ({"raw": 1, "tool": 1}, {"part": 1, "tool": 1}),
        "get": ({}, {"tool": 1}),
        "never": ({"lost": 1}, {"far": 1}),
    }
    net = make_net("shop", {"raw": 2, "tool": 0, "part": 0, "lost": 0, "far": 0}, steps)
    part, far_ = variable("part"), variable("far")
    for target, expected in ((at_least(part, 1), 2), (at_least(part, 2), 4), (equal(part, 0), 0)):
        assert measured(net, target) == expected
    assert measured(net, at_least(far_, 1)) == FARTHEST
    assert measured(net, Disjunction((at_least(far_, 1), at_least(part, 1)))) == 2


def measured(net: Net, target: Formula, sighted: bool = True) -> int:
    """The distance of the initial marking, with sight or without."""
    search = Exploration(net, [target], 1 << 20, Nearest(0, sighted))
    arguments = search._arcs, search._circuit, search._state, search._aim
    return int(compiled.loop("distance")(*arguments))


def test_what_it_explores_to_the_end_is_a_proof() -> None:
    net = net_of("p=1 q=0 r=0, t: p -> q, grow: -> r")
    problems = [make_problem(net, at_least(q, n)) for n in (1, 2, 3)]
    assert check(problems[1], engine="best_first").audit == "checked marking by marking"
    answers = dict(Engine().solve_together(problems, Budget()))
    assert [type(answers[n]) for n in range(3)] == [Reachable, Unreachable, Unreachable]
    for number, answer in answers.items():
        audit(problems[number], answer)


def test_what_it_cannot_decide_is_said() -> None:
    swap = net_of("p=1 q=0, t: p -> q")
    grows = net_of("p=0 q=0, t: -> 2 p, u: -> 2 q")
    full = Engine(memory=1).solve(make_problem(grows, equal(p, q + 1)), Budget(30))
    assert isinstance(full, Unknown)
    with pytest.raises(BudgetExhausted, match="not searched for"):
        Engine().solve(make_problem(grows, at_least(p * (1 << 30) + q * 3, 5)), Budget())
    with pytest.raises(BudgetExhausted, match="time limit"):
        Engine().solve(make_problem(swap, at_least(q, 2)), Budget(0.0))
