"""Interpolation with uninterpreted functions: the definition, the rules, the checker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from random import Random

import pytest
from functions import Problems, assert_interpolant, unsatisfiable

from petricheck.budget import Budget
from petricheck.errors import EvidenceError
from petricheck.laboratory.functions import Modelled, Separated, interpolate
from petricheck.laboratory.functions.checker import check
from petricheck.laboratory.functions.formulas import (
    FALSE,
    Equality,
    Formula,
    Inequality,
    at_most,
    atoms,
    below,
    conjunction,
    different,
    disjunction,
    equal,
    negate,
)
from petricheck.laboratory.functions.proofs import Contra, Proof, Refutation, Step
from petricheck.laboratory.functions.rules import interpolant
from petricheck.laboratory.functions.terms import Term, apply, number, variable
from petricheck.laboratory.prover.proofs import Hypothesis, Resolution
from petricheck.laboratory.prover.results import Undecided

KINDS = ("equality", "combination", "order")
A, B, C, X, Y, Z = map(variable, "abcxyz")


def f(*arguments: Term) -> Term:
    return apply("f", *arguments)


def separated(first: Formula, second: Formula) -> Separated:
    """The answer, once z3 has confirmed it."""
    found = interpolate(first, second)
    assert isinstance(found, Separated)
    assert_interpolant(first, second, found.interpolant)
    return found


def assert_separated(seed: int, kind: str) -> None:
    """A random problem has an interpolant once no model is left; each excludes the last."""
    problems = Problems(Random(seed), kind)
    pair = problems.pair()
    while isinstance(found := interpolate(*pair, budget=Budget(30)), Modelled):
        assert all(map(found.model.satisfies, pair))
        pair = problems.sharpened(pair, found.model)
    assert isinstance(found, Separated)
    assert_interpolant(*pair, found.interpolant)


@pytest.mark.parametrize("kind", KINDS)
def test_random_interpolants_are_what_the_definition_says(kind):
    for seed in range(10):
        assert_separated(seed, kind)


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_interpolants_are_what_the_definition_says(kind):
    for seed in range(10_000):
        assert_separated(seed, kind)


def test_interpolants_of_equations_are_made_of_equations():
    for seed in range(25):
        first, second = Problems(Random(seed), "equality").pair()
        match interpolate(first, second):
            case Separated(found):
                assert all(isinstance(atom, Equality) for atom in atoms(found))


def test_a_term_between_two_common_ones_equals_them_on_a_condition():
    """Section 2.3: interpolants are no conjunctions, since the combination is not convex."""
    before = conjunction([at_most(X, A), at_most(A, Z), equal(f(A), number(0))])
    after = conjunction([at_most(Z, B), at_most(B, X), equal(f(B), number(1))])
    found = separated(before, after)
    assert unsatisfiable(found.interpolant, equal(X, Z), below(number(0), f(X)))


def g(argument: Term) -> Term:
    return apply("g", argument)


A1, D = variable("a1"), variable("d")
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
            [at_most(f(Y), B), at_most(B, Z), different(g(B), Y), at_most(X, number(9))],
            None,
        ),
        # A alone knows c and d, and B that f(y) ≤ z lies between them.
        (
            [LINKED, at_most(C, f(X)), at_most(Z, D), at_most(D, C), different(g(C), g(D))],
            [at_most(f(Y), Z), at_most(X, number(9))],
            None,
        ),
        # A knows c ≤ a ≤ z, and B that x lies between z and c, either way round.
        ([at_most(f(X), number(9)), equal(f(A), Y), BETWEEN_C], [ROUND], None),
        ([equal(f(A), Y), at_most(f(X), number(9)), BETWEEN_C], [ROUND], None),
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
        ([FALSE], [equal(X, Y)], FALSE),
        ([equal(X, Y)], [FALSE], negate(FALSE)),
    ],
)
def test_contradictions_are_separated(before, after, expected):
    found = separated(conjunction(before), conjunction(after))
    assert expected is None or found.interpolant == expected


def test_integers_with_functions_are_refused_with_the_reason():
    with pytest.raises(ValueError, match="no quantifier-free interpolants in general"):
        interpolate(equal(X, Y), different(X, Y), theory="integers")


def test_strict_inequalities_and_fractions_count():
    half = X * Fraction(1, 2)
    assert isinstance(
        interpolate(below(number(0), half), below(half, number(Fraction(1, 9)))), Modelled
    )
    separated(below(number(0), half), at_most(f(X) + X, f(X)))


def test_a_model_tells_terms_apart_that_need_not_be_equal():
    """All differences at once, though any one value of x, y and z would do for the inequalities."""
    values = conjunction([at_most(term, number(1)) for term in (X, Y, Z)])
    apart = conjunction([different(f(X), f(Y)), different(f(Y), f(Z)), different(f(X), f(Z))])
    found = interpolate(values, apart)
    assert isinstance(found, Modelled)
    assert found.model.satisfies(conjunction([values, apart]))


def test_the_interpolant_of_a_long_proof_is_short():
    """Two ways from each term to the next, four times: 16 cases, and it does not matter which."""
    x = [variable(f"x{n}") for n in range(5)]
    ways = [
        disjunction(conjunction([equal(x[n], via), equal(via, x[n + 1])]) for via in pair)
        for n in range(4)
        for pair in [(variable(f"y{n}"), variable(f"z{n}"))]
    ]
    found = separated(conjunction(ways[:2]), conjunction([*ways[2:], different(f(x[0]), f(x[4]))]))
    assert len(found.proof) > 100
    assert found.interpolant == equal(x[0], x[2])


def test_a_search_ends_with_its_budget():
    first, second = Problems(Random(3), "order").pair()
    assert isinstance(interpolate(first, second, budget=Budget(0)), Undecided)


def test_terms_that_read_alike_are_ordered_alike():
    one, other = f(variable("x, y")), f(X, Y)
    assert str(one) == str(other)
    assert one != other
    assert one + other == other + one


def wrong(step: Step) -> Iterator[Step]:
    """The step with something else in one place."""
    match step:
        case Hypothesis(part, clause):
            yield Hypothesis(1 - part, clause)
            yield Hypothesis(part, clause[1:])
            for place, literal in enumerate(clause):
                yield Hypothesis(part, (*clause[:place], -literal, *clause[place + 1 :]))
        case Resolution(pivot, positive, negative):
            yield Resolution(pivot, negative, positive)
            yield Resolution(pivot + 1, positive, negative)
        case Contra(Refutation(lines, end)):
            yield from (Contra(Refutation(lines, other)) for other in changed(end))
            for place, line in enumerate(lines):
                before, after = lines[:place], lines[place + 1 :]
                yield Contra(Refutation(before + after, end))
                for other in changed(line):
                    yield Contra(Refutation((*before, other, *after), end))


def changed(line: object) -> Iterator:
    """The line with one of its numbers, or terms, another one."""
    assert is_dataclass(line)
    for field in fields(line):
        match getattr(line, field.name):
            case int() as value:
                yield replace(line, **{field.name: -value})
                yield replace(line, **{field.name: value + 1})
            case Term() as term:
                yield replace(line, **{field.name: term + number(1)})
            case ((int(), Fraction()), *_) as summands:
                ((first, times), *rest) = summands
                yield replace(line, **{field.name: ((first, times * 2), *rest)})
                yield replace(line, **{field.name: ((first, -times), *rest)})
            case (int() as first, *rest):
                yield replace(line, **{field.name: (first + 1, *rest)})


def test_mutated_proofs_are_refused_unless_they_are_proofs():
    """One line may do in the place of another; then the interpolant is still one."""
    refused = accepted = 0
    for seed in range(24):
        first, second = Problems(Random(seed), KINDS[seed % 3]).pair()
        match interpolate(first, second):
            case Separated(_, proof):
                for place, step in enumerate(proof.steps):
                    for other in set(wrong(step)) - {step}:
                        mutated = altered(proof, place, other)
                        if is_accepted(mutated):
                            assert_interpolant(first, second, interpolant(mutated, frozenset({0})))
                            accepted += 1
                        else:
                            refused += 1
    assert refused > 150 > 15 * accepted


def altered(proof: Proof, place: int, step: Step) -> Proof:
    return replace(proof, steps=(*proof.steps[:place], step, *proof.steps[place + 1 :]))


def is_accepted(proof: Proof) -> bool:
    try:
        check(proof)
    except EvidenceError:
        return False
    return True


def test_a_proof_of_other_formulas_is_refused():
    proof = separated(equal(X, Y), conjunction([equal(Y, Z), different(f(X), f(Z))])).proof
    same = conjunction([equal(Y, Z), equal(f(X), f(Z))])
    for parts in ((different(X, Y), proof.parts[1]), (proof.parts[0], same)):
        with pytest.raises(EvidenceError, match="does not follow from part"):
            check(replace(proof, parts=parts))
    with pytest.raises(EvidenceError, match="empty clause"):
        check(replace(proof, steps=proof.steps[:-1]))
    with pytest.raises(EvidenceError, match="atom 1 does not belong to one part"):
        check(Proof(proof.parts, (Equality(A, Z), *proof.atoms[1:]), proof.steps))
    assert Inequality not in {type(atom) for atom in proof.atoms}
