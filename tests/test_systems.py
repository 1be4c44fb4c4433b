"""Interpolants for paths of transition systems that need not be nets."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from petricheck.encoding.stamps import stamp
from petricheck.laboratory.abstractions.relations import top_abstraction
from petricheck.laboratory.abstractions.sequence import (
    SequenceAbstraction,
    is_interpolant_sequence,
    is_sequence_solvable,
)
from petricheck.laboratory.abstractions.templates import (
    InequalityTemplate,
    PredicateTemplate,
    Template,
    TermTemplate,
    template_abstraction,
)
from petricheck.laboratory.lattices.systems import PathProblem, TransitionSystem, after
from petricheck.laboratory.paths import path_parts
from petricheck.presburger.formulas import (
    FALSE,
    TRUE,
    Formula,
    congruent,
    conjunction,
    equal,
)
from petricheck.presburger.solver import equivalent
from petricheck.presburger.terms import Term, variable
from petricheck.problem import make_net, make_problem

X, Y = variable("x"), variable("y")
Effects = Mapping[str, tuple[Term, Term]]

EFFECTS: Effects = {
    "negate": (-X, -Y),
    "double": (X * 2, Y * 2),
    "apart": (X + 3, Y - 3),
    "swap": (Y, X),
    "shear": (X + Y, Y),
}


def moves(effects: Effects) -> dict[str, Formula]:
    return {
        name: conjunction([equal(after("x"), x), equal(after("y"), y)])
        for name, (x, y) in effects.items()
    }


def run(path: list[str], start: tuple[int, int]) -> list[tuple[int, int]]:
    states = [start]
    for name in path:
        values = dict(zip("xy", states[-1], strict=True))
        x, y = EFFECTS[name]
        states.append((x.evaluate(values), y.evaluate(values)))
    return states


def at_point(x: int, y: int) -> Formula:
    return conjunction([equal(X, x), equal(Y, y)])


small = st.integers(-3, 3)
paths = st.lists(st.sampled_from(sorted(EFFECTS)), max_size=3)


@settings(max_examples=25)
@given(paths, st.tuples(small, small), st.tuples(small, small))
def test_a_path_is_solvable_unless_running_it_leads_into_the_target(
    path: list[str], start: tuple[int, int], goal: tuple[int, int]
) -> None:
    system = TransitionSystem(("x", "y"), at_point(*start), moves(EFFECTS), at_point(*goal))
    assert system.path(path).solvable() == (run(path, start)[-1] != goal)


@settings(max_examples=10)
@given(paths, st.tuples(small, small), st.tuples(small, small), st.data())
def test_interpolants_separate_and_the_strongest_hold_in_the_states_of_the_path(
    path: list[str], start: tuple[int, int], goal: tuple[int, int], data: st.DataObject
) -> None:
    system = TransitionSystem(("x", "y"), at_point(*start), moves(EFFECTS), at_point(*goal))
    problem = system.path(path)
    templates: list[Template] = [TermTemplate(X), TermTemplate(Y)]
    if not problem.solvable():
        for asked in (problem.strongest, problem.proved):
            with pytest.raises(ValueError, match="no interpolants"):
                asked(templates)
        return
    ways = [problem.strongest, problem.weakest, problem.proved]
    found = data.draw(st.sampled_from(ways))(templates)
    stamped = [stamp(formula, k) for k, formula in enumerate(found)]
    assert is_interpolant_sequence(problem.sequence, (TRUE, *stamped, FALSE))
    if found == problem.strongest(templates):
        for formula, state in zip(found, run(path, start), strict=True):
            assert equivalent(formula, at_point(*state))


COSTS: dict[Template, int] = {
    TermTemplate(X + Y): 1,
    InequalityTemplate(X): 4,
    InequalityTemplate(-X): 5,
    PredicateTemplate(congruent(X - Y, 0, 2)): 2,
}


@settings(max_examples=8)
@given(
    st.lists(st.sampled_from(["negate", "apart"]), max_size=2),
    st.tuples(small, small),
    st.tuples(small, small),
)
def test_the_cheapest_sets_are_those_that_trying_all_finds(
    path: list[str], start: tuple[int, int], goal: tuple[int, int]
) -> None:
    system = TransitionSystem(("x", "y"), at_point(*start), moves(EFFECTS), at_point(*goal))
    problem = system.path(path)
    every = [s for n in range(len(COSTS) + 1) for s in combinations(COSTS, n)]
    feasible = [chosen for chosen in every if feasible_at_all_cuts(problem, chosen)]
    least = min((price(chosen) for chosen in feasible), default=None)
    cheapest = {chosen for chosen in feasible if price(chosen) == least}
    assert set(problem.cheapest(COSTS)) == cheapest
    assert len(problem.cheapest(COSTS, limit=1)) == min(1, len(cheapest))


def price(chosen: tuple[Template, ...]) -> int:
    return sum(COSTS[template] for template in chosen)


def feasible_at_all_cuts(problem: PathProblem, chosen: tuple[Template, ...]) -> bool:
    """By the abstract sequence problem, as Def. 10 writes it."""
    points = []
    for cut in range(1, len(problem.parts)):
        names = problem.sequence.common(cut)
        later = [restamped(template, cut - 1) for template in chosen]
        points.append((cut, template_abstraction(names, later)))
    return is_sequence_solvable(SequenceAbstraction(tuple(points)).apply(problem.sequence))


def restamped(template: Template, k: int) -> Template:
    names = {"x": variable(f"x@{k}"), "y": variable(f"y@{k}")}
    match template:
        case TermTemplate(term):
            return TermTemplate(term.substitute(names))
        case InequalityTemplate(term):
            return InequalityTemplate(term.substitute(names))
        case PredicateTemplate(formula):
            return PredicateTemplate(stamp(formula, k))


def test_symbols_of_a_step_are_local_to_it() -> None:
    """Any multiple of three may be added, another one in each step."""
    jump = conjunction([equal(after("x"), X + variable("n") * 3)])
    system = TransitionSystem(("x",), equal(X, 0), {"jump": jump}, equal(X, 6))
    assert not system.path(["jump", "jump"]).solvable()
    off = TransitionSystem(("x",), equal(X, 0), {"jump": jump}, equal(X, 7))
    for formula in off.path(["jump", "jump"]).strongest([TermTemplate(X)])[1:]:
        assert equivalent(formula, congruent(X, 0, 3))


def test_variables_that_a_side_does_not_mention_may_be_used_in_templates() -> None:
    free = TransitionSystem(("x", "y"), equal(X, 0), {"go": equal(after("x"), X)}, equal(X, 1))
    problem = free.path(["go"])
    (chosen,) = problem.cheapest({TermTemplate(X): 1, TermTemplate(Y): 1})
    assert chosen == (TermTemplate(X),)


def test_symbols_that_are_no_variables_are_refused() -> None:
    good = TransitionSystem(("x",), equal(X, 0), moves({}), equal(X, 1))
    with pytest.raises(KeyError, match="nothing"):
        good.path(["nothing"])
    with pytest.raises(ValueError, match="initial states use 'y'"):
        TransitionSystem(("x",), equal(Y, 0), {}, equal(X, 1)).path([])
    with pytest.raises(ValueError, match="targets use 'y'"):
        TransitionSystem(("x",), equal(X, 0), {}, equal(Y, 1)).path([])
    with pytest.raises(ValueError, match="not common"):
        good.path([]).cheapest({TermTemplate(Y): 1})


def test_the_path_of_a_net_is_a_path_problem() -> None:
    """Fig. 8: the place invariant is the cheapest, and its interpolants are equations."""
    pair = {"p1": 1, "p2": 1}
    net = make_net("fig8", {"p1": 0, "p2": 0}, {"a": ({}, pair), "b": (pair, {})})
    p1, p2 = variable("p1"), variable("p2")
    target = conjunction([equal(p1, 1), equal(p2, 0)])
    problem = PathProblem(net.places, path_parts(make_problem(net, target), [0]))
    costs: dict[Template, int] = {TermTemplate(p1 - p2): 1, TermTemplate(p1 + p2): 100}
    (chosen,) = problem.cheapest(costs)
    assert chosen == (TermTemplate(p1 - p2),)
    assert all(equivalent(f, equal(p1, p2)) for f in problem.strongest(chosen))
    assert not feasible_at_top(problem)


def feasible_at_top(problem: PathProblem) -> bool:
    cuts = range(1, len(problem.parts))
    points = tuple((cut, top_abstraction(problem.sequence.common(cut))) for cut in cuts)
    return is_sequence_solvable(SequenceAbstraction(points).apply(problem.sequence))
