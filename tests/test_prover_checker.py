"""The checker of proofs, rule by rule: proofs of one step, most of them wrong."""

from __future__ import annotations

import pytest

from petricheck.errors import EvidenceError
from petricheck.interpolation.prover.checker import check
from petricheck.interpolation.prover.proofs import (
    Contra,
    Equation,
    Gate,
    Hypothesis,
    Proof,
    Quotient,
    Residue,
    Resolution,
    Step,
    Sum,
)
from petricheck.presburger.formulas import (
    TRUE,
    Conjunction,
    Disjunction,
    Equality,
    Formula,
    Inequality,
    Negation,
    congruent,
)
from petricheck.presburger.terms import Term, variable

q, x, y, z = map(variable, "qxyz")


def accepts(proof: Proof) -> bool:
    """Whether all steps are right; the last may derive any clause."""
    try:
        check(proof)
    except EvidenceError as error:
        return "does not end with the empty clause" in str(error)
    return True


def proof(part: Formula, terms: list[Term], *steps: Step, integral: bool = True) -> Proof:
    everything = Disjunction((TRUE, *map(Inequality, (x, y, z))))
    atoms = tuple(map(Inequality, terms))
    return Proof((Conjunction((part, everything)),), integral, atoms, {}, steps)


BOUNDS = [x, 1 - x, -x, x + 1, -x - 1]


@pytest.mark.parametrize(
    ("summands", "integers", "rationals"),
    [
        (((1, 1), (2, 1)), True, True),  # x <= 0 and x >= 1
        (((1, 1), (3, 1)), False, False),  # x <= 0 and x >= 0
        (((1, 1), (-1, 1)), True, True),  # x <= 0, and not
        (((-1, 1), (4, 1)), True, True),  # x > 0 and x <= -1
        (((-3, 1), (-1, 1)), True, True),  # x < 0 and x > 0
        (((4, 1), (-4, 1)), True, True),
        (((1, 1), (5, 1)), False, False),  # x <= 0 and x >= -1
        (((4, 1), (1, -1)), False, False),  # a difference of inequalities
        (((2, 1), (1, 0)), False, False),
        (((1, 2), (2, 1)), False, False),
        ((), False, False),
        (((6, 1),), False, False),  # no such atom
        (((0, 1),), False, False),
    ],
)
def test_a_sum_has_positive_multipliers_and_is_a_contradiction(summands, integers, rationals):
    step = Contra(Sum(summands))
    assert accepts(proof(TRUE, BOUNDS, step)) == integers
    assert accepts(proof(TRUE, BOUNDS, step, integral=False)) == rationals


EVEN, ODD = Equation(1, 2), Equation(3, 4)
EQUATIONS = [y * 2 - x, x - y * 2, z * 2 + 1 - x, x - z * 2 - 1, x * 2, x * -2]


@pytest.mark.parametrize(
    ("residue", "right"),
    [
        (Residue(((EVEN, 1), (ODD, -1)), 2), True),
        (Residue(((EVEN, 1), (ODD, 1)), 2), True),
        (Residue(((EVEN, 3), (ODD, -1)), 2), True),
        (Residue(((EVEN, 1), (ODD, -1)), 3), False),
        (Residue(((EVEN, 1), (ODD, -1)), 1), False),
        (Residue(((EVEN, 1), (ODD, -1)), 0), False),
        (Residue(((EVEN, 1), (ODD, -1)), -2), False),
        (Residue(((EVEN, 1),), 2), False),
        (Residue(((ODD, 1),), 2), False),
        (Residue(((EVEN, 2), (ODD, 2)), 2), False),
        (Residue(((Equation(5, 6), 1),), 2), False),
        (Residue(((Equation(1, 4), 1), (ODD, -1)), 2), False),
        (Residue(((EVEN, 1), (Equation(3, 2), -1)), 2), False),
    ],
)
def test_a_residue_is_of_equations_that_no_integers_satisfy(residue, right):
    assert accepts(proof(TRUE, EQUATIONS, Contra(residue))) == right
    assert not accepts(proof(TRUE, EQUATIONS, Contra(residue), integral=False))


@pytest.mark.parametrize(
    ("resolution", "right"),
    [
        (Resolution(1, 0, 1), True),
        (Resolution(1, 1, 0), False),
        (Resolution(1, 0, 2), False),  # the second has not the opposite
        (Resolution(1, 2, 1), False),  # the first has not the atom
        (Resolution(2, 0, 1), False),
        (Resolution(0, 0, 1), False),
        (Resolution(1, 0, 3), False),
    ],
)
def test_a_resolution_is_on_what_one_clause_has_and_the_other_denies(resolution, right):
    part = Conjunction((Inequality(x), Negation(Inequality(x - 1)), Inequality(y)))
    clauses = [Hypothesis(0, clause) for clause in ((1,), (-1, -2), (3,))]
    assert accepts(proof(part, [x, x - 1, y], *clauses, resolution)) == right


