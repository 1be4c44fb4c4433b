"""Interpolants over templates: Defs. 4 to 7 of Leroux, Rümmer, Subotić 2016, in every theory."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from equivalence import equivalent
from interpolants import (
    KINDS,
    RATIONALS,
    assert_sequence,
    judge_of,
    random_parts,
    sharpened,
    theory_of,
)
from notation import formula

from petricheck.arithmetic.formulas.formulas import (
    Disjunction,
    Formula,
    Negation,
    atoms,
    conjunction,
    equal,
    substitute,
    variables,
)
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.arithmetic.solvers.solver import implies
from petricheck.laboratory.abstractions.relations import (
    InequalityTemplate,
    PredicateTemplate,
    TermTemplate,
)
from petricheck.laboratory.prover import (
    Interpolated,
    Satisfiable,
    Theory,
    Undecided,
    interpolate_sequence,
)
from petricheck.laboratory.prover.named_templates import SchematicTerm
from petricheck.laboratory.prover.templates import interpolate_over
from petricheck.laboratory.prover.terms import Application, Ratio, apply, subterms, vocabulary
from petricheck.support.budget import Budget

A, B, C, F, G, I1, J, NULL, X = map(variable, ("a", "b", "c", "f", "g", "i", "j", "null", "x"))
LOOP = (
    formula("i0 == 0 and x0 == j and i0 <= 49 and i == i0 + 1 and x == x0 + 1"),
    formula("i >= 50 and j == 0 and x <= 49"),
)


@pytest.mark.parametrize("theory", Theory)
@pytest.mark.parametrize(
    ("templates", "strongest", "weakest"),
    [
        ([TermTemplate(X - I1), TermTemplate(J)], "x - i == j", "x >= i or j >= 1 or j <= -1"),
        ([InequalityTemplate(X - I1), InequalityTemplate(-J)], "x - i >= j", "x >= i or j <= -1"),
        ([PredicateTemplate(formula("x - i == j"))], "x - i == j", "x - i == j"),
    ],
)
def test_the_loop_of_section_1_1_has_interpolants_over_templates(
    theory, templates, strongest, weakest
):
    """Any of those between the paper's bounds (Lemmas 4 to 7)."""
    result = interpolate_over(LOOP, templates, theory=theory)
    assert isinstance(result, Interpolated)
    assert_sequence(RATIONALS, LOOP, result.interpolants)
    assert implies(formula(strongest), result.interpolant)
    assert implies(result.interpolant, formula(weakest))


@pytest.mark.parametrize("theory", Theory)
@pytest.mark.parametrize(
    "template", [TermTemplate(X - I1), InequalityTemplate(X), PredicateTemplate(formula("x == j"))]
)
def test_templates_that_cannot_tell_leave_a_model_of_the_abstract_problem(theory, template):
    assert isinstance(interpolate_over(LOOP, [template], theory=theory), Satisfiable)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_interpolants_say_what_templates_allow_and_no_more(kind):
    """They are those of the problem, and values of the templates decide whether they hold."""
    answered = 0
    for seed in range(5):
        random = Random(seed)
        parts = random_parts(random, 2, kind)
        while isinstance(model := interpolate_sequence(parts, theory=theory_of(kind)), Satisfiable):
            parts = sharpened(random, parts, model.model, kind)
        common = sorted(
            name for name in vocabulary(parts[0]) & vocabulary(parts[1]) if isinstance(name, str)
        )
        if len(common) < 2:
            continue
        one, other = map(variable, common[:2])
        both = vocabulary(parts[0]) & vocabulary(parts[1])
        kept = [symbol for symbol in both if not isinstance(symbol, str)]
        difference = random.choice((TermTemplate, InequalityTemplate))(one - other)
        templates = random.choice(([difference], [TermTemplate(one), TermTemplate(other)]))
        result = interpolate_over(
            parts, templates, kept=kept, theory=theory_of(kind), budget=Budget(20)
        )
        if isinstance(result, Interpolated):
            answered += 1
            assert_sequence(judge_of(kind), parts, result.interpolants)
            names = [
                name for name in variables(result.interpolant) if not isinstance(name, Application)
            ]
            assert set(names) <= set(common[:2])
            if kind in ("integers", "rationals") and templates == [difference]:
                moved = {name: variable(name) + 7 for name in common[:2]}
                assert equivalent(result.interpolant, substitute(result.interpolant, moved))
    assert answered > 0


