"""Guide `abstract`: the paper's interpolation problem, to the letter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import pytest
from equivalence import equivalent
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of, problem
from paths import fired_questions, questions

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Formula,
    congruent,
    conjunction,
    disjuncts,
    equal,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.programs.algebra import dot
from petricheck.engines.guides.optimal import Optimal
from petricheck.engines.heuristics import Displacement
from petricheck.engines.heuristics.place_invariants import PlaceInvariants
from petricheck.evidence.answer import Unreachable
from petricheck.evidence.certificates.invariant import Certificate
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    Template,
    TermTemplate,
)
from petricheck.laboratory.abstractions.sequence import are_interpolants, is_solvable
from petricheck.laboratory.guides.abstract import Abstract
from petricheck.laboratory.lattices.problems import Cuts, PathProblem, Way
from petricheck.laboratory.lattices.search import Search
from petricheck.model.net import make_net
from petricheck.questions import check
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted
from petricheck.symbolic.encoding.stamps import stamp, token
from petricheck.symbolic.interpolation.path import Block, PathQuestion
from petricheck.symbolic.linear import HalfSpace, Hyperplane

PAIR = {"p1": 1, "p2": 1}
FIG_8 = make_net("fig8", {"p1": 0, "p2": 0}, {"a": ({}, PAIR), "b": (PAIR, {})})


def fig_8(*counts: int | None) -> PathQuestion:
    """Does producing lead to one token on p1 and none on p2?"""
    goal = (Hyperplane(((0, 1),), 1), Hyperplane(((1, 1),), 0))
    blocks = tuple(Block(FIG_8.transitions[0], count) for count in counts)
    return PathQuestion(FIG_8, blocks, goal)


@pytest.mark.parametrize("interpolants", list(Way))
@pytest.mark.parametrize("question", [fig_8(1), fig_8(None), fig_8(3), fig_8(1, None)])
@pytest.mark.parametrize("cuts", list(Cuts))
def test_figure_8_is_refuted_by_its_place_invariant_alone(question, interpolants, cuts):
    guide = Abstract(interpolants=interpolants, cuts=cuts)
    displacements = guide.displacements((PlaceInvariants(),), FIG_8, [0])
    choice = guide.interpolate(question, displacements, Budget())
    assert choice is not None
    length = sum(block.worst for block in question.blocks)
    assert choice.cost == (1 if cuts is Cuts.SAME else length + 1)
    assert choice.proof is None and choice.queries > 1
    assert set(choice.predicates) <= {
        HalfSpace(((0, 1), (1, -1)), 0),
        HalfSpace(((0, -1), (1, 1)), 0),
    }
    (template,) = choice.templates
    assert dot([dict(template)[0], dict(template)[1]], [1, 1]) == 0


@settings(max_examples=12)
@given(st.one_of(questions(most_blocks=2), fired_questions(counts=(1, 2))))
def test_this_guide_refutes_whatever_linear_programs_refute(case):
    """Feasibility over the integers and with Boolean combinations is no less."""
    net, question = case
    if len(question.blocks) <= 3 and Optimal().interpolate(question, (), Budget()) is not None:
        choice = Abstract().interpolate(question, (), Budget(20.0))
        assert choice is not None
        for predicate in choice.predicates:
            if isinstance(predicate, HalfSpace) and not question.blocks:
                assert predicate.holds(net.initial)


def test_paths_that_only_integrality_refutes_are_refuted():
    """No number of firings makes three tokens out of pairs; half-spaces cannot say so."""
    net = net_of("p=0, two: -> 2 p")
    question = PathQuestion(net, (Block(net.transitions[0], None),), (Hyperplane(((0, 1),), 3),))
    assert Optimal().interpolate(question, (), Budget()) is None
    choice = Abstract().interpolate(question, (), Budget())
    assert choice is not None


def test_a_path_into_the_goal_has_no_interpolants():
    goal = (Hyperplane(((0, 1),), 3),)
    for count in (3, None):
        question = PathQuestion(FIG_8, (Block(FIG_8.transitions[0], count),), goal)
        assert Abstract().interpolate(question, (), Budget()) is None


def test_templates_that_displacements_do_not_change_are_preferred():
    """Both p1 = 0 and p2 = 0 separate; growing along p1 costs more."""
    goal = (HalfSpace(((0, -1),), -1), HalfSpace(((1, -1),), -1))
    question = PathQuestion(FIG_8, (), goal)
    for place in (0, 1):
        dear = Displacement(((place, 1),), 4, False, "parikh")
        choice = Abstract().interpolate(question, (dear,), Budget())
        assert choice is not None
        assert {p for template in choice.templates for p, _ in template} == {1 - place}


@pytest.mark.slow
def test_the_graph_keeps_the_disjunctions_of_interpolants():
    """Of the fourth path the interpolants say p ≤ 2 or p ≥ 3, with a residue."""
    net = "p=2 q=2, up: -> 2 p + 2 q, down: 2 p + 2 q ->, t: p + q -> 2 p + q"
    query = problem(net, "p == 2 and q == 1")
    answer = check(query, engine="cegar", options={"guide": "abstract"}, budget=Budget(60)).answer
    assert isinstance(answer, Unreachable)
    assert isinstance(answer.certificate, Certificate)
    assert len(disjuncts(answer.certificate.invariant)) > 1


def test_a_time_limit_is_respected():
    with pytest.raises(BudgetExhausted):
        Abstract().interpolate(fig_8(1), (), Budget(0.0))


# The problem of any path, which need not be a net's

X, Y = variable("x"), variable("y")
STEPS = {"negate": (-1, 0), "double": (2, 0), "apart": (1, 3)}
"""Of x and y: what they are multiplied by, and what is added to x and taken from y."""


def at_point(k: int, point: tuple[int, int]) -> Formula:
    return conjunction(
        equal(token(name, k), value) for name, value in zip("xy", point, strict=True)
    )


def path_problem(
    path: list[str], start: tuple[int, int], goal: tuple[int, int]
) -> tuple[PathProblem, list[tuple[int, int]]]:
    """And the states that the path passes."""
    states, parts = [start], [at_point(0, start)]
    for k, name in enumerate(path):
        factor, more = STEPS[name]
        x, y = states[-1]
        states.append((x * factor + more, y * factor - more))
        parts.append(conjunction([
            equal(token("x", k + 1), token("x", k) * factor + more),
            equal(token("y", k + 1), token("y", k) * factor - more),
        ]))  # fmt: skip
    return PathProblem(("x", "y"), (*parts, at_point(len(path), goal))), states


small = st.integers(-3, 3)
points = st.tuples(small, small)
cases = st.builds(
    path_problem, st.lists(st.sampled_from(sorted(STEPS)), max_size=3), points, points
)


@settings(max_examples=15)
@given(cases, st.sampled_from(list(Way)))
def test_interpolants_separate_and_the_strongest_hold_in_the_states_of_the_path(case, way):
    problem, states = case
    cuts = [[TermTemplate(X), TermTemplate(Y)]] * len(states)
    if not is_solvable(problem.sequence):
        with pytest.raises(ValueError, match="no interpolants"):
            problem.interpolants(cuts, way, Budget())
        return
    interpolants = problem.interpolants(cuts, way, Budget())
    assert are_interpolants(problem.sequence, [stamp(f, k) for k, f in enumerate(interpolants)])
    if way is Way.STRONGEST:
        for k, (formula, state) in enumerate(zip(interpolants, states, strict=True)):
            assert equivalent(stamp(formula, k), at_point(k, state))


@pytest.mark.parametrize("way", list(Way))
def test_an_interpolant_at_a_cut_without_templates_is_true_or_false(way):
    problem, _ = path_problem(["apart", "double"], (0, 0), (1, 1))
    cuts = [[TermTemplate(X + Y)], [TermTemplate(X + Y)], []]
    with pytest.raises(ValueError, match="no interpolants"):
        problem.interpolants(cuts, way, Budget())
    odd = PathProblem(("x", "y"), (*problem.parts[:-1], FALSE))
    assert odd.interpolants([[], [], []], way, Budget())[2] in (TRUE, FALSE)


COSTS: dict[Template, int] = {
    TermTemplate(X + Y): 1,
    InequalityTemplate(X): 4,
    InequalityTemplate(-X): 5,
    PredicateTemplate(congruent(X - Y, 0, 2)): 2,
}


def cost(cuts: Sequence[Sequence[Template]]) -> int:
    return sum(COSTS[template] for templates in cuts for template in templates)


@settings(max_examples=10)
@given(cases, st.sampled_from(list(Search)))
def test_the_cheapest_sets_for_all_cuts_are_those_of_an_exhaustive_search(case, search):
    problem, states = case
    every = [s for n in range(len(COSTS) + 1) for s in combinations(COSTS, n)]
    feasible = [s for s in every if is_solvable(problem.abstract([s] * len(states)))]
    least = min((cost([chosen]) for chosen in feasible), default=0)
    elements = list(problem.cheapest(COSTS, Budget(), Cuts.SAME, search))
    assert {e.cuts for e in elements} == {
        (s,) * len(states) for s in feasible if cost([s]) == least
    }
    assert all(element.cost == least for element in elements)


@settings(max_examples=6)
@given(
    st.builds(path_problem, st.lists(st.sampled_from(sorted(STEPS)), max_size=1), points, points)
)
def test_the_cheapest_sets_for_each_cut_are_those_of_an_exhaustive_search(case):
    """Section 8.1: the product of the cuts' lattices; an element costs what its factors cost."""
    problem, states = case
    sets = [s for n in range(len(COSTS) + 1) for s in combinations(COSTS, n)]
    every = sorted(product(sets, repeat=len(states)), key=cost)
    least = next((cost(cuts) for cuts in every if is_solvable(problem.abstract(cuts))), None)
    expected = {c for c in every if cost(c) == least and is_solvable(problem.abstract(c))}
    for search in Search:
        elements = list(problem.cheapest(COSTS, Budget(), Cuts.EACH, search))
        assert {element.cuts for element in elements} == expected
        assert all(element.cost == least for element in elements)


def test_templates_over_other_symbols_are_refused():
    problem, _ = path_problem([], (0, 0), (1, 1))
    with pytest.raises(ValueError, match="not common"):
        list(problem.cheapest({TermTemplate(variable("z")): 1}, Budget()))
