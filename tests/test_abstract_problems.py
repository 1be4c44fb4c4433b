"""The abstract problem of section 4, posed to the prover."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from interpolants import Judge, random_parts

from petricheck import Interpolated, Satisfiable, interpolate, interpolate_sequence
from petricheck.interpolation.abstractions import InterpolationAbstraction, identity_transformations
from petricheck.interpolation.problems import InterpolationProblem
from petricheck.interpolation.relations import relation_abstraction
from petricheck.interpolation.sequence import SequenceAbstraction
from petricheck.interpolation.templates import inequality_abstraction, term_abstraction
from petricheck.presburger.formulas import (
    Conjunction,
    at_least,
    at_most,
    conjunction,
    disjunction,
    equal,
    variables,
)
from petricheck.presburger.solver import equivalent, implies
from petricheck.presburger.terms import linear, variable

I0, X0, I1, X, J = map(variable, ("i0", "x0", "i", "x", "j"))
BEFORE = conjunction(
    [equal(I0, 0), equal(X0, J), at_most(I0, 49), equal(I1, I0 + 1), equal(X, X0 + 1)]
)
AFTER = conjunction([at_least(I1, 50), equal(J, 0), at_most(X, 49)])
COMMON = ("i", "j", "x")


@pytest.mark.parametrize("theory", ["integers", "rationals"])
def test_the_loop_of_section_1_1_is_refuted_in_terms_of_its_templates(theory):
    """The interpolant is one of the paper's: any of those that Lemma 4 puts between its bounds."""
    found = interpolate(
        BEFORE, AFTER, theory=theory, abstraction=term_abstraction(COMMON, (X - I1, J))
    )
    assert isinstance(found, Interpolated)
    assert implies(equal(X - I1, J), found.interpolant)
    assert implies(
        found.interpolant, disjunction([at_least(X, I1), at_least(J, 1), at_most(J, -1)])
    )


def test_templates_that_cannot_tell_leave_a_model_of_the_abstract_problem():
    found = interpolate(BEFORE, AFTER, abstraction=term_abstraction(COMMON, (X - I1,)))
    assert isinstance(found, Satisfiable)
    assert interpolate(BEFORE, AFTER) != found


@pytest.mark.parametrize("integral", [True, False], ids=["integers", "rationals"])
def test_interpolants_say_what_templates_allow_and_no_more(integral):
    judge = Judge(integral)
    theory = "integers" if integral else "rationals"
    answered = 0
    for seed in range(40):
        random = Random(seed)
        first, second = random_parts(random, 2, False)
        common = InterpolationProblem(first, second).common
        terms = [
            linear([(name, random.choice((-1, 1))) for name in random.sample(common, 1)])
            for _ in range(2)
        ] if common else []  # fmt: skip
        abstraction = inequality_abstraction(common, terms)
        match interpolate(first, second, theory=theory, abstraction=abstraction):
            case Interpolated((interpolant,)):
                answered += 1
                problem = InterpolationProblem(first, second)
                for each in (problem, abstraction.apply(problem)):
                    assert judge.implies([each.a], interpolant)
                    assert judge.unsatisfiable(each.b, interpolant)
                assert set(variables(interpolant)) <= set(common)
    assert answered > 5


def test_a_sequence_is_abstracted_at_each_of_its_cuts():
    names = [f"{name}{k}" for k in range(4) for name in "xy"]
    states = [(variable(names[2 * k]), variable(names[2 * k + 1])) for k in range(4)]
    steps = [
        conjunction([equal(x1, x0 + 1), equal(y1, y0 - 1)])
        for (x0, y0), (x1, y1) in pairwise(states)
    ]
    parts = (
        conjunction([equal(states[0][0], 0), equal(states[0][1], 0)]),
        *steps,
        at_least(states[3][0] + states[3][1], 1),
    )
    points = tuple(
        (cut, inequality_abstraction((f"x{cut - 1}", f"y{cut - 1}"), [-x - y]))
        for cut, (x, y) in enumerate(states, start=1)
    )
    found = interpolate_sequence(parts, abstraction=SequenceAbstraction(points))
    assert isinstance(found, Interpolated)
    for interpolant, (x, y) in zip(found.interpolants, states, strict=True):
        assert equivalent(interpolant, at_most(x + y, 0))


def test_a_relation_that_is_reflexive_on_integers_only_is_refused_of_rationals():
    """2x ≤ 0 or 2x ≥ 2 holds of all integers, and not of a half."""
    x, copy_a, copy_b = variable("x"), variable("x′"), variable("x″")
    whole = [disjunction([at_most(c + x, 0), at_least(c + x, 2)]) for c in (copy_a, copy_b)]
    odd = relation_abstraction(("x",), *whole)
    with pytest.raises(ValueError, match="not reflexive over the rationals"):
        interpolate(at_most(x, 0), at_least(x, 1), theory="rationals", abstraction=odd)
    assert isinstance(interpolate(at_most(x, 0), at_least(x, 1), abstraction=odd), Satisfiable)


def test_functions_are_checked_over_integers_and_refused_of_rationals():
    functions = InterpolationAbstraction(("x",), lambda a: a, lambda b: Conjunction((b, b)))
    x = variable("x")
    assert isinstance(
        interpolate(at_most(x, 0), at_least(x, 1), abstraction=functions), Interpolated
    )
    with pytest.raises(ValueError, match="given by relations"):
        interpolate(at_most(x, 0), at_least(x, 1), theory="rationals", abstraction=functions)
    with pytest.raises(ValueError, match="'x' is not common"):
        interpolate(at_most(x, 0), at_least(x, 1), abstraction=identity_transformations(()))
