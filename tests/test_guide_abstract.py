"""Guide `abstract`: the paper's interpolation problem, to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation import net_of
from test_path_interpolants import fired_questions, questions

from petricheck.budget import Budget
from petricheck.errors import BudgetExhausted
from petricheck.guides.optimal import Optimal
from petricheck.heuristics import Displacement
from petricheck.heuristics.place_invariants import PlaceInvariants
from petricheck.interpolation.path import Block, PathQuestion
from petricheck.laboratory.guides.abstract import Abstract
from petricheck.linear import HalfSpace, Hyperplane
from petricheck.presburger.algebra import dot
from petricheck.problem import make_net

PAIR = {"p1": 1, "p2": 1}
FIG_8 = make_net("fig8", {"p1": 0, "p2": 0}, {"a": ({}, PAIR), "b": (PAIR, {})})


def fig_8(*counts: int | None) -> PathQuestion:
    """Does producing lead to one token on p1 and none on p2?"""
    goal = (Hyperplane(((0, 1),), 1), Hyperplane(((1, 1),), 0))
    blocks = tuple(Block(FIG_8.transitions[0], count) for count in counts)
    return PathQuestion(FIG_8.initial, blocks, goal)


@pytest.mark.parametrize("question", [fig_8(1), fig_8(None), fig_8(3), fig_8(1, None)])
def test_figure_8_is_refuted_by_its_place_invariant_alone(question):
    guide = Abstract()
    displacements = guide.displacements((PlaceInvariants(),), FIG_8, [0])
    choice = guide.interpolate(question, displacements, Budget())
    assert choice is not None
    assert choice.cost == 1
    assert choice.proof is None
    assert set(choice.predicates) <= {
        HalfSpace(((0, 1), (1, -1)), 0),
        HalfSpace(((0, -1), (1, 1)), 0),
    }
    (template,) = choice.templates
    assert dot([dict(template)[0], dict(template)[1]], [1, 1]) == 0


@settings(max_examples=12)
@given(st.one_of(questions(most_blocks=2), fired_questions(counts=(1, 2))))
def test_what_linear_programs_refute_this_guide_refutes(case):
    """Feasibility over the integers and with Boolean combinations is no less."""
    net, question = case
    if len(question.blocks) <= 3 and Optimal().interpolate(question, (), Budget()) is not None:
        choice = Abstract().interpolate(question, (), Budget(20.0))
        assert choice is not None
        for predicate in choice.predicates:
            if isinstance(predicate, HalfSpace) and not question.blocks:
                assert predicate.holds(net.initial)


def test_integers_count_where_linear_programs_see_rationals():
    """No number of firings makes three tokens out of pairs; half-spaces cannot say so."""
    net = net_of("p=0, two: -> 2 p")
    question = PathQuestion(
        net.initial, (Block(net.transitions[0], None),), (Hyperplane(((0, 1),), 3),)
    )
    assert Optimal().interpolate(question, (), Budget()) is None
    choice = Abstract().interpolate(question, (), Budget())
    assert choice is not None


def test_what_is_reached_has_no_interpolants():
    goal = (Hyperplane(((0, 1),), 3),)
    for count in (3, None):
        question = PathQuestion((0, 0), (Block(FIG_8.transitions[0], count),), goal)
        assert Abstract().interpolate(question, (), Budget()) is None


def test_templates_that_displacements_do_not_change_are_preferred():
    """Both p1 = 0 and p2 = 0 separate; growing along p1 costs more."""
    goal = (HalfSpace(((0, -1),), -1), HalfSpace(((1, -1),), -1))
    question = PathQuestion((0, 0), (), goal)
    for place in (0, 1):
        dear = Displacement(((place, 1),), 4, False, "parikh")
        choice = Abstract().interpolate(question, (dear,), Budget())
        assert choice is not None
        assert {p for template in choice.templates for p, _ in template} == {1 - place}


def test_a_limit_of_time_is_kept():
    with pytest.raises(BudgetExhausted):
        Abstract().interpolate(fig_8(1), (), Budget(0.0))
