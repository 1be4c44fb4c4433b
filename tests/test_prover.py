"""The interpolating prover: what it answers, by definition, and what its checker refuses."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from interpolants import (
    Judge,
    assert_sequence,
    assert_symmetric,
    random_parts,
)

import petricheck
from petricheck import Budget, Interpolated, Satisfiable
from petricheck.errors import EvidenceError
from petricheck.interpolation.prover.checker import check
from petricheck.interpolation.prover.proofs import (
    Contra,
    Hypothesis,
    Proof,
    Residue,
    Resolution,
    Sum,
)
from petricheck.presburger.formulas import (
    TRUE,
    evaluate,
)
from petricheck.presburger.terms import variable

THEORIES = ("integers", "rationals")
a, b, x, y, z = map(variable, "abxyz")


def answer(seed: int, theory: str):
    """A random problem for any of the three questions, with what was asked, and the answer."""
    random = Random(f"{theory} {seed}")
    parts = random_parts(random, random.choice((2, 2, 3, 4)), theory == "integers")
    asked = random.choice((petricheck.interpolate_sequence, petricheck.interpolate_symmetric))
    return parts, asked, asked(parts, theory=theory, budget=Budget(20))


def assert_answer(seed: int, theory: str) -> None:
    parts, asked, result = answer(seed, theory)
    judge = Judge(theory == "integers")
    match result:
        case Satisfiable(model):
            assert all(evaluate(part, model) for part in parts)
        case Interpolated(found) if asked is petricheck.interpolate_symmetric:
            assert_symmetric(judge, parts, found)
        case Interpolated(found):
            assert_sequence(judge, parts, found)


@pytest.mark.parametrize("theory", THEORIES)
def test_random_answers_are_models_or_interpolants(theory):
    for seed in range(150):
        assert_answer(seed, theory)


@pytest.mark.campaign
@pytest.mark.parametrize("theory", THEORIES)
def test_ten_thousand_random_answers_are_models_or_interpolants(theory):
    for seed in range(150, 10_150):
        assert_answer(seed, theory)


@pytest.fixture(scope="module")
def proofs() -> list[Proof]:
    """Those of random problems."""
    answers = [answer(seed, theory)[2] for seed in range(60) for theory in THEORIES]
    found = [each.by for each in answers if isinstance(each, Interpolated)]
    return [proof for proof in found if isinstance(proof, Proof)]


def test_proofs_are_accepted(proofs):
    assert len(proofs) > 20
    for proof in proofs:
        check(proof)


def test_a_proof_is_none_of_formulas_that_can_hold_together(proofs):
    for proof in proofs:
        for number in range(len(proof.parts)):
            parts = (*proof.parts[:number], TRUE, *proof.parts[number + 1 :])
            if not Judge(proof.integral).unsatisfiable(*parts):
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
