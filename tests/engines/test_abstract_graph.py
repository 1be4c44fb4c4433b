"""Exploration: closed, an antichain, and true of every reachable marking; or a path that is met."""

from __future__ import annotations

import pytest
from forms import bounded, modulo, precise
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notation import net_of
from notation import problem as problem_of
from oracle import explore, shortest_trace
from strategies import nets, problems

from petricheck.arithmetic.formulas.cubes import cubes
from petricheck.arithmetic.formulas.formulas import FALSE, TRUE, evaluate
from petricheck.engines.abstraction.domain import Precision
from petricheck.engines.abstraction.graph import (
    STRATEGIES,
    AbstractGraph,
    AbstractPath,
    covering,
    edges,
)
from petricheck.engines.abstraction.targets import Goal, state_atoms
from petricheck.model.net import Net
from petricheck.model.problem import Problem
from petricheck.support.budget import Budget

thorough = settings(max_examples=20)


@st.composite
def precisions(draw: st.DrawFn, net: Net) -> Precision:
    """Enough predicates for graphs of several states."""
    size = len(net.places)
    vectors = st.tuples(*[st.sampled_from((-1, 0, 1, 1, 2))] * size)
    signed = st.sampled_from([tuple(s * int(i == k) for i in range(size)) for k in range(size)
                              for s in (1, -1)])  # fmt: skip
    bounds = st.builds(bounded, st.one_of(vectors, signed), st.integers(-3, 6))
    residues = st.builds(modulo, vectors, st.integers(2, 3))
    found = draw(st.lists(bounds, min_size=2, max_size=10))
    return Precision().refine([*found, *draw(st.lists(residues, max_size=1))])


def holds(graph: AbstractGraph, state: object, values: dict[str, int]) -> bool:
    atoms = state_atoms(graph.domain, state)
    return all(evaluate(atom, values) for atom in atoms)


@settings(thorough, suppress_health_check=[HealthCheck.filter_too_much])
@given(problems(), st.data())
def test_a_finished_exploration_is_a_closed_antichain_that_misses_the_target(problem, data):
    problem = data.draw(st.sampled_from((problem, Problem(problem.net, FALSE))))
    strategy = data.draw(st.sampled_from(STRATEGIES))
    graph = AbstractGraph(problem, data.draw(precisions(problem.net)), strategy=strategy)
    assume(graph.explore(Budget()) is None)
    states = graph.states
    assert covering(states, graph.domain.initial()) is not None
    for number, state in enumerate(states):
        assert graph.test.meets(state) is None
        others = [n for n in range(len(states)) if n != number and (states[n] >= state).all()]
        assert not others
        enabled, after = graph.domain.post(state)
        for fires, successor, target in zip(
            enabled, after, edges(graph.domain, states)[number], strict=True
        ):
            assert fires == (target is not None)
            if target is not None:
                assert (states[target] >= successor).all()


@thorough
@given(nets(), st.data())
def test_a_finished_exploration_holds_every_reachable_marking_and_names_what_covers(net, data):
    graph = AbstractGraph(Problem(net, FALSE), data.draw(precisions(net)))
    assert graph.explore(Budget()) is None
    for marking in explore(net, 300) or ():
        values = net.values(marking)
        assert any(holds(graph, state, values) for state in graph.states)
    coverings = graph.coverings()
    assert len(coverings) + len(graph.states) == graph.explored
    assert all((graph.states[by] >= state).all() for state, by in coverings)


@thorough
@given(problems(), st.data())
def test_a_path_replays_to_a_state_that_meets_the_named_cube(problem, data):
    graph = AbstractGraph(problem, data.draw(precisions(problem.net)))
    path = graph.explore(Budget())
    assume(path is not None)
    assert path is not None
    assert not graph.excludes(path)
    assert path.goal.cube in tuple(cubes(problem.target))
    state = graph.domain.initial()
    for transition in path.transitions:
        enabled, after = graph.domain.post(state)
        assert enabled[transition]
        state = after[transition]
    met = graph.test.meets(state)
    assert met is not None and not graph.test.misses(state, path.goal)


@thorough
@given(problems(), st.data())
def test_no_precision_excludes_a_trace(problem, data):
    trace = shortest_trace(problem, 40)
    assume(trace is not None)
    assert trace is not None
    net = problem.net
    marking = net.initial
    numbers = tuple(net.transition_numbers[name] for name in trace)
    for number in numbers:
        marking = net.transitions[number].fire(marking)
    graph = AbstractGraph(problem, data.draw(precisions(net)))
    assert graph.explore(Budget()) is not None
    for number, cube in enumerate(cubes(problem.target)):
        if all(evaluate(literal, net.values(marking)) for literal in cube):
            assert not graph.excludes(AbstractPath(numbers, Goal(cube, number)))


def counter(rounds: int) -> AbstractGraph:
    """Every number from 0 to `rounds` is a state of its own."""
    levels = tuple(range(rounds + 1))
    precision = precise({(1,): levels, (-1,): tuple(-x for x in reversed(levels))})
    return AbstractGraph(problem_of("p=0, -> p", f"p == {rounds}"), precision)


def test_a_graph_of_hundreds_of_states_finds_the_far_end():
    graph = counter(300)
    path = graph.explore(Budget())
    assert path is not None and path.transitions == (0,) * 300
    assert graph.explored == 300
    again = graph.explore(Budget())
    assert again == path, "a second exploration starts afresh"


@pytest.mark.parametrize(("strategy", "way"), [("bfs", (0, 0)), ("dfs", (1, 0, 0))])
def test_exploration_is_breadth_first_or_depth_first(strategy, way):
    """Two steps of b lead to four tokens; a leads to the newest state, and b from there."""
    levels = tuple(range(5))
    precision = precise({(1,): levels, (-1,): tuple(-x for x in reversed(levels))})
    problem = problem_of("p=0, b: -> 2 p, a: -> p", "p == 4")
    path = AbstractGraph(problem, precision, strategy=strategy).explore(Budget())
    assert path is not None and path.transitions == way


def test_the_initial_state_alone_may_meet_the_target():
    net = net_of("p=1")
    path = AbstractGraph(Problem(net, TRUE)).explore(Budget())
    assert path is not None and path.transitions == () and path.goal.cube == ()
    assert AbstractGraph(Problem(net, FALSE)).explore(Budget()) is None
