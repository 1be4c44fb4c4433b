"""Uninterpreted functions: the paper's rules of equations, example by example."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from interpolants import RATIONALS, assert_sequence, assert_symmetric, random_parts

from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Equality,
    Formula,
    Inequality,
    Negation,
    at_most,
    atoms,
    conjunction,
    disjunction,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.laboratory import prover
from petricheck.laboratory.prover import Interpolated, Satisfiable, Undecided
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.proofs import Proof
from petricheck.laboratory.prover.terms import Application, Ratio, apply
from petricheck.support.budget import Budget
from petricheck.support.errors import EvidenceError

A, A1, B, C, D, X, Y, Z = map(variable, ("a", "a1", "b", "c", "d", "x", "y", "z"))


def f(*arguments: Term) -> Term:
    return apply("f", *arguments)


def g(argument: Term) -> Term:
    return apply("g", argument)


def below(left: Term, right: Term | int) -> Formula:
    return Negation(Inequality(right - left))


def different(left: Term, right: Term) -> Formula:
    return Negation(equal(left, right))


def separated(*parts: Formula) -> Interpolated:
    """The answer, once z3 has confirmed it."""
    result = prover.interpolate_sequence(parts, theory="functions")
    assert isinstance(result, Interpolated)
    assert_sequence(RATIONALS, parts, result.interpolants)
    return result


def test_interpolants_of_equations_are_made_of_equations():
    kinds: set[type] = set()
    for seed in range(25):
        match prover.interpolate(*random_parts(Random(seed), 2, "equality"), theory="functions"):
            case Interpolated((interpolant,)):
                kinds |= {type(atom) for atom in atoms(interpolant)}
    assert kinds == {Equality}


def test_a_term_between_two_common_ones_equals_them_on_a_condition():
    """Section 2.3: interpolants are no conjunctions, since the combination is not convex."""
    before = conjunction([at_most(X, A), at_most(A, Z), equal(f(A), 0)])
    after = conjunction([at_most(Z, B), at_most(B, X), equal(f(B), 1)])
    interpolant = separated(before, after).interpolant
    assert RATIONALS.unsatisfiable(interpolant, equal(X, Z), below(constant(0), f(X)))


LINKED = conjunction([equal(X, A), equal(A, Y)])
"""f(x) = f(y), by way of a term of its own."""
BETWEEN_C = conjunction([at_most(C, A), at_most(A, Z)])
ROUND = conjunction([at_most(Z, X), at_most(X, C), different(f(X), Y)])


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # Example 3, by transitivity and congruence.
        ([equal(X, Y)], [equal(Y, Z), different(f(X), f(Z))], equal(X, Y)),
        # B knows f(y) ≤ b ≤ z, and f(x) ≤ z only where x = y.
        (
            [LINKED, at_most(C, f(X)), at_most(Z, C), equal(g(C), X)],
            [at_most(f(Y), B), at_most(B, Z), different(g(B), Y), at_most(X, 9)],
            None,
        ),
        # A alone knows c and d, and B that f(y) ≤ z lies between them.
        (
            [LINKED, at_most(C, f(X)), at_most(Z, D), at_most(D, C), different(g(C), g(D))],
            [at_most(f(Y), Z), at_most(X, 9)],
            None,
        ),
        # A knows c ≤ a ≤ z, and B that x lies between z and c, either way round.
        ([at_most(f(X), 9), equal(f(A), Y), BETWEEN_C], [ROUND], None),
        ([equal(f(A), Y), at_most(f(X), 9), BETWEEN_C], [ROUND], None),
        # A sum is strict where one of its inequalities is.
        ([below(X, A), at_most(A, Z)], [at_most(Z, X)], None),
        ([at_most(X, A), below(A, Z)], [at_most(Z, X)], None),
        ([at_most(Z, X)], [below(X, A), at_most(A, Z)], None),
        ([at_most(Z, X)], [at_most(X, A), below(A, Z)], None),
        # Of a congruence the first arguments are equal by A alone, the second by what B knows.
        ([equal(A, A1), equal(f(A, X), C), different(f(A1, Y), C)], [equal(X, Y)], different(X, Y)),
        # A function of one side only does not occur.
        (
            [equal(A, apply("own", X)), different(apply("own", Y), A), at_most(X, Z)],
            [at_most(Z, Y), at_most(Y, X)],
            None,
        ),
        # An argument is a fraction of a common one.
        ([equal(A * 2, X), equal(f(A), Y)], [equal(B * 2, X), different(f(B), Y)], None),
        ([FALSE], [equal(X, Y)], FALSE),
        ([equal(X, Y)], [FALSE], TRUE),
    ],
)
def test_contradictions_are_separated(before, after, expected):
    interpolant = separated(conjunction(before), conjunction(after)).interpolant
    assert expected is None or interpolant == expected


BETWEEN = conjunction([at_most(X, A), at_most(A, Z), equal(f(A), Y)])
"""Of x ≤ z, and of f(z) = y where z ≤ x."""


def test_interpolants_of_one_proof_contradict_each_other_though_each_part_waits_for_the_other():
    """a = z by the second part and d = c by the first, each of them on a condition."""
    waiting = conjunction([at_most(Z, A1), at_most(A1, X), different(f(X), 0)])
    own_d = conjunction([at_most(B, variable("e")), at_most(variable("e"), C)])
    second = conjunction([at_most(C, D), at_most(D, B), equal(g(D), 0), waiting])
    parts = conjunction([BETWEEN, own_d, equal(g(B), Y)]), second
    result = prover.interpolate_symmetric(parts, theory="functions")
    assert isinstance(result, Interpolated) and isinstance(result.by, Proof)
    assert_symmetric(RATIONALS, parts, result.interpolants)


def test_all_interpolants_of_a_sequence_come_from_one_proof():
    """At its first cut z ≤ x is to come, at the second it is there."""
    turned = conjunction([at_most(Z, B), at_most(B, X), at_most(C, D), at_most(D, Y)])
    last = conjunction([at_most(Y, C), different(f(X), D), at_most(D, C), at_most(C, D)])
    parts = (BETWEEN, turned, last)
    assert isinstance(separated(*parts).by, Proof)


@pytest.mark.parametrize(
    ("theory", "reason"),
    [("integers", "no quantifier-free interpolants"), ("rationals", "no func")],
)
def test_other_theories_have_no_functions(theory, reason):
    with pytest.raises(ValueError, match=reason):
        prover.interpolate(equal(f(X), Y), different(f(X), Y), theory=theory)


def test_a_model_tells_terms_apart_that_need_not_be_equal():
    """All differences at once, though any one value of x, y and z would do for the inequalities."""
    values = conjunction([at_most(term, 1) for term in (X, Y, Z)])
    apart = conjunction([different(f(X), f(Y)), different(f(Y), f(Z)), different(f(X), f(Z))])
    result = prover.interpolate(values, apart, theory="functions")
    assert isinstance(result, Satisfiable)
    applications = [result.model[unit] for unit in result.model if isinstance(unit, Application)]
    assert len(set(applications)) == 3


def test_the_interpolant_of_a_long_proof_is_short():
    """Two ways from each term to the next, four times: 16 cases, and it does not matter which."""
    x = [variable(f"x{n}") for n in range(5)]
    ways = [
        disjunction(conjunction([equal(x[n], via), equal(via, x[n + 1])]) for via in pair)
        for n in range(4)
        for pair in [(variable(f"y{n}"), variable(f"z{n}"))]
    ]
    last = conjunction([*ways[2:], different(f(x[0]), f(x[4]))])
    result = separated(conjunction(ways[:2]), last)
    assert len(result.by) > 30
    assert result.interpolant == equal(x[0], x[2])


def test_a_search_ends_with_its_budget():
    parts = random_parts(Random(3), 2, "order")
    result = prover.interpolate(*parts, theory="functions", budget=Budget(0))
    assert isinstance(result, Undecided)


def test_a_variable_that_reads_like_an_application_is_another():
    """Names are any text, so that no name may be taken for a term."""
    alike = variable(str(Application("f", (Ratio(X),))))
    assert str(f(X).variables[0]) == alike.variables[0]
    assert f(X) != alike
    assert len((f(X) + alike).coefficients) == 2
    with pytest.raises(ValueError, match="bar or backslash"):
        f(variable("x | | y"))


def test_a_proof_of_other_formulas_is_refused():
    proof = separated(equal(X, Y), conjunction([equal(Y, Z), different(f(X), f(Z))])).by
    same = conjunction([equal(Y, Z), equal(f(X), f(Z))])
    for parts in ((different(X, Y), proof.parts[1]), (proof.parts[0], same)):
        with pytest.raises(EvidenceError, match="does not follow from part"):
            check(replace(proof, parts=parts))
    with pytest.raises(EvidenceError, match="atom 1 does not belong to one part"):
        check(replace(proof, atoms=(equal(A, Z), *proof.atoms[1:])))
    assert Inequality not in {type(atom) for atom in proof.atoms}