@pytest.mark.parametrize("theory", Theory)
def test_a_sequence_is_abstracted_at_each_cut_that_a_template_is_about(theory):
    steps = (f"x{k + 1} == x{k} + 1 and y{k + 1} == y{k} - 1" for k in range(3))
    parts = [formula(text) for text in ("x0 == 0 and y0 == 0", *steps, "x3 + y3 >= 1")]
    templates = [InequalityTemplate(variable(f"x{k}") * -1 - variable(f"y{k}")) for k in range(3)]
    result = interpolate_over(parts, templates, theory=theory)
    assert isinstance(result, Interpolated)
    assert_sequence(RATIONALS, parts, result.interpolants)
    for k, interpolant in enumerate(result.interpolants[:3]):
        assert equivalent(interpolant, formula(f"x{k} + y{k} <= 0"))


@pytest.mark.parametrize(
    ("names", "complaint"),
    [(["x9"], "no cut has sides that share x9"), (["x0"], "no neighbours; keep it")],
)
def test_what_no_cut_can_abstract_is_refused(names, complaint):
    parts = [formula(text) for text in ("x0 >= 1", "x0 == x1", "x0 + x1 <= 0")]
    with pytest.raises(ValueError, match=complaint):
        interpolate_over(parts, [TermTemplate(variable(name)) for name in names])


FIELDS = ("f", "g", "null")


def heap(*arguments: Term) -> Term:
    return apply("H", *arguments)


def different(left: Term, right: Term) -> Formula:
    return Negation(equal(left, right))


FIRST = conjunction([equal(heap(A, F), C), different(heap(B, G), NULL)])
SECOND = conjunction([equal(B, C), equal(heap(B, G), NULL), equal(heap(heap(A, F), G), NULL)])
DEEP = SchematicTerm(heap(heap(X, F), G), ("x",))
VALUES = tuple(map(TermTemplate, (A, B, C)))


def over(first: Formula, second: Formula, *templates, kept=FIELDS):
    return interpolate_over((first, second), templates, kept=kept, theory="functions")


def applications(said: Formula) -> Iterator[str]:
    for atom in atoms(said):
        for term in subterms(Ratio(atom.term)):
            yield from (unit for unit in term.units if isinstance(unit, Application))


def test_example_5_has_the_papers_interpolants():
    """I1 is one of the concrete problem; over the templates it is I2."""
    assert_sequence(RATIONALS, (FIRST, SECOND), [different(heap(B, G), NULL)])
    result = over(FIRST, SECOND, DEEP, *VALUES)
    assert isinstance(result, Interpolated)
    assert_sequence(RATIONALS, (FIRST, SECOND), result.interpolants)
    deep = heap(heap(A, F), G)
    expected = Disjunction((different(B, C), different(deep, NULL)))
    assert RATIONALS.implies([result.interpolant], expected)
    assert RATIONALS.implies([expected], result.interpolant)
    # It reads the heap in the pattern only.
    assert set(applications(result.interpolant)) == {*deep.variables, *heap(A, F).variables}


def test_the_pattern_is_needed_and_what_it_is_applied_to():
    """Of templates without parameters it is known that there is no interpolant over them."""
    assert isinstance(over(FIRST, SECOND, *VALUES), Satisfiable)
    only = over(FIRST, SECOND, DEEP)
    assert isinstance(only, Undecided)
    assert "2 rounds" in only.reason


def test_lemma_8_a_formula_over_templates_that_separates_makes_the_problem_solvable():
    """Whatever the formula, as long as the instances that it needs are there."""
    for conclusion in (heap(heap(A, F), G), heap(heap(B, F), G)):
        separating = Disjunction((different(A, B), equal(conclusion, C)))
        second = conjunction([equal(A, B), different(conclusion, C)])
        result = over(separating, second, DEEP, *VALUES, kept=FIELDS[:2])
        assert isinstance(result, Interpolated)
        assert_sequence(RATIONALS, (separating, second), result.interpolants)
