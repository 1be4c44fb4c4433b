"""The checker of derivations, line by line: proofs of one step, most of them wrong.

The right ones are right by a hair, so that a checker which is too strict is noticed as well.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from test_prover_checker import REFUTED, UNFINISHED, WRONG, outcome

from petricheck.arithmetic.formulas.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Formula,
    Inequality,
    Negation,
    equal,
)
from petricheck.arithmetic.formulas.terms import Term, constant, variable
from petricheck.laboratory.prover.proofs import (
    Antisymmetric,
    Assumed,
    Atom,
    Combination,
    Congruent,
    Contra,
    Derivation,
    Difference,
    Gate,
    Hypothesis,
    Line,
    Proof,
    Reflexive,
    Resolution,
    Step,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.prover.terms import Ratio, apply

A, B, X, Y, Z = map(variable, "abxyz")


def f(*arguments: Term) -> Term:
    return apply("f", *arguments)


def g(*arguments: Term) -> Term:
    return apply("g", *arguments)


def sums(*multipliers: Fraction | int) -> Combination:
    """The sum of the first lines with these multipliers."""
    return Combination(tuple((line, Fraction(times)) for line, times in enumerate(multipliers)))


EVERYTHING = Disjunction((TRUE, equal(f(X, g(Y)), f(f(Z), g(A, B)))))
"""Says nothing, in all symbols."""


def accepts(atoms: tuple[Atom, ...], *steps: Step, part: Formula = TRUE) -> bool:
    """Whether the steps are right, of one part; the last may derive any clause."""
    parts = (Conjunction((part, EVERYTHING)),)
    return outcome(Proof(parts, False, atoms, {}, steps)) != WRONG


BOUNDS = (
    *(
        Inequality(X),
        Inequality(1 - X),
        Inequality(-X),
    ),  # 1: x <= 0, 2: x >= 1, 3: x >= 0
    *(Inequality(X * 2 - 1), Inequality(X + 1)),  # 4: x <= 1/2, 5: x <= -1
    *(Inequality(constant(1)), Inequality(constant(0)), Inequality(constant(-1))),  # 6, 7, 8
    *(equal(X, Y), Gate(0, TRUE)),
)


@pytest.mark.parametrize(
    ("literals", "multipliers", "right"),
    [
        ((1, 3), (1, 1), False),  # 0 <= 0
        ((1, -1), (1, 1), True),  # 0 < 0
        ((-1, 1), (1, 1), True),
        ((-3, -1), (1, 1), True),  # x < 0 and x > 0
        ((-1, 4), (1, 1), False),  # x > 0 and x <= 1/2
        ((-1, -2), (1, 1), False),  # 0 < x < 1
        ((2, 4), (2, 1), True),  # 1/2 <= 0
        ((1, 3, -1), (1, 1, 0), False),  # nothing strict is left
        ((1, 2, 4), (1, 1, 0), False),
        ((-1, 1, 3), (1, 2, 1), True),
        ((1, 5), (-1, 1), False),  # a difference of inequalities
        ((2,), (1,), False),  # 1 - x <= 0
        ((-1,), (1,), False),  # -x < 0
        ((9,), (1,), False),  # not of inequalities
        ((11,), (1,), False),  # no such atom
        ((6,), (), True),  # a number alone
        ((-7,), (), True),
        ((7,), (), False),
        ((-8,), (), True),
        ((2,), (), False),
        ((-1,), (), False),
        ((9,), (), False),
    ],
)
def test_a_sum_has_positive_multipliers_and_is_a_contradiction(literals, multipliers, right):
    lines = (*map(Assumed, literals), *([sums(*multipliers)] if multipliers else ()))
    assert accepts(BOUNDS, Contra(Derivation(lines, None))) == right


@pytest.mark.parametrize(
    ("lines", "right"),
    [
        ((Assumed(1), Assumed(2), sums(1, 1), Reflexive(Ratio(X))), False),  # not at the end
        ((Assumed(1), Assumed(2), sums(1, 1, 1)), False),  # rests on itself
        ((Assumed(9), Symmetric(1), Assumed(6)), False),
        ((Assumed(9), Congruent("f", (-1,)), Assumed(6)), False),
        ((Assumed(-9), Assumed(6)), False),  # a denied equation
        ((Assumed(10), Assumed(6)), False),  # a gate
        ((Reflexive(Ratio(X)), sums(1), Assumed(6)), False),  # of which no sum can be
        ((Assumed(1), Difference(0), Assumed(6)), False),
        ((Assumed(1), Transitive(0, 0), Assumed(6)), False),
        ((Reflexive(Ratio(X)), Transitive(0, -1), Assumed(6)), False),
        ((), False),
    ],
)
def test_lines_rest_on_those_before_them_and_the_last_is_absurd(lines, right):
    assert accepts(BOUNDS, Contra(Derivation(lines, None))) == right


P, Q, R = Inequality(X), equal(X, Y), Inequality(Y)
EQUATIONS = (
    *(equal(X, Y), equal(Y, Z), equal(X, Z), equal(Z, X), equal(Y, X)),  # 1 to 5
    *(equal(f(X), f(Y)), equal(f(Y), f(X)), equal(g(X), g(Y))),  # 6, 7, 8
    *(equal(f(X, Y), f(Y, Z)), R, equal(A, B)),  # 9, 10, 11
    *(Inequality(X - Y), Inequality(Y - X), Inequality(X - Y - constant(1))),  # 12, 13, 14
    *(equal(f(f(X)), f(f(Y))), equal(X, Y + constant(1)), Gate(0, TRUE)),  # 15, 16, 17
    *(equal(f(Y, X), f(Z, Y)), equal(X, B), equal(f(X, X), f(Y, Y))),  # 18, 19, 20
)
EQUAL = Antisymmetric(0, 1, Ratio(X), Ratio(Y))
TURNED = Antisymmetric(1, 0, Ratio(Y), Ratio(X))
CASES: list[tuple[tuple[Line, ...], int, bool]] = [
    ((Assumed(1),), 1, False),  # the last literal has to deny
    ((Assumed(-1),), -1, False),  # and the first to affirm
    ((), -1, False),
    ((Reflexive(Ratio(X)),), -1, False),
    ((Assumed(1), Symmetric(0)), -1, True),
    ((Assumed(1), Assumed(2), Transitive(0, 1)), -1, False),
    ((Assumed(1), Assumed(2), Transitive(0, 1)), -3, True),
    ((Assumed(1), Assumed(2), Transitive(1, 0)), -3, False),
    ((Assumed(1), Assumed(11), Transitive(0, 1)), -19, False),
    ((Assumed(1), Congruent("f", (0,))), -6, True),
    ((Assumed(1), Congruent("f", (0,))), -8, False),
    ((Assumed(1), Congruent("f", (0, 0))), -20, True),
    ((Assumed(1), Congruent("f", (0,)), Congruent("f", (1,))), -15, True),
    ((Assumed(1),), -10, False),  # an inequality
    ((Assumed(1),), -17, False),  # a gate
    ((Assumed(1),), -21, False),  # no such atom
    ((Assumed(1), Congruent("f", ())), -6, False),
    ((Assumed(12), Assumed(13), TURNED), -1, True),
    ((Assumed(12), Assumed(13), EQUAL, Assumed(2), Transitive(2, 3)), -3, True),
    ((Assumed(12), Assumed(13), TURNED, Assumed(2), Transitive(2, 3)), -3, False),
    ((Assumed(12), Antisymmetric(0, 0, Ratio(X), Ratio(Y))), -1, False),
    ((Assumed(13), Antisymmetric(0, 0, Ratio(X), Ratio(Y))), -1, False),
]


@pytest.mark.parametrize(("lines", "denied", "right"), CASES)
def test_an_equation_clashes_with_its_denial_alone(lines, denied, right):
    assert accepts(EQUATIONS, Contra(Derivation(lines, denied))) == right


@pytest.mark.parametrize(
    ("literals", "right"),
    [
        ((1, -12), True),  # x = y and x - y > 0
        ((1, -13), False),  # of x - y <= 0 and x - y < 0
        ((1, 12), False),
        ((1, 13), False),  # x - y <= 0, and not below
        ((5, -13), True),
        ((16, -14), True),  # x = y + 1 and x - y > 1
        ((16, -12), False),
        ((16, 12), True),
    ],
)
def test_a_difference_of_equal_terms_is_at_most_0_and_not_below(literals, right):
    equation, bound = literals
    # Of x = y + 1 and x <= y the other difference is wanted.
    first = (Assumed(equation), Symmetric(0)) if (equation, bound) == (16, 12) else ()
    lines = (*(first or (Assumed(equation),)), Assumed(bound))
    lines = (*lines, Difference(len(lines) - 2))
    pair = ((len(lines) - 1, Fraction(1)), (len(lines) - 2, Fraction(1)))
    assert accepts(EQUATIONS, Contra(Derivation((*lines, Combination(pair)), None))) == right


SAID = (Q, P, equal(X * 2, Y * 2), equal(Y, X), equal(X, Z))


@pytest.mark.parametrize(
    ("part", "clause", "right"),
    [
        (Q, (1,), True),
        (Q, (-1,), False),
        (Q, (3,), True),
        (Q, (4,), True),
        (Q, (5,), False),
        (equal(X * 3, Y * 3), (1,), True),
        (Negation(Q), (-1,), True),
        (Negation(Q), (-4,), True),
        (Negation(Q), (1,), False),
        (Negation(Q), (-5,), False),
        (Inequality(X - Y), (1,), False),
        (Negation(Disjunction((Q, P))), (-1,), True),
        (Negation(Conjunction((Q, P))), (-1,), False),
        (Negation(Conjunction((Q, P))), (-1, -2), True),
        (equal(X - X, constant(1)), (-1,), True),  # which holds nowhere
    ],
)
def test_an_equation_follows_from_itself_however_it_is_scaled(part, clause, right):
    assert accepts(SAID, Hypothesis(0, clause), part=part) == right


def test_integers_have_no_equations_as_atoms_and_no_derivations():
    part = Conjunction((P, Negation(P)))
    sum_of = Contra(Derivation((Assumed(1), Assumed(-1), sums(1, 1)), None))
    for atoms, steps in (((P,), (sum_of,)), ((P, Q), ())):
        for integral in (True, False):
            proof = Proof((Conjunction((part, EVERYTHING)),), integral, atoms, {}, steps)
            assert (outcome(proof) == WRONG) == integral


S = Inequality(1 - X)
NEITHER_BOUND = Conjunction((Negation(P), Negation(S)))


@pytest.mark.parametrize(
    ("part", "steps", "expected"),
    [
        (Q, [(2,), "clash", (2, 0, 1)], UNFINISHED),  # the denial remains in its clause
        (Negation(Q), [(-2,), "clash", (2, 1, 0)], UNFINISHED),
        (Conjunction((P, Negation(P))), [(1,), (-1,), "sum", (1, 0, 2), (1, 3, 1)], REFUTED),
        (Conjunction((P, S)), [(1,), (3,), "bounds", (1, 0, 2), (3, 1, 3)], REFUTED),
        (Conjunction((P, S)), [(1,), (3,), "bounds", (1, 0, 2)], UNFINISHED),
        (Negation(P), [(-1,), "sum", (1, 1, 0)], UNFINISHED),
        (NEITHER_BOUND, [(-1,), (-3,), "bounds", (1, 2, 0), (3, 3, 1)], WRONG),
    ],
)
def test_a_refutation_leaves_the_opposites_of_all_that_it_uses(part, steps, expected):
    lines = {
        "clash": Derivation((Assumed(2),), -2),
        "sum": Derivation((Assumed(1), Assumed(-1), sums(1, 1)), None),
        "bounds": Derivation((Assumed(1), Assumed(3), sums(1, 1)), None),
    }
    made = []
    for step in steps:
        match step:
            case str(word):
                made.append(Contra(lines[word]))
            case (pivot, positive, negative):
                made.append(Resolution(pivot, positive, negative))
            case clause:
                made.append(Hypothesis(0, clause))
    parts = (Conjunction((part, EVERYTHING)),)
    assert outcome(Proof(parts, False, (P, Q, S), {}, tuple(made))) == expected


FIRST = Conjunction((equal(A, X), equal(f(A), g(Y)), Negation(equal(X, variable("c")))))
SECOND = Conjunction((equal(B, Y), equal(g(B), X), equal(f(X, Y), B)))


@pytest.mark.parametrize(
    ("atom", "right"),
    [
        (equal(f(X), B), False),  # a function of the first part
        (equal(f(X, Y), A), False),  # a function of two arguments is another one
        (equal(variable("c"), X), True),  # only under a negation
        (equal(X, X), False),  # of numbers
        (equal(variable("f"), X), False),  # no variable, but a function of the first part
        (Gate(0, equal(B, X)), False),
        (Gate(0, Conjunction((equal(X, Y), equal(A, B)))), False),
        (Gate(2, TRUE), False),
        (Gate(-1, TRUE), False),
        (Gate(0, FIRST), True),
    ],
)
def test_an_atom_belongs_to_one_part(atom, right):
    proof = Proof((FIRST, SECOND), False, (equal(X, Y), atom), {}, ())
    assert (outcome(proof) != WRONG) == right


@pytest.mark.parametrize(
    ("left", "right", "pure"),
    [
        (A, X, True),
        (X, A, True),
        (A - B, X, False),
        (X, A - B, False),
        (X + B, X + B, True),
        (A + B, A + B, False),
        (f(A), f(X), True),
        (f(X), f(A), True),
        (f(B), f(B), False),
    ],
)
def test_the_sides_of_an_equation_belong_to_one_part_each(left, right, pure):
    """For a = x and b = 0 all of them are right, but some would be nobody's."""
    left, right = Ratio(left), Ratio(right)
    atoms = tuple(map(Inequality, (A - X, X - A, B, -B, constant(1))))
    lines: tuple[Line, ...] = tuple(Assumed(literal) for literal in (1, 2, 3, 4))
    if left == right:
        lines += (Reflexive(left),)
    elif {left, right} == {Ratio(f(A)), Ratio(f(X))}:
        order, pair = ((0, 1), (A, X)) if left == Ratio(f(A)) else ((1, 0), (X, A))
        lines += (Antisymmetric(*order, *map(Ratio, pair)), Congruent("f", (4,)))
    else:
        known = {
            A - X: sums(1),
            X - A: Combination(((1, Fraction(1)),)),
            A - B - X: Combination(((0, Fraction(1)), (3, Fraction(1)))),
            X - A + B: Combination(((1, Fraction(1)), (2, Fraction(1)))),
        }
        halves = known[(left - right).term], known[(right - left).term]
        lines += (*halves, Antisymmetric(4, 5, left, right))
    contra = Contra(Derivation((*lines, Assumed(5)), None))
    assert (outcome(Proof((FIRST, SECOND), False, atoms, {}, (contra,))) != WRONG) == pure
    if left == right:
        first = Contra(Derivation((Reflexive(left), Assumed(5)), None))
        assert (outcome(Proof((FIRST, SECOND), False, atoms, {}, (first,))) != WRONG) == pure
