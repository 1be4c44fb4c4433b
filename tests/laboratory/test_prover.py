"""The interpolating prover: what it answers, by definition, in every theory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from random import Random

import pytest
from interpolants import (
    INTEGERS,
    KINDS,
    RATIONALS,
    assert_sequence,
    assert_symmetric,
    judge_of,
    random_parts,
    sharpened,
    theory_of,
)
from notation import formula, formulas

from petricheck import Budget
from petricheck.arithmetic.formulas.formulas import (
    FALSE,
    TRUE,
    Conjunction,
    Disjunction,
    evaluate,
)
from petricheck.arithmetic.formulas.terms import variable
from petricheck.arithmetic.formulas.text import to_text
from petricheck.laboratory import prover
from petricheck.laboratory.prover import (
    Elimination,
    Interpolated,
    Satisfiable,
    Undecided,
    search,
)
from petricheck.laboratory.prover.checker import check
from petricheck.laboratory.prover.circuits import GateCircuit
from petricheck.laboratory.prover.proofs import (
    Contra,
    Derivation,
    Hypothesis,
    Proof,
    Residue,
    Resolution,
    Step,
    Sum,
)
from petricheck.laboratory.prover.rules import interpolant
from petricheck.laboratory.prover.terms import Ratio, number
from petricheck.support.errors import BudgetExhausted, EvidenceError, InternalError

A, B, C, D, X, Y, Z = map(variable, "abcdxyz")


def contradiction(seed: int, kind: str):
    """A random problem for any of the three questions, with what is wanted, and the answer.

    As long as there is a model, one of the parts gets an atom more, which excludes it.
    """
    random = Random(f"{kind} {seed}")
    parts = random_parts(random, random.choice((2, 2, 3, 4)), kind)
    wanted = random.choice((prover.interpolate_sequence, prover.interpolate_symmetric))
    options = {"theory": theory_of(kind), "strengthen": seed % 4 == 3}
    while isinstance(result := wanted(parts, **options, budget=Budget(60)), Satisfiable):
        assert all(evaluate(part, result.model) for part in parts)
        parts = sharpened(random, parts, result.model, kind)
    return parts, wanted, result


def assert_interpolants(seed: int, kind: str) -> None:
    parts, wanted, result = contradiction(seed, kind)
    assert isinstance(result, Interpolated)
    symmetric = wanted is prover.interpolate_symmetric
    definition = assert_symmetric if symmetric else assert_sequence
    definition(judge_of(kind), parts, result.interpolants)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_random_contradictions_have_interpolants(kind):
    for seed in range(20 if theory_of(kind) == kind else 6):
        assert_interpolants(seed, kind)


@pytest.mark.campaign
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_random_contradictions_have_interpolants(kind):
    for seed in range(100, 10_100):
        assert_interpolants(seed, kind)


@pytest.fixture(scope="module")
def proofs() -> list[Proof]:
    """Those of random problems."""
    reasons = [contradiction(seed, kind)[2].by for seed in range(6) for kind in KINDS]
    return [proof for proof in reasons if isinstance(proof, Proof)]


def judge(proof: Proof):
    return INTEGERS if proof.integral else RATIONALS


def is_accepted(proof: Proof) -> bool:
    try:
        check(proof)
    except EvidenceError:
        return False
    return True


@pytest.mark.slow
def test_a_proof_is_none_of_formulas_that_can_hold_together(proofs):
    assert len(proofs) >= 28
    for proof in proofs:
        for place in range(len(proof.parts)):
            parts = (*proof.parts[:place], TRUE, *proof.parts[place + 1 :])
            if not judge(proof).unsatisfiable(*parts):
                assert not is_accepted(replace(proof, parts=parts))


def mutants(proof: Proof, step: Step, place: int) -> Iterator[Step]:
    """The step with something else in one place."""
    match step:
        case Contra(Sum(((literal, times), *others))):
            yield Contra(Sum(((literal, times + 1), *others)))
            yield Contra(Sum(((-literal, times), *others)))
            yield Contra(Sum(((literal, -times), *others)))
            yield Contra(Sum(tuple(others)))
        case Contra(Residue(summands, _)):
            yield Contra(Residue(summands, 1))
            yield Contra(Residue((), 2))
        case Contra(Derivation(lines, denied)):
            yield Contra(Derivation(lines, None if denied else -1))
            for line_place, line in enumerate(lines):
                before, after = lines[:line_place], lines[line_place + 1 :]
                yield Contra(Derivation(before + after, denied))
                for other in changed(line):
                    yield Contra(Derivation((*before, other, *after), denied))
        case Resolution(pivot, positive, negative):
            yield Resolution(-pivot, positive, negative)
            yield Resolution(pivot, negative, positive)
            yield Resolution(pivot, place, negative)
            yield Resolution(pivot, positive, -1)
            yield Resolution(len(proof.atoms) + 1, positive, negative)
        case Hypothesis(part, clause):
            yield Hypothesis(len(proof.parts), clause)
            yield Hypothesis(part, clause[1:])
            yield Hypothesis(part, (len(proof.atoms) + 1,))
            for literal_place, literal in enumerate(clause):
                rest = clause[:literal_place], clause[literal_place + 1 :]
                yield Hypothesis(part, (*rest[0], -literal, *rest[1]))


def changed(line: object) -> Iterator:
    """The line with one of its numbers, or terms, another one."""
    assert is_dataclass(line)
    for field in fields(line):
        match getattr(line, field.name):
            case int() as value:
                yield replace(line, **{field.name: -value})
                yield replace(line, **{field.name: value + 1})
            case Ratio() as term:
                yield replace(line, **{field.name: term + number(1)})
            case ((int(), Fraction()), *_) as summands:
                ((first, times), *rest) = summands
                yield replace(line, **{field.name: ((first, times * 2), *rest)})
                yield replace(line, **{field.name: ((first, -times), *rest)})
            case (int() as first, *rest):
                yield replace(line, **{field.name: (first + 1, *rest)})


@pytest.mark.slow
def test_a_proof_with_one_wrong_step_is_refused_unless_it_is_a_proof(proofs):
    """One step may do in the place of another; then the interpolant is still one."""
    refused = accepted = 0
    for proof in (proof for proof in proofs if len(proof) < 60):
        for place, step in enumerate(proof.steps):
            for other in dict.fromkeys(mutants(proof, step, place)):
                steps = (*proof.steps[:place], other, *proof.steps[place + 1 :])
                mutated = replace(proof, steps=steps)
                if other == step or not is_accepted(mutated):
                    refused += 1
                elif accepted < 40:
                    rest = Conjunction(proof.parts[1:])
                    said = interpolant(mutated, range(1), Budget())
                    assert_sequence(judge(proof), [proof.parts[0], rest], [said])
                    accepted += 1
    assert refused > 250 > 5 * accepted


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
    assert_sequence(INTEGERS, (half, other), found.interpolants)


def test_raising_local_resolutions_strengthens():
    first = formula("p >= 1 and (q >= 1 or m <= 0) and q <= 0 and (s <= 0 or p <= 0 or m >= 1)")
    second = formula("s >= 1 and (q <= 0 or s <= 0) and (s <= 0 or r >= 1) and q <= 0")
    assert interpolated(first, second) == ["s <= 0"]
    assert interpolated(first, second, strengthen=True) == ["s <= 0 and q <= 0"]


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
        monkeypatch.setattr(search.ProofSearch, "run", lambda self, found=found: found)
        with pytest.raises(InternalError):
            prover.interpolate(formula("x <= 0"), TRUE)


def test_congruences_of_rationals_are_refused():
    with pytest.raises(ValueError, match="rationals have no congruences"):
        prover.interpolate(formula("x % 2 == 0"), TRUE, theory="rationals")
    with pytest.raises(ValueError, match="reals"):
        prover.interpolate(TRUE, TRUE, theory="reals")


def test_a_wide_interpolant_is_written_as_it_grew(monkeypatch):
    circuit = GateCircuit(integral=True)
    node = circuit.true
    for n in range(4):
        pair = (circuit.leaf(formula(f"{side}{n} <= 0")) for side in "lr")
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
    for n in range(150):
        without, other = formulas(f"y{n} >= 1, y{n} <= 0 and x <= {n}")
        deep = Disjunction((Conjunction((deep, without)), other))
    assert isinstance(prover.interpolate(deep, formula("x >= 200")), Interpolated)
