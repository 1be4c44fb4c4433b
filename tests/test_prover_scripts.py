"""Interpolation problems as SMT-LIB files, on the command line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import z3
from click.testing import CliRunner

from petricheck.cli import main
from petricheck.laboratory import bench_prover

EVEN = """
(set-logic QF_LIA)
(declare-const x0 Int) (declare-fun x1 () Int) (declare-const k Int) (declare-const l Int)
(assert (! (= x0 (* 2 k)) :named A))
(assert (! (= x1 (+ x0 2)) :named B))
(assert (! (= x1 (+ (* 2 l) 1)) :named C))
"""
REAL = """
(declare-const x Real) (declare-const y Real)
(assert (! (< x (/ y 2.0)) :interpolation-group g1))
(assert (! (> x 0.75) :interpolation-group g2))
(assert (! (< y (/ 3 2)) :interpolation-group g1))
"""


@pytest.fixture
def run(tmp_path):
    def invoke(script: str, *options: str):
        path = tmp_path / "question.smt2"
        path.write_text(script)
        return CliRunner().invoke(main, ["interpolate", str(path), *options])

    return invoke


def test_even_numbers_have_an_even_interpolant_at_each_cut(run):
    done = run(EVEN, "--confirm")
    assert done.exit_code == 0
    assert done.output.splitlines()[:3] == [
        "unsat",
        "(define-fun I1 ((x0 Int)) Bool (= (mod x0 2) 0))",
        "(define-fun I2 ((x1 Int)) Bool (= (mod x1 2) 0))",
    ]
    assert done.output.splitlines()[-1] == "; confirmed by z3"


@pytest.mark.parametrize("options", [(), ("--symmetric",), ("--strengthen",)])
def test_what_is_printed_defines_functions_for_z3(run, options):
    solver = z3.Solver()
    solver.from_string("\n".join(run(EVEN, *options).output.splitlines()[1:]))


def test_joined_names_are_one_part(run):
    fields = json.loads(run(EVEN + "(get-interpolants (and A B) C)", "--json").output)
    assert fields["answer"] == "unsat"
    assert fields["interpolants"] == ["(= (mod x1 2) 0)"]


def test_the_first_groups_are_separated_from_all_others(run):
    done = run(REAL + "(get-interpolant (g1))", "--confirm")
    assert (
        done.output.splitlines()[1]
        == "(define-fun I1 ((x Real)) Bool (not (<= (* (- 4) x) (- 3))))"
    )


def test_what_can_hold_together_has_a_model(run):
    script = REAL.replace("0.75", "0.7")
    model = json.loads(run(script, "--json").output)["model"]
    x, y = Fraction(model["x"]), Fraction(model["y"])
    assert Fraction("0.7") < x < y / 2 < Fraction(3, 4)
    printed = run(script).output.splitlines()
    assert printed[0] == "sat"
    z3.Solver().from_string("\n".join(printed[1:]))


def test_values_may_be_longer_than_python_prints(run):
    script = f"(declare-const x Int)(assert (! (= x (- 1{'0' * 5000})) :named A))"
    done = run(script + "(assert (! (<= x 0) :named B))", "--json")
    assert json.loads(done.output)["model"] == {"x": f"-1{'0' * 5000}"}


def test_without_time_the_answer_is_unknown(run):
    done = run(EVEN, "--timeout", "0.000001")
    assert done.exit_code == 1
    assert done.output.startswith("unknown\n; ")


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("(assert (! (<= 1 2) :named A))", "nothing to interpolate between"),
        ("(declare-const x Int)\n(assert (<= x 1))", "line 2: an assertion without :named"),
        ("(declare-const x Bool)", "line 1: the sort 'Bool'"),
        ("(declare-const x Int)(declare-const y Real)", "a script with integers and reals"),
        ("(declare-fun f (Int) Int)", "integers with functions have no"),
        ("(push 1)", "the command 'push'"),
        ("(declare-const x Int)\n(declare-const x Int)", "line 2: a second declaration of 'x'"),
        ("(get-interpolants A B)", "'A', which no assertion is named,"),
        ("(assert (! (<= y 1) :named A))", "line 1: 'y'"),
        ("(declare-const x Real)(assert (! (< (* x x) 1.0) :named A))", "a product of two"),
        ("(declare-const x Real)(assert (! (< (/ x 0) 1.0) :named A))", "division by anything but"),
        ("(declare-const x Real)(assert (! (= (mod x 2) 1) :named A))", "'mod' with 2"),
        ("(assert", "a parenthesis that is never closed"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(run, script, complaint):
    done = run(script)
    assert done.exit_code == 3
    assert complaint in done.output + done.stderr


def test_bench_measures_three_kinds_of_problems(monkeypatch):
    monkeypatch.setattr(bench_prover, "PROBLEMS", 1)
    monkeypatch.setattr(bench_prover, "SECONDS", 0.05)
    done = CliRunner().invoke(main, ["bench", "prover", "--seed", "3"])
    assert done.exit_code == 0
    assert len(done.output.splitlines()) == 3
    assert all(" steps  cvc5: " in line for line in done.output.splitlines())
