"""The abstract problem of section 4, posed to the prover."""

from collections.abc import Iterable
from random import Random

import pytest
from interpolants import Judge, random_parts
from notation import formula, formulas

from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    RelationAbstraction,
    TermTemplate,
    relation_abstraction,
    template_abstraction,
)
from petricheck.laboratory.abstractions.sequence import SequenceAbstraction, SequenceProblem
from petricheck.laboratory.prover import (
    Interpolated,
    Satisfiable,
    interpolate,
    interpolate_sequence,
)
from petricheck.presburger.formulas import at_least, at_most, disjunction, variables
from petricheck.presburger.solver import equivalent, implies
from petricheck.presburger.terms import Term, linear, variable

X, I1, J = map(variable, ("x", "i", "j"))
BEFORE = formula("i0 == 0 and x0 == j and i0 <= 49 and i == i0 + 1 and x == x0 + 1")
AFTER = formula("i >= 50 and j == 0 and x <= 49")
COMMON = ("i", "j", "x")
APART = formulas("x <= 0, x >= 1")


def term_abstraction(common: Iterable[str], terms: Iterable[Term]) -> RelationAbstraction:
    return template_abstraction(common, map(TermTemplate, terms))


def inequality_abstraction(common: Iterable[str], terms: Iterable[Term]) -> RelationAbstraction:
    return template_abstraction(common, map(InequalityTemplate, terms))


@pytest.mark.parametrize("theory", ["integers", "rationals"])
def test_the_loop_of_section_1_1_is_refuted_in_terms_of_its_templates(theory):
    """The interpolant is one of the paper's: any of those that Lemma 4 puts between its bounds."""
    found = interpolate(
        BEFORE, AFTER, theory=theory, abstraction=term_abstraction(COMMON, (X - I1, J))
    )
    assert isinstance(found, Interpolated)
    assert implies(formula("x - i == j"), found.interpolant)
    assert implies(found.interpolant, formula("x >= i or j >= 1 or j <= -1"))


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
        common = SequenceProblem((first, second)).common(1)
        terms = [
            linear([(name, random.choice((-1, 1))) for name in random.sample(common, 1)])
            for _ in range(2)
        ] if common else []  # fmt: skip
        abstraction = inequality_abstraction(common, terms)
        match interpolate(first, second, theory=theory, abstraction=abstraction):
            case Interpolated((interpolant,)):
                answered += 1
                abstracted = abstraction.of_a(first), abstraction.of_b(second)
                for a, b in ((first, second), abstracted):
                    assert judge.implies([a], interpolant)
                    assert judge.unsatisfiable(b, interpolant)
                assert set(variables(interpolant)) <= set(common)
    assert answered > 5


def test_a_sequence_is_abstracted_at_each_of_its_cuts():
    steps = (f"x{k + 1} == x{k} + 1 and y{k + 1} == y{k} - 1" for k in range(3))
    parts = [formula(text) for text in ("x0 == 0 and y0 == 0", *steps, "x3 + y3 >= 1")]
    states = [(variable(f"x{k}"), variable(f"y{k}")) for k in range(4)]
    points = tuple(
        (cut, inequality_abstraction((f"x{cut - 1}", f"y{cut - 1}"), [-x - y]))
        for cut, (x, y) in enumerate(states, start=1)
    )
    found = interpolate_sequence(parts, abstraction=SequenceAbstraction(points))
    assert isinstance(found, Interpolated)
    for k, interpolant in enumerate(found.interpolants):
        assert equivalent(interpolant, formula(f"x{k} + y{k} <= 0"))


def test_a_relation_that_is_reflexive_on_integers_only_is_refused_of_rationals():
    """2x ≤ 0 or 2x ≥ 2 holds of all integers, and not of a half."""
    copies = [variable("x") + variable(name) for name in ("x′", "x″")]
    whole = [disjunction([at_most(twice, 0), at_least(twice, 2)]) for twice in copies]
    odd = relation_abstraction(("x",), *whole)
    with pytest.raises(ValueError, match="not reflexive over the rationals"):
        interpolate(*APART, theory="rationals", abstraction=odd)
    assert isinstance(interpolate(*APART, abstraction=odd), Satisfiable)


def test_symbols_that_are_not_common_are_refused():
    with pytest.raises(ValueError, match="'x' is not common"):
        interpolate(*APART, abstraction=template_abstraction((), ()))