def test_a_resolution_keeps_all_other_literals():
    part = Conjunction((Disjunction((Inequality(x), Inequality(y))), Negation(Inequality(x))))
    steps = [Hypothesis(0, (1, 2)), Hypothesis(0, (-1, 2)), Resolution(1, 0, 1)]
    with pytest.raises(EvidenceError, match="does not end with the empty clause"):
        check(proof(part, [x, y], *steps))


@pytest.mark.parametrize(
    ("part", "term", "integers", "rationals"),
    [
        (Inequality(x), x, True, True),
        (Inequality(x), x - 1, True, True),
        (Inequality(x), x + 1, False, False),
        (Inequality(x), -x, False, False),
        (Inequality(x * 2 - 1), x, True, False),
        (Inequality(x * 2 - 1), x * 2 - 1, True, True),
        (Inequality(x * 2 + 1), x * 3 + 1, True, True),
        (Inequality(x * 2 + 1), x * 3 + 2, True, False),
        (Equality(x), x, True, True),
        (Equality(x), -x, True, True),
        (Equality(x), x + 1, False, False),
        (Negation(Inequality(x)), -x, True, True),
        (Negation(Inequality(x)), 1 - x, True, False),
        (Negation(Inequality(x)), 2 - x, False, False),
        (Negation(Equality(x)), 1 - x, False, False),
        (Negation(Negation(Inequality(x))), x, True, True),
        (Negation(Disjunction((Inequality(x), Inequality(y)))), -y, True, True),
        (Negation(Conjunction((Inequality(x), Inequality(y)))), -y, False, False),
        (Disjunction((Inequality(x), Inequality(x + 1))), x, True, True),
        (Disjunction((Inequality(x), Inequality(y))), x, False, False),
        (Conjunction((Inequality(y), Inequality(x))), x, True, True),
        (TRUE, x, False, False),
        (Inequality(x - x + 1), y, True, True),
        (Inequality(x - x), y, False, False),
        (Negation(Inequality(x - x)), y, True, True),
    ],
)
def test_a_hypothesis_follows_from_its_part(part, term, integers, rationals):
    step = Hypothesis(0, (1,))
    assert accepts(proof(part, [term], step)) == integers
    assert accepts(proof(part, [term], step, integral=False)) == rationals


@pytest.mark.parametrize(
    ("part", "right"),
    [
        (Negation(Inequality(-x)), True),
        (Inequality(x), False),
        (Inequality(x + 1), True),
        (Equality(x), False),
    ],
)
def test_a_strict_literal_follows_from_strict_bounds_and_from_smaller_ones(part, right):
    below = proof(part, [-x], Hypothesis(0, (-1,)), integral=False)
    assert accepts(below) == right


@pytest.mark.parametrize(
    ("part", "clause", "right"),
    [
        (Negation(Equality(x)), (1, 2), True),
        (Negation(Equality(x)), (1, 3), False),
        (Negation(Conjunction((Inequality(x), Inequality(y)))), (2, 4), True),
        (Negation(Conjunction((Inequality(x), Inequality(y)))), (2,), False),
        (Negation(Conjunction((Inequality(x), Inequality(y)))), (4,), False),
    ],
)
def test_a_denied_conjunction_leaves_one_of_its_opposites(part, clause, right):
    terms = [x + 1, 1 - x, 2 - x, 1 - y]
    assert accepts(proof(part, terms, Hypothesis(0, clause))) == right


@pytest.mark.parametrize(
    ("part", "term", "right"),
    [
        (congruent(x, 0, 3), x - q * 3, True),
        (congruent(x, 0, 3), q * 3 - x, True),
        (congruent(x, 0, 3), x - q * 3 + 1, False),
        (Negation(congruent(x, 0, 3)), 1 - (x - q * 3), True),
        (Negation(congruent(x, 0, 3)), 2 - (x - q * 3), False),
        (Negation(congruent(x, 0, 3)), x - q * 3 - 2, True),
        (Negation(congruent(x, 0, 3)), x - q * 3 - 1, False),
        (congruent(x, 0, 2), x - q * 3, False),
        (congruent(x, 0, 2), x - q * 2, False),
    ],
)
def test_a_quotient_means_what_its_congruence_says(part, term, right):
    quotients = {"q": Quotient(0, congruent(x, 0, 3))}
    steps = (Hypothesis(0, (1,)),)
    found = Proof((part,), True, (Inequality(term),), quotients, steps)
    assert accepts(found) == right


def test_a_gate_is_met_by_its_own_formula_alone():
    one = Conjunction((Inequality(x), Inequality(y)))
    other = Conjunction((Inequality(x), Inequality(z)))
    part = Disjunction((one, Negation(Disjunction((other, one)))))
    gates = (Gate(0, one), Gate(0, Negation(Disjunction((other, one)))), Gate(0, other))
    gates += (Gate(0, Negation(part.operands[1].operand)), Inequality(x), Inequality(y))
    for clause, right in (
        ((1, 4), True),
        ((1, 2), False),  # equal, and not the same
        ((1, 3), False),
        ((-1, 5), True),
        ((-1, 6), True),
        ((-3, 6), False),
        ((-4, -5, -6), True),
        ((-4, -5), False),
    ):
        found = Proof((part,), True, gates, {}, (Hypothesis(0, clause),))
        assert accepts(found) == right, clause
