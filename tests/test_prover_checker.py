"""The checker of proofs, rule by rule: proofs of one step, most of them wrong."""

from __future__ import annotations

import pytest

from petricheck.errors import EvidenceError
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.proofs import (
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
    FALSE,
    TRUE,
    Congruence,
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


REFUTED, UNFINISHED, WRONG = "refuted", "unfinished", "wrong"


def outcome(proof: Proof) -> str:
    """Whether it is a refutation, ends before the empty clause, or has a wrong step."""
    try:
        check(proof)
    except EvidenceError as error:
        return UNFINISHED if "does not end with the empty clause" in str(error) else WRONG
    return REFUTED


def accepts(proof: Proof) -> bool:
    """Whether all steps are right; the last may derive any clause."""
    return outcome(proof) != WRONG


def proof(part: Formula, terms: list[Term], *steps: Step, integral: bool = True) -> Proof:
    everything = Disjunction((TRUE, *map(Inequality, (x, y, z))))
    atoms = tuple(map(Inequality, terms))
    return Proof((Conjunction((part, everything)),), integral, atoms, {}, steps)


BOUNDS = [x, 1 - x, -x, x + 1, -x - 1, x * 2 - 1, x - 1]


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
        (((1, 2), (2, 1)), False, False),
        (((-1, 2), (6, 1)), True, False),  # x > 0 and x <= 1/2
        (((-1, 1), (7, 1)), False, False),  # x > 0 and x <= 1
        (((-1, 1), (-7, 1)), False, False),
        (((1, 1), (3, 1), (-1, 0)), False, False),  # nothing strict is left
        (((1, 1), (2, 1), (3, 0)), False, False),
        (((8, 1),), False, False),  # no such atom
        (((0, 1), (7, 1)), False, False),  # as if 0 denied the last
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
        (Residue(((EVEN, 3), (ODD, -1)), 2), True),
        (Residue(((EVEN, 1), (ODD, -1)), 3), False),
        (Residue(((EVEN, 1), (ODD, -1)), 0), False),
        (Residue(((EVEN, 1), (ODD, -1)), -2), False),
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
        (Resolution(1, 0, 2), False),  # the second has not the opposite
        (Resolution(1, 2, 1), False),  # the first has not the atom
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
        (Inequality(x * 2 - 1), x, True, False),
        (Inequality(x * 2 - 1), x * 2 - 1, True, True),
        (Inequality(x * 2 + 1), x * 3 + 1, True, True),
        (Inequality(x * 2 + 1), x * 3 + 2, True, False),
        (Equality(x), x + 1, False, False),
        (Negation(Inequality(x)), 1 - x, True, False),
        (Negation(Equality(x)), 1 - x, False, False),
        (Negation(Negation(Inequality(x))), x, True, True),
        (Equality(x), 1 - x, False, False),
        (Negation(Disjunction((Inequality(x), Inequality(y)))), -y, True, True),
        (Inequality(x - x + 1), y, True, True),
        (Inequality(x - x), y, False, False),
        (Negation(Inequality(x - x)), y, True, True),
        (Negation(Inequality(x - x + 1)), y, False, False),
        (Inequality(x), Term((), -1), True, True),  # which holds anyway
        (Inequality(x), Term((), 0), True, True),
        (Inequality(x), Term((), 1), False, False),
    ],
)
def test_a_hypothesis_follows_from_its_part(part, term, integers, rationals):
    step = Hypothesis(0, (1,))
    assert accepts(proof(part, [term], step)) == integers
    assert accepts(proof(part, [term], step, integral=False)) == rationals


@pytest.mark.parametrize(
    ("part", "term", "integers", "rationals"),
    [
        (Negation(Inequality(x)), x - 1, False, False),
        (Inequality(-x), x, False, False),  # x >= 0 is not x > 0
        (Inequality(1 - x * 4), x * 2, True, True),
        (Equality(x), x, False, False),
        (Negation(Equality(x)), x, False, False),
        (Inequality(y), Term((), 1), True, True),  # not 1 <= 0
        (Inequality(y), Term((), 0), False, False),
    ],
)
def test_a_denied_literal_is_strict(part, term, integers, rationals):
    step = Hypothesis(0, (-1,))
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
        (Negation(congruent(x, 0, 3)), 1 - (x - q * 3), True),
        (Negation(congruent(x, 0, 3)), 2 - (x - q * 3), False),
        (Negation(congruent(x, 0, 3)), x - q * 3 - 2, True),
        (Negation(congruent(x, 0, 3)), x - q * 3 - 1, False),
        (congruent(x, 0, 2), x - q * 2, False),
    ],
)
def test_a_quotient_means_what_its_congruence_says(part, term, right):
    quotients = {"q": Quotient(0, congruent(x, 0, 3))}
    steps = (Hypothesis(0, (1,)),)
    assert accepts(Proof((part,), True, (Inequality(term),), quotients, steps)) == right
    twice = {"p": Quotient(0, congruent(x, 0, 3)), **quotients}
    assert accepts(Proof((part,), True, (Inequality(term),), twice, steps)) == right


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


