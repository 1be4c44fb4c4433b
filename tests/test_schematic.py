"""Schematic terms: Def. 7, Lemma 8 and Example 5 of Leroux, Rümmer, Subotić 2016."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from functions import assert_interpolant, unsatisfiable

from petricheck.laboratory.functions import Modelled, Separated, interpolate
from petricheck.laboratory.functions.formulas import (
    Formula,
    Negation,
    atoms,
    conjunction,
    different,
    equal,
    implication,
    terms,
)
from petricheck.laboratory.functions.schematic import SchematicTerm, interpolate_schematic
from petricheck.laboratory.functions.terms import Application, Term, apply, subterms, variable
from petricheck.laboratory.prover.results import Undecided

A, B, C, F, G, NULL, X = map(variable, ("a", "b", "c", "f", "g", "null", "x"))
FIELDS = (("f", 0), ("g", 0), ("null", 0))


def heap(*arguments: Term) -> Term:
    return apply("H", *arguments)


FIRST = conjunction([equal(heap(A, F), C), different(heap(B, G), NULL)])
SECOND = conjunction([equal(B, C), equal(heap(B, G), NULL), equal(heap(heap(A, F), G), NULL)])
DEEP = SchematicTerm(heap(heap(X, F), G), ("x",))
VALUES = tuple(map(SchematicTerm, (A, B, C)))


def applications(formula: Formula) -> Iterator[Application]:
    for atom in atoms(formula):
        for term in terms(atom):
            for each in subterms(term):
                yield from (unit for unit, _ in each.coefficients if isinstance(unit, Application))


def test_example_5_has_the_papers_interpolants():
    """I1 is one of the concrete problem; over the templates it is I2."""
    assert_interpolant(FIRST, SECOND, different(heap(B, G), NULL))
    found = interpolate_schematic(FIRST, SECOND, (DEEP, *VALUES), kept=FIELDS)
    assert isinstance(found, Separated)
    assert_interpolant(FIRST, SECOND, found.interpolant)
    expected = implication(equal(B, C), different(heap(heap(A, F), G), NULL))
    assert unsatisfiable(found.interpolant, Negation(expected))
    assert unsatisfiable(expected, Negation(found.interpolant))
    # It reads the heap in the pattern only.
    patterns = {heap(heap(A, F), G).coefficients[0][0], heap(A, F).coefficients[0][0]}
    assert set(applications(found.interpolant)) == patterns


def test_the_pattern_is_needed_and_what_it_is_applied_to():
    """Of templates without parameters it is known that there is no interpolant over them."""
    assert isinstance(interpolate_schematic(FIRST, SECOND, VALUES, kept=FIELDS), Modelled)
    only = interpolate_schematic(FIRST, SECOND, (DEEP,), kept=FIELDS)
    assert isinstance(only, Undecided)
    assert "2 rounds" in only.reason


def test_lemma_8_a_formula_over_templates_that_separates_makes_the_problem_solvable():
    """Whatever the formula, as long as the instances that it needs are there."""
    for index, conclusion in enumerate((heap(heap(A, F), G), heap(heap(B, F), G))):
        separating = implication(equal(A, B), equal(conclusion, C))
        second = conjunction([equal(A, B), different(conclusion, C), equal(F, F)])
        found = interpolate_schematic(separating, second, (DEEP, *VALUES), kept=FIELDS[:2])
        assert isinstance(found, Separated), index
        assert_interpolant(separating, second, found.interpolant)


def test_templates_without_parameters_are_those_of_definition_4():
    y, z = variable("y"), variable("z")
    first = conjunction([equal(X, y), equal(A, apply("p", X)), equal(B, apply("p", y))])
    second = conjunction([different(A, B), equal(z, A)])
    found = interpolate_schematic(first, second, (SchematicTerm(A - B),))
    assert isinstance(found, Separated)
    assert_interpolant(first, second, found.interpolant)
    assert isinstance(interpolate_schematic(first, second, (SchematicTerm(A + B),)), Modelled)


def test_templates_of_one_side_only_are_refused():
    assert isinstance(interpolate(FIRST, SECOND), Separated)
    with pytest.raises(ValueError, match="'q' is not common"):
        interpolate_schematic(FIRST, SECOND, (SchematicTerm(variable("q")),))
    with pytest.raises(ValueError, match="'q' is not common"):
        interpolate_schematic(FIRST, SECOND, (DEEP,), kept=(("q", 0),))
