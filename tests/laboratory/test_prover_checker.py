"""The checker of proofs, rule by rule: proofs of one step, most of them wrong."""

from __future__ import annotations

import pytest

from petricheck.arithmetic.formulas.formulas import (
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
from petricheck.arithmetic.formulas.terms import Term, variable
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.proofs import (
    Contra,
    Equation,
    Gate,
    Hypothesis,
    Proof,
    QuotientVariable,
    Residue,
    Resolution,
    Step,
    Sum,
)
from petricheck.support.errors import EvidenceError

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
        (((1, -1), (4, 1)), False, False),
        (((-1, 1), (1, 1)), True, True),
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
EQUATIONS += [z * 3 - 1, 1 - z * 3]


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
        (Residue(((Equation(7, 8), 1),), 2), False),
        (Residue(((Equation(1, 4), 1), (ODD, -1)), 2), False),
        (Residue(((EVEN, 1), (Equation(3, 2), -1)), 2), False),
    ],
)
def test_a_residue_is_of_equations_that_no_integers_satisfy(residue, right):
    assert accepts(proof(TRUE, EQUATIONS, Contra(residue))) == right
    assert not accepts(proof(TRUE, EQUATIONS, Contra(residue), integral=False))


@pytest.mark.parametrize(
    ("part", "term", "literal", "integers", "rationals"),
    [
        (Inequality(x * 2 - 1), x, 1, True, False),
        (Inequality(x * 2 - 1), x * 2 - 1, 1, True, True),
        (Inequality(x * 2 + 1), x * 3 + 1, 1, True, True),
        (Inequality(x * 2 + 1), x * 3 + 2, 1, True, False),
        (Equality(x), x + 1, 1, False, False),
        (Negation(Inequality(x)), 1 - x, 1, True, False),
        (Negation(Equality(x)), 1 - x, 1, False, False),
        (Negation(Negation(Inequality(x))), x, 1, True, True),
        (Equality(x), 1 - x, 1, False, False),
        (Negation(Disjunction((Inequality(x), Inequality(y)))), -y, 1, True, True),
        (Inequality(x - x + 1), y, 1, True, True),
        (Inequality(x - x), y, 1, False, False),
        (Negation(Inequality(x - x)), y, 1, True, True),
        (Negation(Inequality(x - x + 1)), y, 1, False, False),
        (Inequality(x), Term((), -1), 1, True, True),  # which holds anyway
        (Inequality(x), Term((), 0), 1, True, True),
        (Inequality(x), Term((), 1), 1, False, False),
        (Negation(Inequality(x)), x - 1, -1, False, False),
        (Inequality(-x), x, -1, False, False),  # x >= 0 is not x > 0
        (Inequality(1 - x * 4), x * 2, -1, True, True),
        (Equality(x), x, -1, False, False),
        (Negation(Equality(x)), x, -1, False, False),
        (Inequality(y), Term((), 1), -1, True, True),  # not 1 <= 0
        (Inequality(y), Term((), 0), -1, False, False),
        (Negation(Inequality(-x)), -x, -1, True, True),  # a strict bound
        (Inequality(x), -x, -1, False, False),
        (Inequality(x + 1), -x, -1, True, True),
        (Equality(x), -x, -1, False, False),
    ],
)
def test_a_hypothesis_follows_from_its_part_and_a_denied_literal_is_strict(
    part, term, literal, integers, rationals
):
    step = Hypothesis(0, (literal,))
    assert accepts(proof(part, [term], step)) == integers
    assert accepts(proof(part, [term], step, integral=False)) == rationals


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
    quotients = {"q": QuotientVariable(0, congruent(x, 0, 3))}
    steps = (Hypothesis(0, (1,)),)
    assert accepts(Proof((part,), True, (Inequality(term),), quotients, steps)) == right
    twice = {"p": QuotientVariable(0, congruent(x, 0, 3)), **quotients}
    assert accepts(Proof((part,), True, (Inequality(term),), twice, steps)) == right


ONE, OTHER = (Conjunction((Inequality(x), Inequality(each))) for each in (y, z))
DENIED = Disjunction((OTHER, ONE))
SOME, COPY = (Disjunction((Inequality(x), Inequality(y))) for _ in range(2))
GATED = (
    (
        Disjunction((ONE, Negation(DENIED))),
        (ONE, Negation(Disjunction((OTHER, ONE))), OTHER, Negation(DENIED)),
        [
            ((1, 4), True),
            ((1, 2), False),  # equal, and not the same
            ((1, 3), False),
            ((-1, 5), True),
            ((-1, 6), True),
            ((-3, 6), False),
            ((-4, -5, -6), True),
            ((-4, -5), False),
        ],
    ),
    (
        Negation(Conjunction((SOME, Inequality(z)))),
        (Negation(SOME), Negation(COPY)),
        [((1, -5), True), ((1,), False), ((-5,), False), ((1, 5), False), ((2, -5), False)],
    ),
    (
        Conjunction(
            (Disjunction((Equality(x), Inequality(y))), Disjunction((TRUE, Inequality(z))))
        ),
        (Equality(x), Equality(y)),  # equal ones will do
        [((1, 4), True), ((2, 4), False), ((4,), False)],
    ),
)


@pytest.mark.parametrize(
    ("part", "gates", "clause", "right"),
    [(part, gates, *case) for part, gates, cases in GATED for case in cases],
)
def test_a_gate_is_met_by_its_own_formula_alone(part, gates, clause, right):
    """After the gates x, y and z are at most 0."""
    atoms = (*(Gate(0, gate) for gate in gates), *map(Inequality, (x, y, z)))
    assert accepts(Proof((part,), True, atoms, {}, (Hypothesis(0, clause),))) == right


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
GIVEN = {"q": QuotientVariable(0, congruent(x, 0, 3))}


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
        ({"q": QuotientVariable(0, Congruence(x, 1))}, True),
        ({"q": QuotientVariable(0, Congruence(x, 0))}, False),
        ({"q": QuotientVariable(0, Congruence(x, -3))}, False),
        ({"x": QuotientVariable(0, congruent(x, 0, 3))}, False),  # not new
        ({"z": QuotientVariable(0, congruent(x, 0, 3))}, False),  # not even to the other part
        ({"q": QuotientVariable(0, congruent(z, 0, 3))}, False),  # of the other part
        ({"q": QuotientVariable(1, congruent(z, 0, 3))}, True),
        ({"q": QuotientVariable(2, congruent(y, 0, 3))}, False),
        ({"q": QuotientVariable(-1, congruent(z, 0, 3))}, False),
        ({"q": QuotientVariable(0, congruent(q, 0, 3))}, False),  # of itself
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