def test_a_gate_of_a_negation_stands_under_negations_too():
    either = Disjunction((Inequality(x), Inequality(y)))
    copy = Disjunction((Inequality(x), Inequality(y)))
    part = Negation(Conjunction((either, Inequality(z))))
    atoms = (Gate(0, Negation(either)), Inequality(z), Gate(0, Negation(copy)))
    for clause, right in (
        ((1, -2), True),
        ((1,), False),
        ((-2,), False),
        ((1, 2), False),
        ((3, -2), False),  # equal, and not the same
    ):
        assert accepts(Proof((part,), True, atoms, {}, (Hypothesis(0, clause),))) == right, clause


def test_a_gate_of_an_equation_stands_for_equal_ones():
    part = Disjunction((Equality(x), Inequality(y)))
    atoms = (Gate(0, Equality(x)), Inequality(y), Gate(0, Equality(y)))
    for clause, right in (((1, 2), True), ((3, 2), False), ((2,), False)):
        assert accepts(Proof((part,), True, atoms, {}, (Hypothesis(0, clause),))) == right, clause


AT_MOST, AT_LEAST = Inequality(x), Inequality(1 - x)
HALVES = Conjunction((Equality(x - y * 2), Equality(x - z * 2 - 1)))
EITHER = Conjunction(
    (
        Disjunction((AT_MOST, Inequality(x - y * 2))),
        Negation(AT_MOST),
        Negation(Inequality(x - y * 2)),
    )
)
TAUTOLOGY = Disjunction((AT_MOST, Negation(AT_MOST)))
SAID = [x, 1 - x, x - y * 2, y * 2 - x, x - z * 2 - 1, z * 2 + 1 - x]
CONTRA = {
    "sum": Contra(Sum(((1, 1), (2, 1)))),
    "residue": Contra(Residue(((Equation(3, 4), 1), (Equation(5, 6), -1)), 2)),
}
EQUALITIES = [(3,), (4,), (5,), (6,)]
RESOLVED = [(3, 0, 4), (4, 1, 5), (5, 2, 6), (6, 3, 7)]


@pytest.mark.parametrize(
    ("part", "steps", "expected"),
    [
        (Conjunction((AT_MOST, AT_LEAST)), [(1,), (2,), "sum", (1, 0, 2), (1, 0, 3)], WRONG),
        (EITHER, [(1, 3), (-1,), (1, 0, 1), (3, 2, 3)], WRONG),
        (EITHER, [(1, 3), (-1,), (-3,), (1, 0, 1), (3, 3, 2)], REFUTED),
        (HALVES, [*EQUALITIES, "residue", *RESOLVED], REFUTED),
        (HALVES, [*EQUALITIES, "residue", *RESOLVED[:-1]], UNFINISHED),
        (FALSE, [(), (1,)], UNFINISHED),  # the last step counts
        (TAUTOLOGY, [(1, -1), (1, 0, 0)], UNFINISHED),
        (TAUTOLOGY, [(1, -1), (1, 0, 1)], WRONG),  # rests on itself
        (TAUTOLOGY, [(1, -1), (1, 1, 0)], WRONG),
        (TAUTOLOGY, [(1, -1), (1, 0, -1)], WRONG),  # counted from the end
        (TAUTOLOGY, [(1, -1), (1, -1, 0)], WRONG),
        (TAUTOLOGY, [(1, -1), (-1, 0, 0)], WRONG),
    ],
)
def test_a_refutation_ends_with_the_empty_clause(part, steps, expected):
    made: list[Step] = []
    for step in steps:
        match step:
            case str(word):
                made.append(CONTRA[word])
            case (pivot, positive, negative):
                made.append(Resolution(pivot, positive, negative))
            case clause:
                made.append(Hypothesis(0, clause))
    assert outcome(proof(part, SAID, *made)) == expected


