"""The interpolating prover: what it answers, by definition, and what its checker refuses."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from interpolants import (
    Judge,
    assert_interpolant,
    assert_sequence,
    assert_symmetric,
    random_parts,
    sharpened,
)
from notation import formula, formulas

from petricheck import Budget
from petricheck.errors import BudgetExhausted, EvidenceError, InternalError
from petricheck.laboratory import prover
from petricheck.laboratory.prover import Elimination, Interpolated, Satisfiable, Undecided, search
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.circuits import Circuit
from petricheck.laboratory.prover.proofs import (
    Contra,
    Hypothesis,
    Proof,
    Residue,
    Resolution,
    Sum,
)
from petricheck.presburger.formulas import FALSE, TRUE, Conjunction, Disjunction, evaluate
from petricheck.presburger.text import to_text

THEORIES = ("integers", "rationals")
INTEGERS, RATIONALS = Judge(True), Judge(False)


def contradiction(seed: int, theory: str):
    """A random problem for any of the three questions, with what was asked, and the answer.

    As long as there is a model, one of the parts gets an atom more, which excludes it.
    """
    random = Random(f"{theory} {seed}")
    parts = random_parts(random, random.choice((2, 2, 3, 4)), theory == "integers")
    asked = random.choice((prover.interpolate_sequence, prover.interpolate_symmetric))
    while isinstance(found := asked(parts, theory=theory, budget=Budget(20)), Satisfiable):
        assert all(evaluate(part, found.model) for part in parts)
        parts = sharpened(random, parts, found.model, theory == "integers")
    return parts, asked, found


def assert_interpolants(seed: int, theory: str) -> None:
    parts, asked, found = contradiction(seed, theory)
    assert isinstance(found, Interpolated)
    judge = INTEGERS if theory == "integers" else RATIONALS
    symmetric = asked is prover.interpolate_symmetric
    definition = assert_symmetric if symmetric else assert_sequence
    definition(judge, parts, found.interpolants)


@pytest.mark.parametrize("theory", THEORIES)
def test_random_contradictions_have_interpolants(theory):
    for seed in range(40):
        assert_interpolants(seed, theory)


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("theory", THEORIES)
def test_ten_thousand_random_contradictions_have_interpolants(theory):
    for seed in range(100, 10_100):
        assert_interpolants(seed, theory)


@pytest.fixture(scope="module")
def proofs() -> list[Proof]:
    """Those of random problems."""
    found = [contradiction(seed, theory)[2].by for seed in range(15) for theory in THEORIES]
    return [proof for proof in found if isinstance(proof, Proof)]


def test_proofs_are_accepted(proofs):
    assert len(proofs) > 20
    for proof in proofs:
        check(proof)


def test_a_proof_is_none_of_formulas_that_can_hold_together(proofs):
    for proof in proofs:
        for number in range(len(proof.parts)):
            parts = (*proof.parts[:number], TRUE, *proof.parts[number + 1 :])
            judge = INTEGERS if proof.integral else RATIONALS
            if not judge.unsatisfiable(*parts):
                with pytest.raises(EvidenceError):
                    check(replace(proof, parts=parts))


def mutants(proof: Proof):
    """Proofs with one wrong step, and numbers of the steps."""
    for number, step in enumerate(proof.steps):
        match step:
            case Contra(Sum(((literal, times), *others))):
                yield number, Contra(Sum(((literal, times + 1), *others)))
                yield number, Contra(Sum(((-literal, times), *others)))
                yield number, Contra(Sum(((literal, -times), *others)))
                yield number, Contra(Sum(tuple(others)))
            case Contra(Residue(summands, _)):
                yield number, Contra(Residue(summands, 1))
                yield number, Contra(Residue((), 2))
            case Resolution(pivot, positive, negative):
                yield number, Resolution(-pivot, positive, negative)
                yield number, Resolution(pivot, negative, positive)
                yield number, Resolution(pivot, number, negative)
                yield number, Resolution(pivot, positive, -1)
                yield number, Resolution(len(proof.atoms) + 1, positive, negative)
            case Hypothesis(part, clause):
                yield number, Hypothesis(len(proof.parts), clause)
                yield number, Hypothesis(part, ())
                yield number, Hypothesis(part, (len(proof.atoms) + 1,))


def test_a_proof_with_one_wrong_step_is_refused(proofs):
    for proof in proofs:
        for number, step in mutants(proof):
            steps = (*proof.steps[:number], step, *proof.steps[number + 1 :])
            with pytest.raises(EvidenceError):
                check(replace(proof, steps=steps))


def refuted(*parts, theory: str = "integers") -> Proof:
    result = prover.interpolate_sequence(parts, theory=theory)
    assert isinstance(result, Interpolated) and isinstance(result.by, Proof)
    return result.by


def interpolated(*parts, theory: str = "integers", **options) -> list[str]:
    result = prover.interpolate_sequence(parts, theory=theory, **options)
    assert isinstance(result, Interpolated)
    return [to_text(interpolant) for interpolant in result.interpolants]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("y >= x and z >= y", "x >= z + 1", "x <= z"),  # example 1 of the paper
        ("x == 2*y", "x == 2*z + 1", "x mod 2 = 0"),  # integers alone
        ("0 >= 1", "0 <= 0", to_text(FALSE)),
        ("0 <= 0", "0 >= 1", to_text(TRUE)),
    ],
)
def test_interpolants_of_small_problems(first, second, expected):
    parts = formula(first), formula(second)
    assert interpolated(*parts) == [expected]
    if " mod " not in expected:
        assert interpolated(*parts, theory="rationals") == [expected]


def test_a_strict_bound_of_the_first_is_one_of_the_interpolant():
    below = formula("not x <= y")
    found = prover.interpolate(below, formula("x == y"), theory="rationals")
    assert found.interpolant == below


def test_equations_that_only_inequalities_imply_are_found():
    half, other = formula("x <= 2*a and 2*a <= y"), formula("y <= 2*b + 1 and 2*b + 1 <= x")
    found = prover.interpolate(half, other)
    assert isinstance(found.by, Proof)
    assert_interpolant(INTEGERS, half, other, found.interpolant)


def test_raising_local_resolutions_strengthens():
    first = formula("p >= 1 and (q >= 1 or m <= 0) and q <= 0 and (s <= 0 or p <= 0 or m >= 1)")
    second = formula("s >= 1 and (q <= 0 or s <= 0) and (s <= 0 or r >= 1) and q <= 0")
    assert interpolated(first, second) == ["s <= 0"]
    assert interpolated(first, second, strengthen=True) == ["s <= 0 and q <= 0"]


def test_raised_proofs_are_proofs_with_interpolants():
    for seed in range(12):
        for theory in THEORIES:
            parts, asked, _ = contradiction(seed, theory)
            stronger = asked(parts, theory=theory, strengthen=True)
            judge = INTEGERS if theory == "integers" else RATIONALS
            symmetric = asked is prover.interpolate_symmetric
            definition = assert_symmetric if symmetric else assert_sequence
            definition(judge, parts, stronger.interpolants)


def test_where_the_search_gives_up_quantifiers_are_eliminated(monkeypatch):
    monkeypatch.setattr(search, "CUTS", 0)
    parts = formulas("x <= 2*a and 2*a <= y, y <= 2*b + 1, 2*b + 1 <= x")
    found = prover.interpolate_sequence([*parts, TRUE])
    assert isinstance(found.by, Elimination)
    assert_sequence(INTEGERS, [*parts, TRUE], found.interpolants)
    symmetric = prover.interpolate_symmetric(parts)
    assert isinstance(symmetric.by, Elimination)
    assert_symmetric(INTEGERS, parts, symmetric.interpolants)


def test_without_time_nothing_is_decided():
    parts = formulas("x % 7 == 1, x % 7 == 2")
    assert isinstance(prover.interpolate(*parts, budget=Budget(0.0)), Undecided)


def test_neither_a_wrong_proof_nor_a_wrong_model_becomes_an_answer(monkeypatch):
    for found in ((), {"x": 1}):
        monkeypatch.setattr(search.Search, "run", lambda self, found=found: found)
        with pytest.raises(InternalError):
            prover.interpolate(formula("x <= 0"), TRUE)


def test_congruences_of_rationals_are_refused():
    with pytest.raises(ValueError, match="rationals have no congruences"):
        prover.interpolate(formula("x % 2 == 0"), TRUE, theory="rationals")
    with pytest.raises(ValueError, match="reals"):
        prover.interpolate(TRUE, TRUE, theory="reals")


def test_a_wide_interpolant_is_written_as_it_grew(monkeypatch):
    circuit = Circuit(integral=True)
    node = circuit.true
    for number in range(4):
        pair = (circuit.leaf(formula(f"{side}{number} <= 0")) for side in "lr")
        node = circuit.both(node, circuit.either(*pair))
    short = circuit.formula(node, Budget())
    monkeypatch.setattr("petricheck.laboratory.prover.circuits.WIDEST", 3)
    tree = circuit.formula(node, Budget())
    assert tree != short
    assert INTEGERS.implies([tree], short) and INTEGERS.implies([short], tree)
    monkeypatch.setattr("petricheck.laboratory.prover.circuits.LARGEST", 5)
    with pytest.raises(BudgetExhausted, match="more than 5 literals"):
        circuit.formula(node, Budget())


def test_a_conflict_says_what_is_wrong_with_values_whatever_led_to_them():
    count = 10  # one of two counters goes up at each step, in so many orders
    way = "{0}{m} == {0}{n} + 1 and {1}{m} == {1}{n}"
    either = f"{way.format('l', 'r', n='{n}', m='{m}')} or {way.format('r', 'l', n='{n}', m='{m}')}"
    steps = [formula(either.format(n=n, m=n + 1)) for n in range(count)]
    first, last = formulas(f"l0 == 0 and r0 == 0, l{count} >= 5 and r{count} >= 6")
    assert len(refuted(first, *steps, last)) < 2_000


def test_propagation_ends_where_bounds_grow_forever():
    above, below = formulas("x >= y + 1 or x >= y + 2, y >= z and z >= x and x >= 0")
    assert interpolated(above, below)


def test_deep_formulas_have_interpolants():
    deep = formula("x <= 0")
    for number in range(150):
        without, other = formulas(f"y{number} >= 1, y{number} <= 0 and x <= {number}")
        deep = Disjunction((Conjunction((deep, without)), other))
    assert isinstance(prover.interpolate(deep, formula("x >= 200")), Interpolated)
