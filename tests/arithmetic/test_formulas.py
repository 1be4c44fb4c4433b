import pickle
from itertools import islice

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import any_terms
from strategies import formulas as formulas_over

from petricheck.arithmetic.formulas.cubes import cubes, listed_cubes
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Congruence,
    Conjunction,
    Disjunction,
    Equality,
    Inequality,
    Negation,
    at_least,
    at_most,
    atoms,
    congruent,
    conjunction,
    different,
    disjunction,
    distinct_atoms,
    equal,
    evaluate,
    map_terms,
    negate,
    normal,
    substitute,
    tighten,
    variables,
)
from petricheck.arithmetic.formulas.terms import constant, variable
from petricheck.support.budget import Budget
from petricheck.support.errors import BudgetExhausted, InputError

NAMES = ("a", "b", "c")
terms, formulas = any_terms(NAMES), formulas_over(NAMES)
points = st.fixed_dictionaries({name: st.integers(-6, 6) for name in NAMES})


def _holds(cube, point):
    return all(evaluate(atom, point) for atom in cube)


@given(terms, terms, st.integers(-9, 9), st.integers(1, 5), points)
def test_constructors_mean_what_they_say(left, right, residue, modulus, point):
    one, other = left.evaluate(point), right.evaluate(point)
    assert evaluate(at_most(left, right), point) == (one <= other)
    assert evaluate(at_least(left, right), point) == (one >= other)
    assert evaluate(equal(left, right), point) == (one == other)
    assert evaluate(different(left, right), point) == (one != other)
    same = one % modulus == residue % modulus
    assert evaluate(congruent(left, residue, modulus), point) == same


def test_a_modulus_below_one_is_refused():
    with pytest.raises(InputError, match="a modulus is 0; give a whole number, at least 1"):
        congruent(variable("a"), 1, 0)


@given(st.lists(formulas, max_size=4), points)
def test_conjunction_and_disjunction_are_all_and_any(operands, point):
    each = [evaluate(operand, point) for operand in operands]
    assert evaluate(conjunction(operands), point) == all(each)
    assert evaluate(disjunction(operands), point) == any(each)


def test_trivial_operands_vanish():
    atom = at_least(variable("a"), 1)
    assert conjunction([]) == TRUE == conjunction([TRUE, TRUE])
    assert disjunction([]) == FALSE == disjunction([FALSE])
    assert conjunction([TRUE, atom, atom]) == atom == disjunction([FALSE, atom])
    assert conjunction([atom, FALSE]) == FALSE
    assert disjunction([atom, TRUE]) == TRUE


@given(formulas, points)
def test_rewritten_formulas_say_the_same(formula, point):
    truth = evaluate(formula, point)
    assert evaluate(negate(formula), point) != truth
    assert evaluate(normal(formula), point) == truth
    assert evaluate(tighten(formula), point) == truth
    assert map_terms(formula, lambda term: term) == formula


@given(formulas)
def test_normal_forms_negate_congruences_only(formula):
    pending = [normal(formula), negate(formula)]
    while pending:
        match pending.pop():
            case Negation(operand):
                assert isinstance(operand, Congruence)
            case Conjunction(operands) | Disjunction(operands):
                pending.extend(operands)


@given(formulas, st.dictionaries(st.sampled_from(NAMES), terms), points)
def test_substitution_is_evaluation_at_the_values_of_the_terms(formula, replacements, point):
    moved = {name: replacements.get(name, variable(name)).evaluate(point) for name in NAMES}
    assert evaluate(substitute(formula, replacements), point) == evaluate(formula, moved)


@given(formulas, points)
def test_the_cubes_together_are_equivalent(formula, point):
    found = list(islice(cubes(formula), 2001))
    assume(len(found) < 2001)
    assert any(_holds(cube, point) for cube in found) == evaluate(formula, point)


@given(formulas)
def test_cubes_hold_atoms_without_repeats_or_constants(formula):
    for cube in islice(cubes(formula), 200):
        assert len(set(cube)) == len(cube)
        assert all(isinstance(atom, Inequality | Equality | Congruence) for atom in cube)
        assert all(atom.term.coefficients for atom in cube)


def test_thirty_unequal_places_yield_their_first_cubes_at_once():
    # All 2^30 cubes fit neither in memory nor in a lifetime of test runs.
    target = conjunction(different(variable(f"p{n}"), 1) for n in range(30))
    first, second = islice(cubes(target), 2)
    assert first == tuple(at_most(variable(f"p{n}"), 0) for n in range(30))
    assert second == (*first[:29], at_least(variable("p29"), 2))