def test_what_literals_deny_is_not_what_a_refutation_leaves():
    """Not x <= 0 and not x >= 1 is possible over the rationals, where x <= 0 and x >= 1 is not."""
    part = Conjunction((Negation(AT_MOST), Negation(AT_LEAST)))
    steps = Hypothesis(0, (-1,)), Hypothesis(0, (-2,)), CONTRA["sum"]
    ends = Resolution(1, 2, 0), Resolution(2, 3, 1)
    assert outcome(proof(part, SAID, *steps, integral=False)) == UNFINISHED
    assert outcome(proof(part, SAID, *steps, *ends, integral=False)) == WRONG


@pytest.mark.parametrize(("number", "right"), [(0, False), (1, True), (2, False), (-1, False)])
def test_a_hypothesis_is_of_a_part_that_there_is(number, right):
    steps = (Hypothesis(number, (1,)),)
    assert accepts(Proof((Inequality(y), AT_MOST), True, (AT_MOST,), {}, steps)) == right


FIRST = Conjunction((Inequality(x + y), congruent(x, 0, 3)))
SECOND = Conjunction((Inequality(y + z), congruent(z, 0, 3)))
GIVEN = {"q": Quotient(0, congruent(x, 0, 3))}


@pytest.mark.parametrize(
    ("atom", "right"),
    [
        (Inequality(z + q), False),  # a quotient of the first part
        (Gate(1, FIRST), False),
        (Gate(0, SECOND), False),
        (Gate(2, TRUE), False),
        (Gate(-1, TRUE), False),
        (Gate(-1, Inequality(z)), False),
    ],
)
def test_an_atom_belongs_to_one_part(atom, right):
    """Wherever it stands, and whether a step uses it or not."""
    plain = Inequality(x)
    for atoms in ((atom,), (atom, plain), (plain, atom)):
        made = Proof((FIRST, SECOND), True, atoms, GIVEN, ())
        assert accepts(made) == right
        if not right:
            with pytest.raises(EvidenceError, match=f"atom {atoms.index(atom) + 1} does not"):
                check(made)


@pytest.mark.parametrize(
    ("quotients", "right"),
    [
        ({"q": Quotient(0, Congruence(x, 1))}, True),
        ({"q": Quotient(0, Congruence(x, 0))}, False),
        ({"q": Quotient(0, Congruence(x, -3))}, False),
        ({"x": Quotient(0, congruent(x, 0, 3))}, False),  # not new
        ({"z": Quotient(0, congruent(x, 0, 3))}, False),  # not even to the other part
        ({"q": Quotient(0, congruent(z, 0, 3))}, False),  # of the other part
        ({"q": Quotient(1, congruent(z, 0, 3))}, True),
        ({"q": Quotient(2, congruent(y, 0, 3))}, False),
        ({"q": Quotient(-1, congruent(z, 0, 3))}, False),
        ({"q": Quotient(0, congruent(q, 0, 3))}, False),  # of itself
    ],
)
def test_a_quotient_is_new_and_of_a_term_of_its_part(quotients, right):
    assert accepts(Proof((FIRST, SECOND), True, (), quotients, ())) == right
    assert accepts(Proof((FIRST, SECOND), False, (), quotients, ())) == (not quotients)


def test_a_sum_is_of_inequalities_and_a_residue_too():
    gate = Gate(0, FIRST)
    atoms = (Inequality(x), gate, Inequality(-x))
    for refutation in (
        Sum(((1, 1), (2, 1))),
        Sum(((-2, 1), (2, 1))),
        Residue(((Equation(1, 2), 1),), 2),
        Residue(((Equation(2, 3), 1),), 2),
        Residue(((Equation(1, 4), 1),), 2),
        Residue(((Equation(0, 3), 1),), 2),
    ):
        assert not accepts(Proof((FIRST, SECOND), True, atoms, {}, (Contra(refutation),)))


@pytest.mark.parametrize(
    ("clause", "right"),
    [
        ((1, 0), False),  # no such atom
        ((1, -5), False),
        ((1, 2), True),
        ((1, 3), False),  # a gate of the other part
        ((-3, 4), False),
    ],
)
def test_a_hypothesis_has_atoms_and_gates_of_its_part_alone(clause, right):
    atoms = (Inequality(x), Gate(0, Inequality(x)), Gate(1, Inequality(y)), Inequality(y))
    parts = (Conjunction((Inequality(x), Disjunction((TRUE, Inequality(y))))), Inequality(y))
    assert accepts(Proof(parts, True, atoms, {}, (Hypothesis(0, clause),))) == right
