"""The checker of proofs with functions, rule by rule: proofs of one step, most of them wrong.

The right ones are right by a hair, so that a checker which is too strict is noticed as well.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from petricheck.errors import EvidenceError
from petricheck.laboratory.functions.checker import check
from petricheck.laboratory.functions.formulas import (
    FALSE,
    TRUE,
    Atom,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
)
from petricheck.laboratory.functions.proofs import (
    Absurd,
    Antisymmetric,
    Assumed,
    Clash,
    Combination,
    Congruent,
    Contra,
    Difference,
    Gate,
    Line,
    Proof,
    Reflexive,
    Refutation,
    Step,
    Symmetric,
    Transitive,
)
from petricheck.laboratory.functions.terms import Term, apply, number, variable
from petricheck.laboratory.prover.proofs import Hypothesis, Resolution

A, B, X, Y, Z = map(variable, "abxyz")
REFUTED, UNFINISHED, WRONG = "refuted", "unfinished", "wrong"


def f(*arguments: Term) -> Term:
    return apply("f", *arguments)


def g(*arguments: Term) -> Term:
    return apply("g", *arguments)


def outcome(proof: Proof) -> str:
    """Whether it is a refutation, ends before the empty clause, or has a wrong step."""
    try:
        check(proof)
    except EvidenceError as error:
        return UNFINISHED if "does not end with the empty clause" in str(error) else WRONG
    return REFUTED


def sums(*multipliers: Fraction | int) -> Combination:
    """The sum of the first lines with these multipliers."""
    return Combination(tuple((line, Fraction(times)) for line, times in enumerate(multipliers)))


EVERYTHING = Disjunction((TRUE, Equality(f(X, g(Y)), f(f(Z), g(A, B)))))
"""Says nothing, in all symbols."""


def accepts(atoms: tuple[Gate | Atom, ...], *steps: Step, part: Formula = TRUE) -> bool:
    """Whether the steps are right, of one part; the last may derive any clause."""
    return outcome(Proof((Conjunction((part, EVERYTHING)),), atoms, steps)) != WRONG


BOUNDS = (
    *(Inequality(X), Inequality(number(1) - X), Inequality(-X)),  # 1: x <= 0, 2: x >= 1, 3: x >= 0
    *(Inequality(X - number(Fraction(1, 2))), Inequality(X + number(1))),  # 4: x <= 1/2, 5: x <= -1
    *(Inequality(number(1)), Inequality(number(0)), Inequality(number(-1))),  # 6, 7, 8
    *(Equality(X, Y), Gate(0, TRUE)),
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
        ((2, 4), (1, 1), True),  # 1/2 <= 0
        ((1, 3, -1), (1, 1, 0), False),  # nothing strict is left
        ((1, 2, 4), (1, 1, 0), False),
        ((-1, 1, 3), (1, 2, 1), True),
        ((1, 5), (-1, 1), False),  # a difference of inequalities
        ((2,), (1,), False),  # 1 - x <= 0
        ((-1,), (1,), False),  # -x < 0
        ((9,), (1,), False),  # not of inequalities
        ((11,), (1,), False),  # no such atom
    ],
)
def test_a_sum_has_positive_multipliers_and_is_a_contradiction(literals, multipliers, right):
    lines = (*map(Assumed, literals), sums(*multipliers))
    assert accepts(BOUNDS, Contra(Refutation(lines, Absurd()))) == right


@pytest.mark.parametrize(
    ("literal", "right"), [(6, True), (-7, True), (7, False), (2, False), (-1, False), (9, False)]
)
def test_a_number_alone_may_be_absurd(literal, right):
    assert accepts(BOUNDS, Contra(Refutation((Assumed(literal),), Absurd()))) == right


@pytest.mark.parametrize(
    ("lines", "right"),
    [
        ((Assumed(1), Assumed(2), sums(1, 1), Reflexive(X)), False),  # not at the end
        ((Assumed(1), Assumed(2), sums(1, 1, 1)), False),  # rests on itself
        ((Assumed(9), Symmetric(1), Assumed(6)), False),
        ((Assumed(9), Congruent("f", (-1,)), Assumed(6)), False),
        ((Assumed(-9), Assumed(6)), False),  # a denied equation
        ((Assumed(10), Assumed(6)), False),  # a gate
        ((Reflexive(X), sums(1), Assumed(6)), False),  # of which no sum can be
        ((Assumed(1), Difference(0), Assumed(6)), False),
        ((Assumed(1), Transitive(0, 0), Assumed(6)), False),
        ((Reflexive(X), Transitive(0, -1), Assumed(6)), False),
        ((), False),
    ],
)
def test_lines_rest_on_those_before_them_and_the_last_is_absurd(lines, right):
    assert accepts(BOUNDS, Contra(Refutation(lines, Absurd()))) == right


EQUATIONS = (
    *(Equality(X, Y), Equality(Y, Z), Equality(X, Z), Equality(Z, X), Equality(Y, X)),  # 1 to 5
    *(Equality(f(X), f(Y)), Equality(f(Y), f(X)), Equality(g(X), g(Y))),  # 6, 7, 8
    *(Equality(f(X, Y), f(Y, Z)), Equality(X, X), Equality(A, B)),  # 9, 10, 11
    *(Inequality(X - Y), Inequality(Y - X), Inequality(X - Y - number(1))),  # 12, 13, 14
    *(Equality(f(f(X)), f(f(Y))), Equality(X, Y + number(1)), Gate(0, TRUE)),  # 15, 16, 17
    *(Equality(f(Y, X), f(Z, Y)), Equality(X, B), Equality(f(X, X), f(Y, Y))),  # 18, 19, 20
    *(Equality(Y, Y), Equality(f(X), f(X))),  # 21, 22
)
CASES: list[tuple[tuple[Line, ...], int, bool]] = [
    ((Assumed(1),), 1, False),  # the last literal has to deny
    ((Assumed(-1),), -1, False),  # and the first to affirm
    ((), -10, False),
    ((Reflexive(X),), -21, False),
    ((Assumed(1), Symmetric(0)), -1, True),
    ((Assumed(1), Assumed(2), Transitive(0, 1)), -1, False),
    ((Assumed(1), Assumed(2), Transitive(1, 0)), -21, False),
    ((Assumed(1), Assumed(11), Transitive(0, 1)), -19, False),
    ((Assumed(1), Assumed(2), Transitive(0, 1), Assumed(4), Transitive(2, 3)), -10, True),
    ((Assumed(1), Congruent("f", (0,)), Assumed(7), Transitive(1, 2)), -22, True),
    ((Assumed(1), Congruent("f", ())), -6, False),
    ((Assumed(12), Assumed(13), Antisymmetric(1, 0, Y, X)), -1, True),
    (
        (Assumed(12), Assumed(13), Antisymmetric(0, 1, X, Y), Assumed(2), Transitive(2, 3)),
        -3,
        True,
    ),
    (
        (Assumed(12), Assumed(13), Antisymmetric(1, 0, Y, X), Assumed(2), Transitive(2, 3)),
        -3,
        False,
    ),
    ((Assumed(12), Antisymmetric(0, 0, X, Y)), -1, False),
    ((Assumed(13), Antisymmetric(0, 0, X, Y)), -1, False),
]


@pytest.mark.parametrize(("lines", "denied", "right"), CASES)
def test_an_equation_clashes_with_its_denial_alone(lines, denied, right):
    assert accepts(EQUATIONS, Contra(Refutation(lines, Clash(denied)))) == right


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
    assert accepts(EQUATIONS, Contra(Refutation((*lines, Combination(pair)), Absurd()))) == right


P, Q, R = Inequality(X), Equality(X, Y), Inequality(Y)
BOTH, EITHER = Conjunction((P, Q)), Disjunction((P, Q))
NEITHER = Negation(EITHER)
SAID = (
    *(P, Q, R),  # 1, 2, 3
    *(Gate(0, BOTH), Gate(0, EITHER), Gate(0, NEITHER), Gate(1, BOTH)),  # 4, 5, 6, 7
    *(Gate(0, TRUE), Gate(0, FALSE), Inequality(number(1) - X), Inequality(-X)),  # 8, 9, 10, 11
)


@pytest.mark.parametrize(
    ("part", "clause", "right"),
    [
        (Negation(P), (10,), False),  # x > 0 is not x >= 1
        (Negation(P), (11,), False),  # which holds, but says less
        (EITHER, (2,), False),
        (Negation(BOTH), (-2,), False),
        (NEITHER, (-1,), True),
        (NEITHER, (-2,), True),
        (Negation(TRUE), (), True),
        (P, (1, 0), False),
        (P, (1, 12), False),  # no such atom
        (BOTH, (5,), False),  # a gate for its own formula alone
        (EITHER, (6,), False),
        (Negation(Conjunction((EITHER, R))), (6, -3), True),
        (Conjunction((EITHER, R)), (6, -3), False),
        (TRUE, (-4, 1), True),  # what the gate stands for
        (TRUE, (-5, 1), False),
        (R, (-4, 3), True),  # or the part itself
        (BOTH, (7,), False),  # a gate of another part
        (P, (1, -7), False),
    ],
)
def test_a_hypothesis_follows_from_its_part_or_a_denied_gate(part, clause, right):
    """The other part says the opposite of everything, and has no say."""
    both = Conjunction((part, EVERYTHING))
    proof = Proof((both, Conjunction((Negation(part), EVERYTHING))), SAID, (Hypothesis(0, clause),))
    assert (outcome(proof) != WRONG) == right


@pytest.mark.parametrize(
    ("clause", "right"), [((1,), False), ((1, 2), False), ((-1, 2), True), ((-1, 1), True)]
)
def test_the_first_atom_may_be_a_gate(clause, right):
    steps = (Hypothesis(0, clause),)
    assert (outcome(Proof((EVERYTHING,), (Gate(0, BOTH), P, Q), steps)) != WRONG) == right


@pytest.mark.parametrize(("number_", "right"), [(0, False), (1, True), (2, False), (-1, False)])
def test_a_hypothesis_is_of_a_part_that_there_is(number_, right):
    proof = Proof((R, P), (P,), (Hypothesis(number_, (1,)),))
    assert (outcome(proof) != WRONG) == right


CLAUSES = ((1, 2), (-1, -2), (-1,), (2,), (-2,), (1, -1), (1, 3), (-1, 3), (-3,), (3, -1))


@pytest.mark.parametrize(
    ("resolutions", "expected"),
    [
        ([Resolution(1, 0, 1)], UNFINISHED),  # 2 or not 2
        ([Resolution(1, 0, 2), Resolution(1, 10, 2)], WRONG),  # the same pivot twice
        ([Resolution(-2, 4, 3)], WRONG),
        ([Resolution(1, 3, 2)], WRONG),  # the first clause has not the atom
        ([Resolution(1, 0, 4)], WRONG),  # the second does not deny it
        ([Resolution(2, 3, 10)], WRONG),  # rests on itself
        ([Resolution(2, 10, 4)], WRONG),
        ([Resolution(3, -1, 8)], WRONG),  # the last but one, if counted from the end
        ([Resolution(1, 0, -1)], WRONG),
        ([Resolution(2, 3, 4), Resolution(1, 0, 2)], UNFINISHED),  # the last step counts
    ],
)
def test_a_resolution_is_on_what_one_clause_has_and_the_other_denies(resolutions, expected):
    literals = (P, Negation(P)), (Q, Negation(Q)), (R, Negation(R))
    part = Conjunction(
        tuple(
            Disjunction(tuple(literals[abs(literal) - 1][literal < 0] for literal in clause))
            for clause in CLAUSES
        )
    )
    steps = (*(Hypothesis(0, clause) for clause in CLAUSES), *resolutions)
    assert outcome(Proof((part,), (P, Q, R), steps)) == expected


def test_without_steps_nothing_is_refuted():
    assert outcome(Proof((FALSE,), (), ())) == UNFINISHED
    assert outcome(Proof((FALSE,), (), (Hypothesis(0, ()),))) == REFUTED


S = Inequality(number(1) - X)
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
        "clash": Refutation((Assumed(2),), Clash(-2)),
        "sum": Refutation((Assumed(1), Assumed(-1), sums(1, 1)), Absurd()),
        "bounds": Refutation((Assumed(1), Assumed(3), sums(1, 1)), Absurd()),
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
    assert outcome(Proof(parts, (P, Q, S), tuple(made))) == expected


FIRST = Conjunction((Equality(A, X), Equality(f(A), g(Y)), Negation(Equality(X, variable("c")))))
SECOND = Conjunction((Equality(B, Y), Equality(g(B), X), Equality(f(X, Y), B)))


@pytest.mark.parametrize(
    ("atom", "right"),
    [
        (Equality(f(X), B), False),  # a function of the first part
        (Equality(f(X, Y), A), False),  # a function of two arguments is another one
        (Equality(variable("c"), X), True),  # only under a negation
        (Equality(variable("f"), X), False),  # no variable, but a function of the first part
        (Gate(0, Equality(B, X)), False),
        (Gate(0, Conjunction((Equality(X, Y), Equality(A, B)))), False),
        (Gate(2, TRUE), False),
        (Gate(-1, TRUE), False),
        (Gate(0, FIRST), True),
    ],
)
def test_an_atom_belongs_to_one_part(atom, right):
    """Wherever it stands, and whether a step uses it or not."""
    for atoms in ((atom,), (atom, Equality(X, Y)), (Equality(X, Y), atom)):
        proof = Proof((FIRST, SECOND), atoms, ())
        assert (outcome(proof) != WRONG) == right
        message = f"atom {atoms.index(atom) + 1} does not belong"
        if not right:
            with pytest.raises(EvidenceError, match=message):
                check(proof)


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
    atoms = tuple(map(Inequality, (A - X, X - A, B, -B, number(1))))
    lines: tuple[Line, ...] = tuple(Assumed(literal) for literal in (1, 2, 3, 4))
    if left == right:
        lines += (Reflexive(left),)
    elif {left, right} == {f(A), f(X)}:
        pair = (A, X) if left == f(A) else (X, A)
        order = (0, 1) if left == f(A) else (1, 0)
        lines += (Antisymmetric(*order, *pair), Congruent("f", (4,)))
    else:
        sums_ = {
            A - X: sums(1),
            X - A: Combination(((1, Fraction(1)),)),
            A - B - X: Combination(((0, Fraction(1)), (3, Fraction(1)))),
            X - A + B: Combination(((1, Fraction(1)), (2, Fraction(1)))),
        }
        lines += (sums_[left - right], sums_[right - left], Antisymmetric(4, 5, left, right))
    contra = Contra(Refutation((*lines, Assumed(5)), Absurd()))
    assert (outcome(Proof((FIRST, SECOND), atoms, (contra,))) != WRONG) == pure