def test_cubes_come_in_the_order_of_the_operands():
    a, b, c, d = (at_least(variable(name), 1) for name in "abcd")
    formula = conjunction([disjunction([a, b]), disjunction([c, d])])
    assert list(cubes(formula)) == [(a, c), (a, d), (b, c), (b, d)]
    even = congruent(variable("a"), 0, 3)
    others = [(congruent(variable("a"), residue, 3),) for residue in (1, 2)]
    assert list(cubes(negate(even))) == others


@given(formulas, st.integers(0, 5))
def test_few_cubes_are_listed_by_number_and_more_are_not(formula, most):
    first = tuple(islice(cubes(formula), most + 1))
    assert listed_cubes(formula, most=most) == (first if len(first) <= most else None)


def test_who_lists_cubes_looks_at_the_budget():
    with pytest.raises(BudgetExhausted):
        listed_cubes(Conjunction(FORTY), Budget(seconds=0.0), most=2000)


def test_cubes_survive_thousands_of_conjuncts():
    target = conjunction(equal(variable(f"p{n}"), 1) for n in range(5000))
    (cube,) = cubes(target)
    assert cube == target.operands


def test_true_has_the_empty_cube_and_false_has_none():
    assert list(cubes(TRUE)) == [()]
    assert list(cubes(FALSE)) == []
    assert list(cubes(conjunction([at_least(constant(1), 2), at_least(variable("a"), 1)]))) == []


def test_a_negated_constant_congruence_is_decided_without_splitting():
    modulus = 10**30
    assert list(cubes(Negation(Congruence(constant(modulus), modulus)))) == []
    assert list(cubes(Negation(Congruence(constant(1), modulus)))) == [()]


A, B = variable("a"), variable("b")
FORTY = tuple(Disjunction((at_least(A, n), at_least(B, n))) for n in range(40))


@pytest.mark.parametrize(
    "impossible",
    [
        Negation(Congruence(A, 1)),
        Negation(Congruence(constant(6), 3)),
        Congruence(constant(5), 3),
        Inequality(constant(1)),
        Equality(constant(1)),
        Negation(Inequality(constant(0))),
        Negation(Equality(constant(0))),
        Conjunction((Disjunction(()), at_least(A, 1))),
    ],
)
def test_what_is_trivially_impossible_takes_no_walk_through_the_alternatives(impossible):
    assert normal(Conjunction((*FORTY, impossible))) == FALSE
    assert not list(cubes(Conjunction((*FORTY, impossible))))
    assert tighten(Conjunction((*FORTY, impossible))) == FALSE


@pytest.mark.parametrize("turned", [1, -1])
def test_tightening_joins_opposite_inequalities_among_others(turned):
    parts = (at_most(2 * A, 2 * B + 3), at_least(A, 1), at_least(3 * A, 3 * B + 3))[::turned]
    joined = tighten(Conjunction(parts))
    assert set(joined.operands) == {equal(A - B, 1), at_least(A, 1)}


def test_congruences_and_what_is_denied_are_tightened():
    assert tighten(Negation(Congruence(3 * A + 4 * B + 5, 2))) == Negation(Congruence(A + 1, 2))
    assert tighten(Negation(Congruence(2 * A, 2))) == FALSE
    assert tighten(Negation(Congruence(2 * A + 1, 2))) == TRUE
    assert tighten(Congruence(2 * A + 4 * B + 6, 8)) == Congruence(A + 2 * B + 3, 4)
    assert tighten(Negation(at_most(A, 1))) == at_least(A, 2)


@given(st.lists(formulas, max_size=3))
def test_distinct_atoms_are_the_atoms_once(operands):
    formula = Conjunction((*operands, Negation(Disjunction((*operands, TRUE)))))
    once = [*distinct_atoms(formula)]
    assert len(once) == len(set(once))
    assert set(once) == set(atoms(formula))
    assert variables(formula) == tuple(sorted({n for a in once for n in a.term.variables}))


@given(formulas)
def test_the_hash_of_a_formula_stays_in_its_process(formula):
    assert hash(formula) == hash(formula)
    sent = pickle.loads(pickle.dumps(formula))
    assert sent == formula
    assert not hasattr(sent, "_hash")
    assert hash(sent) == hash(formula)
