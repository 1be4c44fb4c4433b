"""All of SMT-LIB's core theory in the scripts of `interpolate`: z3 reads them as well."""

from __future__ import annotations

from random import Random

import pytest
import z3

from petricheck.laboratory.prover.scripts import ScriptQuestion, read_question
from petricheck.support.errors import InputError

DECLARED = {
    "Int": "(declare-const p Bool) (declare-const q Bool) (declare-const x Int)"
    " (declare-const y Int)",
    "Real": "(declare-const p Bool) (declare-const q Bool) (declare-const x Real)"
    " (declare-const y Real)",
    "U": "(declare-sort U 0) (declare-const p Bool) (declare-fun q () Bool)"
    " (declare-const x U) (declare-const y U) (declare-fun f (U) U)",
}


CONNECTIVES = ("and", "or", "xor", "=>", "=", "distinct", "not", "ite", "ite", "compare", "let")


def proposition(random: Random, sort: str, depth: int) -> str:
    """Any formula, with `let` now and then."""
    if not depth:
        return random.choice(["p", "q", "true", "false"])
    name = random.choice(CONNECTIVES)
    match name:
        case "not":
            return f"(not {proposition(random, sort, depth - 1)})"
        case "ite":
            return f"(ite {' '.join(proposition(random, sort, depth - 1) for _ in range(3))})"
        case "compare":
            relation = random.choice(["=", "distinct", *(["<", ">="] if sort != "U" else [])])
            count = random.randint(2, 3)
            return f"({relation} {' '.join(value(random, sort, depth) for _ in range(count))})"
        case "let":
            bound, inner = (proposition(random, sort, depth - 1) for _ in range(2))
            return f"(let ((r {bound}) (q p)) (= {inner} r))"
        case _:
            count = 2 if name == "distinct" else random.randint(2, 3)
            operands = (proposition(random, sort, depth - 1) for _ in range(count))
            return f"({name} {' '.join(operands)})"


def value(random: Random, sort: str, depth: int) -> str:
    """Any term, many of them conditional."""
    if not depth or random.random() < 0.2:
        return random.choice(["x", "y"] + ["1", "3"] * (sort != "U"))
    if random.random() < 0.6:
        condition = proposition(random, sort, depth - 1)
        return (
            f"(ite {condition} {value(random, sort, depth - 1)} {value(random, sort, depth - 1)})"
        )
    inner = value(random, sort, depth - 1)
    return f"(f {inner})" if sort == "U" else f"(+ {inner} (* 2 {value(random, sort, depth - 1)}))"


def question(sort: str, formula: str) -> ScriptQuestion:
    script = f"{DECLARED[sort]} (assert (! {formula} :named A)) (assert (! true :named B))"
    return read_question(script, "question.smt2")


def assert_understood(sort: str, formula: str) -> None:
    """What z3 reads is equivalent to what we read, written again."""
    ours = question(sort, formula)
    written = ours.signature.to_smtlib(ours.parts[0])
    solver = z3.Solver()
    solver.from_string(f"{DECLARED[sort]} (assert (distinct {formula} {written}))")
    assert solver.check() == z3.unsat, (formula, written)


@pytest.mark.parametrize("sort", DECLARED)
def test_a_formula_means_what_z3_takes_it_for(sort):
    for seed in range(25):
        assert_understood(sort, proposition(Random(f"{sort} {seed}"), sort, 3))


@pytest.mark.parametrize(
    "formula",
    [
        "(= (mod (ite p x (+ x 1)) 2) (ite q 0 1))",
        "(= (mod x 5000) 1)",
        "(< (mod x 3) (mod y 2))",
        "(= y (+ (mod x 3) (ite p (mod y 2) 1)))",
        "(distinct (mod x 3) 2 (mod y 4))",
        "(= 1 (mod (mod x 6) 4))",
    ],
)
def test_a_remainder_is_a_number_like_any_other(formula):
    assert_understood("Int", formula)


MANY = " ".join(["(ite p 1 2)"] * 10)


@pytest.mark.parametrize(
    ("formula", "complaint"),
    [
        ("(= x (ite p q 1))", "cases of different sorts"),
        ("(= x (ite x y 1))", "a value in place of a formula"),
        ("(ite p x y)", "a value in place of a formula"),
        ("(and p (ite p x y))", "in place of a formula"),
        ("(xor p)", "'xor'"),
        ("(xor p x)", "a value in place of a formula"),
        ("(= x (ite p x))", "'ite'"),
        (f"(= x (+ {MANY}))", "more than 1000 cases"),
    ],
)
@pytest.mark.parametrize("sort", ["Int", "Real"])
def test_what_has_no_meaning_or_too_many_cases_is_refused(sort, formula, complaint):
    with pytest.raises(InputError, match=complaint):
        question(sort, formula)


def test_conditions_that_double_are_refused_before_it_takes_long():
    lets = "".join(f"(let ((x (ite (= x y) (+ x {n}) x))) " for n in range(60))
    for doubled in ("(= x 1)", "(xor (= x 1) p)"):
        with pytest.raises(InputError, match="more than 10"):
            question("Int", f"{lets}{doubled}{')' * 60}")
