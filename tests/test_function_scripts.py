"""Interpolation problems with functions as SMT-LIB files, on the command line."""

from __future__ import annotations

import json
import re

import pytest
import z3
from click.testing import CliRunner

from petricheck.cli import main

MIXED = """
(set-logic QF_UFLRA)
(declare-fun f (Real Real) Real)
(declare-const x Real) (declare-const z Real) (declare-fun a () Real) (declare-fun b () Real)
(assert (! (<= x a) :named A1))
(assert (! (and (<= a z) (= (f a (/ a 2)) 0.5)) :named A2))
(assert (! (let ((c (+ b 0.0))) (and (<= z b) (>= x c) (distinct (f c (* 0.5 b)) 0.5))) :named B))
(check-sat)
(get-interpolant (A1 A2))
"""
FREE = """
(set-logic QF_UF)
(declare-sort |a sort| 0)
(declare-fun p (|a sort|) Bool) (declare-fun h (|a sort| |a sort|) |a sort|)
(declare-const x |a sort|) (declare-const y |a sort|) (declare-const z |a sort|)
(declare-const |a proposition| Bool)
(assert (! (and (= x (h y y)) (= (p x) |a proposition|)) :named A))
(assert (! (= y z) :interpolation-group B))
(assert (! (= (p (h z z)) (not |a proposition|)) :interpolation-group B))
"""
NAMES = """
(declare-fun |a b| (Real) Real) (declare-fun member (Real) Real) (declare-const |1| Real)
(declare-const |%41| Real) (declare-const A Real)
(assert (! (and (= |1| (|a b| 2)) (= (member |1|) (+ |%41| A))) :interpolation-group A))
(assert (! (and (= |1| (|a b| 2)) (< (member (|a b| 2)) (+ |%41| A))) :interpolation-group B))
"""
PREDICATE = """
(declare-sort U 0) (declare-fun p (U) Bool) (declare-fun q (U) Bool)
(declare-const x U) (declare-const y U) (declare-const z U) (declare-const a U)
(assert (! (= x y) :interpolation-group A))
(assert (! (or (and (p x) (q y)) (and (= z a) (not (q z)))) :interpolation-group A))
(assert (! (not (p x)) :interpolation-group B))
(assert (! (q z) :interpolation-group B))
"""


@pytest.fixture
def run(tmp_path):
    def invoke(script: str, *options: str):
        path = tmp_path / "question.smt2"
        path.write_text(script)
        return CliRunner().invoke(main, ["interpolate", str(path), *options])

    return invoke


@pytest.mark.parametrize("script", [MIXED, FREE, PREDICATE, NAMES])
def test_interpolants_are_scripts_that_z3_confirms(run, script):
    """z3 gets the script as it was, and the answer as it was printed."""
    done = run(script, "--confirm")
    assert done.exit_code == 0
    first, definition, *comments = done.output.splitlines()
    assert first == "unsat"
    assert comments[1] == "; confirmed by z3"
    parameters = definition.split("(", 2)[2].split(") Bool")[0]
    names = re.findall(r"\((\|[^|]+\||[^\s()|]+) ", f"({parameters}")
    applied = f"(I1 {' '.join(names)})"
    for wrong, kept in ((f"(not {applied})", " A"), (applied, " B)")):
        lines = [line for line in script.splitlines() if line.startswith("(declare")]
        said = [line for line in script.splitlines() if line.startswith("(assert")]
        lines += [line for line in said if kept in line.rsplit(":", 1)[-1]]
        solver = z3.Solver()
        solver.from_string("\n".join([*lines, definition, f"(assert {wrong})"]))
        assert solver.check() == z3.unsat


def test_json_has_the_interpolant_and_the_size_of_its_proof(run):
    fields = json.loads(run(MIXED, "--json", "--confirm").output)
    assert (fields["answer"], fields["confirmed"]) == ("unsat", True)
    assert len(fields["interpolants"]) == 1
    assert fields["proof"] > 0


def test_models_define_numbers_propositions_and_functions(run):
    """What they define satisfies the script, for which z3 is asked."""
    script = """
    (declare-fun f (Real) Real) (declare-const x Real) (declare-fun p (Real) Bool)
    (assert (! (and (< (f x) (/ 1 3)) (p x) (not (p (f x)))) :named A))
    (assert (! (> (f x) (f 0.0)) :named B))
    """
    done = run(script)
    assert done.exit_code == 0
    assertions = "(assert (and (< (f x) (/ 1 3)) (p x) (not (p (f x))) (> (f x) (f 0.0))))"
    lines = [line for line in done.output.splitlines() if line.startswith("(define")]
    lines.sort(key=lambda line: "ite" not in line)
    solver = z3.Solver()
    solver.from_string("\n".join([*lines, assertions]))
    assert solver.check() == z3.sat
    assert set(json.loads(run(script, "--json").output)["model"]) == {"f", "x", "p"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("Real", "Int"), "integers with functions have no quantifier-free interpolants"),
        (("(f a (/ a 2))", "(f a)"), "'f' of such arguments is not understood"),
        (("(f a (/ a 2))", "(* a a)"), "line 6: a product or quotient that is not linear"),
        (("(f a (/ a 2))", "(f a (< a 2))"), "'f' of such arguments"),
        (("(and (<= a z)", "(and a"), "a value in place of a formula"),
        (("(get-interpolant (A1 A2))", ""), "more than two parts, with functions"),
        (("(A1 A2)", "(A1 C)"), "'C', which no assertion is named,"),
        (("(f a (/ a 2))", "(g a)"), "'g' of such arguments"),
        (("(<= x a)", f"{'(not ' * 120}(<= x a){')' * 120}"), "nesting deeper than 100"),
        (("a () Real", "x () Real"), "a second declaration of 'x'"),
        (("b () Real", "2b () Real"), "the symbol '2b'"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(run, change, reason):
    done = run(MIXED.replace(*change))
    assert done.exit_code == 3
    assert reason in done.output


def test_proofs_with_functions_are_for_two_parts_alone(run):
    for option in ("--symmetric", "--strengthen"):
        done = run(MIXED, option)
        assert done.exit_code == 3
        assert "has functions" in done.output


def test_doubling_by_let_is_refused_before_it_takes_long(run):
    lets = "".join(f"(let ((a{n + 1} (f a{n} a{n}))) " for n in range(60))
    body = f"(let ((a0 x)) {lets}(= a60 x){')' * 61}"
    done = run(MIXED.replace("(<= x a)", body))
    assert done.exit_code == 3
    assert "more than 200000 parts" in done.output
